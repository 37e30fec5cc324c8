"""Made-up effects, attributions and atlases for the demos and the tests: no model has computed these numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.values.head_roles import head_places
from models.values.probing.changes import HeadPlace
from models.values.probing.contrast import AnswerLogits, Contrast
from models.values.record import Array
from models.values.results.attribution import Attribution, Faithfulness, FaithfulnessCurve, words_of
from models.values.results.comparison import AttentionComparison, TokenPair, WordShift
from models.values.results.effects import (
    Ablation,
    HeadImportance,
    HeadMap,
    HeadPaths,
    LogitParts,
    Patching,
    PruningCurve,
)
from viz.kit.demos.records import MASKED, VOCABULARY, demo_info, tokens_of

CONTRAST = Contrast(of="mask", position=6, answer=1, rival=2, answer_text="<b>bold</b>", rival_text="Ġdoctor")
TOKENS = tokens_of(MASKED)
N_LAYERS, N_HEADS = 4, 6


def _places(n_layers: int = N_LAYERS) -> tuple[HeadPlace, ...]:
    return tuple(("encoder", *place) for place in head_places(n_layers, N_HEADS))


def random_numbers(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def demo_ablation() -> Ablation:
    """Return a made-up ablation of each head by itself."""
    groups = tuple((place,) for place in _places())
    return Ablation(
        contrast=CONTRAST,
        tokens=TOKENS,
        by="zero",
        groups=groups,
        shapes=(("encoder", N_LAYERS, N_HEADS),),
        whole=2.0,
        whole_log_probability=-0.5,
        differences=2 + random_numbers(len(groups)),
        log_probabilities=-np.abs(random_numbers(len(groups))),
    )


def demo_importance() -> HeadImportance:
    """Return a made-up gradient estimate of the importance of all heads."""
    signed = (HeadMap(kind="encoder", values=random_numbers(N_LAYERS, N_HEADS)),)
    return HeadImportance(contrast=CONTRAST, difference=2.0, signed=signed)


def demo_patching(*axes: str) -> Patching:
    """Return made-up effects of patching, by default layer by token."""
    names = axes or ("layer", "position")
    sizes = {"layer": N_LAYERS, "head": N_HEADS, "position": len(TOKENS)}
    return Patching(
        contrast=CONTRAST,
        what="outputs" if "head" in names else "states",
        kind="encoder",
        clean_tokens=TOKENS,
        corrupted_tokens=TOKENS,
        clean=2.0,
        corrupted=-1.0,
        axes=names,
        effects=random_numbers(*(sizes[name] for name in names)) / np.float32(3),
    )


def demo_parts() -> LogitParts:
    """Return made-up parts of a logit difference."""
    heads, networks = random_numbers(N_LAYERS, N_HEADS) / np.float32(4), random_numbers(N_LAYERS, seed=1)
    total = 0.3 + float(heads.sum()) + float(networks.sum()) - 0.2
    return LogitParts(
        contrast=CONTRAST,
        stack="encoder",
        difference=total,
        embeddings=0.3,
        heads=(HeadMap(kind="encoder", values=heads),),
        feed_forward=networks,
        biases=-0.2,
    )


def demo_answers() -> tuple[AnswerLogits, AnswerLogits]:
    """Return made-up answers with all heads and without some."""
    logits = random_numbers(2, len(VOCABULARY), seed=4) * 2
    one, other = (
        AnswerLogits(info=demo_info(), tokens=TOKENS, of="mask", position=6, choices=VOCABULARY, logits=row)
        for row in logits
    )
    return one, other


def demo_layers() -> Ablation:
    """Return a made-up ablation of each whole layer."""
    groups = tuple(tuple(place for place in _places() if place[1] == layer) for layer in range(N_LAYERS))
    return Ablation(
        contrast=CONTRAST,
        tokens=TOKENS,
        by="zero",
        groups=groups,
        shapes=(("encoder", N_LAYERS, N_HEADS),),
        whole=2.0,
        whole_log_probability=-0.5,
        differences=2 + random_numbers(N_LAYERS, seed=5),
        log_probabilities=-np.abs(random_numbers(N_LAYERS)),
    )


def demo_pruning() -> PruningCurve:
    """Return a made-up pruning curve, whose accuracy falls as heads go."""
    counts = (0, 6, 12, 18, 24)
    return PruningCurve(
        by="zero",
        order=_places(),
        n_removed=counts,
        n_examples=20,
        accuracy=np.array([0.9, 0.9, 0.85, 0.6, 0.5], np.float32),
        differences=np.linspace(3, 0, 5, dtype=np.float32),
    )


def demo_paths() -> HeadPaths:
    """Return made-up direct paths into a head of the last layer."""
    senders = _places(N_LAYERS - 1)
    return HeadPaths(
        contrast=CONTRAST,
        receiver=("encoder", N_LAYERS - 1, 2),
        senders=senders,
        whole=2.0,
        effects=random_numbers(len(senders), 3),
    )


def demo_attribution(*, is_signed: bool = True) -> Attribution:
    """Return a made-up attribution score for every token."""
    scores = random_numbers(len(TOKENS))
    return Attribution(
        method="made_up",
        title="a made-up method",
        contrast=CONTRAST,
        tokens=TOKENS,
        places=tuple(("encoder", position) for position in range(len(TOKENS))),
        scores=scores if is_signed else np.abs(scores),
        is_signed=is_signed,
    )


def demo_attributions() -> tuple[Attribution, ...]:
    """Return the attributions of two methods, the second of them unsigned."""
    first, second = demo_attribution(), demo_attribution(is_signed=False)
    return replace(first, method="first", title="a first method"), replace(
        second, method="second", title="a second one"
    )


def demo_faithfulness() -> Faithfulness:
    """Return the made-up faithfulness of six methods and ten random orders."""
    fractions = (0.01, 0.05, 0.1, 0.2, 0.5)
    fall = np.linspace(0.1, 0.7, 5, dtype=np.float32)
    curves = tuple(
        FaithfulnessCurve(
            method=f"m{rank}",
            title=f"method {rank}",
            whole=0.9,
            without=0.9 - fall / (1 + rank / 2),
            with_only=0.2 + fall / (1 + rank / 2),
        )
        for rank in range(6)
    )
    random = tuple(
        FaithfulnessCurve(
            method="random", title="random order", whole=0.9, without=0.9 - fall * share, with_only=0.2 + fall * share
        )
        for share in np.linspace(0.1, 0.9, 10, dtype=np.float32)
    )
    attribution = demo_attribution()
    return Faithfulness(
        contrast=CONTRAST,
        tokens=TOKENS,
        words=words_of(TOKENS, attribution.places, CONTRAST),
        fractions=fractions,
        curves=curves,
        random=random,
        agreement=np.eye(6, dtype=np.float32),
    )


def demo_comparison() -> AttentionComparison:
    """Return a comparison of two texts that differ in a word, and of which the second has one more."""
    one, other = tokens_of("[CLS] she ran [SEP]"), tokens_of("[CLS] he ran home [SEP]")
    pairs = tuple(
        TokenPair(one=first, other=second, is_equal=equal)
        for first, second, equal in ((0, 0, True), (1, 1, False), (2, 2, True), (None, 3, False), (3, 4, True))
    )
    first, second = np.abs(random_numbers(2, 5, 5)) / 3
    first[3], first[:, 3] = np.nan, np.nan
    distances = np.array([0.1, 0.5, 0.2, np.nan, 0], np.float32)
    return AttentionComparison(
        rows=pairs,
        columns=pairs,
        one_queries=one,
        other_queries=other,
        one_keys=one,
        other_keys=other,
        one=first,
        other=second,
        distances=distances,
        shift=WordShift(
            rows=(2,),
            from_columns=(0,),
            to_columns=(1,),
            from_shares=(float(first[2, 0]), float(second[2, 0])),
            to_shares=(float(first[2, 1]), float(second[2, 1])),
            moved=0.3,
        ),
    )
