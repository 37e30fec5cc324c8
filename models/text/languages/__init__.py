"""The languages of a translator: which its tokenizer knows, and how it is told those that are chosen."""
