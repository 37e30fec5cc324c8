"""Measures of heads: where they look, as shares of attention from 0 to 1. One file each.

`measuring` sums them up over texts.
"""
