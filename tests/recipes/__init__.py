"""Tests of what made the weights. They run when that changes, not every day: python run.py test --recipes."""
