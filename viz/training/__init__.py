"""Figures of a training: its curves, and one text at many of its snapshots."""
