"""Questions about the vectors of tokens on their way through the layers, and about what writes an answer into them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from lessons.answers.attention import AMONG, record_text
from lessons.answers.effects import WORD, contrast_asked_for
from lessons.answers.words import piece
from lessons.kinds import LessonQuestion
from lessons.parameters import TEXT, OneOf, Parameter, a_text, a_word
from lessons.places import head_name, labels, token_at
from lessons.values import Ask, Fact, Outcome, count, number, phrase, share, word
from models.analysis import logit_parts
from models.model import Model
from models.values.errors import SelectionError
from models.values.probing.contrast import Contrast
from models.values.record import Array, Recording
from models.values.wording import Message, to_say, worded

FIRST, LAST = "first", "last"
WHERE = Parameter(
    name="where",
    about=to_say("which vectors: those that enter the first layer, or those that leave the last"),
    read=OneOf({FIRST: to_say("those that enter the first layer"), LAST: to_say("those that leave the last layer")}),
)
TOKEN = Parameter(name="token", about=to_say("the token that others are compared with"), read=a_word)
OTHER = Parameter(name="text_2", about=to_say("the other text with the same word"), read=a_text)
HEADS, NETWORKS, EMBEDDINGS, BIASES = PARTS = (
    to_say("the heads"),
    to_say("the feed-forward networks"),
    to_say("the embeddings"),
    to_say("biases and norms"),
)
SHORT = {
    HEADS: to_say("heads"),
    NETWORKS: to_say("feed-forward"),
    EMBEDDINGS: to_say("embeddings"),
    BIASES: to_say("biases"),
}
"""The names of the parts beside a bar."""


def cosines(states: Array, position: int) -> Array:
    """Return the cosine of one of some vectors [n, d] with each of them [n]."""
    lengths = np.linalg.norm(states.astype(np.float64), axis=1, keepdims=True).clip(min=1e-12)
    unit = states / lengths  # [n, d]
    likeness: Array = unit @ unit[position]
    return likeness


def most_alike(model: Model, ask: Ask) -> Outcome:
    """Find the token whose vector points most in the direction of that of another one."""
    recording = record_text(model, ask)
    position = token_at(recording.tokens, ask.text("token"))
    states = recording.hidden_states[0 if ask.text("where") == FIRST else -1]  # [n_tokens, d_model]
    likeness = cosines(states, position)
    among = _others(recording, position, ask.words("among"))
    names = labels(recording.tokens)
    order = sorted(among, key=lambda place: -float(likeness[place]))
    facts = (
        ("token", word(names[position])),
        ("answer", word(names[order[0]])),
        ("likeness", number(float(likeness[order[0]]))),
        ("second", word(names[order[min(1, len(order) - 1)]])),
        ("second_likeness", number(float(likeness[order[min(1, len(order) - 1)]]))),
        ("lowest", word(names[order[-1]])),
        ("lowest_likeness", number(float(likeness[order[-1]]))),
    )
    return Outcome(
        facts=facts,
        options=tuple(names[place] for place in among),
        right=frozenset({among.index(order[0])}),
        bars=tuple((names[place], number(float(likeness[place]))) for place in among),
    )


def _others(recording: Recording, position: int, named: Iterable[str]) -> list[int]:
    """Return the places of the tokens to compare with, by default of all that are not special. Raises
    SelectionError."""
    places = [token_at(recording.tokens, name) for name in named] or [
        place for place, token in enumerate(recording.tokens) if not token.is_special
    ]
    others = [place for place in dict.fromkeys(places) if place != position]
    if not others:
        raise SelectionError(worded("There is no other token to compare with. Write a longer text."))
    return others


def same_word(model: Model, ask: Ask) -> Outcome:
    """Compare the vectors of a word in two texts, before the first layer and after every layer."""
    recordings = [model.record(text) for text in (ask.text("text"), ask.text("text_2"))]
    states = [
        recording.hidden_states[:, token_at(recording.tokens, ask.text("token"))] for recording in recordings
    ]  # two of [n_layers + 1, d_model]
    likeness = [float(cosines(np.stack(pair), 0)[1]) for pair in zip(*states, strict=True)]
    facts = (
        ("token", word(ask.text("token"))),
        ("first", number(likeness[0])),
        ("last", number(likeness[-1])),
        ("layers", count(len(likeness) - 1)),
    )
    bars = tuple((_after(n_layers), number(value)) for n_layers, value in enumerate(likeness))
    return Outcome(facts=facts, number=likeness[-1], low=-1, high=1, bars=bars)


def _after(n_layers: int) -> Message:
    return worded("after layer {layer}", layer=n_layers - 1) if n_layers else worded("before layer 0")


def answer_sum(model: Model, ask: Ask) -> Outcome:
    """Say what adds most to the logit of an answer less that of its rival: heads, networks or embeddings."""
    contrast = contrast_asked_for(model, ask)
    parts = logit_parts(model, ask.text("text"), contrast=contrast)
    of_heads = [(heads.kind, float(heads.values.sum(dtype=np.float64))) for heads in parts.heads]
    sums = {
        HEADS: sum(total for _, total in of_heads),
        NETWORKS: float(parts.feed_forward.sum(dtype=np.float64)),
        EMBEDDINGS: parts.embeddings,
        BIASES: parts.biases,
    }
    options = PARTS[:3]
    most = max(options, key=lambda part: sums[part])
    facts = (
        *_about(contrast, parts.difference),
        ("answer", phrase(most)),
        ("heads", number(sums[HEADS])),
        ("networks", number(sums[NETWORKS])),
        ("embeddings", number(sums[EMBEDDINGS])),
        ("biases", number(sums[BIASES])),
        ("sum", number(parts.total)),
    )
    bars = tuple((Message(SHORT[part]), number(sums[part])) for part in PARTS)
    return Outcome(
        facts=facts,
        options=options,
        right=frozenset({options.index(most)}),
        position=contrast.position,
        bars=bars,
    )


def _about(contrast: Contrast, difference: float) -> tuple[tuple[str, Fact], ...]:
    return (
        ("word", word(piece(contrast.answer_text))),
        ("rival", word(piece(contrast.rival_text))),
        ("difference", number(difference)),
    )


def strongest_writer(model: Model, ask: Ask) -> Outcome:
    """Find the head that adds most to the logit of an answer less that of its rival, in the layer where it is."""
    contrast = contrast_asked_for(model, ask)
    parts = logit_parts(model, ask.text("text"), contrast=contrast)
    best = max(parts.heads, key=lambda heads: float(heads.values.max()))
    layer, head = (int(place) for place in np.unravel_index(best.values.argmax(), best.values.shape))
    in_layer = best.values[layer].astype(np.float64)  # [n_heads]
    facts = (
        *_about(contrast, parts.difference),
        ("answer", phrase(head_name(layer, head))),
        ("layer", count(layer)),
        ("adds", number(float(in_layer[head]))),
        ("second_adds", number(float(np.sort(in_layer)[-2] if len(in_layer) > 1 else 0.0))),
    )
    options = tuple(head_name(layer, other) for other in range(len(in_layer)))
    return Outcome(
        facts=facts,
        options=options,
        right=frozenset({head}),
        kind=best.kind,
        layer=layer,
        head=head,
        position=contrast.position,
        bars=tuple((name, number(float(value))) for name, value in zip(options, in_layer, strict=True)),
    )


def settled_after(model: Model, ask: Ask) -> Outcome:
    """Count the layers after which the answer behind a mask is the likeliest, and stays it."""
    by_layer = model.predict_by_layer(ask.text("text"))
    best = [int(row.argmax()) for row in by_layer.log_probabilities]
    others = [n_layers for n_layers, token_id in enumerate(best) if token_id != best[-1]]
    settled = 1 + others[-1] if others else 0
    before = by_layer.best(max(0, settled - 1), 1)[0]
    probabilities = np.exp(by_layer.log_probabilities[:, best[-1]].astype(np.float64))  # [n_layers + 1]
    facts = (
        ("number", count(settled)),
        ("layers", count(len(best) - 1)),
        ("word", word(piece(by_layer.vocabulary[best[-1]]))),
        ("probability", share(float(probabilities[-1]))),
        ("before", word(piece(before.text))),
        ("before_probability", share(before.probability)),
    )
    bars = tuple((_after(n_layers), share(float(value))) for n_layers, value in enumerate(probabilities))
    return Outcome(facts=facts, number=settled, low=0, high=len(best) - 1, position=by_layer.position, bars=bars)


OF_AN_ANSWER = {
    "word": to_say("the answer"),
    "rival": to_say("the best other answer"),
    "difference": to_say("the logit of the answer less that of the other one"),
}
KINDS = (
    LessonQuestion(
        name="most-alike",
        tap="token",
        compute=most_alike,
        about=to_say("Which token has the vector that is most like that of one?"),
        asks=to_say("Which token has the vector that is most like that of “{token}”?"),
        parameters=(TEXT, TOKEN, AMONG, WHERE),
        facts={
            "token": to_say("the token that others are compared with"),
            "answer": to_say("the token with the most similar vector"),
            "likeness": to_say("the cosine of the two"),
            "second": to_say("the next one"),
            "second_likeness": to_say("its cosine"),
            "lowest": to_say("the token with the least similar vector"),
            "lowest_likeness": to_say("its cosine"),
        },
        says=to_say(
            "The vector of “{answer}” is most like that of “{token}”: a cosine of {likeness}. That of “{lowest}” is "
            "least like it: {lowest_likeness}."
        ),
    ),
    LessonQuestion(
        name="same-word",
        tap="number",
        compute=same_word,
        about=to_say("How alike are the vectors of a word in two texts, after the last layer?"),
        parameters=(TEXT, OTHER, TOKEN),
        facts={
            "token": to_say("the word"),
            "first": to_say("the cosine of its two vectors before the first layer"),
            "last": to_say("that after the last layer"),
            "layers": to_say("how many layers there are"),
        },
        says=to_say(
            "The two vectors of “{token}” have a cosine of {first} before the first layer, and of {last} after "
            "{layers} layers."
        ),
        is_of_text=False,
    ),
    LessonQuestion(
        name="answer-sum",
        tap="choice",
        compute=answer_sum,
        about=to_say("What adds most to an answer: the heads, the feed-forward networks or the embeddings?"),
        parameters=(TEXT, WORD),
        facts={
            **OF_AN_ANSWER,
            "answer": to_say("what adds most"),
            "heads": to_say("what all heads add together"),
            "networks": to_say("what the feed-forward networks add"),
            "embeddings": to_say("what the embeddings add"),
            "biases": to_say("what biases and norms add, whatever is read"),
            "sum": to_say("the sum of all parts"),
        },
        says=to_say(
            "The logit of “{word}” is {difference} above that of “{rival}”: {heads} from the heads, {networks} from "
            "the feed-forward networks, {embeddings} from the embeddings, {biases} from biases and norms."
        ),
    ),
    LessonQuestion(
        name="strongest-writer",
        tap="head",
        compute=strongest_writer,
        about=to_say("Which head adds most to an answer? Its layer is given, its number is tapped."),
        parameters=(TEXT, WORD),
        facts={
            **OF_AN_ANSWER,
            "answer": to_say("the head"),
            "layer": to_say("the number of its layer"),
            "adds": to_say("what it adds to that"),
            "second_adds": to_say("what the next head of the layer adds"),
        },
        says=to_say("{answer} adds {adds} of {difference} to “{word}” over “{rival}”; the next head {second_adds}."),
    ),
    LessonQuestion(
        name="settled-after",
        tap="number",
        compute=settled_after,
        about=to_say("After how many layers is the answer behind [MASK] the likeliest word, and stays it?"),
        parameters=(TEXT,),
        facts={
            "number": to_say("after how many layers"),
            "layers": to_say("how many layers there are"),
            "word": to_say("the answer"),
            "probability": to_say("its probability at the end"),
            "before": to_say("the likeliest word one layer earlier"),
            "before_probability": to_say("its probability there"),
        },
        says=to_say(
            "After {number} of {layers} layers “{word}” is the likeliest word, and stays it. At the end it has "
            "{probability}. One layer earlier the likeliest was “{before}”, with {before_probability}."
        ),
    ),
)
