"""The first choices of a new training, and its recipe in the address."""
