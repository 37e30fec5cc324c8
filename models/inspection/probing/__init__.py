"""One text before a model, asked many times what it answers: with something changed, with gradients, as a sum.

Torch in, values of `models.values.probing` out. What an analysis makes of them is models/analysis/.
"""
