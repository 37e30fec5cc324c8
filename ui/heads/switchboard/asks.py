"""Long questions of the page to a model, by name and device. An answer is None if the reader has stopped it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from models.analysis import (
    ablate,
    every_layer,
    head_editor,
    head_importance,
    head_paths,
    logit_parts,
    mean_outputs,
    patch,
    pruning_curve,
)
from models.analysis.effects.mean_outputs import OutputSums
from models.analysis.effects.pruning import order_heads
from models.opening.registry import Model
from models.values.probing.changes import Changes, HeadEdit, HeadPlace
from models.values.probing.contrast import AnswerLogits, AnswerOf, Contrast
from models.values.record import Kind, Recording
from models.values.results.effects import (
    AblatedBy,
    Ablation,
    HeadImportance,
    HeadPaths,
    LogitParts,
    PatchedWhat,
    Patching,
    PruningCurve,
)
from models.values.wording import Message, to_say
from models.values.writing import Writing
from ui.desk.long_answers import long_question
from ui.desk.long_work import WorkProgress
from ui.heads.switchboard.small_task import small_task

N_NEW = 12
"""The number of tokens that a model continues a text by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A replacement for the output of a head; `means` are those over a corpus, `other` is the text to resample from."""

    by: AblatedBy = "zero"
    other: str = ""
    means: tuple[OutputSums, ...] = ()

    def edits(self, model: Model, recording: Recording, off: Sequence[HeadPlace]) -> tuple[HeadEdit, ...]:
        """Return the edits of the heads that are off."""
        edit_of = head_editor(model, recording, by=self.by, means=self.means, other=self.other)
        return tuple(edit_of(place) for place in off)


@long_question(to_say("Asking the model without these heads"))
def answers_without(
    model: Model,
    _progress: WorkProgress,
    text: str,
    text_b: str,
    *,
    of: AnswerOf,
    position: int | None,
    off: tuple[HeadPlace, ...],
    way: Way,
) -> AnswerLogits:
    """Answer a question without some heads."""
    edits = way.edits(model, model.record(text, text_b or None), off)
    return model.answer_logits(text, text_b or None, of=of, position=position, changes=Changes(heads=edits))


@long_question(to_say("Writing without these heads"))
def write_without_heads(
    model: Model, _progress: WorkProgress, text: str, *, off: tuple[HeadPlace, ...], way: Way
) -> Writing:
    """Continue a text greedily without some heads; with all, if none is named."""
    edits = way.edits(model, model.record(text), off)
    return model.write_without(text, heads=edits, n_new=N_NEW)


@long_question(to_say("Taking the heads away one by one"))
def every_head_away(
    model: Model, progress: WorkProgress, text: str, text_b: str, *, contrast: Contrast, way: Way
) -> Ablation:
    """Measure the effect of removing each head on the answer."""
    return _ablate(model, progress, text, text_b, None, contrast=contrast, way=way)


@long_question(to_say("Taking whole layers away"))
def every_layer_away(
    model: Model, progress: WorkProgress, text: str, text_b: str, *, contrast: Contrast, way: Way
) -> Ablation:
    """Measure the effect of removing each layer on the answer."""
    layers = every_layer(model.record(text, text_b or None))
    return _ablate(model, progress, text, text_b, layers, contrast=contrast, way=way)


def _ablate(
    model: Model,
    progress: WorkProgress,
    text: str,
    text_b: str,
    groups: Sequence[tuple[HeadPlace, ...]] | None,
    *,
    contrast: Contrast,
    way: Way,
) -> Ablation:
    return ablate(
        model,
        text,
        groups,
        text_b=text_b or None,
        contrast=contrast,
        by=way.by,
        means=way.means,
        other=way.other,
        progress=progress.tell,
    )


@long_question(to_say("Following the gradient"))
def estimate_heads(
    model: Model, _progress: WorkProgress, text: str, text_b: str, *, contrast: Contrast
) -> HeadImportance:
    """Estimate the effect of every head by the gradient."""
    return head_importance(model, text, text_b=text_b or None, contrast=contrast)


@long_question(to_say("Putting parts of the first text into the second"))
def patch_texts(
    model: Model,
    progress: WorkProgress,
    text: str,
    other: str,
    text_b: str,
    *,
    what: PatchedWhat,
    by_position: bool | None,
    kind: Kind,
    contrast: Contrast | None,
) -> Patching:
    """Measure the share of the answer that patching restores. Raises TextError for texts of different lengths, too."""
    return patch(
        model,
        text,
        other,
        what=what,
        by_position=by_position,
        kind=kind,
        contrast=contrast,
        clean_b=text_b or None,
        corrupted_b=text_b or None,
        progress=progress.tell,
    )


@long_question(to_say("Taking the logit apart"))
def split_logit(model: Model, _progress: WorkProgress, text: str, text_b: str, *, contrast: Contrast) -> LogitParts:
    """Split the logit difference into a sum over heads and networks."""
    return logit_parts(model, text, text_b=text_b or None, contrast=contrast)


@long_question(to_say("Following the direct paths"))
def follow_paths(
    model: Model, progress: WorkProgress, text: str, text_b: str, *, receiver: HeadPlace, contrast: Contrast
) -> HeadPaths:
    """Return the contributions of lower heads to the input of a head."""
    return head_paths(model, text, receiver, text_b=text_b or None, contrast=contrast, progress=progress.tell)


@long_question(to_say("Reading a corpus"))
def corpus_means(model: Model, progress: WorkProgress, texts: tuple[str, ...]) -> tuple[OutputSums, ...]:
    """Return the mean output of every head over some texts."""

    def read_next(text: str, done: int) -> Recording:
        progress.tell(done, len(texts))
        return model.record(text)

    return mean_outputs(read_next(text, done) for done, text in enumerate(texts))


@long_question(to_say("Removing heads, the least important first"))
def prune_heads(
    model: Model, progress: WorkProgress, *, of: AnswerOf, texts: tuple[str, ...]
) -> tuple[Message, PruningCurve]:
    """Measure the accuracy on a small task as heads are pruned; return the task's description and the curve. Raises
    TextError without a task."""
    task, examples = small_task(model, of, texts)
    importances = []
    for done, example in enumerate(examples):
        progress.tell(done, 2 * len(examples))
        importances.append(head_importance(model, example.text, text_b=example.text_b, contrast=example.contrast))
    curve = pruning_curve(
        model,
        examples,
        order_heads(importances),
        progress=lambda done, of_all: progress.tell(of_all + done, 2 * of_all),
    )
    return task, curve
