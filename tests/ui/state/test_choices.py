"""A choice is declared once: every address of old selects the same, and a new choice needs one line."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lab.runs import is_id
from tests.browser.server import ROOT
from ui.state.addresses import read_address, shorten_address, to_address
from ui.state.choices import CHOICES, DEFAULTS, Selection
from ui.state.navigation import PAGES
from ui.state.routes import asked_head
from viz.kit.parsing import written
from viz.viewer.choices import CHOICES as IN_VIEWER
from viz.viewer.choices import SHARED

OLD = json.loads(Path(__file__).with_name("addresses.json").read_text(encoding="utf-8"))
"""What the app selected before its choices were declared in one table: written by the code of that day."""
ROOMS = {"queries_keys_values": "queries"}
"""Rooms that are not called as their page."""

ONE_MORE = """
import sys
from pathlib import Path
from types import ModuleType

import ui.state.navigation

path = Path("ui/state/choices.py")
source = path.read_text(encoding="utf-8")
line = '    device: str = choice('
assert source.count(line) == 1
source = source.replace(line, '    mood: str = choice("calm", one_of("calm", "merry"), ATTENTION)\\n' + line)
module = ModuleType("ui.state.choices")
sys.modules[module.__name__] = module
exec(compile(source, str(path), "exec"), vars(module))

from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

manifest_scanner.scan_component_manifests = list  # no package brings a component to this page
app = AppTest.from_file("pages/attention.py", default_timeout=390)
app.query_params["mood"] = "merry"
app.run()
print(app.session_state["mood"], app.query_params.get("mood"))
app.session_state["mood"] = "calm"
app.run()
print(app.session_state["mood"], app.query_params.get("mood"))
app.query_params["mood"] = "furious"
app.run()
print(app.session_state["mood"], bool(app.exception or app.error))
"""
"""The Attention page with one more choice, which is a line in the table and nothing else."""


@pytest.mark.parametrize("row", OLD["addresses"], ids=lambda row: str(row["address"])[:40])
def test_an_address_selects_what_it_has_always_selected(row: dict[str, Any]) -> None:
    chosen = read_address(row["address"])
    assert chosen == row["selects"]
    assert {name: type(value) for name, value in chosen.items()} == {
        name: type(value) for name, value in row["selects"].items()
    }
    address = shorten_address(to_address(Selection(**chosen)), lambda _: None)
    assert {name: value for name, value in address.items() if OLD["default"].get(name) != value} == row["written"]


def test_a_first_visit_and_its_address_are_as_they_were() -> None:
    assert OLD["defaults"] == json.loads(json.dumps(DEFAULTS))
    assert to_address(Selection()) == OLD["default"]


@pytest.mark.parametrize("row", OLD["questions"], ids=lambda row: str(row["query"])[:40])
def test_what_the_viewer_asks_for_is_read_as_it_was(row: dict[str, Any]) -> None:
    assert asked_head(row["query"]) == row["asks"]


def test_every_choice_reads_its_own_default_and_knows_its_pages() -> None:
    for name, choice in CHOICES.items():
        assert choice.pages, name
        if choice.default not in ("", -1):  # no run is chosen, no token: neither stands in an address
            assert read_address(to_address(Selection()) | {name: written(choice.default)})[name] == choice.default


def test_one_line_in_the_table_is_a_choice_in_the_address_and_the_session() -> None:
    said = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", ONE_MORE], cwd=ROOT, check=True, capture_output=True, encoding="utf-8"
    )
    assert said.stdout.splitlines() == ["merry merry", "calm None", "calm False"]


def test_the_id_of_a_run_is_what_the_lab_calls_one() -> None:
    for text in ("0123456789abcdef0123", "0123456789abcdef012", "0123456789ABCDEF0123", "../x", ""):
        assert (read_address({"run": text}) == {"run": text}) == is_id(text)


def test_the_viewer_shares_what_both_declare() -> None:
    assert {name for name in CHOICES if name in IN_VIEWER} == set(SHARED)


def used_in(room: Path) -> set[str]:
    """The choices that the code of a room names: as a key of the session or of a widget, or of a Selection."""
    names: set[str] = set()
    for path in room.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name | ast.Call):
                value = node.value
                is_selection = (isinstance(value, ast.Name) and value.id == "chosen") or (
                    isinstance(value, ast.Call) and ast.unparse(value) == "selection()"
                )
                names |= {node.attr} if is_selection else set()
            elif isinstance(node, ast.Subscript) and ast.unparse(node.value) in ("state", "st.session_state"):
                names |= {node.slice.value} if isinstance(node.slice, ast.Constant) else set()
            elif isinstance(node, ast.keyword) and node.arg == "key" and isinstance(node.value, ast.Constant):
                names.add(node.value.value)
    return names & set(CHOICES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.title)
def test_a_page_uses_no_choice_that_is_not_declared_for_it(page) -> None:
    stem = Path(page.path).stem
    used = used_in(ROOT / "ui" / ROOMS.get(stem, stem))
    assert not {name for name in used if page not in CHOICES[name].pages}
