"""The most striking weight of a text: one weight of one head that is much larger than what the head does on average."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from models.values.record import Kind

Against = Literal["texts", "distance", "key"]
"""The baselines of a weight: what its head does over the texts of an atlas, what the other words of this text give
to a word at that distance, or what they give to this word."""
WordRelation = Literal["pronoun", "verb", "adjective", "negation", "repetition", "content", "unknown"]
"""The relations between two words: a pronoun looks at a noun before it; a verb and a noun, an adjective and a
noun, a negation and another word, or a word and its repetition look at one another; any two words of content; two words
whose parts of speech are not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The word that begins at token `query` gives `weight` of its attention to the word that begins at token `key`,
    where `expected` was to be expected `against` what the head does otherwise.

    Weights are those of whole words: the sum over the pieces that are looked at, the mean over those that look. `bits`
    is how far it stands out, `relation` what the words have to do with each other, `n_texts` how many texts the atlas
    has.
    """

    kind: Kind
    layer: int
    head: int
    query: int
    key: int
    weight: float
    expected: float
    against: Against
    bits: float
    relation: WordRelation = "unknown"
    n_texts: int = 0
