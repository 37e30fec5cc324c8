"""Observations of a model while it learns: its answer to one example, and the attention of one head."""
