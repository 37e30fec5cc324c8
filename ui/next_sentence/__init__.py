"""The page "Next sentence"."""
