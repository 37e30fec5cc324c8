"""Layouts on disk: how a folder of BERT, GPT-2, Llama or BART becomes a scratch transformer and back, held against its
sizes first. Tokenizers are text/."""
