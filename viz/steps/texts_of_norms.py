"""The texts about the norms and the residual connections of a layer."""

from __future__ import annotations

from models.values.steps import LayerWalk
from viz.kit.language import tr
from viz.steps.texts_of_llama import StepText

LAYER_NORM = r"\mathrm{norm}(@) = \gamma \odot \frac{@ - \mu}{\sqrt{\sigma^2 + \varepsilon}} + \beta"
RMS_NORM = r"\mathrm{norm}(@) = \gamma \odot \frac{@}{\sqrt{\mathrm{mean}(@^2) + \varepsilon}}"


def _norm_of(walk: LayerWalk, *, title: str, why: str, symbol: str) -> StepText:
    if walk.norm_kind == "rms":
        divided = tr("Each token's vector is divided by the size of its numbers, and every dimension is rescaled.")
        return StepText(
            title=title,
            sentence=f"{divided} {why}",
            equation=RMS_NORM.replace("@", symbol),
            source=tr("Zhang & Sennrich 2019, section 4; Xiong et al. 2020, figure 1"),
        )
    shifted = tr(
        "Each token's vector is shifted to mean 0 and scaled to variance 1. Then every dimension gets a learned factor "
        "and offset."
    )
    return StepText(
        title=title,
        sentence=f"{shifted} {why}",
        equation=LAYER_NORM.replace("@", symbol),
        source=tr("Ba et al. 2016, section 3; Xiong et al. 2020, figure 1"),
    )


def embedding_norm(walk: LayerWalk) -> StepText:
    why = tr("So all tokens enter the layers on an equal footing.")
    return _norm_of(walk, title=tr("Norm of the embeddings"), symbol="X", why=why)


def attention_norm(walk: LayerWalk) -> StepText:
    why = tr("The attention reads this; the residual stream itself stays as it is (pre-LN).")
    return _norm_of(walk, title=tr("Norm before the attention"), symbol="x", why=f"{why}{describe_input(walk)}")


def describe_input(walk: LayerWalk) -> str:
    """Return a sentence, after a space, on where the input of the layer comes from; empty for cross-attention."""
    if walk.kind == "cross":
        return ""
    left = tr("Here x is what layer {layer} left.", layer=walk.layer - 1)
    embedded = tr("In layer 0, x are the embeddings.")
    return f" {left if walk.layer else embedded}"


def attention_residual(walk: LayerWalk) -> StepText:
    normed = len(walk.step("attention_residual").outputs) > 1
    if not normed:
        return StepText(
            title=tr("Residual connection"),
            sentence=tr(
                "What the attention found is added to what the token was before, so nothing is lost; the norm comes "
                "later (pre-LN)."
            ),
            equation="x' = x + O",
            source=tr("Xiong et al. 2020, table 1"),
        )
    return StepText(
        title=tr("Residual connection and norm"),
        sentence=tr(
            "What the attention found is added to what the token was before, so nothing is lost, and the sum is normed."
        ),
        equation=r"x' = \mathrm{norm}(x + O)",
        source=tr("Vaswani et al. 2017, sections 3.1 and 5.4"),
    )


def feed_forward_norm(walk: LayerWalk) -> StepText:
    why = tr("The feed-forward network reads this; the residual stream stays as it is (pre-LN).")
    return _norm_of(walk, title=tr("Norm before the feed-forward network"), symbol="x'", why=why)


def feed_forward_residual(walk: LayerWalk) -> StepText:
    normed = len(walk.step("feed_forward_residual").outputs) > 1
    if not normed:
        return StepText(
            title=tr("Second residual connection"),
            sentence=tr(
                "The result is added to the residual stream: the output of this layer, and the input of the next."
            ),
            equation="y = x' + F",
            source=tr("Xiong et al. 2020, table 1"),
        )
    return StepText(
        title=tr("Second residual connection and norm"),
        sentence=tr(
            "The result is added to the residual stream and normed: the output of this layer, and the input of the "
            "next."
        ),
        equation=r"y = \mathrm{norm}(x' + F)",
        source=tr("Vaswani et al. 2017, sections 3.1 and 5.4"),
    )
