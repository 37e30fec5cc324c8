"""Sentences made from tables and patterns, and those written by hand to ask a model. No model is opened here."""
