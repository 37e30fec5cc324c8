"""No sentence of a page or a picture stands beside the functions that translate."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.language.catalogues import IN_PYTHON, ROOT

CALLED = re.compile(rf"\b({'|'.join(IN_PYTHON)})\(")
TWO_WORDS = re.compile(r"[A-Za-z]{2,},? [A-Za-z]{2,}")
NOT_READ = re.compile(r"[<>{};=|\\]|^\s*(SELECT|INSERT|DELETE|UPDATE|CREATE|BEGIN|PRAGMA)\b|^'Source Sans'|^'none'|%s")
"""Markup, styles, scripts, patterns, questions to a database, headers."""
DEVELOPERS = {"ValueError", "TypeError", "KeyError", "RuntimeError", "AttributeError", "SelectionError"}
"""Errors that no page shows; those of SelectionError that one does are held to the catalogue by test_errors.py."""
UNSEEN_CALLS = {"Kept", "LongWork", "page", "compile"}
"""What is named for us alone: kinds of values in a cache, titles that `page` looks up, patterns."""
EXAMPLES = (
    "ui/widgets/asking/inputs.py",
    "ui/widgets/asking/showcases.py",
    "ui/widgets/asking/korean.py",
    "ui/heads/switchboard/examples.py",
    "ui/state/choices.py",
    "ui/training_lab/over_time.py",
    "ui/heads/switchboard/small_task.py",
    "ui/heads/switchboard/ways.py",
    "ui/answers/translation/page.py",
    "ui/answers/bert_and_gpt/models.py",
    "ui/answers/masked_words/two_sentences.py",
    "ui/answers/next_sentence/second_sentences.py",
)
"""Their sentences are for models to read, which know English; what labels them quotes their words."""
WRITTEN = {
    "ui/class_room/routes.py": ("There is no such room.", "There are no such numbers.", "The class looks at another"),
    "ui/layers/by_hand/sheet.py": ("the HTML file",),
    "ui/lessons/sheet.py": ("one of", "the model that answers", "the HTML file"),
    "ui/training_lab/recipe/sheet.py": ("the HTML file",),
    "ui/serving/guarded.py": ("Not found",),
    "ui/serving/limited.py": ("Try again later.",),
    "ui/state/routes.py": ("There is no such script.", "This recording is not open any more."),
    "ui/widgets/asking/ask_bar.py": ("one or two",),
    "ui/widgets/words.py": ("word piece",),
    "viz/bertviz/scripts.py": ("return headlight.", "headlight.visible("),
    "viz/heads/effects.py": ("all tokens",),
    "viz/heads/words.py": ("attends to ",),
    "viz/heads/attribution/faithful.py": ("with only",),
    "viz/kit/glossary.py": ("word piece",),
    "viz/training/curves.py": ("held out",),
    "viz/predictions/word_chips.py": ("middle right",),
    "viz/two_models/guess_lines.py": ("middle right",),
    "viz/vectors/score_arcs.py": ("middle ",),
    "viz/viewer/files.py": (
        "of Kobayashi",
        "value_norms[",
        "sink_shares[",
        "layer_numbers[",
        "The weights of all",
        "        bias",
        "Attention of one",
    ),
    "viz/writing/alignment_lines.py": ("middle ",),
    "viz/writing/candidates.py": ("this text was not sampled",),
}
"""How they begin: answers to programs, names of columns, what stands in files of numbers or in addresses, words of
plotly, and keys."""
FILES = [
    path.relative_to(ROOT).as_posix()
    for part in ("pages", "ui", "viz")
    for path in sorted((ROOT / part).rglob("*.py"))
    if "demo" not in str(path.relative_to(ROOT))
]


def is_docstring(node: ast.AST, parent: ast.AST | None) -> bool:
    return isinstance(parent, ast.Expr) and isinstance(node, ast.Constant)


def called(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def literals(node: ast.AST, parent: ast.AST | None = None) -> Iterator[tuple[int, str]]:
    """The texts of a module that might be read, with their lines: not those that are translated, nor a demo's."""
    name = called(node).split("[")[0]
    is_left_out = name in {*IN_PYTHON, *DEVELOPERS, *UNSEEN_CALLS} or is_log(node)
    if is_left_out or is_docstring(node, parent) or is_demo(node):
        return
    if isinstance(node, ast.JoinedStr):
        yield node.lineno, "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and not isinstance(parent, ast.JoinedStr):
        yield node.lineno, node.value
    for child in ast.iter_child_nodes(node):
        if not (isinstance(node, ast.JoinedStr) and isinstance(child, ast.Constant)):
            yield from literals(child, node)


def is_log(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).startswith("_log.")


def is_demo(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "__main__" in ast.unparse(node.test)


def test_no_sentence_stands_beside_the_functions_that_translate() -> None:
    left, unused = [], []
    for name in FILES:
        if name in EXAMPLES:
            continue
        tree = ast.parse((ROOT / name).read_text(encoding="utf-8"))
        seen = [(line, text) for line, text in literals(tree) if TWO_WORDS.search(text) and not NOT_READ.search(text)]
        allowed = WRITTEN.get(name, ())
        left += [(name, line, text) for line, text in seen if not text.startswith(allowed)]
        unused += [(name, begins) for begins in allowed if not any(text.startswith(begins) for _, text in seen)]
    assert left == []
    assert unused == []


def test_a_sentence_is_not_hidden_from_the_reader_of_the_catalogues() -> None:
    """Babel does not look into f-strings, nor into the arguments of a call that it reads."""
    hidden = []
    for part in ("pages", "ui", "lab", "lessons", "viz", "models"):
        for path in sorted((ROOT / part).rglob("*.py")):
            source = path.read_text(encoding="utf-8")
            for node in ast.walk(ast.parse(source)) if CALLED.search(source) else ():
                if isinstance(node, ast.JoinedStr) or called(node) in IN_PYTHON:
                    inside = [each for child in ast.iter_child_nodes(node) for each in ast.walk(child)]
                    hidden += [
                        f"{Path(path).relative_to(ROOT)}:{each.lineno}"
                        for each in inside
                        if called(each) in IN_PYTHON and is_literal(each)
                    ]
    assert hidden == []


def is_literal(call: ast.AST) -> bool:
    return isinstance(call, ast.Call) and bool(call.args) and isinstance(call.args[0], ast.Constant)


def test_no_sentence_is_translated_inside_an_f_string() -> None:
    """What extracts the sentences does not look into f-strings: such a sentence would stay English, and nothing say
    so."""
    found = []
    for name in FILES:
        for node in ast.walk(ast.parse((ROOT / name).read_text(encoding="utf-8"))):
            inside = ast.walk(node) if isinstance(node, ast.JoinedStr) else ()
            found += [
                (name, call.lineno)
                for call in inside
                if called(call) in IN_PYTHON and any(isinstance(given, ast.Constant) for given in call.args)
            ]
    assert found == []
