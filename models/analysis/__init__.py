"""Analyses of the values of a model: one file each, found by walking this room.

A file that defines `ANALYSIS` is an analysis. Those in `heads/` are measures of heads; `over_texts/` sums them up over
a corpus, `effects/` says what heads do to an answer, `attribution/` which words mattered for it. They import
`models.values` and nothing else of ours: what a model has to compute first is handed in, or asked of it in the words
of `models.analysis.asked`. Opening models and drawing do not belong here. `python -m models.analysis` lists them.
"""

from models.analysis.analysis import Analysis, HeadMeasure
from models.analysis.attribution.attribute import attribute, attribute_by, attribution_methods
from models.analysis.attribution.belief import choose_method, finding
from models.analysis.attribution.faithfulness import faithfulness
from models.analysis.changes import find_changes
from models.analysis.comparison import compare, compare_heads, compare_orders
from models.analysis.contrasts import contrast_of
from models.analysis.effects.ablation import ablate, every_head, every_layer, head_editor
from models.analysis.effects.importance import agreement, head_importance
from models.analysis.effects.logit_parts import logit_parts
from models.analysis.effects.mean_outputs import mean_outputs
from models.analysis.effects.patching import patch
from models.analysis.effects.paths import head_paths
from models.analysis.effects.pruning import Example, pruning_curve
from models.analysis.effects.score_parts import score_parts
from models.analysis.heads.measuring import HeadSums, measure_heads, strongest, sums_of
from models.analysis.one_text.standing_out import stands_out
from models.analysis.over_texts.atlas import atlas
from models.analysis.over_texts.atlas_file import atlas_json, read_atlas
from models.analysis.over_texts.faithful import faithfulness_sums
from models.analysis.over_texts.jacobian_lens import jacobian_lens
from models.analysis.over_texts.lens_file import read_lens, write_lens
from models.analysis.registry import analyses, find_measure, head_measures
from models.analysis.shifts import find_shifts

__all__ = [
    "Analysis",
    "Example",
    "HeadMeasure",
    "HeadSums",
    "ablate",
    "agreement",
    "analyses",
    "atlas",
    "atlas_json",
    "attribute",
    "attribute_by",
    "attribution_methods",
    "choose_method",
    "compare",
    "compare_heads",
    "compare_orders",
    "contrast_of",
    "every_head",
    "every_layer",
    "faithfulness",
    "faithfulness_sums",
    "find_changes",
    "find_measure",
    "find_shifts",
    "finding",
    "head_editor",
    "head_importance",
    "head_measures",
    "head_paths",
    "jacobian_lens",
    "logit_parts",
    "mean_outputs",
    "measure_heads",
    "patch",
    "pruning_curve",
    "read_atlas",
    "read_lens",
    "score_parts",
    "stands_out",
    "strongest",
    "sums_of",
    "write_lens",
]
