"""Figures of one text in two models, one of which sees both sides and one the left."""
