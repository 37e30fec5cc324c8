"""The page "Positions"."""
