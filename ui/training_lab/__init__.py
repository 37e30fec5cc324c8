"""The page "Training lab", with "Attention over time"."""
