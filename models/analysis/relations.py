"""The relations of Universal Dependencies in words (universaldependencies.org/u/dep): a dependent and its governor."""

from __future__ import annotations

from models.values.results.grammar import DIRECTIONS, Direction

_WORDS = {
    "acl": ("clause about a noun", "noun"),
    "advcl": ("adverbial clause", "verb"),
    "advmod": ("adverb", "word that it modifies"),
    "amod": ("adjective", "noun"),
    "appos": ("apposition", "noun"),
    "aux": ("auxiliary", "verb"),
    "case": ("preposition", "noun"),
    "cc": ("conjunction", "word that it joins on"),
    "ccomp": ("clause as object", "verb"),
    "compound": ("first part of a compound", "main part"),
    "conj": ("word that is joined on", "first of the joined words"),
    "cop": ("form of “be”", "predicate"),
    "det": ("determiner", "noun"),
    "expl": ("empty “there” or “it”", "verb"),
    "fixed": ("later word of a fixed phrase", "first word"),
    "flat": ("later part of a name", "first part"),
    "iobj": ("indirect object", "verb"),
    "mark": ("conjunction of a clause", "verb of the clause"),
    "nmod": ("noun about a noun", "other noun"),
    "nsubj": ("subject", "verb or predicate"),
    "nummod": ("number", "noun"),
    "obj": ("object", "verb"),
    "obl": ("noun with a preposition", "verb"),
    "parataxis": ("clause set beside", "verb"),
    "punct": ("punctuation mark", "word that governs it"),
    "xcomp": ("complement without a subject", "verb"),
}


def relation_title(relation: str, direction: Direction) -> str:
    """A relation as a head follows it: "from an object to its verb (obj)"."""
    dependent, governor = _WORDS.get(relation, ("dependent", "governor"))
    first, second = (dependent, governor) if direction == DIRECTIONS[0] else (governor, dependent)
    return f"from {_with_article(first)} to its {second} ({relation})"


def _with_article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeio' else 'a'} {noun}"
