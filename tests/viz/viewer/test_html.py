"""The file of the viewer holds what it says, and nothing in a text, in a choice or in a module can break out of it."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from models.values.errors import SelectionError
from models.values.record import Token
from viz.kit.demos.records import PAIR, random_record, random_recording, recording_of, tokens_of
from viz.kit.errors import PictureError
from viz.kit.glossary import first_words
from viz.kit.parsing import MEAN
from viz.viewer import comparison, notebook, payload
from viz.viewer import html as module
from viz.viewer.choices import CHOICES, SHARED, read_choices
from viz.viewer.engine import ANSWERING, ANSWERS, ENGINE_FOLDERS, engine_script
from viz.viewer.html import DECLARED, FRONTEND, joined_modules, modules, read_source, viewer_html

SCRIPTS = sorted(FRONTEND.glob("*.js"))
ENGINE_SCRIPTS = sorted(file for folder in ENGINE_FOLDERS for file in folder.glob("*.js"))
ANSWER_SCRIPTS = sorted(ANSWERS.glob("*.js"))
SIZE_OF_HEAD = 4 * (2 * 16 * 8 + 2 * 16 + 31)
"""Bytes of queries and keys of 16 tokens and 8 features, norms with W_O and without, and a bias by offset."""
HOSTILE = ("</script><script>window.pwned=1</script>", "<!--", "]]>", "<img src=x onerror=window.pwned=1>", "\ud800")


def contents(document: str) -> Any:
    embedded = re.search(r'<script type="application/json" id="contents">(.*?)</script>', document, re.DOTALL)
    return json.loads(embedded[1])


def folder_with(monkeypatch: pytest.MonkeyPatch, path: Path, **modules: str) -> None:
    for name, source in modules.items():
        (path / f"{name}.js").write_text(source)
    monkeypatch.setattr(module, "FRONTEND", path)


@pytest.mark.parametrize(
    "file", [*SCRIPTS, *ENGINE_SCRIPTS, *ANSWER_SCRIPTS, *FRONTEND.glob("*.css")], ids=lambda file: file.name
)
def test_no_module_names_another_host_or_makes_code_of_text(file: Path) -> None:
    source = file.read_text(encoding="utf-8")
    addresses = re.findall(r"\w+://[^\s\"'`]*", source)
    assert set(addresses) <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert not re.search(
        r"\beval\(|new Function|innerHTML|outerHTML|insertAdjacentHTML|document\.write|@import", source
    )
    assert file.suffix == ".css" or not re.search(r"\bimport\(", source)


def test_every_module_is_joined_once_and_after_those_that_it_needs() -> None:
    joined: set[str] = set()
    for entry in (
        module.ENTRY,
        module.ENTRY_OF_SOURCES,
        module.ENTRY_LIVE,
        module.ENTRY_OF_SITE,
        module.ENTRY_OF_LESSONS,
        module.ENTRY_ALONE,
        comparison.ENTRY,
        "page_words.js",
        "widget.js",
        notebook.ENTRY,
        notebook.ENTRY_OF_SOURCES,
    ):
        script = joined_modules(entry)
        at = {name: script.find(f"const {name.replace('.', '_')} = (") for name in modules()}
        held = {name for name in at if at[name] >= 0}
        for file in SCRIPTS:
            for needed in re.findall(r'from "\./([\w-]+\.js)"', file.read_text(encoding="utf-8")):
                assert file.name not in held or -1 < at[needed] < at[file.name]
        assert "</" not in script
        assert "<!--" not in script
        joined |= held
    assert joined == set(modules())


def test_every_module_of_the_engine_is_in_its_script() -> None:
    script = engine_script()
    assert [file.name for file in ENGINE_SCRIPTS if f"const {file.stem}_js = (" not in script] == []
    assert "</" not in script


def test_every_module_of_the_answers_is_in_their_script() -> None:
    script = engine_script(ANSWERING)
    assert [file.name for file in ANSWER_SCRIPTS if f"const {file.stem}_js = (" not in script] == []
    assert "</" not in script


@pytest.mark.parametrize(
    "source",
    [
        'import a from "./other.js";\n',
        'import * as a from "./other.js";\n',
        'import "./other.js";\n',
        "export default class {}\n",
        "export { a };\n",
        "export let a = 1;\n",
    ],
)
def test_a_module_in_another_form_is_named(source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder_with(monkeypatch, tmp_path, viewer=source, other="")
    with pytest.raises(ValueError, match=r"viewer\.js imports or exports"):
        joined_modules()


def test_modules_that_need_each_other_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = 'import {{ a }} from "./{}.js";\n'
    folder_with(monkeypatch, tmp_path, viewer=source.format("other"), other=source.format("viewer"))
    with pytest.raises(ValueError, match=r"viewer\.js → other\.js → viewer\.js"):
        joined_modules()


class Elements(HTMLParser):
    """The names of the elements of a document."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.feed(document)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.names.append(tag)


