"""Faults of a folder that should hold a model, found before transformers opens it; nothing here opens one."""
