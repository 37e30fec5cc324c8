"""Questions about the weights: where a token looks, how much, what it may see, and which head does what."""

from __future__ import annotations

import numpy as np

from lessons.kinds import LessonQuestion
from lessons.parameters import ATTENTION, HEAD, KEY, QUERY, TEXT, TEXT_B, OneOf, Parameter, a_word
from lessons.places import FoundHead, head_by_name, head_name, labels, record_of, strongest_in_text, token_at
from lessons.values import Ask, Fact, Outcome, count, number, phrase, share, word
from models.analysis import head_measures, sums_of
from models.model import Model
from models.values.record import Array, Recording
from models.values.wording import to_say

YES_NO = (to_say("yes"), to_say("no"))
MEASURES = {measure.name: measure.title for measure in head_measures() if measure.needs == "texts"}
MEASURE = Parameter(name="measure", about=to_say("what the head does"), read=OneOf(MEASURES))
AMONG = Parameter(
    name="among",
    about=to_say("the tokens of which one may be tapped; all, if none are given"),
    read=a_word,
    is_list=True,
    is_required=False,
)
OF_A_ROW = {
    "query": to_say("the token that looks"),
    "head": to_say("the head, as the pages call it"),
    "tokens": to_say("how many tokens the text has"),
    "even": to_say("the share if the token looked at all that it may see alike"),
}


def record_text(model: Model, ask: Ask) -> Recording:
    """Return the text of a question, read by a model."""
    return model.record(ask.text("text"), ask.text("text_b") or None)


def look(recording: Recording, ask: Ask) -> tuple[FoundHead, int, Array, tuple[tuple[str, Fact], ...]]:
    """Return the head and the query of a question, the row of weights [n_key], and what is said of all rows."""
    place = head_by_name(recording, ask.text("head"))
    query = token_at(place.record.query_tokens, ask.text("query"))
    weights = place.record.weights(place.layer, place.head, slice(query, query + 1))[0]  # [n_key]
    facts = (
        ("query", word(labels(place.record.query_tokens)[query])),
        ("head", phrase(place.name)),
        ("tokens", count(len(weights))),
        ("even", share(1 / max(1, int((weights > 0).sum())))),
    )
    return place, query, weights, facts


def strongest_key(model: Model, ask: Ask) -> Outcome:
    """Find the token that a token attends to most."""
    place, query, weights, facts = look(record_text(model, ask), ask)
    tokens = place.record.key_tokens
    among = [token_at(tokens, named) for named in ask.words("among")] or list(range(len(tokens)))
    order = sorted(among, key=lambda key: -float(weights[key]))
    names = labels(tokens)
    best, second = order[0], order[min(1, len(order) - 1)]
    facts += (
        ("answer", word(names[best])),
        ("share", share(float(weights[best]))),
        ("second", word(names[second])),
        ("second_share", share(float(weights[second]))),
        ("distance", count(best - query)),
    )
    return Outcome(
        facts=facts,
        options=tuple(names[key] for key in among),
        right=frozenset({among.index(best)}),
        kind=place.record.kind,
        layer=place.layer,
        head=place.head,
        position=query,
    )


def weight(model: Model, ask: Ask) -> Outcome:
    """Return the attention weight from one token to another."""
    place, query, weights, facts = look(record_text(model, ask), ask)
    key = token_at(place.record.key_tokens, ask.text("key"))
    facts += (("key", word(labels(place.record.key_tokens)[key])), ("share", share(float(weights[key]))))
    return Outcome(
        facts=facts,
        number=float(weights[key]),
        kind=place.record.kind,
        layer=place.layer,
        head=place.head,
        position=query,
    )


def row_sum(model: Model, ask: Ask) -> Outcome:
    """Return the sum of the weights in a row."""
    place, query, weights, facts = look(record_text(model, ask), ask)
    total = float(weights.astype(np.float64).sum())
    return Outcome(
        facts=(*facts, ("sum", number(total))),
        number=total,
        low=0,
        high=3,
        kind=place.record.kind,
        layer=place.layer,
        head=place.head,
        position=query,
    )


def strongest_head(model: Model, ask: Ask) -> Outcome:
    """Find the head of a layer with the largest measure; the layer is that of the head with the largest of all."""
    recording = record_text(model, ask)
    best = strongest_in_text(recording, ask.text("measure"))
    sums = sums_of(best.record)
    index = [measure.name for measure in sums.measures].index(ask.text("measure"))
    shares = sums.totals[index] / max(1, int(sums.counts[index]))  # [n_layers, n_heads]
    in_layer = shares[best.layer]
    facts = (
        ("answer", phrase(best.name)),
        ("head", phrase(best.name)),
        ("layer", count(best.layer)),
        ("does", phrase(sums.measures[index].title)),
        ("share", share(float(in_layer[best.head]))),
        ("second_share", share(float(np.sort(in_layer)[-2] if len(in_layer) > 1 else 0.0))),
        ("mean", share(float(shares.mean()))),
        ("heads", count(shares.size)),
        ("heads_above_half", count(int((shares > 0.5).sum()))),
    )
    options = tuple(head_name(best.layer, head) for head in range(best.record.n_heads))
    return Outcome(
        facts=facts,
        options=options,
        right=frozenset({best.head}),
        kind=best.record.kind,
        layer=best.layer,
        head=best.head,
    )


