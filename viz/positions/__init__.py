"""Figures of positions: sinusoids, tables, rotary angles, ALiBi, buckets, and a shuffled text."""
