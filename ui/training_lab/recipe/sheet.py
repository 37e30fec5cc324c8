"""A worksheet for the training lab: four guesses about two trainings, and the key of trainings that are run for it.

python -m ui.training_lab.recipe.sheet --out lab.html                # print it from the browser, or save it as a PDF
python -m ui.training_lab.recipe.sheet --language ko --out lab-ko.html
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lab import runs
from lab.jobs.process import start_job
from lab.metrics import read_curves
from lab.presets import PRESETS, QUICK
from lab.recipe import TaskName
from models.training.snapshots.over_time import METRICS, read_snapshot, snapshots_of
from ui.training_lab.recipe.tasks import TASK_LABELS
from ui.widgets.paper import blanks, printed_page
from viz.kit.language import ENGLISH, LANGUAGES, read_in, said, to_say, tr
from viz.kit.tokens import escape

TASKS: tuple[TaskName, ...] = ("copy", "reverse")
SOURCE, TARGETS = "a b c d e f", {"copy": "a b c d e f", "reverse": "f e d c b a"}
"""The text that every snapshot reads, and what its decoder reads."""
PLACES = {"copy": 0, "reverse": 1}
"""The diagonal of each task among the measures of cross-attention."""
HARDLY_ANY, NEARLY_ALL = 0.3, 0.9
MOST_COLUMNS = 11
"""The most columns of a table that a page is wide enough for."""
CHANGE = to_say(
    "Start Copy once more, with one change: one head, half of the iterations, or a tenth of the learning rate. Which "
    "one, what do you expect, and what came out? Compare with somebody who made the same change."
)
HAND_IN = to_say(
    "Hand in the link of your run (Copy link), and one sentence: what does attention have to find before the letters "
    "can be right?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedTask:
    """One training of the sheet: (iteration, share of right letters) and (iteration, share of the best head on the
    diagonal), first to last."""

    task: TaskName
    right: tuple[tuple[int, float], ...]
    diagonal: tuple[tuple[int, float], ...]

    @property
    def guessed_until(self) -> int:
        """Return the last iteration before at which hardly any letter was right, 0 if it was measured at none."""
        learned = self.learned_at or self.right[-1][0]
        return max(
            (iteration for iteration, share in self.right if share < HARDLY_ANY and iteration < learned), default=0
        )

    @property
    def learned_at(self) -> int | None:
        """Return the first iteration at which nearly all letters were right; None if they never were."""
        return next((iteration for iteration, share in self.right if share >= NEARLY_ALL), None)


def train(task: TaskName, folder: Path) -> TrainedTask:
    """Run the quickest training of a task in a folder."""
    run = runs.create(folder, replace(PRESETS[task][QUICK], name=task), None)
    start_job((sys.executable, "-m", "lab", str(run.folder)), log=run.folder / runs.LOG, threads=1).wait()
    curves = read_curves(run.folder / METRICS)[["step", "held_out_accuracy"]].dropna()
    found = []
    for snapshot in snapshots_of(run.folder).snapshots:
        (cross,) = [
            shares
            for shares in read_snapshot(Path(snapshot.folder), SOURCE, TARGETS[task]).shares
            if shares.kind == "cross"
        ]
        found.append((snapshot.iteration, float(cross.values[PLACES[task]].max())))
    right = tuple((int(step), float(share)) for step, share in curves.itertuples(index=False))
    return TrainedTask(task=task, right=right, diagonal=tuple(found))


def sheet_html(trained: Sequence[TrainedTask]) -> str:
    """Return the sheet in the current language, with the key of these trainings."""
    names = {task: said(TASK_LABELS[task]) for task in TASKS}
    parts: list[str] = []
    for each in trained:
        parts += [_about_curve(len(parts) + 1, each.task, names[each.task]), _about_picture(len(parts) + 2)]
    n = len(parts)
    parts.append(_question(n + 1, said(CHANGE), blanks(tr("My change"), tr("I expect")) + blanks(tr("It came out"))))
    parts.append(_question(n + 2, said(HAND_IN), blanks("") + blanks("")))
    return printed_page(
        tr("Two trainings, guessed first"),
        tr("A model learns to write letters again, and then from the back."),
        questions="".join(parts),
        key="".join(_key(each, names[each.task]) for each in trained),
        about_key=tr("Trained when this sheet was made. Another seed or computer gives somewhat other numbers."),
    )


def _about_curve(number: int, task: TaskName, name: str) -> str:
    text = tr(
        "In the training lab choose {task} and “{preset}”: {iterations} iterations. Before you press Start, draw how "
        "many letters of unseen texts will be right. Then watch, and draw what you have seen.",
        task=name,
        preset=said(QUICK),
        iterations=PRESETS[task][QUICK].iterations,
    )
    return _question(number, text, _axes())


def _about_picture(number: int) -> str:
    text = tr(
        "Open “Attention over time”, type “{source}”, and look at cross-attention. Before you move the slider, mark "
        "the cells that will be dark at the end.",
        source=SOURCE,
    )
    return _question(number, text, _cells())


def _question(number: int, text: str, below: str) -> str:
    return f'<section><h2>{number}</h2><p class="question">{escape(text)}</p>{below}</section>\n'


def _axes() -> str:
    """Return empty axes to draw a curve into."""
    along = escape(tr("iteration"))
    return (
        '<svg viewBox="0 0 170 60" width="170mm" role="img"><path d="M12 2V52H166" fill="none" stroke="#000" '
        'stroke-width=".4"/><text x="0" y="5" font-size="4">100%</text><text x="4" y="53" font-size="4">0%</text>'
        f'<text x="90" y="59" font-size="4">{along}</text></svg>'
    )


def _cells() -> str:
    """Return an empty map: what is written downwards, the source across."""
    letters = SOURCE.split()
    head = "".join(f"<th>{letter}</th>" for letter in letters)
    row = f"<tr><th>…</th>{'<td></td>' * len(letters)}</tr>"
    return f"<table><tr><th></th>{head}</tr>{row * len(letters)}</table>"


def _key(trained: TrainedTask, name: str) -> str:
    """Return the numbers of a training, and what they show."""
    says = (
        tr("It is not learned in so few iterations.")
        if trained.learned_at is None
        else tr(
            "At iteration {before} fewer than {few} of the letters are right, "
            "at iteration {iteration} at least {most}.",
            before=trained.guessed_until,
            few=f"{HARDLY_ANY:.0%}",
            iteration=trained.learned_at,
            most=f"{NEARLY_ALL:.0%}",
        )
    )
    place = (tr("the same place in the source"), tr("the mirrored place in the source"))[PLACES[trained.task]]
    looks = tr(
        "The best head of cross-attention gives {place} {before} before the training and {after} at its end.",
        place=place,
        before=f"{trained.diagonal[0][1]:.0%}",
        after=f"{trained.diagonal[-1][1]:.0%}",
    )
    table = _table(tr("iteration"), tr("right"), trained.right) + _table(tr("iteration"), place, trained.diagonal)
    return f"<section><h2>{escape(name)}</h2><p>{escape(says)}</p><p>{escape(looks)}</p>{table}</section>\n"


def _table(first: str, second: str, rows: Sequence[tuple[int, float]]) -> str:
    rows = rows[:: -(-len(rows) // MOST_COLUMNS)]
    numbers = "".join(f"<td>{iteration}</td>" for iteration, _ in rows)
    shares = "".join(f"<td>{share:.0%}</td>" for _, share in rows)
    caption = f"<caption>{escape(second)}</caption>"
    return f"<table>{caption}<tr><th>{escape(first)}</th>{numbers}</tr><tr><th></th>{shares}</tr></table>"


def main() -> None:
    """Read the command line, train, and write the sheet."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language", choices=LANGUAGES, default=ENGLISH)
    parser.add_argument("--out", type=Path, required=True, help="the HTML file to write")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        trained = [train(task, Path(folder)) for task in TASKS]
    with read_in(asked.language):
        asked.out.write_text(sheet_html(trained), encoding="utf-8")


if __name__ == "__main__":
    main()
