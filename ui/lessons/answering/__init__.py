"""What a reader of a lesson answers: predictions, the own sentence, and how far they are."""
