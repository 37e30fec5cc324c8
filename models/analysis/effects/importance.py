"""The gradient's estimate of what a head does: one backward pass in place of one forward pass for every head.

With a gate on the head's output, o -> g · o, the derivative of m by the gate at 1 is sum(o · dm/do), and as o is the
weights times the values, that is sum(weights · dm/dweights): Michel et al. 2019, equation 2, whose |Att · dL/dAtt| is
its absolute value, with m in place of the loss. Its negative estimates the effect of taking the head away.
"""

from __future__ import annotations

import numpy as np

from models.analysis.analysis import Analysis
from models.analysis.contrasts import contrast_of
from models.analysis.ranks import rank_agreement
from models.model import Model
from models.values.arguments.check import check_arguments
from models.values.probing.contrast import Contrast
from models.values.probing.gradients import Gradients
from models.values.results.effects import Ablation, HeadImportance, HeadMap, map_of
from models.values.wording import to_say


@check_arguments
def head_importance(
    model: Model, text: str, *, text_b: str | None = None, contrast: Contrast | None = None
) -> HeadImportance:
    """The estimate for every head; without a contrast the model's best answer is held against its second."""
    contrast = contrast or contrast_of(model, text, text_b)
    (gradients,) = model.gradients(text, text_b, contrast=contrast, by="outputs")
    return importance_of(gradients)


def importance_of(gradients: Gradients) -> HeadImportance:
    """The estimate from gradients by the outputs of the heads."""
    maps = (
        HeadMap(kind=of_kind.kind, values=-np.einsum("lhqd,lhqd->lh", of_kind.outputs, of_kind.gradient))
        for of_kind in gradients.outputs
    )
    return HeadImportance(contrast=gradients.contrast, difference=gradients.difference, signed=tuple(maps))


@check_arguments
def agreement(importance: HeadImportance, ablation: Ablation) -> float:
    """Spearman's rho between the importance of the heads and the size of the effects of taking them away, over all
    heads that were taken away one by one."""
    effects = np.concatenate([heads.values.ravel() for heads in ablation.maps()])
    estimates = np.concatenate([map_of(importance.importance, heads.kind).ravel() for heads in ablation.maps()])
    known = ~np.isnan(effects)
    return rank_agreement(np.abs(effects[known]), estimates[known])


ANALYSIS = Analysis(
    name="importance",
    title="the gradient's estimate of what each head does to an answer",
    paper=to_say('Michel et al. 2019, "Are Sixteen Heads Really Better than One?", section 4.1, equation 2'),
    needs="a model",
    formula=to_say("|sum(Att · dm/dAtt)|, m = logit(answer) - logit(rival)"),
    returns="HeadImportance, maps [n_layers, n_heads]",
    cost=to_say("one forward and one backward pass"),
    compute=head_importance,
)
