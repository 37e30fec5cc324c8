"""What the documents name is there: files, folders, and functions in files."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from lab.work import DECAY
from lessons.answers.effects import A_CHANGE
from lessons.answers.order import EQUAL
from models.analysis.attribution.belief import BETTER_THAN
from models.analysis.attribution.faithfulness import FRACTIONS, N_RANDOM
from models.analysis.effects.null import N_NULL
from models.analysis.over_texts.roles import LEAST_GAIN, LEAST_SHARE
from models.values.history import ATTENDS, IGNORES
from tests.house import PICTURE, draw
from ui.desk.cache import SHARE_OF_ACCELERATOR
from ui.heads.explanations.asking import MOST_TOKENS
from ui.heads.switchboard.small_task import LEAST_RIGHT
from viz.heads.attribution.sentence import DARKEST
from viz.heads.findings import MUCH_ALIKE, ROUGHLY_ALIKE
from viz.predictions.comparison import LEAST_SHOWN

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [ROOT / "README.md", ROOT / "README.ko.md", *sorted((ROOT / "docs").rglob("*.md"))]
_NAMED = re.compile(r"`((?:models|lab|lessons|recipes|viz|ui|pages|tests|benchmarks|docs)/[\w./*-]+)`")
"""A place in the repository, as the documents write it: `models/values/`, `viz/steps/walk.py`, `ui/state/*.py`, or
`models/scratch/attention.attention`, something in a file."""


def listed(fractions: tuple[float, ...]) -> str:
    """Fractions in percent, as a sentence lists them."""
    *first, last = (f"{100 * fraction:g}" for fraction in fractions)
    return f"{', '.join(first)} and {last}"


MADE_BY_THE_READER = {"models/analysis/heads/comma.py", "lab/...", "lab/NAME-ID", "lessons/ja/NAME.yaml"}
"""Files that somebody makes who follows a guide, and names of models."""


def is_there(place: str) -> bool:
    """Whether there is such a file, folder or pattern, or else such a name in a module."""
    if any(ROOT.glob(place.rstrip("/"))):
        return True
    file, _, name = place.rpartition(".")
    module = file.replace("/", ".")
    return (ROOT / f"{file}.py").is_file() and hasattr(importlib.import_module(module), name)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_a_document_names_is_there(document: Path) -> None:
    named = _NAMED.findall(document.read_text(encoding="utf-8"))
    assert [place for place in named if place not in MADE_BY_THE_READER and not is_there(place)] == []


def words_of(document: str) -> str:
    """The words of a document in one line."""
    return " ".join((ROOT / document).read_text(encoding="utf-8").split())


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ("docs/glossary.md", f"ignores a place below a share of {IGNORES} and attends to it from {ATTENDS} on"),
        ("docs/glossary.md", f"words that at least one sentence gives {LEAST_SHOWN:.1%}".replace("%", " %")),
        ("docs/glossary.md", f"gets at least {LEAST_RIGHT:.0%} right".replace("%", " %")),
        ("docs/glossary.md", f"from Spearman's rho of {MUCH_ALIKE} on, roughly from {ROUGHLY_ALIKE} on"),
        ("docs/glossary.md", f"the darkest from {DARKEST:.0%} on".replace("%", " %")),
        ("docs/glossary.md", f"more than {BETTER_THAN:.0%} of {N_RANDOM} random orders".replace("%", " %")),
        ("docs/glossary.md", f"means over {listed(FRACTIONS)} % of the words"),
        ("docs/pages.md", f"at {listed(FRACTIONS)} % of the words"),
        ("docs/glossary.md", f"Texts of up to {MOST_TOKENS} tokens"),
        ("docs/glossary.md", f"a probability that moves by {100 * A_CHANGE:g} percentage points or more"),
        ("docs/glossary.md", f"whose weights differ by less than {EQUAL:g}, in all heads"),
        ("docs/glossary.md", f"down to 0 over the last {DECAY:.0%} of the iterations".replace("%", " %")),
        ("docs/pages.md", f"a share of {LEAST_SHARE} or more lies {LEAST_GAIN} or more above the baseline"),
        ("docs/library.md", f"the same effect for 95% of {N_NULL}"),
        ("docs/serve-a-class.md", f"without it {SHARE_OF_ACCELERATOR:.0%} of what it has"),
    ],
)
def test_a_rule_that_a_document_states_has_the_number_of_the_code(document: str, says: str) -> None:
    assert says in words_of(document)


def test_what_is_not_there_is_found() -> None:
    assert not is_there("models/text.py")
    assert not is_there("models/scratch/attention.inattention")
    assert is_there("models/scratch/attention.causal_mask")
    assert is_there("models/values/*.py")


def test_links_between_documents_lead_somewhere() -> None:
    links = [
        (path.relative_to(ROOT).as_posix(), target)
        for path in DOCUMENTS
        for target in re.findall(r"\]\(((?!https?:)[^)#]+)", path.read_text(encoding="utf-8"))
    ]
    assert [(path, target) for path, target in links if not (ROOT / path).parent.joinpath(target).exists()] == []


TRANSLATED = sorted((ROOT / "docs").glob("*.ko.md"))
_COMMAND = re.compile(r"^(?:(?:git|cd|python|pip|headlights|streamlit)\b.*|\.venv\S+ .*)$", re.MULTILINE)
IN_ANOTHER_LANGUAGE = {"--language ko": "", "-ko.html": ".html"}
"""The part of a command that is in a Korean document and not in the English one."""


def commands_of(text: str) -> set[str]:
    """The commands of a document, those in lines of their own and those within a sentence."""
    blocks = re.findall(r"```\w*\n(.*?)```", text, re.DOTALL)
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    found = _COMMAND.findall("\n".join([*blocks, *spans]))
    for korean, english in IN_ANOTHER_LANGUAGE.items():
        found = [command.replace(korean, english) for command in found]
    return {" ".join(command.split()) for command in found}


@pytest.mark.parametrize("document", TRANSLATED, ids=lambda path: path.name)
def test_a_korean_document_names_the_same_commands(document: Path) -> None:
    english = document.with_name(document.name.replace(".ko.md", ".md"))
    of_korean, of_english = (commands_of(path.read_text(encoding="utf-8")) for path in (document, english))
    assert of_korean == of_english


def test_the_korean_readme_names_no_command_that_the_english_documents_do_not() -> None:
    korean, *english = (
        commands_of((ROOT / name).read_text(encoding="utf-8"))
        for name in ("README.ko.md", "README.md", "docs/start.md")
    )
    assert korean
    assert korean <= set().union(*english)


def test_commands_are_found_in_blocks_and_in_sentences() -> None:
    text = "Do `python run.py` or\n```\npip install x\nhello\n```\nand `models/` and `python -m a --language ko`."
    assert commands_of(text) == {"python run.py", "pip install x", "python -m a"}


def test_the_picture_of_the_house_is_as_its_command_draws_it() -> None:
    """But for the numbers of lines, which change with every line."""
    drawn, kept = (re.sub(r"[\d,]+ lines", "", text) for text in (draw(), PICTURE.read_text(encoding="utf-8")))
    assert drawn == kept, "python -m tests.house"
