"""The classifiers on top of an encoder: reviews, and parts of speech."""
