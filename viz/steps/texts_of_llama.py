"""The texts about the steps that Llama has and BERT and GPT lack: rotary positions, shared keys, a gate.

Su et al. 2021, "RoFormer"; Ainslie et al. 2023, "GQA"; Shazeer 2020, "GLU Variants Improve Transformer".
"""

from __future__ import annotations

from dataclasses import dataclass

from models.values.steps import LayerWalk
from viz.kit.language import tr

TURNED_SCORES = r"S = Q^R {K^R}^\top \qquad S_{mn} = (R_m\, q_m) \cdot (R_n\, k_n) = q_m \cdot R_{n-m}\, k_n"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepText:
    """`equation` is LaTeX; `source` names paper and section."""

    title: str
    sentence: str
    equation: str
    source: str


def rotation(_: LayerWalk) -> StepText:
    """Return the text about rotary positions (Su et al. 2021, section 3.2)."""
    turns = r"q^R_m = R_m\, q_m \qquad k^R_n = R_n\, k_n"
    matrix = r"\begin{pmatrix} \cos\theta & -\sin\theta \\ \sin\theta & \cos\theta \end{pmatrix}"
    new = r"\begin{pmatrix} q^R_a \\ q^R_b \end{pmatrix}"
    old = r"\begin{pmatrix} q_a \\ q_b \end{pmatrix}"
    return StepText(
        title=tr("Rotary positions"),
        sentence=tr(
            "Every pair of dimensions of a query and a key is turned by an angle that grows with the position of its "
            "token: fast in the first pairs, slowly in the last. So the scores know how far apart two tokens are, and "
            "nothing had to be added to the tokens."
        ),
        equation=rf"\begin{{aligned}} & {turns} \\ & {new} = {matrix} {old} \quad \theta = m\,\omega_i \end{{aligned}}",
        source=tr("Su et al. 2021, section 3.2"),
    )


def grouping(walk: LayerWalk) -> StepText:
    """Return the text about grouped queries (Ainslie et al. 2023, section 2.2)."""
    n_shared = walk.info.n_heads // walk.info.n_kv_heads
    group = walk.head // n_shared
    place = rf"(\lfloor h / {n_shared} \rfloor)"
    return StepText(
        title=tr("Shared keys and values"),
        sentence=tr(
            "The {heads} heads have their own queries, but only {groups} heads of keys and values: each group of "
            "{shared} shares one. Heads {first} to {last} read group {group}, which is framed. So the cache of a text "
            "that is written is {shared} times as small.",
            heads=walk.info.n_heads,
            groups=walk.info.n_kv_heads,
            shared=n_shared,
            first=group * n_shared,
            last=(group + 1) * n_shared - 1,
            group=group,
        ),
        equation=rf"K_h = K^{{{place}}} \qquad V_h = V^{{{place}}} \qquad h = {walk.head}",
        source=tr("Ainslie et al. 2023, section 2.2"),
    )


def gate(walk: LayerWalk) -> StepText:
    """Return the text about the gate of the feed-forward network (Shazeer 2020, equation 6)."""
    read = r"\mathrm{norm}(x')" if "feed_forward_norm" in walk.names else "x'"
    return StepText(
        title=tr("Gate of the feed-forward network"),
        sentence=tr(
            "Two matrices read the same vector. What the first one gives goes through an activation function f and "
            "becomes a gate, G: number by number it opens or closes what the second one gives, U. With SiLU as f this "
            "is SwiGLU."
        ),
        equation=rf"G = f({read}\,W_1) \qquad U = {read}\,W_3 \qquad H = G \odot U",
        source=tr("Shazeer 2020, equation 6"),
    )
