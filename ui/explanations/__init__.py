"""The page "Explanations"."""
