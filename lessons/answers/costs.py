"""Questions about what attention costs: tokens read again, bytes of a cache, a row in blocks, words that are cut."""

from __future__ import annotations

from lessons.answers.attention import look, record_text
from lessons.answers.words import answer_of_model, piece
from lessons.kinds import LessonQuestion
from lessons.parameters import HEAD, QUERY, TEXT, TEXT_B, OneOf, Parameter, WholeNumber
from lessons.values import Ask, Fact, Outcome, count, end_of_line, number, phrase, share, word
from models.inspection.costs.online_softmax import walk_blocks
from models.inspection.costs.public_shapes import PUBLIC_SHAPES
from models.model import Model
from models.tasks.sampling import sampling_steps
from models.values.results.costs import GIGABYTE, Sharing, shape_of
from models.values.wording import to_say, worded

SHAPES = {shape.name: shape for shape in PUBLIC_SHAPES}
SHARING: dict[Sharing, str] = {
    "multi-head": to_say("every head has its own keys"),
    "grouped": to_say("groups of heads share a key"),
    "multi-query": to_say("all heads share one key"),
    "latent": to_say("all keys and values are made from one vector"),
}
FLOAT, HALF_FLOAT = 4, 2
"""The bytes of a number in float32, and in 16 bits."""
SMALL = 1e-6
NEW = Parameter(name="new", about=to_say("how many tokens are written"), read=WholeNumber(1, 1000))
SHAPE = Parameter(
    name="shape",
    about=to_say("a public model by its name, such as Llama-3-8B"),
    read=OneOf({name: shape.source for name, shape in SHAPES.items()}),
)
LENGTH = Parameter(
    name="length", about=to_say("how long the text is, in thousands of tokens"), read=WholeNumber(1, 999)
)
LEAST = Parameter(
    name="least",
    about=to_say("the least part of the likeliest word's probability, in percent"),
    read=WholeNumber(1, 99),
)


def tokens_read(model: Model, ask: Ask) -> Outcome:
    """Count the tokens that a model reads to write some more, with a cache and without."""
    n_text, n_new = len(record_text(model, ask).tokens), int(ask.text("new"))
    cached = n_text + n_new - 1
    uncached = sum(range(n_text, n_text + n_new))
    facts = (
        ("tokens", count(n_text)),
        ("new", count(n_new)),
        ("number", count(uncached)),
        ("cached", count(cached)),
        ("times", number(uncached / cached, 1)),
    )
    return Outcome(facts=facts, number=uncached, high=end_of_line(uncached))


def cache_a_token(model: Model, ask: Ask) -> Outcome:
    """Return the bytes that the cache of a model takes for one token: of a real one, as it grows by a token."""
    shape = shape_of(model.info)
    first, second = model.time_writing(ask.text("text"), n_new=2).cache_bytes
    facts = (
        ("number", count(second - first)),
        ("numbers", count(shape.n_layers * shape.numbers_a_layer)),
        ("tokens", count(first / (second - first))),
        ("bytes", count(first)),
        ("layers", count(shape.n_layers)),
        ("heads", count(shape.n_heads)),
        ("key_heads", count(shape.n_kv_heads)),
        ("dimensions", count(shape.d_head)),
    )
    return Outcome(facts=facts, number=second - first, high=end_of_line(second - first))


def cache_of_public(_model: Model, ask: Ask) -> Outcome:
    """Return the gigabytes of the cache of a public model for a long text, in 16 bits."""
    shape, n_tokens = SHAPES[ask.text("shape")], 1000 * int(ask.text("length"))
    gigabytes = shape.cache_bytes(n_tokens, HALF_FLOAT) / GIGABYTE
    facts = (
        ("number", number(gigabytes, 1)),
        ("name", word(shape.name)),
        ("tokens", count(n_tokens)),
        ("a_token", count(shape.bytes_a_token(HALF_FLOAT))),
        ("sharing", phrase(SHARING[shape.sharing])),
        ("layers", count(shape.n_layers)),
        ("heads", count(shape.n_heads)),
        ("a_layer", count(shape.numbers_a_layer)),
    )
    return Outcome(facts=facts, number=gigabytes, high=end_of_line(gigabytes))


def row_in_blocks(model: Model, ask: Ask) -> Outcome:
    """Count how often a larger score comes when the keys of a row come in blocks of four (FlashAttention)."""
    place, query, weights, facts = look(record_text(model, ask), ask)
    blocks = walk_blocks(place.record, layer=place.layer, head=place.head, query=query)
    corrections = [block.correction for block in blocks[1:] if block.correction < 1]
    off = abs(blocks[-1].weights - place.record.weights(place.layer, place.head)[query]).max()
    facts += (
        ("number", count(len(corrections))),
        ("blocks", count(len(blocks))),
        ("smallest", share(min(corrections, default=1.0))),
        ("difference", _small(float(off))),
        ("bytes", count(FLOAT * len(weights) * place.record.n_query)),
    )
    return Outcome(
        facts=facts,
        number=len(corrections),
        high=end_of_line(len(blocks)),
        kind=place.record.kind,
        layer=place.layer,
        head=place.head,
        position=query,
    )


