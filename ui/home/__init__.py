"""The page "Home": what this is, and one living picture."""
