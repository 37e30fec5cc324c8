"""What a reader asks by: the sentence, the model, a head, a question to the model."""
