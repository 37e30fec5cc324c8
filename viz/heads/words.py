"""The roles, findings and numbers of heads, in words."""

from __future__ import annotations

from typing import Any

from models.values.head_roles import SPECIAL, HeadRole
from models.values.record import AttentionRecord
from models.values.results.atlas import HeadAtlas
from models.values.results.finding import Finding
from models.values.results.grammar import FEWEST_WORDS
from viz.kit import theme as style
from viz.kit.language import ENGLISH, read_in, said, to_say, tr
from viz.kit.tokens import token_texts

MEANINGS = {
    "weight": to_say("{share} of its attention, on average over {n} {things}; {baseline_of}: {baseline}"),
    "words": to_say("right for {share} of {n} {things}; {baseline_of}: {baseline}"),
}
ATTENDS_TO = to_say("attends to {place}")
AGAINST = {
    "texts": to_say("Going by what this head does over {n} texts, it would be {expected}."),
    "distance": to_say("Going by what the other tokens give at this distance, it would be {expected}."),
    "key": to_say("The other tokens give “{key}” {expected} on average."),
}
IN_FILES = (
    to_say("the previous token"),
    to_say("the next token"),
    to_say("the token itself"),
    to_say("special tokens"),
    to_say("the first token"),
    to_say("punctuation marks"),
    to_say("what follows the same token elsewhere"),
    to_say("what stands before the same token elsewhere"),
    to_say("the same token elsewhere, of those that stand there again"),
    to_say("the same token in the other text, of those that stand in both"),
    to_say("from a complement without a subject to its verb (xcomp)"),
    to_say("from a dependent to its governor (list)"),
    to_say("from a governor to its dependent (discourse)"),
    to_say("from a determiner to its noun (det)"),
    to_say("from a noun to its preposition (case)"),
    to_say("from a preposition to its noun (case)"),
    to_say("from a form of “be” to its predicate (cop)"),
    to_say("from a predicate to its form of “be” (cop)"),
    to_say("from a subject to its verb or predicate (nsubj)"),
    to_say("from a verb to its auxiliary (aux)"),
    to_say("from an auxiliary to its verb (aux)"),
    to_say("from a verb to its object (obj)"),
    to_say("from an object to its verb (obj)"),
    to_say("attention spread evenly"),
    to_say("always the word before"),
    to_say("always the word after"),
    to_say("always the word 2 before"),
    to_say("always the word 2 after"),
    to_say("words"),
    to_say("word pieces"),
    to_say("word pieces that stand in both texts of a pair"),
)
"""The English phrases about heads in the files of our models; phrases of other files are shown untranslated."""


def role_name(role: HeadRole) -> str:
    """Return a role in a few words: "attends to the previous token". For a measure of attention the title is a place,
    for every other unit a whole phrase."""
    return tr(ATTENDS_TO, place=said(role.title)) if role.unit == "weight" else said(role.title)


def role_numbers(role: HeadRole) -> str:
    """Return the numbers behind a role: "0.96 of its attention, on average over 12,340 word pieces; ..."."""
    return tr(
        MEANINGS[role.unit],
        share=f"{role.share:{style.SHARE_FORMAT}}",
        baseline=f"{role.baseline:{style.SHARE_FORMAT}}",
        baseline_of=said(role.baseline_of),
        n=f"{role.n:,}",
        things=said(role.counted_as),
    )


def role_choice(role: HeadRole) -> str:
    """Return a role as an option to pick, what tells one from another first: "L1·H5 · 96% · the previous token"."""
    return f"L{role.layer}·H{role.head} · {role.share:{style.SHARE_FORMAT}} · {said(role.title)}"


def role_in_words(role: HeadRole) -> dict[str, Any]:
    """Return a role as JSON types for the viewer, in the current language; `name`, in English, is used in URLs."""
    with read_in(ENGLISH):
        name = tr(ATTENDS_TO, place=said(role.title)) if role.unit == "weight" else said(role.title)
    return {**_place(role), "name": name, "said": role_name(role), "numbers": role_numbers(role)}


def nearest_in_words(role: HeadRole) -> dict[str, Any]:
    """Return the nearest role of a head without one, as JSON types for the viewer."""
    numbers = tr("nearest is “{role}”, {numbers}", role=role_name(role), numbers=role_numbers(role))
    return {**_place(role), "said": tr("no known role"), "numbers": numbers}


def _place(role: HeadRole) -> dict[str, Any]:
    return {"kind": role.kind, "layer": role.layer, "head": role.head}


