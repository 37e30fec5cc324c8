"""The page "Head atlas": what it says of heads is what the atlas says, over the sample and over texts of one's own."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from models.analysis import atlas
from models.analysis.over_texts.atlas import about_measure
from models.analysis.over_texts.atlas_file import FILE, read_atlas
from models.opening.registry import DEFAULT_MODEL, embedded_folder
from models.values.results.atlas import HeadAtlas
from tests.closeness import assert_close
from tests.loaded import load
from tests.models.analysis.over_texts.test_grammar import conllu, made
from tests.ui.test_pages import alone, figures, helps, messages, viewed
from ui.heads.head_atlas.card import PLAIN_TEXT
from viz.heads.card import standing_out
from viz.heads.plain_names import title_of_score
from viz.heads.wall import wall_of_heads
from viz.heads.words import atlas_finding, grammar_finding, head_findings, role_choice, role_name

HEAD_ATLAS = "pages/head_atlas.py"
SMALL = "models/pretrained/tiny-bert/step-001708"
OWN = (
    "It rained, and it rained all day.",
    "The cat saw the dog, and the dog saw the cat.",
    "A red door stood open there.",
)


def said(app: AppTest) -> str:
    return " ".join(element.value for element in (*app.markdown, *app.caption)).replace("\\", "")


def said_of(found: HeadAtlas) -> str:
    return atlas_finding(found)[0]


def written(name: str) -> HeadAtlas:
    folder = embedded_folder(name)
    assert folder is not None
    return read_atlas((folder / FILE).read_text(encoding="utf-8"))[0]


def test_it_opens_on_the_head_that_stands_out_with_what_is_said_of_it() -> None:
    app, found = alone(HEAD_ATLAS), written(DEFAULT_MODEL)
    assert not app.exception
    at = standing_out(found)
    assert (app.session_state["layer"], app.session_state["head"]) == at
    assert any(role["said"] in "".join(head_findings(found, layer=at[0], head=at[1])) for role in _roles(app, *at))
    (counts,) = re.findall(r"(\d+) of 72 heads do one thing .* (\d+) of these only rest", said(app))
    named, idle = map(int, counts)
    assert len({(role.layer, role.head) for role in found.roles}) <= named <= 72
    assert 0 < idle < named
    (texts,) = [box for box in app.selectbox if box.label.startswith("Texts, by")]
    assert found.examples_of(*at).strongest[0].text in texts.options[0]
    shown = texts.options[texts.index].split(" · ", maxsplit=1)[1]
    assert PLAIN_TEXT.fullmatch(shown)
    assert shown.split()[0].lower() in json.dumps(viewed(app)[0], ensure_ascii=False)


def test_the_text_that_is_shown_is_one_of_the_chosen_head() -> None:
    app, found = alone(HEAD_ATLAS), written(DEFAULT_MODEL)
    for head in (2, 10):
        app.select_slider(key="layer").set_value(1).run()
        app.select_slider(key="head").set_value(head).run()
        (texts,) = [box for box in app.selectbox if box.label.startswith("Texts, by")]
        examples = found.examples_of(1, head)
        assert [option.split(" · ", maxsplit=1)[1] for option in texts.options] == [
            text.text for text in (*examples.strongest, *examples.typical)
        ]
        shown = texts.options[texts.index].split(" · ", maxsplit=1)[1]
        assert shown.split()[0].lower() in json.dumps(viewed(app)[0], ensure_ascii=False)


def test_every_head_has_one_tile_under_what_it_does() -> None:
    found = written(DEFAULT_MODEL)
    groups = wall_of_heads(found)
    tiles = [(tile["layer"], tile["head"]) for group in groups for tile in group["tiles"]]
    assert sorted(tiles) == [(layer, head) for layer in range(found.n_layers) for head in range(found.n_heads)]
    roles = {(role.layer, role.head, role_name(role)): role for role in found.roles}
    for group in groups[:-1]:
        for tile in group["tiles"]:
            role = roles[tile["layer"], tile["head"], group["name"]]
            assert tile["share"] == f"{role.share:.0%}"
    idle = next(group for group in groups if "special tokens" in group["name"])
    assert f"{len(idle['tiles'])} of these only rest" in atlas_finding(found)[0]


@pytest.mark.parametrize("picked", [None, "1.2", [1], [1, 99], [True, 2], [-1, 0], ["1", "2"], {"layer": 1}])
def test_what_a_browser_sends_for_a_tile_is_checked(picked: object) -> None:
    app = AppTest.from_function(pick_a_tile, kwargs={"picked": picked}).run()
    assert not app.exception
    assert (app.session_state["layer"], app.session_state["head"]) == (0, 0)


def pick_a_tile(picked: object) -> None:
    import streamlit as st

    from tests.ui.head_atlas.test_page import DEFAULT_MODEL, written
    from ui.heads.head_atlas import wall

    st.session_state.update(layer=0, head=0)
    st.session_state[wall._KEY] = {"picked": picked}
    wall._take_picked(written(DEFAULT_MODEL))


def _roles(app: AppTest, layer: int, head: int) -> list[dict[str, Any]]:
    """What the viewer says of a head."""
    told: list[dict[str, Any]] = viewed(app)[0]["roles"]
    return [role for role in told if (role["layer"], role["head"]) == (layer, head)]


@pytest.mark.parametrize("part", ["How far it looks", "Pieces"])
def test_a_head_is_described_beside_its_numbers(part: str) -> None:
    app, found = alone(HEAD_ATLAS, layer=1, head=3), written(DEFAULT_MODEL)
    app.button_group(key="atlas_part").set_value(part).run()
    assert not app.exception
    assert app.subheader[0].value == "Layer 1 · Head 3"
    for finding in head_findings(found, layer=1, head=3):
        assert finding in said(app)


@pytest.mark.parametrize("measure", ["special", "induction", "entropy", "distance", "copying"])
def test_a_measure_has_its_formula_its_paper_and_its_cost(measure: str) -> None:
    about, app = about_measure(measure), alone(HEAD_ATLAS, atlas="measures", measure_x=measure)
    told = said(app) + helps(app)
    assert all(each and each in told for each in (about.formula, about.paper, about.cost))


def test_a_head_is_found_by_what_it_does() -> None:
    app, found = alone(HEAD_ATLAS, atlas="measures", layer=1, head=3), written(DEFAULT_MODEL)
    role = found.roles[0]
    finder = app.selectbox(key="known_head")
    at = next(at for at, option in enumerate(finder.options) if option == role_choice(role))
    finder.set_value(at).run()
    assert (app.session_state["layer"], app.session_state["head"]) == (role.layer, role.head)


def test_another_text_is_drawn_and_can_be_taken_to_the_other_pages() -> None:
    app = alone(HEAD_ATLAS, layer=1, head=2)
    text = written(DEFAULT_MODEL).examples_of(1, 2).typical[0].text
    options = app.selectbox(key="atlas_text-1-2").options
    app.selectbox(key="atlas_text-1-2").set_value(next(at for at, option in enumerate(options) if text in option)).run()
    next(button for button in app.button if button.label.startswith("Take this text")).click().run()
    assert app.session_state["text"] == text
    assert not app.exception


@pytest.mark.parametrize("picture", ["measures", "alike"])
def test_the_chosen_head_stands_in_a_ring(picture: str) -> None:
    app = alone(HEAD_ATLAS, atlas=picture, layer=2, head=3, measure_x="special", measure_y="entropy")
    found = written(DEFAULT_MODEL)
    ring = json.loads(figures(app)[0])["data"][-1]
    place = 2 * found.n_heads + 3
    across = found.of("special").values[2, 3] if picture == "measures" else found.places[place, 0]
    assert ring["marker"]["symbol"] == "circle-open"
    assert_close(_numbers(ring["x"]), [float(across)])


def _numbers(given: object) -> list[float]:
    """An array of a figure, as plotly writes it."""
    assert isinstance(given, dict)
    found: list[float] = np.frombuffer(base64.b64decode(given["bdata"]), dtype=given["dtype"]).tolist()
    return found


def test_texts_of_ones_own_are_read_when_the_reader_says_so() -> None:
    app = alone(HEAD_ATLAS, model="sentiment")
    app.button_group(key="atlas_corpus").set_value("My own texts").run()
    assert "Paste some sentences" in messages(app)
    app.text_area(key="atlas_pasted").set_value("\n".join(OWN)).run()
    assert not app.get("plotly_chart")
    next(button for button in app.button if button.label.startswith("Read 3 texts")).click().run()
    assert not app.exception
    (found,) = atlas(load("sentiment", device="cpu"), OWN)
    assert said_of(found) in said(app)


def test_what_cannot_be_read_is_said() -> None:
    app = alone(HEAD_ATLAS, model="sentiment")
    app.button_group(key="atlas_corpus").set_value("My own texts").run()
    app.text_area(key="atlas_pasted").set_value(" \n\t\n").run()
    assert "Paste some sentences" in messages(app)
    assert not app.exception
    app = alone(HEAD_ATLAS, measure_x="<b>no measure</b>", layer=99, head="mean")
    assert not app.exception
    assert (app.session_state["measure_x"], app.session_state["layer"]) == ("previous", 5)


def with_file(name: str, content: bytes) -> AppTest:
    """The page with a file of the reader's own."""
    app = alone(HEAD_ATLAS, model=SMALL)
    app.button_group(key="atlas_corpus").set_value("My own texts").run()
    app.file_uploader(key="atlas_file").set_value((name, content, "text/plain")).run()
    return app


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("*a*.txt", b" \n", "*a*.txt holds no text. Expected a sentence a line."),
        ("a.txt", b"<html><p>One.</p></html>", "a.txt is a web page (HTML), and not text. Save what it holds"),
        ("a.txt", b"\xe9t\xe9", "a.txt is not text in UTF-8. Save it as UTF-8, or paste the sentences."),
        ("a.csv", b"", "a.csv is empty. Expected a table"),
        ("a.csv", b"text,by\nIt rained, then.,x\n", "a.csv, row 2, has 3 cells, the first row has 2."),
        ("a.conllu", b"It rained.\n", "a.conllu is no whole treebank in CoNLL-U: line 1 has 1 column"),
    ],
)
def test_a_broken_file_is_named_with_what_was_expected(name: str, content: bytes, says: str) -> None:
    app = with_file(name, content)
    assert not app.exception
    assert says in app.error[0].value.replace("\\", "")
    app.button_group(key="atlas_corpus").set_value("Public sample").run()
    assert not app.error
    assert viewed(app)


