"""Ask a model for the same answer many times: with something changed, with gradients, as a sum of parts.

It runs torch and returns values of `models.values.probing`. Analyses of these are in models/analysis/.
"""
