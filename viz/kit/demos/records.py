"""Made-up records and answers for the demos and the tests: no model has computed these numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from models.values.positions import ShuffledPair
from models.values.record import Array, AttentionRecord, Kind, ModelInfo, Recording, Token

SENTENCE = "[CLS] The animal didn ' t cross the street because it was too tired . [SEP]"
PAIR = "[CLS] The man went to the shop . [SEP] He bought a load ##ed gall ##on of milk . [SEP]"

MASKED = "[CLS] The man worked as a [MASK] . [SEP]"
VOCABULARY = (
    "teacher",
    "doctor",
    "lawyer",
    "waiter",
    "carpenter",
    "nurse",
    "waitress",
    "cook",
    "##ing",
    "mechanic",
    "driver",
    "teenager",
    "<b>bold</b>",
    "child",
    "king",
    "soldier",
    "painter",
    "banana",
    "the",
    "of",
    "Schifffahrtsbeamter",
    "선생님",
)
D_VOCAB = 8192
"""The vocabulary size of the made-up causal model; its remaining tokens share the probability left by the
candidates."""


def tokens_of(text: str) -> tuple[Token, ...]:
    """Return the tokens of a text that is already split at its spaces; "##" continues a word, [SEP] ends a sentence."""
    tokens: list[Token] = []
    word, segment = -1, 0
    for piece in text.split():
        special = piece in {"[CLS]", "[SEP]"}
        word += 0 if special or piece.startswith("##") else 1
        tokens.append(Token(text=piece, word=None if special else word, segment=min(segment, 1), is_special=special))
        segment += piece == "[SEP]"
    return tuple(tokens)


def record_from_scores(
    scores: Array, tokens: Sequence[Token], *, mask: NDArray[np.bool_] | None = None
) -> AttentionRecord:
    """Return a record with exactly these scores [n_layers, n_heads, n_tokens, n_tokens]; `mask` is True = may
    attend."""
    n_layers, n_tokens = scores.shape[0], scores.shape[-1]
    identity = np.broadcast_to(np.eye(n_tokens, dtype=np.float32), scores.shape)
    allowed = np.ones((n_tokens, n_tokens), np.bool_) if mask is None else mask
    bias = np.where(allowed, np.float32(0), np.float32(-np.inf))
    return AttentionRecord(
        kind="encoder",
        query_tokens=tuple(tokens),
        key_tokens=tuple(tokens),
        query=scores.astype(np.float32),
        key=identity.copy(),
        value=identity.copy(),
        bias=(bias,) * n_layers,
        scale=(1.0,) * n_layers,
    )


def random_recording(
    *, n_tokens: int = 16, n_layers: int = 4, n_heads: int = 6, d_head: int = 8, seed: int = 0
) -> Recording:
    """Return a recording with normally distributed queries, keys and values, of any length; its words repeat."""
    words = f"{SENTENCE} {PAIR}".replace("[CLS]", "").replace("[SEP]", "").split()
    inner = [words[index % len(words)] for index in range(max(n_tokens - 2, 0))]
    tokens = tokens_of(" ".join(["[CLS]", *inner, "[SEP]"][:n_tokens]))
    generator = np.random.default_rng(seed)
    shape = (3, n_layers, n_heads, n_tokens, d_head)
    query, key, value = generator.normal(size=shape).astype(np.float32)
    record = AttentionRecord(
        kind="encoder",
        query_tokens=tokens,
        key_tokens=tokens,
        query=query,
        key=key,
        value=value,
        bias=(np.zeros((1, 1, 1), np.float32),) * n_layers,
        scale=(1.0,) * n_layers,
        output_norms=_lengths_after_w_o(value, seed),
    )
    return recording_of(record)


def recording_of(*records: AttentionRecord, name: str = "demo") -> Recording:
    """Return a recording of made-up records, one for each kind; its hidden states are zeros."""
    first = records[0]
    info = demo_info(n_layers=first.n_layers, n_heads=first.n_heads, d_head=first.query.shape[-1])
    return Recording(
        info=replace(info, name=name),
        tokens=first.query_tokens,
        attention=records,
        hidden_states=np.zeros((first.n_layers + 1, first.n_query, 1), np.float32),
        final_state=np.zeros((first.n_query, 1), np.float32),
    )


def random_record(
    *,
    n_layers: int = 2,
    n_heads: int = 3,
    tokens: Sequence[Token] | None = None,
    key_tokens: Sequence[Token] | None = None,
    causal: bool = False,
    seed: int = 0,
) -> AttentionRecord:
    """Return a record with normally distributed queries, keys and values; with `key_tokens` it is of kind "cross"."""
    queries = tokens_of(SENTENCE) if tokens is None else tuple(tokens)
    keys = queries if key_tokens is None else tuple(key_tokens)
    kind: Kind = "encoder" if key_tokens is None else "cross"
    shape, d_head = (len(queries), len(keys)), 8
    generator = np.random.default_rng(seed)
    query = generator.normal(size=(n_layers, n_heads, shape[0], d_head)).astype(np.float32)
    key, value = generator.normal(size=(2, n_layers, n_heads, shape[1], d_head)).astype(np.float32)
    future = np.triu(np.full(shape, -np.inf, np.float32), k=1) if causal else np.zeros(shape, np.float32)
    return AttentionRecord(
        kind="decoder" if causal else kind,
        query_tokens=queries,
        key_tokens=keys,
        query=query,
        key=key,
        value=value,
        bias=(future,) * n_layers,
        scale=(1.0,) * n_layers,
        output_norms=_lengths_after_w_o(value, seed),
    )


def _lengths_after_w_o(value: Array, seed: int) -> Array:
    """Return the lengths [n_layers, n_heads, n_key] of values [n_layers, n_heads, n_key, d_head] after random W_O."""
    n_layers, n_heads, _, d_head = value.shape
    output = np.random.default_rng(seed + 1).normal(size=(n_layers, n_heads, d_head, 2 * d_head)).astype(np.float32)
    lengths: Array = np.linalg.norm(value @ output, axis=-1)
    return lengths


def plausible_record(
    text: str = SENTENCE, *, n_layers: int = 4, n_heads: int = 8, causal: bool = False
) -> AttentionRecord:
    """Return a record of heads of the kinds that Clark et al. 2019 found: the token before, after, itself, the
    separator, the same word.

    One more looks from "it" to "animal", one at nothing in particular.
    """
    tokens = tokens_of(text)
    n_tokens = len(tokens)
    generator = np.random.default_rng(7)
    scores = generator.normal(scale=0.7, size=(n_layers, n_heads, n_tokens, n_tokens)).astype(np.float32)
    patterns = _patterns(tokens)
    for layer in range(n_layers):
        for head in range(n_heads):
            strength = generator.uniform(1.5, 4.5)
            scores[layer, head] += np.float32(strength) * patterns[(head + 3 * layer) % len(patterns)]
    return record_from_scores(scores, tokens, mask=np.tri(n_tokens, dtype=np.bool_) if causal else None)


def demo_info(*, n_layers: int = 4, n_heads: int = 8, d_head: int = 8, d_vocab: int = len(VOCABULARY)) -> ModelInfo:
    """Return the facts about a small made-up model."""
    return ModelInfo(
        name="demo",
        family="bert",
        implementation="scratch",
        kinds=("encoder",),
        n_layers=n_layers,
        n_heads=n_heads,
        n_kv_heads=n_heads,
        d_model=n_heads * d_head,
        d_head=d_head,
        d_ff=256,
        d_vocab=d_vocab,
        max_tokens=128,
        n_parameters=1,
        device="cpu",
        can_fill_mask=True,
        can_judge_next_sentence=True,
    )


def causal_info() -> ModelInfo:
    """Return the facts about a made-up causal model."""
    return replace(
        demo_info(d_vocab=D_VOCAB),
        name="mini-gpt",
        family="gpt2",
        kinds=("decoder",),
        can_fill_mask=False,
        can_judge_next_sentence=False,
        can_continue=True,
    )


def learned_table(n_positions: int = 64, d_model: int = 48) -> Array:
    """Return a position table whose neighbouring rows are alike, as in a learned one."""
    generator = np.random.default_rng(6)
    places = np.arange(n_positions)[:, None]
    waves = np.sin(places * generator.uniform(0.02, 0.4, d_model) + generator.uniform(0, 6, d_model))
    table: Array = (0.05 * waves + 0.01 * generator.normal(size=waves.shape)).astype(np.float32)
    return table


def bias_by_distance(n_heads: int = 8, reach: int = 128) -> Array:
    """Return made-up biases of heads that prefer keys behind, ahead, near or far [n_heads, 2 * reach + 1]."""
    distance = np.arange(-reach, reach + 1)
    likes = np.linspace(-6, 6, n_heads)[:, None]
    bias: Array = (2 - np.abs(distance - likes) / np.linspace(2, 30, n_heads)[:, None]).astype(np.float32)
    return bias


def shuffled_pair(*, with_positions: bool = False, text: str = SENTENCE, seed: int = 5) -> ShuffledPair:
    """Return a sentence and its tokens shuffled, special ones in place; `with_positions` makes the weights depend on
    order."""
    tokens = tokens_of(text)
    generator = np.random.default_rng(seed)
    moving = [place for place, token in enumerate(tokens) if not token.is_special]
    order = np.arange(len(tokens))
    order[moving] = generator.permutation(moving)
    scores = generator.normal(scale=2, size=(4, 8, len(tokens), len(tokens))).astype(np.float32)
    moved = scores[:, :, order][:, :, :, order]
    if with_positions:
        moved = moved + generator.normal(size=moved.shape).astype(np.float32)
    written, shuffled = (
        Recording(
            info=demo_info(),
            tokens=of,
            attention=(record_from_scores(values, of),),
            hidden_states=np.zeros((5, len(tokens), 64), np.float32),
            final_state=np.zeros((len(tokens), 64), np.float32),
        )
        for values, of in ((scores, tokens), (moved, tuple(tokens[place] for place in order)))
    )
    return ShuffledPair(written=written, shuffled=shuffled, order=tuple(order.tolist()), with_positions=with_positions)


def _patterns(tokens: Sequence[Token]) -> list[Array]:
    """Return attention patterns [n_tokens, n_tokens] of 0 and 1 that are known from real heads."""
    n_tokens, texts = len(tokens), [token.text for token in tokens]
    separator = np.zeros((n_tokens, n_tokens), np.float32)
    separator[:, [token.is_special and token.text == "[SEP]" for token in tokens]] = 1
    same_word = np.array([[left == right for right in texts] for left in texts], dtype=np.float32)
    pronoun = separator.copy()
    if "it" in texts and "animal" in texts:
        pronoun[texts.index("it")] = 0
        pronoun[texts.index("it"), texts.index("animal")] = 1
    identity = np.eye(n_tokens, dtype=np.float32)
    before, after = np.eye(n_tokens, k=-1, dtype=np.float32), np.eye(n_tokens, k=1, dtype=np.float32)
    return [before, separator, after, pronoun, np.zeros_like(identity), same_word, identity]