def finding_in_words(found: Finding, record: AttentionRecord) -> tuple[str, str]:
    """Return what stands out in a text, and its baseline. Plain text with the reader's words: NOT escaped."""
    query, key = found_tokens(found, record)
    share, expected = (f"{value:{style.SHARE_FORMAT}}" for value in (found.weight, found.expected))
    return (
        tr(
            "“{query}” gives {share} of its attention to “{key}”: Layer {layer} · Head {head}.",
            query=query,
            share=share,
            key=key,
            layer=found.layer,
            head=found.head,
        ),
        tr(AGAINST[found.against], n=f"{found.n_texts:,}", expected=expected, key=key),
    )


def found_tokens(found: Finding, record: AttentionRecord) -> tuple[str, str]:
    """Return the query and key token of a finding, with their position where the same text occurs more than once."""
    queries, keys = (token_texts(tokens) for tokens in (record.query_tokens, record.key_tokens))
    named = ((queries, found.query), (keys, found.key))
    query, key = (
        texts[position] if texts.count(texts[position]) == 1 else f"{texts[position]} ({position})"
        for texts, position in named
    )
    return query, key


def atlas_finding(atlas: HeadAtlas) -> str:
    """Return a summary of an atlas: how many heads have a role, how many only one about special tokens, and the surest
    one."""
    n_heads = atlas.n_layers * atlas.n_heads
    over = {"texts": f"{atlas.n_texts:,}", "pieces": f"{atlas.n_pieces:,}", "n": n_heads}
    first: dict[tuple[int, int], HeadRole] = {}
    for role in atlas.roles:
        first.setdefault((role.layer, role.head), role)
    if not first:
        return tr(
            "Over {texts} texts, {pieces} word pieces, no head of {n} does one thing often enough to be named for it.",
            **over,
        )
    idle = sum(role.name == SPECIAL for role in first.values())
    surest = atlas.roles[0]
    return tr(
        "Over {texts} texts, {pieces} word pieces, {named} of {n} heads do one thing often enough to be named for it; "
        "{idle} of them do nothing but look at special tokens, as heads do that find nothing else (Clark et al. 2019, "
        "section 3.2). The surest is Layer {layer} · Head {head}: {role}, {numbers}.",
        **over,
        named=len(first),
        idle=idle,
        layer=surest.layer,
        head=surest.head,
        role=role_name(surest),
        numbers=role_numbers(surest),
    )


def grammar_finding(atlas: HeadAtlas) -> str:
    """Return a summary of a treebank: how many relations have a head that beats the best fixed offset, and the largest
    gain."""
    sentences = f"{atlas.n_parsed:,}"
    if not atlas.relations:
        return tr(
            "About half of the {sentences} parsed sentences choose a head for each relation of grammar, the others "
            "judge it; but no relation stands {fewest} times in those. Give a treebank of some hundred sentences.",
            sentences=sentences,
            fewest=FEWEST_WORDS,
        )
    n = len(atlas.relations)
    better = [relation for relation in atlas.relations if relation.right > relation.right_by_offset]
    told = tr(
        "About half of the {sentences} parsed sentences choose a head for each relation of grammar, the others judge "
        "it: for {better} of {n} relations it is right more often than the best fixed offset.",
        sentences=sentences,
        better=len(better),
        n=n,
    )
    if not better:
        return told
    best = max(better, key=lambda relation: relation.right - relation.right_by_offset)
    by_most = tr(
        "By most Layer {layer} · Head {head}, {relation}: right for {right} of {n} words, and always the same number "
        "of words away for {by_offset} (Clark et al. 2019, section 4.2).",
        layer=best.layer,
        head=best.head,
        relation=said(best.title),
        right=f"{best.right:{style.SHARE_FORMAT}}",
        n=f"{best.n:,}",
        by_offset=f"{best.right_by_offset:{style.SHARE_FORMAT}}",
    )
    return f"{told} {by_most}"


def head_findings(atlas: HeadAtlas, *, layer: int, head: int) -> tuple[str, ...]:
    """Return the roles of a head, the strongest first; without one, the measure farthest above its baseline."""
    roles = atlas.roles_of(layer, head)
    if roles:
        return tuple(tr("{role}: {numbers}", role=role_name(role), numbers=role_numbers(role)) for role in roles)
    measure = atlas.of(atlas.examples_of(layer, head).measure)
    nearest = tr(
        "no name: nothing that is measured passes its threshold. Nearest comes {measure}, with {share} of its "
        "attention over {n} {things}; attention spread evenly: {even}",
        measure=said(measure.measure.title),
        share=f"{measure.values[layer, head]:{style.SHARE_FORMAT}}",
        n=f"{measure.count:,}",
        things=said(measure.counted_as),
        even=f"{measure.baseline:{style.SHARE_FORMAT}}",
    )
    return (nearest,)
