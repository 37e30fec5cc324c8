"""Passages written by hand from which short pairs are drawn: what follows, and what does not."""
