"""The page "Translation": alignment and beam search."""
