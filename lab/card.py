"""The model card of a run: what it was trained on, how, and what was measured."""

from __future__ import annotations

from collections.abc import Iterator

from lab import runs
from lab.blueprint import LEARNING_LAYERS
from lab.metrics import progress_of, read_curves
from lab.questions import Results
from lab.recipe import GENERATED, NAMES, RANGES, Recipe, TaskName
from lab.runs import Run
from models.scratch.classification import Pooling

TASK_NAMES: dict[TaskName, str] = {
    "masked": "masked words and next sentences",
    "next": "the next token",
    "labels": "labels of texts",
    "words": "labels of words",
    "translate": "translation",
    "copy": "copying a sequence",
    "reverse": "reversing a sequence",
}
READ_FROM: dict[Pooling, str] = {
    "cls": "the state of `[CLS]` after the last layer",
    "mean": "the mean of the states of all words after the last layer; `[CLS]`, `[SEP]` and padding are left out",
}
"""A description of the state that a label is read from, by pooling."""
MEASURES = {
    "loss": "loss in nats",
    "accuracy": "share of right answers",
    "exact_match": "share written exactly right",
}


def write_card(run: Run, recipe: Recipe, results: Results, *, parameters: int) -> None:
    """Write README.md beside the checkpoint of a finished run."""
    given = runs.given_of(run)
    notes = () if given is None else given.notes
    lines = _lines(run, recipe, results, notes, parameters=parameters)
    (run.folder / runs.MODEL / "README.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _lines(run: Run, recipe: Recipe, results: Results, notes: tuple[str, ...], *, parameters: int) -> Iterator[str]:
    reached = progress_of(read_curves(run.folder / runs.METRICS), recipe.iterations)
    yield from (f"# {recipe.name}", "")
    yield f"A transformer with {parameters:,} parameters for {TASK_NAMES[recipe.task]}, trained in Headlight's lab."
    yield f"Its weights are float16 in model.safetensors; {_who_opens_it(recipe)}"
    yield ""
    if recipe.task == "labels":
        yield f"The label is read from {READ_FROM[recipe.pooling]}."
        yield ""
    yield from ("## Training", "", "| | |", "| --- | --- |")
    yield from (f"| {NAMES[name]} | {getattr(recipe, name):g} |" for name in RANGES if name != "snapshots")
    yield f"| tokens read | {reached.tokens:,} |"
    yield f"| minutes | {reached.seconds / 60:.1f} |"
    yield ""
    yield f"{_what_learns(recipe)} The learning rate rises, stays level, and falls to 0."
    yield from ("", "## Data", "")
    if recipe.task in GENERATED:
        yield "Sequences of letters, drawn at random."
    else:
        yield "Text from the person who started the training, or the lab's sample. A tenth was held out."
        yield from (f"- {note}" for note in notes)
    yield from ("", "## Measured on what was held out", "", "| | |", "| --- | --- |")
    yield from (
        f"| {MEASURES.get(name, name.replace('_', ' '))} | {value:.4f} |" for name, value in reached.held_out.items()
    )
    yield from _answers(results)
    yield from ("", "## Limits", "")
    if recipe.body:
        yield f"It reads as {recipe.body} does, and has learned its labels from the texts above alone."
    else:
        yield "A small model for a classroom: it has learned its sample, not a language."


def _what_learns(recipe: Recipe) -> str:
    if recipe.body:
        return (
            f"It starts from {recipe.body}, whose embeddings and lower layers stay as they are; AdamW for its last "
            f"{LEARNING_LAYERS} layers and the classifier."
        )
    return "Muon for the matrices inside the layers, AdamW for the rest."


def _who_opens_it(recipe: Recipe) -> str:
    if recipe.task == "labels" and recipe.pooling == "mean":
        return "Headlight opens this folder. Transformers opens its encoder alone: it has no BERT that takes a mean."
    return "Headlight and transformers open this folder."


def _answers(results: Results) -> Iterator[str]:
    for name, answers in (
        ("hidden words guessed", results.masked),
        ("next sentences told apart", results.judged),
        ("texts written exactly right, of those tried", results.written),
    ):
        if answers:
            yield f"| {name} | {sum(answer.is_right for answer in answers)} of {len(answers)} |"
