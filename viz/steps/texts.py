"""What a page says about the steps of a layer: a title, a plain sentence, the equation, and where it comes from.

Vaswani et al. 2017, "Attention Is All You Need"; Devlin et al. 2018, "BERT"; Ba et al. 2016, "Layer Normalization";
Zhang & Sennrich 2019, "Root Mean Square Layer Normalization"; Xiong et al. 2020, on where the norms stand.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from models.values.steps import LayerWalk, StepName

RMS_FAMILIES = ("t5", "mt5", "umt5", "llama", "mistral", "mixtral", "qwen", "gemma", "phi3", "smollm", "olmo")
"""How the names of families begin whose norm leaves out the mean."""

LAYER_NORM = r"\mathrm{norm}(@) = \gamma \odot \frac{@ - \mu}{\sqrt{\sigma^2 + \varepsilon}} + \beta"
RMS_NORM = r"\mathrm{norm}(@) = \gamma \odot \frac{@}{\sqrt{\mathrm{mean}(@^2) + \varepsilon}}"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepText:
    """`equation` is LaTeX; `source` names paper and section."""

    title: str
    sentence: str
    equation: str
    source: str


SHORT_TITLES: dict[StepName, str] = {
    "embeddings": "Embeddings",
    "embedding_norm": "Norm",
    "attention_norm": "Norm 1",
    "projections": "Q, K, V",
    "scores": "Scores",
    "scaling": "Scaling",
    "mask": "Mask",
    "softmax": "Softmax",
    "weighted_sum": "Weighted sum",
    "concatenation": "All heads",
    "output_projection": "W_O",
    "attention_residual": "Residual 1",
    "feed_forward_norm": "Norm 2",
    "feed_forward": "Feed-forward",
    "feed_forward_residual": "Residual 2",
}
"""For the row of all steps, where words have little room."""


def step_text(walk: LayerWalk, name: StepName) -> StepText:
    """What to say about a step of this walk, which may norm before or after, and scale or not."""
    return _TEXTS[name](walk)


def _embeddings(walk: LayerWalk) -> StepText:
    added = [array.symbol for array in walk.step("embeddings").inputs]
    why = {
        "P": "a vector for its position, because attention itself does not know the order of words",
        "S": "one that says whether it belongs to sentence A or B",
    }
    others = " and ".join(why[symbol] for symbol in added if symbol in why)
    adds = f" To it the model adds {others}." if others else " This model adds no positions here."
    return StepText(
        title="Embeddings",
        sentence=f"Every token is looked up in a table, which gives it a vector of {walk.info.d_model} numbers.{adds}",
        equation="X = " + " + ".join(added),
        source="Vaswani et al. 2017, sections 3.4 and 3.5; Devlin et al. 2018, figure 2",
    )


def _norm_of(walk: LayerWalk, *, title: str, why: str, symbol: str) -> StepText:
    if walk.info.family.startswith(RMS_FAMILIES):
        return StepText(
            title=title,
            sentence=(
                f"Each token's vector is divided by the size of its numbers, and every dimension is rescaled. {why}"
            ),
            equation=RMS_NORM.replace("@", symbol),
            source="Zhang & Sennrich 2019, section 4; Xiong et al. 2020, figure 1",
        )
    return StepText(
        title=title,
        sentence=(
            "Each token's vector is shifted to mean 0 and scaled to variance 1. Then every dimension gets a learned "
            f"factor and offset. {why}"
        ),
        equation=LAYER_NORM.replace("@", symbol),
        source="Ba et al. 2016, section 3; Xiong et al. 2020, figure 1",
    )


def _embedding_norm(walk: LayerWalk) -> StepText:
    return _norm_of(
        walk, title="Norm of the embeddings", symbol="X", why="So all tokens enter the layers on an equal footing."
    )


def _attention_norm(walk: LayerWalk) -> StepText:
    why = f"The attention reads this; the residual stream itself stays as it is (pre-LN).{_whose(walk)}"
    return _norm_of(walk, title="Norm before the attention", symbol="x", why=why)


def _whose(walk: LayerWalk) -> str:
    """Where the input of the layer comes from."""
    if walk.kind == "cross":
        return ""
    return f" Here x is what layer {walk.layer - 1} left." if walk.layer else " In layer 0, x are the embeddings."


def _projections(walk: LayerWalk) -> StepText:
    own = r"\mathrm{norm}(x)" if walk.norm == "pre" else "x"
    other = "e" if walk.kind == "cross" else own
    keys = " Keys and values come from what the encoder wrote, e." if walk.kind == "cross" else ""
    lines = (
        rf"{letter} &= {read}\,W_{letter}{_offset(walk, letter)}"
        for letter, read in (("Q", own), ("K", other), ("V", other))
    )
    return StepText(
        title="Queries, keys and values",
        sentence=(
            "Three matrices turn each token's vector into what it asks (query), what it answers to (key) and what it "
            f"passes on (value). Every head has its own.{keys}{'' if walk.norm == 'pre' else _whose(walk)}"
        ),
        equation=r"\begin{aligned} " + r" \\ ".join(lines) + r" \end{aligned}",
        source="Vaswani et al. 2017, section 3.2.2",
    )


def _offset(walk: LayerWalk, letter: str) -> str:
    """The vector that is added after a matrix; the families without a mean in their norm have done without it, too."""
    return "" if walk.info.family.startswith(RMS_FAMILIES) else f" + b_{letter}"


def _scores(_: LayerWalk) -> StepText:
    return StepText(
        title="Scores",
        sentence=(
            "Each query is multiplied by each key, number by number, and the products are added up: the better the "
            "two fit, the higher the score."
        ),
        equation=r"S = Q K^\top \qquad S_{ij} = q_i \cdot k_j",
        source="Vaswani et al. 2017, section 3.2.1",
    )


def _scaling(walk: LayerWalk) -> StepText:
    sentence = (
        f"The more products there are, the larger their sum: here {walk.info.d_head}. Dividing by √{walk.info.d_head} "
        "keeps the scores small enough for the softmax to learn."
    )
    equals = "=" if math.isclose(round(walk.scale, 4), walk.scale) else r"\approx"
    equation = rf"S \cdot \frac{{1}}{{\sqrt{{d_{{head}}}}}} {equals} S \cdot {walk.scale:.4f}"
    if not math.isclose(walk.scale, walk.info.d_head**-0.5, rel_tol=1e-4):
        sentence = f"This model multiplies its scores by {walk.scale:.4g}, not by 1 / √d_head as in the paper."
        equation = rf"S \cdot {walk.scale:.4g}"
    return StepText(
        title="Scaling",
        sentence=sentence,
        equation=equation,
        source="Vaswani et al. 2017, section 3.2.1, footnote 4",
    )


def _mask(_: LayerWalk) -> StepText:
    return StepText(
        title="Mask",
        sentence=(
            "Where a query cannot look, minus infinity is added, so nothing is left after the softmax. Elsewhere 0 is "
            "added, or what the model adds for the distance."
        ),
        equation=r"S + B \qquad B_{ij} \in \{0, -\infty\} \text{ or a position bias}",
        source="Vaswani et al. 2017, section 3.2.3",
    )


def _softmax(walk: LayerWalk) -> StepText:
    heated = walk.what_if is not None and walk.what_if.name == "temperature"
    score = "{S_{%s} / T}" if heated else "{S_{%s}}"
    return StepText(
        title="Softmax",
        sentence=(
            "Every row of scores becomes weights between 0 and 1 that sum to 1: how the token in that row shares out "
            "its attention."
        ),
        equation=rf"A_{{ij}} = \frac{{e^{score % 'ij'}}}{{\sum_k e^{score % 'ik'}}}",
        source="Vaswani et al. 2017, equation 1",
    )


def _weighted_sum(_: LayerWalk) -> StepText:
    return StepText(
        title="Weighted sum of the values",
        sentence=(
            "Each token collects the values of all tokens, as much of each as its weight says. This is what it gets "
            "from the head."
        ),
        equation=r"Z = A V \qquad z_i = \sum_j A_{ij}\, v_j",
        source="Vaswani et al. 2017, equation 1",
    )


def _concatenation(walk: LayerWalk) -> StepText:
    return StepText(
        title="All heads side by side",
        sentence=(
            f"The {walk.info.n_heads} heads of the layer all worked at the same time. Their outputs are put side by "
            "side. The frame marks the head that we follow."
        ),
        equation=rf"C = [\,Z^{{(0)}} \;\; Z^{{(1)}} \;\; \dots \;\; Z^{{({walk.info.n_heads - 1})}}\,]",
        source="Vaswani et al. 2017, section 3.2.2",
    )


def _output_projection(walk: LayerWalk) -> StepText:
    return StepText(
        title="Output matrix",
        sentence="One more matrix mixes what the heads found, and brings it back to the width of the residual stream.",
        equation=rf"O = C\, W_O{_offset(walk, 'O')}",
        source="Vaswani et al. 2017, section 3.2.2",
    )


def _attention_residual(walk: LayerWalk) -> StepText:
    normed = len(walk.step("attention_residual").outputs) > 1
    return StepText(
        title="Residual connection and norm" if normed else "Residual connection",
        sentence="What the attention found is added to what the token was before, so nothing is lost"
        + (", and the sum is normed." if normed else "; the norm comes later (pre-LN)."),
        equation=r"x' = \mathrm{norm}(x + O)" if normed else "x' = x + O",
        source="Vaswani et al. 2017, sections 3.1 and 5.4" if normed else "Xiong et al. 2020, table 1",
    )


def _feed_forward_norm(walk: LayerWalk) -> StepText:
    why = "The feed-forward network reads this; the residual stream stays as it is (pre-LN)."
    return _norm_of(walk, title="Norm before the feed-forward network", symbol="x'", why=why)


def _feed_forward(walk: LayerWalk) -> StepText:
    read = r"\mathrm{norm}(x')" if "feed_forward_norm" in walk.names else "x'"
    gated = walk.info.family.startswith(tuple(name for name in RMS_FAMILIES if name != "t5"))
    gate = rf" \odot {read}\,W_3" if gated else ""
    equation = rf"H = f({read}\,W_1{_offset(walk, '1')}){gate} \qquad F = H\,W_2{_offset(walk, '2')}"
    return StepText(
        title="Feed-forward network",
        sentence=(
            f"Every token is processed on its own, without looking at the others: widened to {walk.info.d_ff} "
            "numbers, bent by an activation function f, and narrowed again."
        )
        + (" In this family, a second product opens or closes each number of the inner layer." if gated else ""),
        equation=equation,
        source="Vaswani et al. 2017, section 3.3, equation 2",
    )


def _feed_forward_residual(walk: LayerWalk) -> StepText:
    normed = len(walk.step("feed_forward_residual").outputs) > 1
    return StepText(
        title="Second residual connection and norm" if normed else "Second residual connection",
        sentence="The result is added to the residual stream"
        + (" and normed" if normed else "")
        + ": the output of this layer, "
        "and the input of the next.",
        equation=r"y = \mathrm{norm}(x' + F)" if normed else "y = x' + F",
        source="Vaswani et al. 2017, sections 3.1 and 5.4" if normed else "Xiong et al. 2020, table 1",
    )


_TEXTS = {
    "embeddings": _embeddings,
    "embedding_norm": _embedding_norm,
    "attention_norm": _attention_norm,
    "projections": _projections,
    "scores": _scores,
    "scaling": _scaling,
    "mask": _mask,
    "softmax": _softmax,
    "weighted_sum": _weighted_sum,
    "concatenation": _concatenation,
    "output_projection": _output_projection,
    "attention_residual": _attention_residual,
    "feed_forward_norm": _feed_forward_norm,
    "feed_forward": _feed_forward,
    "feed_forward_residual": _feed_forward_residual,
}
