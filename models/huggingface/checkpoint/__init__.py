"""A folder of files becomes a network and a tokenizer: fetched, checked, and opened by transformers."""
