"""The page "What attention costs"."""
