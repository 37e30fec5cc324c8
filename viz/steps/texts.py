"""The texts about the steps of a layer: a title, a plain sentence, the equation, and its source.

Vaswani et al. 2017, "Attention Is All You Need"; Devlin et al. 2018, "BERT"; Ba et al. 2016, "Layer Normalization";
Zhang & Sennrich 2019, "Root Mean Square Layer Normalization"; Xiong et al. 2020, on where the norms stand. What Llama
has beside that: viz/steps/texts_of_llama.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from models.values.steps import LayerWalk, StepName
from models.values.wording import to_say
from viz.kit.language import tr
from viz.steps.texts_of_llama import TURNED_SCORES, StepText, gate, grouping, rotation
from viz.steps.texts_of_norms import (
    attention_norm,
    attention_residual,
    describe_input,
    embedding_norm,
    feed_forward_norm,
    feed_forward_residual,
)

RMS_FAMILIES = ("t5", "mt5", "umt5", "llama", "mistral", "mixtral", "qwen", "gemma", "phi3", "smollm", "olmo")
"""Prefixes of the names of families whose matrices have no biases."""


SHORT_TITLES: dict[StepName, str] = {
    "embeddings": to_say("Embeddings"),
    "embedding_norm": to_say("Norm"),
    "attention_norm": to_say("Norm 1"),
    "projections": to_say("Q, K, V"),
    "rotation": to_say("Rotation"),
    "grouping": to_say("Groups"),
    "scores": to_say("Scores"),
    "scaling": to_say("Scaling"),
    "mask": to_say("Mask"),
    "softmax": to_say("Softmax"),
    "weighted_sum": to_say("Weighted sum"),
    "concatenation": to_say("All heads"),
    "output_projection": to_say("Output"),
    "attention_residual": to_say("Residual 1"),
    "feed_forward_norm": to_say("Norm 2"),
    "gate": to_say("Gate"),
    "feed_forward": to_say("Feed-forward"),
    "feed_forward_residual": to_say("Residual 2"),
}
"""For the row of all steps, where words have little room."""


def step_text(walk: LayerWalk, name: StepName) -> StepText:
    """Return the text about a step of this walk, which depends on pre- or post-norm and on scaling; in the current
    language."""
    return _TEXTS[name](walk)


def _embeddings(walk: LayerWalk) -> StepText:
    added = [array.symbol for array in walk.step("embeddings").inputs]
    lookup_text = tr(
        "Every token is looked up in a table, which gives it a vector of {n} numbers.", n=walk.info.d_model
    )
    return StepText(
        title=tr("Embeddings"),
        sentence=f"{lookup_text} {_describe_sum(added)}",
        equation="X = " + " + ".join(added),
        source=tr("Vaswani et al. 2017, sections 3.4 and 3.5; Devlin et al. 2018, figure 2"),
    )


def _describe_sum(symbols: Sequence[str]) -> str:
    """Return a sentence on the vectors added to that of a token: for its position, P, and for its sentence, S."""
    if "P" in symbols and "S" in symbols:
        return tr(
            "To it the model adds a vector for its position, because attention itself does not know the order of "
            "words, and one that says whether it belongs to sentence A or B."
        )
    if "P" in symbols:
        return tr(
            "To it the model adds a vector for its position, because attention itself does not know the order of words."
        )
    if "S" in symbols:
        return tr("To it the model adds one that says whether it belongs to sentence A or B.")
    return tr("This model adds no positions here.")


def _projections(walk: LayerWalk) -> StepText:
    own = r"\mathrm{norm}(x)" if walk.norm == "pre" else "x"
    other = "e" if walk.kind == "cross" else own
    does = tr(
        "Three matrices turn each token's vector into what it asks (query), what it answers to (key) and what it "
        "passes on (value). Every head has its own."
    )
    cross = tr("Keys and values come from what the encoder wrote, e.")
    keys = f" {cross}" if walk.kind == "cross" else ""
    lines = (
        rf"{letter} &= {read}\,W_{letter}{_offset(walk, letter)}"
        for letter, read in (("Q", own), ("K", other), ("V", other))
    )
    return StepText(
        title=tr("Queries, keys and values"),
        sentence=f"{does}{keys}{'' if walk.norm == 'pre' else describe_input(walk)}",
        equation=r"\begin{aligned} " + r" \\ ".join(lines) + r" \end{aligned}",
        source=tr("Vaswani et al. 2017, section 3.2.2"),
    )


def _offset(walk: LayerWalk, letter: str) -> str:
    """Return the bias that is added after a matrix, as LaTeX; empty for the RMS_FAMILIES, which have none."""
    return "" if walk.info.family.startswith(RMS_FAMILIES) else f" + b_{letter}"


def _scores(walk: LayerWalk) -> StepText:
    return StepText(
        title=tr("Scores"),
        sentence=tr(
            "Each query is multiplied by each key, number by number, and the products are added up: the better the "
            "two fit, the higher the score."
        ),
        equation=TURNED_SCORES if "rotation" in walk.names else r"S = Q K^\top \qquad S_{ij} = q_i \cdot k_j",
        source=tr("Vaswani et al. 2017, section 3.2.1"),
    )


def _scaling(walk: LayerWalk) -> StepText:
    sentence = tr(
        "The more products there are, the larger their sum: here {n}. Dividing by √{n} keeps the scores small enough "
        "for the softmax to learn.",
        n=walk.info.d_head,
    )
    equals = "=" if math.isclose(round(walk.scale, 4), walk.scale) else r"\approx"
    equation = rf"S \cdot \frac{{1}}{{\sqrt{{d_{{head}}}}}} {equals} S \cdot {walk.scale:.4f}"
    if not math.isclose(walk.scale, walk.info.d_head**-0.5, rel_tol=1e-4):
        sentence = tr(
            "This model multiplies its scores by {scale}, not by 1 / √d_head as in the paper.",
            scale=f"{walk.scale:.4g}",
        )
        equation = rf"S \cdot {walk.scale:.4g}"
    return StepText(
        title=tr("Scaling"),
        sentence=sentence,
        equation=equation,
        source=tr("Vaswani et al. 2017, section 3.2.1, footnote 4"),
    )


def _mask(_: LayerWalk) -> StepText:
    return StepText(
        title=tr("Mask"),
        sentence=tr(
            "Where a query cannot look, minus infinity is added, so nothing is left after the softmax. Elsewhere 0 is "
            "added, or what the model adds for the distance."
        ),
        equation=tr(r"S + B \qquad B_{ij} \in \{0, -\infty\} \text{ or a position bias}"),
        source=tr("Vaswani et al. 2017, section 3.2.3"),
    )


def _softmax(walk: LayerWalk) -> StepText:
    heated = walk.what_if is not None and walk.what_if.name == "temperature"
    score, sink = ("{S_{%s} / T}", "e^{s_i / T} + ") if heated else ("{S_{%s}}", "e^{s_i} + ")
    if walk.sinks is not None:
        return StepText(
            title=tr("Softmax"),
            sentence=tr(
                "Every row of scores becomes weights between 0 and 1. The head has a sink, a learned number s in the "
                "denominator alone: its share goes to no token, and the weights sum to 1 less that share."
            ),
            equation=rf"A_{{ij}} = \frac{{e^{score % 'ij'}}}{{{sink}\sum_k e^{score % 'ik'}}}",
            source=tr("Vaswani et al. 2017, equation 1; Xiao et al. 2023, section 3.3"),
        )
    return StepText(
        title=tr("Softmax"),
        sentence=tr(
            "Every row of scores becomes weights between 0 and 1 that sum to 1: how the token in that row shares out "
            "its attention."
        ),
        equation=rf"A_{{ij}} = \frac{{e^{score % 'ij'}}}{{\sum_k e^{score % 'ik'}}}",
        source=tr("Vaswani et al. 2017, equation 1"),
    )


def _weighted_sum(_: LayerWalk) -> StepText:
    return StepText(
        title=tr("Weighted sum of the values"),
        sentence=tr(
            "Each token collects the values of all tokens, as much of each as its weight says. This is what it gets "
            "from the head."
        ),
        equation=r"Z = A V \qquad z_i = \sum_j A_{ij}\, v_j",
        source=tr("Vaswani et al. 2017, equation 1"),
    )


def _concatenation(walk: LayerWalk) -> StepText:
    return StepText(
        title=tr("All heads side by side"),
        sentence=tr(
            "The {n} heads of the layer all worked at the same time. Their outputs are put side by side. The frame "
            "marks the head that we follow.",
            n=walk.info.n_heads,
        ),
        equation=rf"C = [\,Z^{{(0)}} \;\; Z^{{(1)}} \;\; \dots \;\; Z^{{({walk.info.n_heads - 1})}}\,]",
        source=tr("Vaswani et al. 2017, section 3.2.2"),
    )


def _output_projection(walk: LayerWalk) -> StepText:
    return StepText(
        title=tr("Output matrix"),
        sentence=tr(
            "One more matrix mixes what the heads found, and brings it back to the width of the residual stream."
        ),
        equation=rf"O = C\, W_O{_offset(walk, 'O')}",
        source=tr("Vaswani et al. 2017, section 3.2.2"),
    )


def _feed_forward(walk: LayerWalk) -> StepText:
    read = r"\mathrm{norm}(x')" if "feed_forward_norm" in walk.names else "x'"
    gated = "gate" in walk.names or walk.info.family.startswith(tuple(name for name in RMS_FAMILIES if name != "t5"))
    gate = rf" \odot {read}\,W_3" if gated else ""
    equation = rf"H = f({read}\,W_1{_offset(walk, '1')}){gate} \qquad F = H\,W_2{_offset(walk, '2')}"
    does = tr(
        "Every token is processed on its own, without looking at the others: widened to {n} numbers, bent by an "
        "activation function f, and narrowed again.",
        n=walk.info.d_ff,
    )
    gates = tr("In this family, a second product opens or closes each number of the inner layer.")
    return StepText(
        title=tr("Feed-forward network"),
        sentence=f"{does} {gates}" if gated else does,
        equation=equation,
        source=tr("Vaswani et al. 2017, section 3.3, equation 2"),
    )


_TEXTS = {
    "embeddings": _embeddings,
    "embedding_norm": embedding_norm,
    "attention_norm": attention_norm,
    "projections": _projections,
    "rotation": rotation,
    "grouping": grouping,
    "scores": _scores,
    "scaling": _scaling,
    "mask": _mask,
    "softmax": _softmax,
    "weighted_sum": _weighted_sum,
    "concatenation": _concatenation,
    "output_projection": _output_projection,
    "attention_residual": attention_residual,
    "feed_forward_norm": feed_forward_norm,
    "gate": gate,
    "feed_forward": _feed_forward,
    "feed_forward_residual": feed_forward_residual,
}
