"""Questions about what weights are made of, queries, keys and values; and how many there is of what."""

from __future__ import annotations

import numpy as np

from lessons.answers.attention import OF_A_ROW, look, record_text
from lessons.kinds import LessonQuestion
from lessons.parameters import HEAD, QUERY, TEXT, TEXT_B, OneOf, Parameter
from lessons.places import labels
from lessons.values import Ask, Outcome, count, end_of_line, number, phrase, share, word
from models.model import Model
from models.values.record import Recording
from models.values.wording import to_say

COUNTED = {
    "layers": to_say("layers"),
    "heads": to_say("heads in every layer"),
    "all-heads": to_say("heads in all layers together"),
    "tokens": to_say("tokens of the text, the special ones included"),
    "dimensions": to_say("numbers in the vector of a token"),
    "head-dimensions": to_say("numbers in a query, a key or a value"),
    "vocabulary": to_say("tokens in the vocabulary"),
}


def score_ratio(model: Model, ask: Ask) -> Outcome:
    """Return the ratio of the weights of the best and the second key, and the difference of their scores."""
    place, query, weights, facts = look(record_text(model, ask), ask)
    scores = place.record.scores(place.layer, place.head, slice(query, query + 1))[0].astype(np.float64)  # [n_key]
    best, second = np.argsort(-scores)[:2].tolist()
    names = labels(place.record.key_tokens)
    gap = float(scores[best] - scores[second])
    ratio = float(np.exp(gap))
    facts += (
        ("answer", word(names[best])),
        ("share", share(float(weights[best]))),
        ("score", number(float(scores[best]))),
        ("second", word(names[second])),
        ("second_share", share(float(weights[second]))),
        ("second_score", number(float(scores[second]))),
        ("gap", number(gap)),
        ("ratio", number(ratio, 1)),
        ("measured", number(float(weights[best] / weights[second]), 1)),
    )
    return Outcome(
        facts=facts,
        number=ratio,
        low=1,
        high=end_of_line(ratio),
        kind=place.record.kind,
        layer=place.layer,
        head=place.head,
        position=query,
    )


def best_score(model: Model, ask: Ask) -> Outcome:
    """Find the key that fits a query best: the largest dot product."""
    place, query, weights, facts = look(record_text(model, ask), ask)
    scores = place.record.scores(place.layer, place.head, slice(query, query + 1))[0]  # [n_key]
    names = labels(place.record.key_tokens)
    best = int(scores.argmax())
    d_head = place.record.query.shape[-1]
    facts += (
        ("answer", word(names[best])),
        ("score", number(float(scores[best]))),
        ("share", share(float(weights[best]))),
        ("strongest", word(names[int(weights.argmax())])),
        ("lowest", word(names[int(scores.argmin())])),
        ("lowest_score", number(float(scores[np.isfinite(scores)].min()))),
        ("d_head", count(d_head)),
        ("root", number(float(np.sqrt(d_head)))),
        ("scale", number(place.record.scale[place.layer], 4)),
    )
    return Outcome(
        facts=facts,
        options=names,
        right=frozenset({best}),
        kind=place.record.kind,
        layer=place.layer,
        head=place.head,
        position=query,
    )


def without_root(model: Model, ask: Ask) -> Outcome:
    """Return the weight that the best key would get if the scores were not divided by the root of d_head."""
    place, query, weights, facts = look(record_text(model, ask), ask)
    rows = slice(query, query + 1)
    bias = place.record.bias_of(place.layer, place.head, rows)[0].astype(np.float64)  # [n_key]
    scores = place.record.scores(place.layer, place.head, rows)[0].astype(np.float64)  # [n_key]
    seen = np.isfinite(bias)
    products = (scores[seen] - bias[seen]) / place.record.scale[place.layer] + bias[seen]
    undivided = np.exp(products - products.max())
    best = int(weights.argmax())
    most = float(undivided.max() / undivided.sum())
    facts += (
        ("answer", word(labels(place.record.key_tokens)[best])),
        ("share", share(float(weights[best]))),
        ("undivided", share(most)),
        ("d_head", count(place.record.query.shape[-1])),
        ("root", number(1 / place.record.scale[place.layer])),
    )
    return Outcome(
        facts=facts,
        number=most,
        kind=place.record.kind,
        layer=place.layer,
        head=place.head,
        position=query,
    )


def shortest_value(model: Model, ask: Ask) -> Outcome:
    """Find the token with the shortest value vector in a head."""
    place, query, weights, facts = look(record_text(model, ask), ask)
    lengths = np.linalg.norm(place.record.value[place.layer, place.head].astype(np.float64), axis=-1)  # [n_key]
    names = labels(place.record.key_tokens)
    shortest, handed = int(lengths.argmin()), weights * lengths
    strongest = int(weights.argmax())
    facts += (
        ("answer", word(names[shortest])),
        ("length", number(float(lengths[shortest]))),
        ("mean", number(float(np.delete(lengths, shortest).mean()))),
        ("share", share(float(weights[shortest]))),
        ("strongest", word(names[strongest])),
        ("strongest_share", share(float(weights[strongest]))),
        ("strongest_handed", share(float(handed[strongest] / handed.sum()))),
        ("hands_most", word(names[int(handed.argmax())])),
    )
    return Outcome(
        facts=facts,
        options=names,
        right=frozenset({shortest}),
        kind=place.record.kind,
        layer=place.layer,
        head=place.head,
        position=query,
    )


