"""The page "Queries, keys, values"."""
