"""What can be computed from recordings: statistics of heads."""
