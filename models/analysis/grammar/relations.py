"""The relations of Universal Dependencies in words (universaldependencies.org/u/dep): a dependent and its governor.

They stand in files and in the library; readers of the app see `viz.heads.plain_names`.
"""

from __future__ import annotations

from models.values.results.grammar import DIRECTIONS, Direction

_TITLES: dict[str, tuple[str, str]] = {
    "acl": (
        "from a clause about a noun to its noun (acl)",
        "from a noun to its clause about a noun (acl)",
    ),
    "advcl": (
        "from an adverbial clause to its verb (advcl)",
        "from a verb to its adverbial clause (advcl)",
    ),
    "advmod": (
        "from an adverb to its word that it modifies (advmod)",
        "from a word that it modifies to its adverb (advmod)",
    ),
    "amod": ("from an adjective to its noun (amod)", "from a noun to its adjective (amod)"),
    "appos": ("from an apposition to its noun (appos)", "from a noun to its apposition (appos)"),
    "aux": ("from an auxiliary to its verb (aux)", "from a verb to its auxiliary (aux)"),
    "case": ("from a preposition to its noun (case)", "from a noun to its preposition (case)"),
    "cc": (
        "from a conjunction to its word that it joins on (cc)",
        "from a word that it joins on to its conjunction (cc)",
    ),
    "ccomp": (
        "from a clause as object to its verb (ccomp)",
        "from a verb to its clause as object (ccomp)",
    ),
    "compound": (
        "from a first part of a compound to its main part (compound)",
        "from a main part to its first part of a compound (compound)",
    ),
    "conj": (
        "from a word that is joined on to its first of the joined words (conj)",
        "from a first of the joined words to its word that is joined on (conj)",
    ),
    "cop": ("from a form of “be” to its predicate (cop)", "from a predicate to its form of “be” (cop)"),
    "det": ("from a determiner to its noun (det)", "from a noun to its determiner (det)"),
    "expl": (
        "from an empty “there” or “it” to its verb (expl)",
        "from a verb to its empty “there” or “it” (expl)",
    ),
    "fixed": (
        "from a later word of a fixed phrase to its first word (fixed)",
        "from a first word to its later word of a fixed phrase (fixed)",
    ),
    "flat": (
        "from a later part of a name to its first part (flat)",
        "from a first part to its later part of a name (flat)",
    ),
    "iobj": ("from an indirect object to its verb (iobj)", "from a verb to its indirect object (iobj)"),
    "mark": (
        "from a conjunction of a clause to its verb of the clause (mark)",
        "from a verb of the clause to its conjunction of a clause (mark)",
    ),
    "nmod": (
        "from a noun about a noun to its other noun (nmod)",
        "from an other noun to its noun about a noun (nmod)",
    ),
    "nsubj": (
        "from a subject to its verb or predicate (nsubj)",
        "from a verb or predicate to its subject (nsubj)",
    ),
    "nummod": ("from a number to its noun (nummod)", "from a noun to its number (nummod)"),
    "obj": ("from an object to its verb (obj)", "from a verb to its object (obj)"),
    "obl": (
        "from a noun with a preposition to its verb (obl)",
        "from a verb to its noun with a preposition (obl)",
    ),
    "parataxis": (
        "from a clause set beside to its verb (parataxis)",
        "from a verb to its clause set beside (parataxis)",
    ),
    "punct": (
        "from a punctuation mark to its word that governs it (punct)",
        "from a word that governs it to its punctuation mark (punct)",
    ),
    "xcomp": (
        "from a complement without a subject to its verb (xcomp)",
        "from a verb to its complement without a subject (xcomp)",
    ),
}
"""Of each relation what a head does that looks from the dependent, and one that looks from the governor."""


def relation_title(relation: str, direction: Direction) -> str:
    """Return a relation as a head follows it, for files and the library: "from an object to its verb (obj)"."""
    from_dependent = direction == DIRECTIONS[0]
    if relation in _TITLES:
        return _TITLES[relation][0 if from_dependent else 1]
    return f"from {'a dependent to its governor' if from_dependent else 'a governor to its dependent'} ({relation})"
