"""Passages of a few sentences about people, animals and things, from tables."""
