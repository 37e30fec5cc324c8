"""Pairs of sentences in which one word decides which of two nouns is meant."""
