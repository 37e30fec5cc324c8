"""The roles, findings and numbers of heads, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from models.values.head_roles import SPECIAL, HeadRole
from models.values.record import AttentionRecord, Token, word_ranges
from models.values.results.atlas import HeadAtlas
from models.values.results.finding import Against, Finding
from models.values.results.grammar import FEWEST_WORDS
from models.values.results.habits import HeadHabits
from viz.heads.plain_names import title_of_role, title_of_score
from viz.kit import theme as style
from viz.kit.language import said, to_say, tr
from viz.kit.sentences import join_list
from viz.kit.tokens import texts_of_words

MEANINGS = {
    "weight": to_say("{share} of its attention, on average over {n} {things}; {baseline_of} would give {baseline}"),
    "words": to_say("right for {share} of {n} {things}; the rule “{baseline_of}” for {baseline}"),
}
LOOKS_AT = to_say("looks at {place}")
AGAINST: dict[Against, str] = {
    "texts": to_say("Usually it gives such a word {expected}."),
    "distance": to_say("Here it usually gives a word at that distance {expected}."),
    "key": to_say("The other words give {key} {expected} on average."),
}
EXPECTED: dict[Against, str] = {
    "texts": to_say("“Usually” is what this head gives to a word at that distance, on average over {n} texts."),
    "distance": to_say("“Usually” is what this head gives at that distance to the other words of this text."),
    "key": to_say("That is more than this head usually gives to a word at that distance."),
}
SEARCHED = to_say(
    "Of all heads and all pairs of words, this is where weight × log₂(weight / expected weight) × worth is largest. "
    "A pronoun and a noun are worth 3; a verb or an adjective and a noun, and a negation, 2; a word and its repetition "
    "1.5; other words 1; neighbours half."
)
NTH = (to_say("the first “{word}”"), to_say("the second “{word}”"), to_say("the third “{word}”"))
"""How a word is called that stands several times in a text; after these it is numbered."""
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
    """Return a role in a few words: "looks at the previous token". For a measure of attention the title is a place,
    for every other unit a whole phrase. Special tokens are where a head looks that finds nothing else (Clark et al.
    2019, section 3.2)."""
    if role.name == SPECIAL:
        return tr("rests on special tokens when it finds no word")
    return tr(LOOKS_AT, place=said(role.title)) if role.unit == "weight" else title_of_role(role)


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
    return f"L{role.layer}·H{role.head} · {role.share:{style.SHARE_FORMAT}} · {title_of_role(role)}"


def role_in_words(role: HeadRole) -> dict[str, Any]:
    """Return a role as JSON types for the viewer, in the current language; `name`, in English, is used in URLs."""
    name = f"attends to {role.title}" if role.unit == "weight" else role.title
    return {**_place(role), "name": name, "said": role_name(role), "numbers": role_numbers(role)}


def nearest_in_words(role: HeadRole) -> dict[str, Any]:
    """Return the nearest role of a head without one, as JSON types for the viewer."""
    numbers = tr("nearest is “{role}”, {numbers}", role=role_name(role), numbers=role_numbers(role))
    return {**_place(role), "said": tr("no known role"), "numbers": numbers}


def _place(role: HeadRole) -> dict[str, Any]:
    return {"kind": role.kind, "layer": role.layer, "head": role.head}


def finding_in_words(found: Finding, record: AttentionRecord) -> tuple[str, str]:
    """Return what stands out in a text, and its baseline. Plain text with the reader's words: NOT escaped."""
    query, key = found_words(found, record)
    share, expected = (f"{value:{style.SHARE_FORMAT}}" for value in (found.weight, found.expected))
    tells = tr("In this head {query} looks most at {key}: {share} of its attention.", query=query, share=share, key=key)
    special = [place for place, token in enumerate(record.key_tokens) if token.is_special]
    if float(record.weights(found.layer, found.head)[found.query, special].sum()) > found.weight:  # the picture says it
        tells = tr(
            "Of all words {query} looks most at {key} here: {share} of its attention.",
            query=query,
            share=share,
            key=key,
        )
    return tells, tr(AGAINST[found.against], expected=expected, key=key)


def finding_explained(found: Finding, *, was_searched: bool = True) -> str:
    """Return where a finding is, what it is held against, and by what it was searched if it was."""
    place = tr("Layer {layer} · Head {head}", layer=found.layer, head=found.head)
    expected = tr(EXPECTED[found.against], n=f"{found.n_texts:,}")
    searched = said(SEARCHED) if was_searched else ""
    return f"{place}. {expected} {searched}".strip()


def found_words(found: Finding, record: AttentionRecord) -> tuple[str, str]:
    """Return the query and key word of a finding in quotation marks; of words that are spelled alike, which one."""
    sides = (record.query_tokens, found.query), (record.key_tokens, found.key)
    query, key = (_quote_word(tokens, position) for tokens, position in sides)
    return query, key


def word_text(tokens: Sequence[Token], position: int) -> str:
    """Return the whole word of a token. Plain text with the reader's words: NOT escaped."""
    return texts_of_words(tokens, [word for word in word_ranges(tokens) if position in word])[0]


def _quote_word(tokens: Sequence[Token], position: int) -> str:
    words = word_ranges(tokens)
    texts = texts_of_words(tokens, words)
    place = next(place for place, word in enumerate(words) if position in word)
    text, n_before = texts[place], texts[:place].count(texts[place])
    if texts.count(text) == 1:
        return f"“{text}”"
    if n_before < len(NTH):
        return tr(NTH[n_before], word=text)
    return f"“{text}” ({n_before + 1})"


def habits_in_words(habits: HeadHabits) -> str:
    """Return what most heads do in a text in which nothing stands out. Plain text: NOT escaped."""
    places = (
        (habits.on_special, tr("{n} at {tokens}", n=habits.on_special, tokens=join_list(habits.special_tokens))),
        (habits.on_neighbours, tr("{n} at the next word or the one before", n=habits.on_neighbours)),
        (habits.on_itself, tr("{n} at the word itself", n=habits.on_itself)),
    )
    counted = [place for n, place in sorted(places, reverse=True) if n]
    return (
        tr("Where the {all} heads look most: {places}.", all=habits.n_heads, places=", ".join(counted))
        if counted
        else ""
    )


def atlas_finding(atlas: HeadAtlas) -> tuple[str, str]:
    """Return a summary of an atlas, how many heads have a role and how many only one about special tokens; and its
    evidence, the texts and the surest head."""
    n_heads = atlas.n_layers * atlas.n_heads
    over = {"texts": f"{atlas.n_texts:,}", "pieces": f"{atlas.n_pieces:,}", "n": n_heads}
    said_over = tr("Measured over {texts} texts with {pieces} word pieces.", **over)
    named, busy = (
        {(role.layer, role.head) for role in atlas.roles if role.name not in left_out} for left_out in ((), (SPECIAL,))
    )
    if not named:
        return tr("No head of {n} does one thing often enough to be named for it.", **over), said_over
    surest = atlas.roles[0]
    summary = tr(
        "{named} of {n} heads do one thing often enough to be named for it; {idle} of these only rest on special "
        "tokens.",
        **over,
        named=len(named),
        idle=len(named - busy),
    )
    evidence = tr(
        "{over} A head that finds nothing else looks at special tokens (Clark et al. 2019, section 3.2). The surest is "
        "Layer {layer} · Head {head}: {role}, {numbers}.",
        over=said_over,
        layer=surest.layer,
        head=surest.head,
        role=role_name(surest),
        numbers=role_numbers(surest),
    )
    return summary, evidence


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
        relation=title_of_score(best),
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
