"""What a tokenizer is like: how it is opened, how it spells text, and what its normalizer can do to one."""
