"""Pretraining of the scratch encoder: text, vocabulary, packed sentence pairs, MLM and NSP, checkpoint."""
