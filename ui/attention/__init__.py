"""The page "Attention", and the living picture on Home."""
