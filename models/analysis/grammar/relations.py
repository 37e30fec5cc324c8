"""The relations of Universal Dependencies in words (universaldependencies.org/u/dep): a dependent and its governor."""

from __future__ import annotations

from models.values.results.grammar import DIRECTIONS, Direction
from models.values.wording import Message, to_say, worded

_TITLES = {
    "acl": (
        to_say("from a clause about a noun to its noun (acl)"),
        to_say("from a noun to its clause about a noun (acl)"),
    ),
    "advcl": (
        to_say("from an adverbial clause to its verb (advcl)"),
        to_say("from a verb to its adverbial clause (advcl)"),
    ),
    "advmod": (
        to_say("from an adverb to its word that it modifies (advmod)"),
        to_say("from a word that it modifies to its adverb (advmod)"),
    ),
    "amod": (to_say("from an adjective to its noun (amod)"), to_say("from a noun to its adjective (amod)")),
    "appos": (to_say("from an apposition to its noun (appos)"), to_say("from a noun to its apposition (appos)")),
    "aux": (to_say("from an auxiliary to its verb (aux)"), to_say("from a verb to its auxiliary (aux)")),
    "case": (to_say("from a preposition to its noun (case)"), to_say("from a noun to its preposition (case)")),
    "cc": (
        to_say("from a conjunction to its word that it joins on (cc)"),
        to_say("from a word that it joins on to its conjunction (cc)"),
    ),
    "ccomp": (
        to_say("from a clause as object to its verb (ccomp)"),
        to_say("from a verb to its clause as object (ccomp)"),
    ),
    "compound": (
        to_say("from a first part of a compound to its main part (compound)"),
        to_say("from a main part to its first part of a compound (compound)"),
    ),
    "conj": (
        to_say("from a word that is joined on to its first of the joined words (conj)"),
        to_say("from a first of the joined words to its word that is joined on (conj)"),
    ),
    "cop": (to_say("from a form of “be” to its predicate (cop)"), to_say("from a predicate to its form of “be” (cop)")),
    "det": (to_say("from a determiner to its noun (det)"), to_say("from a noun to its determiner (det)")),
    "expl": (
        to_say("from an empty “there” or “it” to its verb (expl)"),
        to_say("from a verb to its empty “there” or “it” (expl)"),
    ),
    "fixed": (
        to_say("from a later word of a fixed phrase to its first word (fixed)"),
        to_say("from a first word to its later word of a fixed phrase (fixed)"),
    ),
    "flat": (
        to_say("from a later part of a name to its first part (flat)"),
        to_say("from a first part to its later part of a name (flat)"),
    ),
    "iobj": (to_say("from an indirect object to its verb (iobj)"), to_say("from a verb to its indirect object (iobj)")),
    "mark": (
        to_say("from a conjunction of a clause to its verb of the clause (mark)"),
        to_say("from a verb of the clause to its conjunction of a clause (mark)"),
    ),
    "nmod": (
        to_say("from a noun about a noun to its other noun (nmod)"),
        to_say("from an other noun to its noun about a noun (nmod)"),
    ),
    "nsubj": (
        to_say("from a subject to its verb or predicate (nsubj)"),
        to_say("from a verb or predicate to its subject (nsubj)"),
    ),
    "nummod": (to_say("from a number to its noun (nummod)"), to_say("from a noun to its number (nummod)")),
    "obj": (to_say("from an object to its verb (obj)"), to_say("from a verb to its object (obj)")),
    "obl": (
        to_say("from a noun with a preposition to its verb (obl)"),
        to_say("from a verb to its noun with a preposition (obl)"),
    ),
    "parataxis": (
        to_say("from a clause set beside to its verb (parataxis)"),
        to_say("from a verb to its clause set beside (parataxis)"),
    ),
    "punct": (
        to_say("from a punctuation mark to its word that governs it (punct)"),
        to_say("from a word that governs it to its punctuation mark (punct)"),
    ),
    "xcomp": (
        to_say("from a complement without a subject to its verb (xcomp)"),
        to_say("from a verb to its complement without a subject (xcomp)"),
    ),
}
"""Of each relation what a head does that looks from the dependent, and one that looks from the governor."""


def relation_title(relation: str, direction: Direction) -> Message:
    """A relation as a head follows it: "from an object to its verb (obj)"."""
    from_dependent = direction == DIRECTIONS[0]
    if relation in _TITLES:
        return _TITLES[relation][0 if from_dependent else 1]
    if from_dependent:
        return worded("from a dependent to its governor ({relation})", relation=relation)
    return worded("from a governor to its dependent ({relation})", relation=relation)
