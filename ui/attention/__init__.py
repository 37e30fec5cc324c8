"""The page "Attention"."""
