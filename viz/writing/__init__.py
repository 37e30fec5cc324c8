"""Figures of what a decoder writes: candidates, beams, drawing a token, alignment."""
