"""What can be computed from the values of a model: one file an analysis, found by walking this room.

A file that defines `ANALYSIS` is an analysis; those in `heads/` are measures of heads. They import `models.values` and
nothing else of ours: what a model has to compute first is handed in. Opening models, reading corpora and drawing do
not belong here. `python -m models.analysis` lists them.
"""

from models.analysis.analysis import Analysis, HeadMeasure
from models.analysis.changes import find_changes
from models.analysis.measuring import HeadSums, measure_heads, strongest, sums_of
from models.analysis.registry import analyses, head_measures, measure_named

__all__ = [
    "Analysis",
    "HeadMeasure",
    "HeadSums",
    "analyses",
    "find_changes",
    "head_measures",
    "measure_heads",
    "measure_named",
    "strongest",
    "sums_of",
]
