"""The page "BERT and GPT"."""
