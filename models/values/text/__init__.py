"""Text and its pieces, without a tokenizer: how pieces are spelled, scripts, languages. Tokens are models/text/."""
