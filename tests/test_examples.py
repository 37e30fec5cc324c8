"""The code in the documents runs, and what its comments say of a result is true of the models as they are.

A comment on a line is a claim. `# → VALUE` is what comes out, "…" anything; `# > 0.9` is what it is compared with, and
words after a comma explain. Every other comment holds one of the phrases of CHECKS, or stands in NEUTRAL.
"""

from __future__ import annotations

import ast
import io
import operator
import re
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import plotly.io
import pytest

from tests.closeness import REPORT, assert_close
from tests.loaded import load
from tests.models.huggingface.modalities import example_picture, example_sound, save_vit, save_whisper

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = ("README.md", "README.ko.md", "docs/library.md")
_BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
_COMPARED = re.compile(r"([<>]=?) ([\d.]+)(?:,.*)?")
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
NEUTRAL = {
    'or "bert-base-uncased", "gpt2", "path/to/folder"',
    'or "decoder", "cross"',
    "or any Marian, T5 or BART",
    "a name of the list, a Hugging Face id, or a folder",
    '"google/vit-base-patch16-224", or a folder',
    '"openai/whisper-tiny", or a folder',
    '"google-bert/bert-base-uncased", or a folder',
    'or "arcs", "overview"; .svg, .png, .html, .npz',
    "the same model in memory, neither changed nor moved",
    "[any height, any width, 3] uint8",
    "[n_samples] float32, one channel",
    '또는 "bert-base-uncased", "gpt2", "폴더/경로"',
    '또는 "decoder", "cross"',
    "which method is to be believed here",
    "the viewer, in one file",
}
"""What a comment says of what may be given, not of what comes out."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of a block, and the comment on its last line."""

    code: ast.stmt
    comment: str


def statements(block: str) -> Iterator[Statement]:
    """The statements of a block in their order."""
    tokens = tokenize.generate_tokens(io.StringIO(block).readline)
    comments = {token.start[0]: token.string.lstrip("# ") for token in tokens if token.type == tokenize.COMMENT}
    for code in ast.parse(block).body:
        yield Statement(code, comments.get(code.end_lineno or 0, ""))


def run(statement: Statement, names: dict[str, Any]) -> Any:
    """What a statement comes to: the value of an expression, or what a name was given."""
    code = statement.code
    if isinstance(code, ast.Expr):
        return eval(compile(ast.Expression(code.value), "document", "eval"), names)
    exec(compile(ast.Module([code], []), "document", "exec"), names)
    target = code.targets[0] if isinstance(code, ast.Assign) else None
    return names.get(target.id) if isinstance(target, ast.Name) else None


def sums_to_one(value: Any) -> None:
    assert_close(value.sum(axis=-1), np.ones(value.shape[:-1]), tolerance=1e-5, magnitude=1.0)


def is_map_of_heads(value: Any) -> None:
    values = value[0].values if isinstance(value, tuple) else value
    info = load("headlight-bert").info
    assert np.shape(getattr(values, "values", values)) == (info.n_layers, info.n_heads)


def parts_sum(value: Any) -> None:
    assert_close(value.total, value.difference, tolerance=1e-4, magnitude=10.0)


def pairs_sum(value: Any) -> None:
    assert_close(value.total, value.score, tolerance=1e-4, magnitude=10.0)


def is_square(value: Any) -> None:
    assert value.ndim == 2
    assert value.shape[0] == value.shape[1]


def is_of_dog_and_cat(value: Any) -> None:
    assert (value.answer_text, value.rival_text) == ("dog", "cat")


def brings_she_back(value: Any) -> None:
    assert value.contrast.answer_text == "she"
    assert value.effects.shape == (load("headlight-bert").info.n_layers, len(value.clean_tokens))


CHECKS: dict[str, Callable[[Any], None]] = {
    "rows sum to 1": sums_to_one,
    "row sums to 1": sums_to_one,
    "행의 합은 1": sums_to_one,
    "[n_query, n_key]": is_square,
    "in every row a token looks at the source": sums_to_one,
    "after two layers": lambda value: len(value) == 5,
    "every step of a layer": lambda value: all(np.isfinite(output.values).all() for output in value),
    '"falda", and what could have stood in its place': lambda value: value[0].text == "falda" and len(value) > 1,
    "in a notebook: the viewer": lambda value: "<" in value._repr_html_(),
    "m = logit(dog) - logit(cat)": is_of_dog_and_cat,
    "m without each head - m, [n_layers, n_heads]": is_map_of_heads,
    "its estimate by one backward pass": is_map_of_heads,
    "the parts sum to it": parts_sum,
    "all pairs sum to their score": pairs_sum,
    "the twelve largest pairs": lambda value: len(value) == 12,
    'what comes back of "she", layer by layer, token by token': brings_she_back,
    "how much every token had to do with it": lambda value: np.isfinite(value.scores).all(),
    "every head over many texts": lambda value: value[0].n_texts == 2,
    "a matrix for every layer": lambda value: len(value.matrices) == 6,
    "the best words after layer 3": lambda value: len(value) == 3,
}
"""What a phrase in a comment says of the value; a check raises, or gives False, where that is not so."""


def hold(comment: str, value: Any) -> None:
    """Hold a comment to a value. Raises AssertionError where it is not true, or where nothing says what it means."""
    compared = _COMPARED.fullmatch(comment)
    if comment.startswith("→"):
        pattern = ".*".join(map(re.escape, comment.removeprefix("→").strip().split("…")))
        assert re.fullmatch(pattern, repr(value)), f"{comment!r} is said of {value!r}"
    elif compared:
        assert _COMPARE[compared[1]](value, float(compared[2])), f"{comment!r} is said of {value!r}"
    elif comment and comment not in NEUTRAL:
        checks = [check for phrase, check in CHECKS.items() if phrase in comment]
        assert checks, f"nothing says what {comment!r} means: use → or >, or give it a check"
        assert all(check(value) is not False for check in checks), f"{comment!r} is said of {value!r}"


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Provide what the documents' examples use: a file of texts, models of pictures and sounds, and one of each."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(plotly.io.renderers, "default", "")
    Path("corpus.txt").write_text("The dog barked at the cat.\nThe cat ran.\n", encoding="utf-8")
    return {
        "vit": save_vit(tmp_path / "vit"),
        "pixels": example_picture().pixels.copy(),
        "bert": str(ROOT / "models" / "pretrained" / "headlight-bert"),
        "whisper": save_whisper(tmp_path / "whisper"),
        "samples": example_sound().samples.copy(),
    }


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_code_of_a_document_runs_and_gives_what_its_comments_say(document: str, names: dict[str, Any]) -> None:
    found = _BLOCK.findall((ROOT / document).read_text(encoding="utf-8"))
    assert found
    for block in found:
        for statement in statements(block):
            hold(statement.comment, run(statement, names))


@pytest.mark.parametrize(
    ("comment", "value"),
    [
        ("→ 'dog'", "man"),
        ("→ Patch(row=3, …)", "Patch(row=2, column=1)"),
        ("> 0.9, that B follows A", 0.005),
        ("rows sum to 1", np.ones((2, 2))),
        ("the parts make sense", 1),
        ("after two layers", (1, 2)),
    ],
)
def test_a_comment_that_is_not_true_or_not_held_is_found(
    comment: str, value: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(REPORT, raising=False)  # what is meant to be wrong is not near a bound
    with pytest.raises(AssertionError):
        hold(comment, value)
