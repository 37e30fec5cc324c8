"""The page "Positions": schemes of positional encoding."""
