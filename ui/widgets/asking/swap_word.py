"""A second sentence to compare with a first: the same with one word swapped."""

from __future__ import annotations

GENDERED_PAIRS = (
    ("man", "woman"),
    ("he", "she"),
    ("his", "her"),
    ("boy", "girl"),
    ("father", "mother"),
    ("king", "queen"),
)
OTHER_PAIRS = (
    ("tired", "wide"),
    ("good", "bad"),
    ("big", "small"),
    ("old", "young"),
    ("happy", "sad"),
    ("loves", "hates"),
    ("always", "never"),
    ("winter", "summer"),
    ("is", "was"),
    ("are", "were"),
    ("my", "your"),
    ("the", "a"),
    ("this", "that"),
    ("i", "you"),
)


def swap_word(text: str) -> str:
    """Return the sentence with the first word that has a counterpart swapped for it, a gendered one if there is one;
    empty if there is none."""
    words = text.split(" ")
    for pairs in (GENDERED_PAIRS, OTHER_PAIRS):
        counterparts = {word: other for pair in pairs for word, other in (pair, pair[::-1])}
        for number, word in enumerate(words):
            bare = word.rstrip(".,!?")
            other = counterparts.get(bare.lower())
            if other is not None:
                swapped = other.capitalize() if word[0].isupper() else other
                return " ".join([*words[:number], swapped + word[len(bare) :], *words[number + 1 :]])
    return ""
