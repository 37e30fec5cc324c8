"""Made-up answers for the demos and the tests: no model has computed these numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.values.answers import LayerwisePrediction, MaskedText, ReplacedTokens, TextLabels, TokenLabels
from models.values.record import Array, WordChoice
from models.values.results.lens import JacobianLens
from models.values.results.scores import ScoreParts, StreamPart
from viz.kit.demos.records import MASKED, PAIR, SENTENCE, VOCABULARY, demo_info, tokens_of

OTHER_WORDS = ("the", "a", "of", "<b>bold</b>", "##ing", "=1+1", "선생님", "and", "was", "not", "to", "in")


def falling_choices(words: Sequence[str], generator: np.random.Generator) -> tuple[WordChoice, ...]:
    """Return different words with falling probabilities that sum to a little less than 1."""
    shares = np.sort(generator.dirichlet(np.full(len(words), 0.6)))[::-1] * 0.93 + 1e-4
    return tuple(WordChoice(text=word, probability=float(share)) for word, share in zip(words, shares, strict=True))


def masked_text(
    text: str = MASKED, *, vocabulary: Sequence[str] = VOCABULARY, logits: Array | None = None, seed: int = 3
) -> MaskedText:
    """Return an answer for every [MASK] of a text; `logits` [n_masks, d_vocab], random if none are given."""
    tokens = tokens_of(text)
    positions = tuple(place for place, token in enumerate(tokens) if token.text == "[MASK]")
    if logits is None:
        logits = _falling_logits((len(positions), len(vocabulary)), seed)
    return MaskedText(
        info=demo_info(d_vocab=len(vocabulary)),
        tokens=tokens,
        positions=positions,
        log_probabilities=_log_softmax(logits),
        vocabulary=tuple(vocabulary),
    )


def layerwise(*, n_layers: int = 4) -> LayerwisePrediction:
    """Return a made-up answer that takes shape over the layers."""
    answer, noise = _falling_logits((2, len(VOCABULARY)), 3)[0], _falling_logits((n_layers + 1, len(VOCABULARY)), 5)
    grown = np.linspace(0, 1, n_layers + 1, dtype=np.float32)[:, None] ** 2
    tokens = tokens_of(MASKED)
    return LayerwisePrediction(
        info=demo_info(n_layers=n_layers),
        tokens=tokens,
        position=[token.text for token in tokens].index("[MASK]"),
        log_probabilities=_log_softmax(grown * answer + (1 - grown) * 0.6 * noise[:, ::-1]),
        vocabulary=VOCABULARY,
    )


def demo_lens(*, n_layers: int = 4) -> JacobianLens:
    """Return identities, with made-up shares that grow over the layers."""
    shares = np.linspace(0.1, 1, n_layers + 1, dtype=np.float32)
    return JacobianLens(
        model="demo",
        n_texts=100,
        n_answers=100,
        matrices=np.stack([np.eye(8, dtype=np.float32)] * n_layers),
        as_they_are=shares,
        carried=np.sqrt(shares),
    )


def demo_replaced_tokens(text: str = SENTENCE) -> ReplacedTokens:
    """Return made-up probabilities of replacement: one word surely replaced, one perhaps."""
    tokens = tokens_of(text)
    chances = np.random.default_rng(1).beta(1, 12, len(tokens)).astype(np.float32)
    chances[[len(tokens) // 3, -3]] = 0.93, 0.56
    return ReplacedTokens(info=demo_info(), tokens=tokens, probabilities=chances)


def labelled_tokens(labels: Sequence[str] = ("O", "PER", "LOC", "ORG"), text: str = PAIR) -> TokenLabels:
    """Return made-up labels for every token."""
    tokens = tokens_of(text)
    logits = np.random.default_rng(2).normal(scale=3, size=(len(tokens), len(labels))).astype(np.float32)
    return TokenLabels(
        info=demo_info(), tokens=tokens, labels=tuple(labels), probabilities=np.exp(_log_softmax(logits))
    )


def labelled_text(labels: Sequence[str] = ("negative", "neutral", "positive")) -> TextLabels:
    """Return made-up labels of a text, one of them likely."""
    logits = np.random.default_rng(4).normal(scale=2, size=(1, len(labels))).astype(np.float32)
    chances = np.exp(_log_softmax(logits))[0]
    return TextLabels(info=demo_info(), tokens=tokens_of(SENTENCE), labels=tuple(labels), probabilities=chances)


def _falling_logits(shape: tuple[int, int], seed: int) -> Array:
    """Return random logits: some likely pieces and a long tail, in another order in every row."""
    generator = np.random.default_rng(seed)
    return generator.normal(scale=2, size=shape).astype(np.float32)


def _log_softmax(logits: Array) -> Array:
    shifted = logits.astype(np.float64) - logits.max(axis=-1, keepdims=True)
    normal: Array = (shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))).astype(np.float32)
    return normal


def random_score() -> ScoreParts:
    """Return made-up parts, of a model with two layers below."""
    draw = np.random.default_rng(3)
    tokens = tokens_of(SENTENCE)
    parts = [StreamPart(of="token"), StreamPart(of="position")]
    for layer in range(2):
        parts += [StreamPart(of="head", kind="encoder", layer=layer, head=head) for head in range(3)]
        parts.append(StreamPart(of="feed_forward", layer=layer))
    parts.append(StreamPart(of="biases"))
    matrix = draw.normal(size=(len(parts), len(parts))) ** 3 / 4
    return ScoreParts(
        place=("encoder", 2, 1),
        query=5,
        key=2,
        query_tokens=tokens,
        key_tokens=tokens,
        query_parts=tuple(parts),
        key_parts=tuple(parts),
        matrix=matrix,
        bias=0.0,
        score=float(matrix.sum()),
    )
