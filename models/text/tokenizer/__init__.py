"""Tokenizers: how one is opened, how it spells text, and what its normalizer can do to one."""