def _small(difference: float) -> Fact:
    """Return a difference that should be none."""
    is_none = difference < SMALL
    return Fact(
        value=difference, written=worded("less than {share}", share=f"{SMALL:f}") if is_none else f"{difference:f}"
    )


def min_p_kept(model: Model, ask: Ask) -> Outcome:
    """Count the words with at least a part of the likeliest one's probability (min-p; Nguyen et al. 2024)."""
    answer = answer_of_model(model, ask)
    kept = sampling_steps(answer.logits, min_p=int(ask.text("least")) / 100)[-1]
    best = answer.best(1)[0]
    facts = (
        ("number", count(kept.n_kept)),
        ("percent", share(int(ask.text("least")) / 100)),
        ("cut", share(kept.cut)),
        ("word", word(piece(answer.choices[best]))),
        ("probability", share(float(answer.probabilities[best]))),
        ("vocabulary", count(len(answer.choices))),
    )
    return Outcome(facts=facts, number=kept.n_kept, low=1, high=end_of_line(kept.n_kept), position=answer.position)


KINDS = (
    LessonQuestion(
        name="tokens-read",
        tap="number",
        compute=tokens_read,
        about=to_say("How many tokens does a model read to write some more, without a cache?"),
        parameters=(TEXT, TEXT_B, NEW),
        facts={
            "tokens": to_say("how many tokens the text has"),
            "new": to_say("how many are written"),
            "number": to_say("how many are read without a cache"),
            "cached": to_say("how many are read with one"),
            "times": to_say("how many times as many that is"),
        },
        says=to_say(
            "To write {new} tokens after {tokens}, the model reads {number} without a cache and {cached} with one: "
            "{times} times as many."
        ),
    ),
    LessonQuestion(
        name="cache-a-token",
        tap="number",
        compute=cache_a_token,
        about=to_say("How many bytes does the key/value cache of a model take for a token?"),
        parameters=(TEXT, TEXT_B),
        facts={
            "number": to_say("the bytes of one token"),
            "numbers": to_say("how many numbers these are"),
            "tokens": to_say("how many tokens the text has"),
            "bytes": to_say("the bytes of the whole text"),
            "layers": to_say("how many layers the model has"),
            "heads": to_say("how many heads a layer has"),
            "key_heads": to_say("how many heads of keys and values a layer has"),
            "dimensions": to_say("how many dimensions a key has"),
        },
        says=to_say(
            "A token takes {number} bytes: {layers} layers × 2 × {key_heads} × {dimensions} numbers. The text of "
            "{tokens} tokens takes {bytes}."
        ),
    ),
    LessonQuestion(
        name="cache-of",
        tap="number",
        compute=cache_of_public,
        is_of_text=False,
        about=to_say("How many gigabytes does the cache of a public model take for a long text, in 16 bits?"),
        parameters=(SHAPE, LENGTH),
        facts={
            "number": to_say("the gigabytes"),
            "name": to_say("the model"),
            "tokens": to_say("how many tokens the text has"),
            "a_token": to_say("the bytes of one token, while no window is full"),
            "sharing": to_say("how its heads share keys"),
            "layers": to_say("how many layers the model has"),
            "heads": to_say("how many heads a layer has"),
            "a_layer": to_say("how many numbers a layer stores of a token"),
        },
        says=to_say("The cache of {name} takes {number} GB for {tokens} tokens; {sharing}."),
    ),
    LessonQuestion(
        name="row-in-blocks",
        tap="number",
        compute=row_in_blocks,
        about=to_say("How often is a row corrected if its keys come in blocks of four (FlashAttention)?"),
        parameters=(TEXT, TEXT_B, QUERY, HEAD),
        facts={
            "query": to_say("the token that looks"),
            "head": to_say("the head, as the pages call it"),
            "tokens": to_say("how many tokens the text has"),
            "even": to_say("the share if the token looked at all that it may see alike"),
            "number": to_say("how often a larger score came"),
            "blocks": to_say("how many blocks there are"),
            "smallest": to_say("the smallest part that was left of the earlier sum"),
            "difference": to_say("how far the row is from that of the map in the end"),
            "bytes": to_say("the bytes of the map, which were never written"),
        },
        says=to_say(
            "In {blocks} blocks, the row of “{query}” was corrected {number} times; in the end it differs from the map "
            "by {difference}."
        ),
    ),
    LessonQuestion(
        name="min-p-kept",
        tap="number",
        compute=min_p_kept,
        about=to_say("How many words have at least a part of the likeliest word's probability?"),
        parameters=(TEXT, TEXT_B, LEAST),
        facts={
            "number": to_say("how many words are kept"),
            "percent": to_say("the least part"),
            "cut": to_say("what the other words have together"),
            "word": to_say("the likeliest word"),
            "probability": to_say("its probability"),
            "vocabulary": to_say("how many words there are to choose from"),
        },
        says=to_say(
            "{number} of {vocabulary} words have at least {percent} of the probability of “{word}”, which has "
            "{probability}. The others have {cut} together."
        ),
    ),
)
