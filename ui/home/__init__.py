"""The page "Home": one live picture, and buttons for the next experiment."""
