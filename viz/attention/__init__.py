"""Figures of weights and scores: one head as a map, all heads small, blocks of a pair. In the browser it is viewer/."""