def may_see(model: Model, ask: Ask) -> Outcome:
    """Return whether a token may look at another, in any head."""
    record = record_of(record_text(model, ask), ask.text("attention"))
    query = token_at(record.query_tokens, ask.text("query"))
    key = token_at(record.key_tokens, ask.text("key"))
    sees = bool(np.isfinite(record.bias_of(0, 0, slice(query, query + 1))[0, key]))
    largest = max(float(record.layer_weights(layer)[:, query, key].max()) for layer in range(record.n_layers))
    facts = (
        ("query", word(labels(record.query_tokens)[query])),
        ("key", word(labels(record.key_tokens)[key])),
        ("answer", phrase(YES_NO[not sees])),
        ("largest", share(largest)),
        ("heads", count(record.n_layers * record.n_heads)),
    )
    return Outcome(
        facts=facts,
        options=YES_NO,
        right=frozenset({int(not sees)}),
        kind=record.kind,
        position=query,
    )


def visible_cells(model: Model, ask: Ask) -> Outcome:
    """Count the pairs of tokens that the mask of a head lets through."""
    record = record_of(record_text(model, ask), ask.text("attention"))
    seen = int(np.isfinite(record.bias_of(0, 0)).sum())
    everything = record.n_query * record.n_key
    facts = (
        ("cells", count(seen)),
        ("all", count(everything)),
        ("tokens", count(record.n_query)),
        ("share", share(seen / everything)),
    )
    return Outcome(facts=facts, number=seen, low=0, high=everything, kind=record.kind)


KINDS = (
    LessonQuestion(
        name="strongest-key",
        tap="token",
        compute=strongest_key,
        about=to_say("Which token does a token look at most, in one head?"),
        asks=to_say("Which token does “{query}” look at most in {head}?"),
        parameters=(TEXT, TEXT_B, QUERY, HEAD, AMONG),
        facts={
            **OF_A_ROW,
            "answer": to_say("the token that is looked at most"),
            "share": to_say("its weight"),
            "second": to_say("the next one"),
            "second_share": to_say("its weight"),
            "distance": to_say("how many places after the query the answer stands; below 0 before it"),
        },
        says=to_say(
            "In {head}, “{query}” gives “{answer}” {share} of its attention, and “{second}” {second_share}. Looking "
            "alike at all tokens that it may see would give each {even}."
        ),
    ),
    LessonQuestion(
        name="weight",
        tap="number",
        compute=weight,
        about=to_say("How much of its attention does a token give to another one, in one head?"),
        asks=to_say("How much of its attention does “{query}” give to “{key}” in {head}?"),
        parameters=(TEXT, TEXT_B, QUERY, KEY, HEAD),
        facts={**OF_A_ROW, "key": to_say("the token that is looked at"), "share": to_say("the weight")},
        says=to_say(
            "In {head}, “{query}” gives {share} of its attention to “{key}”. Looking at all tokens alike would give it "
            "{even}."
        ),
    ),
    LessonQuestion(
        name="row-sum",
        tap="number",
        compute=row_sum,
        about=to_say("What do all the weights of a token sum to?"),
        asks=to_say("What do all the weights in the row of “{query}” sum to?"),
        parameters=(TEXT, TEXT_B, QUERY, HEAD),
        facts={**OF_A_ROW, "sum": to_say("the sum of the weights")},
        says=to_say("In {head}, the {tokens} weights of “{query}” sum to {sum}."),
    ),
    LessonQuestion(
        name="strongest-head",
        tap="head",
        compute=strongest_head,
        about=to_say("Which head does something most? Its layer is given, its number is tapped."),
        asks=to_say("Which head of layer {layer} gives most of its attention to {does}?"),
        parameters=(TEXT, TEXT_B, MEASURE),
        facts={
            "answer": to_say("the head"),
            "head": to_say("the head"),
            "layer": to_say("the number of its layer"),
            "does": to_say("what it does"),
            "share": to_say("its share of attention"),
            "second_share": to_say("that of the next head of the layer"),
            "mean": to_say("the mean share of all heads"),
            "heads": to_say("how many heads the model has"),
            "heads_above_half": to_say("how many of them give it more than half"),
        },
        says=to_say(
            "{head} gives {share} of its attention to {does}. The next head of the layer gives it {second_share}, all "
            "{heads} heads of the model {mean} on average."
        ),
    ),
    LessonQuestion(
        name="may-see",
        tap="choice",
        compute=may_see,
        about=to_say("May a token look at another one?"),
        asks=to_say("May “{query}” look at “{key}”?"),
        parameters=(TEXT, TEXT_B, QUERY, KEY, ATTENTION),
        facts={
            "query": to_say("the token that looks"),
            "key": to_say("the other one"),
            "answer": to_say("yes or no"),
            "largest": to_say("the largest weight that any head gives it"),
            "heads": to_say("how many heads the model has"),
        },
        says=to_say(
            "Whether “{query}” may look at “{key}”: {answer}. The largest weight that any of the {heads} heads gives "
            "it is {largest}."
        ),
    ),
    LessonQuestion(
        name="visible-cells",
        tap="number",
        compute=visible_cells,
        about=to_say("How many cells of a map may be looked at?"),
        asks=to_say("How many of the {all} cells of a map may be looked at?"),
        parameters=(TEXT, TEXT_B, ATTENTION),
        facts={
            "cells": to_say("how many cells may be looked at"),
            "all": to_say("how many there are"),
            "tokens": to_say("how many tokens"),
            "share": to_say("the share of cells that may be looked at"),
        },
        says=to_say("{cells} of the {all} cells may be looked at: {share}."),
    ),
)