def test_of_a_table_without_names_no_row_is_lost() -> None:
    app = with_file("a.csv", b'"It rained, and it rained."\n"The cat saw the dog."\n')
    assert not app.error
    assert not app.checkbox[0].value
    assert any(button.label.startswith("Read 2 texts") for button in app.button)
    app.checkbox[0].check().run()
    assert any(button.label.startswith("Read 1 text,") for button in app.button)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("A.TXT", "It rained.\nIt stopped.\n"),
        ("A.TSV", "text\tby\nIt rained.\tx\nIt stopped.\ty\n"),
        ("a.Csv", "text;by\nIt rained.;x\nIt stopped.;y\n"),
    ],
)
def test_a_file_is_read_by_its_ending_in_any_letter_case(name: str, content: str) -> None:
    app = with_file(name, content.encode())
    assert not app.error
    assert any(button.label.startswith("Read 2 texts") for button in app.button)


def test_over_a_treebank_the_relations_of_grammar_are_measured_and_lead_to_heads() -> None:
    app = with_file("made.conllu", conllu(made()).encode())
    next(button for button in app.button if button.label.startswith("Read 200 texts")).click().run()
    assert not app.exception
    (found,) = atlas(load(SMALL, device="cpu"), made())
    assert grammar_finding(found) in said(app)
    table = app.dataframe[0].value
    assert list(table["the head looks"]) == [title_of_score(each) for each in found.relations]
    assert list(table["right"]) == [each.right for each in found.relations]
