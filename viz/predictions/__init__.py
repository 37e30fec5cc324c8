"""Figures of what a model says: masked words, labels, replaced tokens, layer by layer. What it writes is writing/."""
