"""The pictures of a translation say what the record and the search say: weights, links, branches."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from models.values.errors import SelectionError
from models.values.record import WordChoice
from models.values.writing import Branch
from tests.closeness import assert_close
from viz.attention.transform import rows_of_weights
from viz.kit.figures.chips import shade
from viz.kit.tables import table_csv
from viz.kit.theme import PALETTES, percentage
from viz.writing.alignment import (
    MOST_LINES,
    MOST_WORDS,
    alignment,
    alignment_map,
    alignment_table,
    crossings,
    links,
    most_decided_head,
    strongest,
)
from viz.writing.alignment_lines import alignment_lines
from viz.writing.beam_tree import beam_tree, tree, tree_table
from viz.writing.demo import source_order, writing
from viz.writing.translation import translation_picture
from viz.writing.written import candidate_bars, target_tokens, tokens_table, written_tokens

HOSTILE = "</script><img/src=x>"
LONG = " ".join(f"word{number}" for number in range(300))


def chip_hovers(figure) -> list[str]:
    return list(figure.data[0].customdata)


@pytest.mark.parametrize(("layer", "head"), [(None, None), (1, None), (2, 3)])
def test_a_position_shows_the_row_that_chose_its_token(layer: int | None, head: int | None) -> None:
    made, number = writing(), 3
    position = made.written[number].position
    cross, decoder = made.recording.of("cross"), made.recording.of("decoder")
    hovers = chip_hovers(translation_picture(made, number=number, layer=layer, head=head))
    expected = []
    for record in (cross, decoder):
        if layer is None:
            row = np.mean([record.layer_weights(each)[:, position] for each in range(record.n_layers)], axis=(0, 1))
        elif head is None:
            row = record.mean_weights(layer)[position]
        else:
            row = record.weights(layer, head)[position]
        expected.append(row)
        assert_close(row.sum(), 1)
    for hover, weight in zip(hovers, expected[0], strict=False):
        assert percentage(float(weight)) in hover
    for hover, weight in zip(hovers[cross.n_key :], expected[1][: position + 1], strict=False):
        assert percentage(float(weight)) in hover
    assert "being written" in hovers[cross.n_key + position + 1]
    assert all("not written yet" in hover for hover in hovers[cross.n_key + position + 2 :])
    assert len(hovers) == cross.n_key + len(target_tokens(made))


def test_the_last_token_is_drawn_though_the_recording_lacks_it() -> None:
    made = writing()
    assert len(target_tokens(made)) == made.recording.of("decoder").n_query + 1
    assert [token.text for token in written_tokens(made)] == [each.chosen.text for each in made.written]
    assert "being written" in chip_hovers(translation_picture(made, number=len(made.written) - 1, layer=0, head=0))[-1]


def test_lines_join_words_only_where_both_sentences_fit() -> None:
    wide = translation_picture(writing(), number=2, layer=0, head=0, width=1260)
    narrow = translation_picture(writing(), number=2, layer=0, head=0, width=350)
    assert any(shape.type == "path" for shape in wide.layout.shapes)
    assert not any(shape.type == "path" for shape in narrow.layout.shapes)
    assert narrow.layout.width <= 350


@pytest.mark.parametrize("wrong", [{"number": 99}, {"layer": 9, "head": 0}, {"head": 9}])
def test_what_is_not_there_is_named(wrong: dict[str, int]) -> None:
    with pytest.raises(SelectionError, match=r"99|9"):
        translation_picture(writing(), **({"number": 0, "layer": 0, "head": 0} | wrong))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_can_be_read_on_every_shade(theme) -> None:
    def light(colour: str) -> float:
        return sum(int(colour[at : at + 2], 16) for at in (1, 3, 5)) / 765

    for weight in np.linspace(0, 1, 21):
        fill, ink = shade(float(weight), PALETTES[theme])
        assert abs(light(fill) - light(ink)) > 0.3
    assert shade(0, PALETTES[theme])[0] == PALETTES[theme].sequential[0]
    assert shade(1, PALETTES[theme])[0] == PALETTES[theme].sequential[-1]


def test_candidates_are_bars_and_the_taken_one_stands_out() -> None:
    made = writing()
    (bars,) = candidate_bars(made, number=1).data
    assert list(bars.x) == [choice.probability for choice in made.written[1].candidates]
    colours = list(bars.marker.color)
    taken = [choice.text for choice in made.written[1].candidates].index(made.written[1].chosen.text)
    assert colours[taken] not in colours[:taken] + colours[taken + 1 :]


def test_a_taken_token_that_is_no_candidate_is_said() -> None:
    made = writing()
    odd = replace(made.written[1], chosen=WordChoice(text="odd", probability=1e-5))
    made = replace(made, written=(made.written[0], odd, *made.written[2:]))
    figure = candidate_bars(made, number=1)
    assert len(set(figure.data[0].marker.color)) == 1
    assert "odd" in figure.layout.annotations[0].text
    assert not tokens_table(made).query("step == 1")["is_taken"].any()


def test_the_alignment_has_the_rows_that_wrote_its_words() -> None:
    made = writing()
    record = made.recording.of("cross")
    matrix = alignment(made, layer=1, head=2)
    rows = [each.position for each in made.written]
    assert_close(matrix.values, record.weights(1, 2)[rows])
    assert_close(alignment(made, layer=None, head=None).values.sum(1), 1)
    heat = alignment_map(matrix, title="x").data[-1]
    assert_close(heat.z, matrix.values)


def test_the_strongest_links_are_those_that_were_put_in() -> None:
    made = writing()
    matrix = alignment(made, layer=None, head=None)
    expected = source_order(len(made.written), made.recording.of("cross").n_key)
    assert list(strongest(matrix)) == expected == list(matrix.values.argmax(1))
    table = alignment_table(matrix)
    assert list(table["source_position"]) == expected
    assert_close(table["weight"], matrix.values.max(1))
    assert crossings(matrix) == (1, 21)


def test_of_equal_weights_the_first_is_the_strongest() -> None:
    matrix = alignment(writing(), layer=None, head=None)
    even = replace(matrix, values=np.full_like(matrix.values, 1 / matrix.values.shape[1]))
    assert set(strongest(even)) == {0}
    assert crossings(even)[0] == 0


def test_a_line_for_every_link_with_its_weight() -> None:
    matrix = alignment(writing(is_diagonal=False), layer=0, head=0)
    drawn = links(matrix)
    shapes = alignment_lines(matrix, title="x").layout.shapes
    assert len(shapes) == len(drawn)
    assert {link.target for link in drawn} == set(range(len(matrix.query_tokens)))
    for link, shape in zip(drawn, shapes, strict=True):
        assert_close(link.weight, matrix.values[link.target, link.source])
        assert link.is_strongest == (matrix.values[link.target].argmax() == link.source)
        assert_close(shape.line.width, max(7 * link.weight, 1.2))
    assert sum(link.is_strongest for link in drawn) == len(matrix.query_tokens)
    assert all(first.is_strongest <= second.is_strongest for first, second in pairwise(drawn))


@pytest.mark.parametrize("width", [350, 1260])
@pytest.mark.parametrize("n_tokens", [8, 20, 60, 300])
def test_words_of_every_length_stay_inside_and_apart(n_tokens: int, width: int) -> None:
    text = " ".join(LONG.split()[:n_tokens])
    figure = alignment_lines(
        alignment(writing(text, text, width=1, n_layers=1, n_heads=1), layer=0, head=0), title="x", width=width
    )
    assert figure.layout.width <= width
    assert len(figure.layout.shapes) <= MOST_LINES
    for side in figure.data:
        assert len(side.x) == min(n_tokens, MOST_WORDS)
        points = np.stack([side.x, side.y], 1)
        assert 0 <= points.min()
        assert points[:, 0].max() <= figure.layout.width
        gaps = np.abs(np.diff(points, axis=0)).sum(1)
        assert gaps.min() > 12


def test_pieces_become_words_in_map_and_lines() -> None:
    made = writing("a gall ##on of milk [SEP]", "una bote ##lla ##s de leche [SEP]")
    matrix = alignment(made, layer=0, head=0, words=True)
    assert [token.text for token in matrix.key_tokens] == ["a", "gallon", "of", "milk", "[SEP]"]
    assert [token.text for token in matrix.query_tokens][1] == "botellas"
    weights = made.recording.of("cross").weights(0, 0)
    assert_close(matrix.values[1, 1], weights[[1, 2, 3]][:, [1, 2]].sum(1).mean())


def test_special_tokens_can_be_hidden_until_nothing_is_left() -> None:
    made = writing("[SEP]", "[SEP]", width=1)
    matrix = alignment(made, layer=0, head=0, special="hidden")
    assert not matrix.values.size
    assert "special" in alignment_lines(matrix, title="x").layout.annotations[0].text
    assert alignment_table(matrix).empty
    assert most_decided_head(made) == (0, 0)


def test_the_most_decided_head_is_found() -> None:
    made = writing(is_diagonal=False, n_layers=2, n_heads=3)
    cross = made.recording.of("cross")
    query = cross.query.copy()
    query[1, 2] *= 20
    record = replace(cross, query=query)
    others = tuple(record if each.kind == "cross" else each for each in made.recording.attention)
    assert most_decided_head(replace(made, recording=replace(made.recording, attention=others))) == (1, 2)


def test_the_tree_is_the_branches() -> None:
    made = writing(width=4)
    nodes = tree(made)
    kept = {branch.token_ids for kept in made.branches for branch in kept}
    assert len(nodes) == len(kept)
    for node in nodes:
        assert node.branch is not None
        assert node.branch.token_ids in kept
        assert node.token == node.branch.tokens[-1]
        above = node.branch.token_ids[:-1]
        assert (node.parent == -1) == (not above)
        assert node.parent == -1 or nodes[node.parent].branch.token_ids == above
    winner = made.branches[-1][0].token_ids
    assert [node.branch.token_ids for node in nodes if node.is_winner] == [
        winner[: end + 1] for end in range(len(winner))
    ]
    assert {node.branch.token_ids for node in nodes if node.is_alive} == {
        branch.token_ids[: end + 1] for branch in made.branches[-1] for end in range(len(branch.token_ids))
    }


@pytest.mark.parametrize("seed", range(5))
def test_no_two_tokens_of_the_tree_share_a_place_and_the_winner_is_straight(seed: int) -> None:
    nodes = tree(writing(width=4, seed=seed))
    places = [(node.depth, node.row) for node in nodes]
    assert len(set(places)) == len(places)
    assert {node.row for node in nodes if node.is_winner} == {0}


def test_a_text_that_ended_early_stays_in_the_tree() -> None:
    def branch(ids: tuple[int, ...], score: float, *, is_finished: bool = False) -> Branch:
        tokens = tuple("abcdefg"[each] for each in ids)
        return Branch(
            token_ids=ids,
            tokens=tokens,
            text=" ".join(tokens),
            log_probability=score,
            score=score,
            is_finished=is_finished,
        )

    early = branch((0, 6), -0.3, is_finished=True)
    searched = (
        (branch((0,), -0.1), branch((1,), -0.2)),
        (early, branch((1, 2), -0.4)),
        (early, branch((1, 2, 3), -0.5)),
    )
    nodes = tree(replace(writing(), branches=searched))
    assert [node.branch.token_ids for node in nodes if node.is_winner] == [(0,), (0, 6)]
    assert all(node.is_alive and node.last_position == 2 for node in nodes)
    assert beam_tree(replace(writing(), branches=searched)).data[0].text[0] != ""


def test_the_scores_of_the_tree_are_those_of_the_search() -> None:
    made = writing(width=3)
    table = tree_table(made)
    assert len(table) == sum(len(kept) for kept in made.branches)
    assert_close(table["log_probability"], [branch.log_probability for kept in made.branches for branch in kept])
    assert list(table.query("rank == 0 and step == step.max()")["is_winner"]) == [True]
    figure = beam_tree(made)
    assert len(figure.data[0].x) == len(tree(made))
    assert any(f"{-table['score'][0]:.4f}" in hover for hover in figure.data[0].customdata)


def test_without_a_search_the_tree_says_so() -> None:
    made = writing(width=1)
    assert "Greedy" in beam_tree(made).layout.annotations[0].text
    assert tree_table(made).empty


def test_a_stranger_s_words_stay_text_in_every_picture() -> None:
    made = writing(f"{HOSTILE} b [SEP]", f"{HOSTILE} =1+1 [SEP]", width=3)
    matrix = alignment(made, layer=0, head=0)
    figures = [
        translation_picture(made, number=0, layer=0, head=0),
        candidate_bars(made, number=0),
        alignment_lines(matrix, title="x"),
        alignment_lines(matrix, title="x", width=350),
        alignment_map(matrix, title="x"),
        beam_tree(made),
    ]
    for figure in figures:
        assert "<img" not in figure.to_json().replace("\\u003c", "<")
        assert "</script" not in figure.to_json().replace("\\u003c", "<")
    for table in (tokens_table(made), alignment_table(matrix), tree_table(made)):
        lines = table_csv(table).decode("utf-8-sig").splitlines()
        assert not [cell for line in lines for cell in line.split(",") if cell.startswith(("=", "@"))]


def test_a_long_text_is_drawn_in_part_and_says_so() -> None:
    made = writing(LONG, LONG, width=2, n_layers=1, n_heads=1)
    figure = translation_picture(made, number=280, layer=0, head=0)
    assert "256 of 300" in figure.layout.annotations[0].text.replace("<br>", " ")
    assert any("being written" in hover for hover in chip_hovers(figure))
    lines = alignment_lines(alignment(made, layer=0, head=0), title="x")
    assert f"first {MOST_WORDS} words" in lines.layout.annotations[0].text.replace("<br>", " ")
    assert "first 48 of 300" in beam_tree(made).layout.annotations[0].text.replace("<br>", " ")


def test_a_mean_is_a_mean() -> None:
    record = writing().recording.of("cross")
    rows = rows_of_weights(record, [0, 2], layer=None, head=5)
    expected = np.mean([record.weights(layer, head) for layer in range(3) for head in range(4)], axis=0)[[0, 2]]
    assert_close(rows, expected)
