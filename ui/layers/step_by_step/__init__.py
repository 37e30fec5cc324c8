"""The page "Step by step"."""
