"""Inputs for a question: the sentence, the model, a head, the answer that is asked about."""
