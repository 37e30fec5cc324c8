"""The page "Home"."""
