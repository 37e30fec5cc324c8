"""Figures of queries, keys and values: one query step by step, dimensions, planes."""
