"""Requests of the page to a model, by name and device. Long answers are None if the reader has stopped them."""

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
from ui.desk.long_answers import long_asked
from ui.desk.long_work import WorkProgress
from ui.switchboard.small_task import small_task

N_NEW = 12
"""Tokens that a model writes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A way to replace the output of a head; `means` are those of a corpus, `other` is the text to resample from."""

    by: AblatedBy = "zero"
    other: str = ""
    means: tuple[OutputSums, ...] = ()

    def edits(self, model: Model, recording: Recording, off: Sequence[HeadPlace]) -> tuple[HeadEdit, ...]:
        """Return the change of every head that is off."""
        edit_of = head_editor(model, recording, by=self.by, means=self.means, other=self.other)
        return tuple(edit_of(place) for place in off)


@long_asked(to_say("Asking the model without these heads"))
def answers_without(
    model: Model,
    _told: WorkProgress,
    text: str,
    text_b: str,
    *,
    of: AnswerOf,
    position: int | None,
    off: tuple[HeadPlace, ...],
    way: Way,
) -> AnswerLogits:
    """Return the answer of the model without some heads."""
    edits = way.edits(model, model.record(text, text_b or None), off)
    return model.answer_logits(text, text_b or None, of=of, position=position, changes=Changes(heads=edits))


@long_asked(to_say("Writing without these heads"))
def written_without(model: Model, _told: WorkProgress, text: str, *, off: tuple[HeadPlace, ...], way: Way) -> Writing:
    """Continue a text greedily without some heads; with all, if none is named."""
    edits = way.edits(model, model.record(text), off)
    return model.write_without(text, heads=edits, n_new=N_NEW)


@long_asked(to_say("Taking the heads away one by one"))
def every_head_away(
    model: Model, told: WorkProgress, text: str, text_b: str, *, contrast: Contrast, way: Way
) -> Ablation:
    """Return the answer without each head."""
    return ablate(
        model,
        text,
        text_b=text_b or None,
        contrast=contrast,
        by=way.by,
        means=way.means,
        other=way.other,
        progress=told.tell,
    )


@long_asked(to_say("Taking whole layers away"))
def every_layer_away(
    model: Model, told: WorkProgress, text: str, text_b: str, *, contrast: Contrast, way: Way
) -> Ablation:
    """Return the answer without each layer."""
    groups = every_layer(model.record(text, text_b or None))
    return ablate(
        model,
        text,
        groups,
        text_b=text_b or None,
        contrast=contrast,
        by=way.by,
        means=way.means,
        other=way.other,
        progress=told.tell,
    )


@long_asked(to_say("Following the gradient"))
def estimated(model: Model, _told: WorkProgress, text: str, text_b: str, *, contrast: Contrast) -> HeadImportance:
    """Return the gradient's estimate of the effect of every head."""
    return head_importance(model, text, text_b=text_b or None, contrast=contrast)


@long_asked(to_say("Putting parts of the first text into the second"))
def patched(
    model: Model,
    told: WorkProgress,
    text: str,
    other: str,
    text_b: str,
    *,
    what: PatchedWhat,
    by_position: bool | None,
    kind: Kind,
    contrast: Contrast | None,
) -> Patching:
    """Return the share of the answer that patching restores. Raises TextError for texts of different lengths, too."""
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
        progress=told.tell,
    )


@long_asked(to_say("Taking the logit apart"))
def parts(model: Model, _told: WorkProgress, text: str, text_b: str, *, contrast: Contrast) -> LogitParts:
    """Return the logit difference as a sum."""
    return logit_parts(model, text, text_b=text_b or None, contrast=contrast)


@long_asked(to_say("Following the direct paths"))
def paths(
    model: Model, told: WorkProgress, text: str, text_b: str, *, receiver: HeadPlace, contrast: Contrast
) -> HeadPaths:
    """Return the contributions of the heads below to the input of a head."""
    return head_paths(model, text, receiver, text_b=text_b or None, contrast=contrast, progress=told.tell)


@long_asked(to_say("Reading a corpus"))
def corpus_means(model: Model, told: WorkProgress, texts: tuple[str, ...]) -> tuple[OutputSums, ...]:
    """Return the mean output of every head over some texts."""

    def read(text: str, done: int) -> Recording:
        told.tell(done, len(texts))
        return model.record(text)

    return mean_outputs(read(text, done) for done, text in enumerate(texts))


@long_asked(to_say("Removing heads, the least important first"))
def pruned(model: Model, told: WorkProgress, *, of: AnswerOf, texts: tuple[str, ...]) -> tuple[Message, PruningCurve]:
    """Return the description of the small task, and its accuracy as heads are pruned. Raises TextError if there is
    none."""
    called, examples = small_task(model, of, texts)
    importances = []
    for done, each in enumerate(examples):
        told.tell(done, 2 * len(examples))
        importances.append(head_importance(model, each.text, text_b=each.text_b, contrast=each.contrast))
    curve = pruning_curve(
        model,
        examples,
        order_heads(importances),
        progress=lambda done, of_all: told.tell(of_all + done, 2 * of_all),
    )
    return called, curve
