"""Figures of a model's predictions: masked words, labels, replaced tokens, layer by layer. For generation see
writing/."""