def test_tokens_stay_text() -> None:
    plain = viewer_html(recording_of(random_record(tokens=tokens_of("a b c d e"))))
    tokens = [Token(text=text, word=index) for index, text in enumerate(HOSTILE)]
    hostile = viewer_html(recording_of(random_record(tokens=tokens)))
    assert Elements(hostile).names == Elements(plain).names
    assert contents(hostile)["about"]["kinds"][0]["queries"]["texts"][:2] == list(HOSTILE[:2])
    hostile.encode()


@pytest.mark.parametrize(
    "path", ["/home/anna/models/my-bert", "C:\\Users\\anna\\my-bert", "~/secret/my-bert/", "../anna/my-bert"]
)
def test_a_file_tells_no_path_of_the_machine(path: str) -> None:
    recording = random_recording(n_layers=1, n_heads=1)
    info = replace(recording.info, name=path, layer_numbers=(3,))
    document = viewer_html(replace(recording, info=info))
    assert contents(document)["about"]["model"] == "my-bert"
    assert "anna" not in document
    assert "secret" not in document
    assert replace(info, name="google-bert/bert-base-uncased").public_name == "google-bert/bert-base-uncased"


def test_a_usual_text_comes_with_all_heads() -> None:
    recording = random_recording(n_layers=3, n_heads=4)
    held = contents(viewer_html(recording))
    assert set(held["heads"]) == {f"encoder {layer} {head}" for layer in range(3) for head in range(4)}
    assert held["about"]["kinds"][0]["held"] is None


