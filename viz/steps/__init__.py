"""Figures of the walk through one layer, their words and worked examples."""