def how_many(model: Model, ask: Ask) -> Outcome:
    """Return the number of layers, heads, tokens or dimensions."""
    recording = record_text(model, ask)
    counted = number_of(recording, ask.text("of"))
    facts = (
        ("number", count(counted)),
        ("of", phrase(COUNTED[ask.text("of")])),
        ("model", word(recording.info.name)),
        ("layers", count(recording.info.n_layers)),
        ("heads", count(recording.info.n_heads)),
        ("dimensions", count(recording.info.d_model)),
        ("head_dimensions", count(recording.info.d_head)),
        ("table", count(recording.info.d_vocab * recording.info.d_model)),
        ("words", count(len(ask.text("text").split()))),
    )
    return Outcome(facts=facts, number=counted, low=0, high=end_of_line(counted), kind=recording.kinds[0])


def number_of(recording: Recording, what: str) -> int:
    """Return the number of one of `COUNTED`."""
    info = recording.info
    return {
        "layers": info.n_layers,
        "heads": info.n_heads,
        "all-heads": info.n_layers * info.n_heads,
        "tokens": len(recording.tokens),
        "dimensions": info.d_model,
        "head-dimensions": info.d_head,
        "vocabulary": info.d_vocab,
    }[what]


KINDS = (
    LessonQuestion(
        name="score-ratio",
        tap="number",
        compute=score_ratio,
        about=to_say("How many times as large as the second weight of a row is the largest one?"),
        asks=to_say("How many times the weight of the second key does the best key of “{query}” get?"),
        parameters=(TEXT, TEXT_B, QUERY, HEAD),
        facts={
            **OF_A_ROW,
            "answer": to_say("the best key"),
            "share": to_say("its weight"),
            "score": to_say("its score"),
            "second": to_say("the next key"),
            "second_share": to_say("its weight"),
            "second_score": to_say("its score"),
            "gap": to_say("how far the two scores are apart"),
            "ratio": to_say("e to the power of the gap"),
            "measured": to_say("one weight divided by the other"),
        },
        says=to_say(
            "The scores of “{answer}” and “{second}” are {score} and {second_score}, {gap} apart. The softmax makes e "
            "to that power of it: {ratio} times the weight, {share} and {second_share}."
        ),
    ),
    LessonQuestion(
        name="best-score",
        tap="token",
        compute=best_score,
        about=to_say("Which key fits a query best?"),
        asks=to_say("Whose key fits the query of “{query}” best?"),
        parameters=(TEXT, TEXT_B, QUERY, HEAD),
        facts={
            **OF_A_ROW,
            "answer": to_say("the key with the largest score"),
            "score": to_say("its score"),
            "share": to_say("its weight"),
            "strongest": to_say("the key with the largest weight"),
            "lowest": to_say("the key with the lowest score"),
            "lowest_score": to_say("that score"),
            "d_head": to_say("how many numbers a query has"),
            "root": to_say("the square root of that"),
            "scale": to_say("what the dot product is multiplied by"),
        },
        says=to_say(
            "The key of “{answer}” fits the query of “{query}” best: its score is {score}, the lowest one, of "
            "“{lowest}”, {lowest_score}. The largest weight, {share}, goes to “{strongest}”."
        ),
    ),
    LessonQuestion(
        name="without-root",
        tap="number",
        compute=without_root,
        about=to_say("How large would the largest weight be if the scores were not divided by √d?"),
        asks=to_say("How large would the largest weight of “{query}” be without the division?"),
        parameters=(TEXT, TEXT_B, QUERY, HEAD),
        facts={
            **OF_A_ROW,
            "answer": to_say("the key with the largest weight"),
            "share": to_say("its weight"),
            "undivided": to_say("the largest weight without the division"),
            "d_head": to_say("how many numbers a query has"),
            "root": to_say("what the dot products are divided by"),
        },
        says=to_say(
            "In {head}, “{query}” gives {share} to “{answer}”. If the dot products were not divided by {root}, it "
            "would be {undivided}."
        ),
    ),
    LessonQuestion(
        name="shortest-value",
        tap="token",
        compute=shortest_value,
        about=to_say("Which token has the shortest value, and so the least to hand over?"),
        parameters=(TEXT, TEXT_B, QUERY, HEAD),
        facts={
            **OF_A_ROW,
            "answer": to_say("the token with the shortest value"),
            "length": to_say("the length of that value"),
            "mean": to_say("the mean length of the others"),
            "share": to_say("the weight that the query gives to it"),
            "strongest": to_say("the token with the largest weight"),
            "strongest_share": to_say("that weight"),
            "strongest_handed": to_say("its part of all that is handed over (weight × length of the value)"),
            "hands_most": to_say("the token that hands most over"),
        },
        says=to_say(
            "The value of “{answer}” is the shortest: {length}, where the others are {mean} on average. “{query}” "
            "gives it {share} of its attention."
        ),
    ),
    LessonQuestion(
        name="how-many",
        tap="number",
        compute=how_many,
        about=to_say("How many layers, heads, tokens or dimensions are there?"),
        asks=to_say("How many are there: {of}?"),
        parameters=(TEXT, TEXT_B, Parameter(name="of", about=to_say("what is counted"), read=OneOf(COUNTED))),
        facts={
            "number": to_say("how many there are"),
            "of": to_say("what is counted"),
            "model": to_say("the name of the model"),
            "layers": to_say("its layers"),
            "heads": to_say("the heads of a layer"),
            "dimensions": to_say("the numbers in the vector of a token"),
            "head_dimensions": to_say("the numbers in a query"),
            "table": to_say("the numbers in the table of embeddings, a row for each token of the vocabulary"),
            "words": to_say("the words of the text, as spaces tell them"),
        },
        says=to_say("{number} {of}."),
    ),
)
