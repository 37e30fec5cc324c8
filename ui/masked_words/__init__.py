"""The page "Masked words"."""
