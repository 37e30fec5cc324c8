"""The roles of heads in plain words: who looks at whom, for a reader who knows no term of grammar beyond school.

Files and the library name a relation as Universal Dependencies does; on screen it is one of these sentences.
"""

from __future__ import annotations

from models.values.head_roles import HeadRole
from models.values.results.grammar import DIRECTIONS, RelationScore
from viz.kit.language import said, to_say, tr

PLAIN: dict[str, tuple[str, str]] = {
    "acl": (to_say("a clause about a noun looks at the noun"), to_say("a noun looks at a clause about it")),
    "advcl": (
        to_say("a “when” or “because” clause looks at the main verb"),
        to_say("a main verb looks at its “when” or “because” clause"),
    ),
    "advmod": (
        to_say("an adverb looks at the word that it describes"),
        to_say("a word looks at the adverb that describes it"),
    ),
    "amod": (to_say("an adjective looks at its noun"), to_say("a noun looks at its adjective")),
    "appos": (
        to_say("a second name for something looks at the first"),
        to_say("a first name for something looks at the second"),
    ),
    "aux": (to_say("a helping verb looks at its verb"), to_say("a verb looks at its helping verb")),
    "case": (to_say("a preposition looks at its noun"), to_say("a noun looks at its preposition")),
    "cc": (
        to_say("a word such as “and” looks at the word that it adds"),
        to_say("an added word looks at its “and” or “but”"),
    ),
    "ccomp": (
        to_say("the verb of a “that” clause looks at the main verb"),
        to_say("a main verb looks at the verb of its “that” clause"),
    ),
    "compound": (
        to_say("the first part of a compound looks at the main part (“bus stop”)"),
        to_say("the main part of a compound looks at the first part (“bus stop”)"),
    ),
    "conj": (
        to_say("a word after “and” looks at the one before it"),
        to_say("a word before “and” looks at the one after it"),
    ),
    "cop": (
        to_say("a form of “be” looks at its predicate (“is happy”)"),
        to_say("a predicate looks at its form of “be” (“is happy”)"),
    ),
    "det": (
        to_say("a word such as “the” or “this” looks at its noun"),
        to_say("a noun looks at its “the” or “this”"),
    ),
    "discourse": (
        to_say("a word such as “oh” or “well” looks at the main word"),
        to_say("a main word looks at its “oh” or “well”"),
    ),
    "expl": (
        to_say("an empty “there” or “it” looks at its verb"),
        to_say("a verb looks at its empty “there” or “it”"),
    ),
    "fixed": (
        to_say("a later word of a fixed phrase looks at the first (“because of”)"),
        to_say("the first word of a fixed phrase looks at a later one (“because of”)"),
    ),
    "flat": (
        to_say("a later part of a name looks at the first"),
        to_say("the first part of a name looks at a later one"),
    ),
    "iobj": (to_say("an indirect object looks at its verb"), to_say("a verb looks at its indirect object")),
    "mark": (
        to_say("a word such as “that” or “to” looks at the verb that it introduces"),
        to_say("a verb looks at the “that” or “to” before it"),
    ),
    "nmod": (
        to_say("a noun that describes another looks at that noun"),
        to_say("a noun looks at another that describes it"),
    ),
    "nsubj": (
        to_say("a subject looks at its verb or predicate"),
        to_say("a verb or predicate looks at its subject"),
    ),
    "nummod": (to_say("a number looks at its noun"), to_say("a noun looks at its number")),
    "obj": (to_say("an object looks at its verb"), to_say("a verb looks at its object")),
    "obl": (
        to_say("a noun with a preposition looks at the verb"),
        to_say("a verb looks at a noun with a preposition"),
    ),
    "parataxis": (
        to_say("a second sentence in a sentence looks at the main verb"),
        to_say("a main verb looks at a second sentence in the sentence"),
    ),
    "punct": (
        to_say("a punctuation mark looks at the main word of its phrase"),
        to_say("the main word of a phrase looks at its punctuation mark"),
    ),
    "xcomp": (
        to_say("a verb looks at the one that it completes (“want to go”)"),
        to_say("a verb looks at the one that completes it (“want to go”)"),
    ),
}
"""Of each relation, as a head follows it: the dependent that looks at its governor, and the governor that looks."""


OF_LANGUAGES: dict[str, dict[str, tuple[str, str]]] = {
    "ko": {
        "case": (to_say("a particle looks at its noun"), to_say("a noun looks at its particle")),
        "obl": (
            to_say("a noun that says where, when or how looks at the verb"),
            to_say("a verb looks at a noun that says where, when or how"),
        ),
    }
}
"""Sentences for relations that have another name in a language that the model reads: Korean has particles, and no
prepositions."""


def title_of_role(role: HeadRole) -> str:
    """Return where a role looks, in the reader's language: a place ("the previous token"), or a whole phrase."""
    relation, _, direction = role.name.partition(" ")
    return title_of_relation(relation, direction, role.language) if direction in DIRECTIONS else said(role.title)


def title_of_score(score: RelationScore) -> str:
    """Return the relation that a head was judged by, in the reader's language."""
    return title_of_relation(score.relation, score.direction, score.language)


def title_of_relation(relation: str, direction: str, language: str) -> str:
    """Return a relation of grammar as a head follows it in a language; one that has no words of its own is named by its
    tag."""
    of_dependent = direction == DIRECTIONS[0]
    plain = PLAIN | OF_LANGUAGES.get(language, {})
    if relation in plain:
        return said(plain[relation][0 if of_dependent else 1])
    if of_dependent:
        return tr("a word looks at the word that it belongs to ({relation})", relation=relation)
    return tr("a word looks at a word that belongs to it ({relation})", relation=relation)