@pytest.mark.parametrize(
    ("room", "expected"),
    [
        (0, [[2, 3]]),
        (1, [[2, 3]]),
        (2, [[2, 1], [2, 3]]),
        (7, [[2, 0], [2, 1], [2, 2], [2, 3]]),
        (9, [[layer, head] for layer in (1, 2) for head in range(4)]),
    ],
)
def test_a_long_text_comes_with_the_heads_around_the_chosen_one(
    room: int, expected: list[list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    recording = random_recording(n_tokens=16, n_layers=4, n_heads=4, d_head=8)
    monkeypatch.setattr(module, "MOST", room * SIZE_OF_HEAD)
    held = contents(viewer_html(recording, layer=2, head=3, heads=[1]))
    assert held["about"]["kinds"][0]["held"] == expected
    assert set(held["heads"]) == {f"encoder {layer} {head}" for layer, head in expected}


def test_of_a_long_text_every_quantity_of_the_chosen_head_has_its_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(payload, "DENSE", 100)
    recording = random_recording(n_tokens=16, n_layers=2, n_heads=2)
    heads = contents(viewer_html(recording, layer=1, head=0))["heads"]
    assert set(heads) == {
        *(f"encoder {layer} {head} weights" for layer in range(2) for head in range(2)),
        "encoder 1 0 scores",
        "encoder 1 0 value_weighted",
        "encoder 1 0 output_weighted",
    }
    scores = recording.attention[0].scores(1, 0)
    assert scores.tobytes() in base64.b64decode(heads["encoder 1 0 scores"])


def test_the_numbers_of_a_head_in_the_file_are_those_of_the_record() -> None:
    recording = random_recording(n_tokens=8, n_layers=1, n_heads=1)
    packed = base64.b64decode(contents(viewer_html(recording))["heads"]["encoder 0 0"])
    assert recording.attention[0].query[0, 0].tobytes() in packed
    assert recording.attention[0].key[0, 0].tobytes() in packed


@pytest.mark.parametrize(
    ("choices", "error"),
    [
        ({"layer": 9}, SelectionError),
        ({"head": -1}, SelectionError),
        ({"head": "all"}, SelectionError),
        ({"heads": [6]}, SelectionError),
        ({"locked": [16]}, SelectionError),
        ({"kind": "cross"}, SelectionError),
        ({"quantity": "values"}, PictureError),
        ({"picture": "pie"}, PictureError),
        ({"colour": "red"}, PictureError),
        ({"threshold": float("nan")}, PictureError),
        ({"top": -1}, PictureError),
        ({"words": True, "quantity": "scores"}, PictureError),
    ],
)
def test_what_there_is_not_cannot_be_chosen(choices: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        viewer_html(random_recording(n_layers=4, n_heads=6, n_tokens=16), **choices)


def test_the_choices_are_those_of_the_browser_side() -> None:
    told = dict(re.findall(r"^export const (\w+) = (.*);$", read_source(DECLARED), re.MULTILINE))
    assert {name: json.loads(value) for name, value in told.items()} == {
        "MEAN": MEAN,
        "CHOICES": {"kind": "encoder", "layer": 0, "head": 0, "quantity": "weights", "words": False, "special": "shown"}
        | {"picture": "arcs", "scale": "one", "threshold": 0, "top": 0, "heads": [], "across": False, "locked": []}
        | {"zoom": [], "known": "", "shows": "all"},
        "SHARED": list(SHARED),
        "WORDS": first_words(),
        "CATALOGUE": None,
    }
    assert set(CHOICES) - set(SHARED) == {"shows"}
    spelled = {file.name: read_source(file.name).count('"mean"') for file in SCRIPTS}
    assert {name for name, n in spelled.items() if n} == {"head_chips.js", "overview.js"}, "labels that are painted"
    assert all(choice.parse.check(choice.default) == choice.default for choice in CHOICES.values())


def test_choices_are_read_from_an_address_as_far_as_they_fit() -> None:
    recording = recording_of(random_record(), random_record(tokens=tokens_of(PAIR), causal=True, n_layers=4))
    asked = {
        "layer": "3",
        "kind": "decoder",
        "head": "mean",
        "words": "yes",
        "special": "hidden",
        "heads": "2-0-2",
        "locked": "1-5",
        "zoom": "2.5-0-1.25",
        "known": "looks at the previous token",
        "threshold": "0.25",
        "top": "3",
        "picture": "text",
        "scale": "row",
    }
    assert read_choices(recording, asked) == {
        "layer": 3,
        "kind": "decoder",
        "head": "mean",
        "words": True,
        "special": "hidden",
        "heads": (2, 0),
        "locked": (1, 5),
        "zoom": (2.5, 0.0, 1.25),
        "known": "looks at the previous token",
        "threshold": 0.25,
        "top": 3,
        "picture": "text",
        "scale": "row",
    }
    odd = {
        "layer": "3",
        "kind": "none",
        "head": "1e3",
        "words": "<b>",
        "special": "",
        "heads": "a",
        "locked": "99",
        "zoom": "2-1",
        "threshold": "nan",
        "top": "-4",
        "picture": "</script>",
        "constructor": "1",
        "base": "//elsewhere",
    }
    assert read_choices(recording, odd) == {}
    assert read_choices(recording, {"heads": "", "locked": "none"}) == {"heads": (), "locked": ()}
