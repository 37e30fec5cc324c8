"""Many texts: sums that merge, and the atlas that follows from them and from the weights. One measure: heads/."""
