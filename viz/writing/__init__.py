"""Figures of a decoder's writing: candidates, beams, the sampling of a token, alignment."""
