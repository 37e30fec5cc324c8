"""The page "Masked words": predictions for [MASK]."""
