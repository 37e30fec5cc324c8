"""The mosaic shows the weights of the right head in the right place, and a click there names that head."""

from __future__ import annotations

import numpy as np
import pytest

from models.values.errors import SelectionError
from tests.closeness import assert_close
from viz.attention.overview import MAX_CELLS, MAX_SIDE, mosaic, overview, picked_head
from viz.kit.demos.records import random_record, tokens_of


@pytest.mark.parametrize("n_tokens", [2, 16, MAX_SIDE, 75])
def test_a_map_holds_the_largest_weights_of_its_head(n_tokens: int) -> None:
    record = random_record(tokens=tokens_of("a " * n_tokens), key_tokens=tokens_of("b " * (n_tokens // 2 + 1)))
    maps = mosaic(record)
    for layer, head in ((0, 0), (1, 2), (0, 2)):
        row, column = maps.corner(layer, head)
        weights, step = record.weights(layer, head), maps.step
        small = maps.image[row : row + maps.tall, column : column + maps.wide]
        assert small[-1, -1] == weights[(maps.tall - 1) * step :, (maps.wide - 1) * step :].max()
        assert small[0, -1] == weights[:step, (maps.wide - 1) * step :].max()
        assert small.max() == weights.max()
    row, column = maps.corner(1, record.n_heads)
    assert_close(np.nanmax(maps.image[row:, column:]), record.mean_weights(1).max())


def test_gaps_are_empty_and_maps_are_full() -> None:
    maps = mosaic(random_record())
    full = np.isfinite(maps.image).sum()
    assert full == 2 * 4 * maps.tall * maps.wide
    assert maps.image.dtype == np.float32


@pytest.mark.parametrize(("n_layers", "n_heads"), [(12, 12), (24, 16)])
def test_a_large_model_and_a_long_text_stay_under_a_megabyte(n_layers: int, n_heads: int) -> None:
    record = random_record(n_layers=n_layers, n_heads=n_heads, tokens=tokens_of("a " * 130))
    assert mosaic(record).image.size < 1.4 * MAX_CELLS
    assert len(overview(record, selected=(3, 4)).to_json()) < 1_000_000


def test_the_marker_over_a_map_carries_its_layer_and_head() -> None:
    record = random_record()
    image, markers = overview(record, selected=(0, 0)).data
    maps = mosaic(record)
    assert len(markers.x) == 2 * 4
    for x, y, (layer, head) in zip(markers.x, markers.y, markers.customdata, strict=True):
        top, left = maps.corner(layer, record.n_heads if head == -1 else head)
        assert top < y < top + maps.tall
        assert left < x < left + maps.wide
    np.testing.assert_array_equal(image.z, maps.image)
    assert (image.zmin, image.zmax) == (0, 1)


@pytest.mark.parametrize("selected", [(0, 2), (1, 0), (1, None)])
def test_the_frame_is_around_the_selected_map(selected: tuple[int, int | None]) -> None:
    record = random_record()
    maps = mosaic(record)
    (frame,) = overview(record, selected=selected).layout.shapes
    row, column = maps.centre(selected[0], record.n_heads if selected[1] is None else selected[1])
    assert ((frame.x0 + frame.x1) / 2, (frame.y0 + frame.y1) / 2) == (column, row)
    assert frame.x1 - frame.x0 > maps.wide


@pytest.mark.parametrize("selected", [(2, 0), (0, 3), (2, None), (0, -1)])
def test_a_selection_that_is_not_there_is_named(selected: tuple[int, int | None]) -> None:
    with pytest.raises(SelectionError, match=r"layer|head"):
        overview(random_record(), selected=selected)


@pytest.mark.parametrize(
    ("customdata", "expected"),
    [
        ([1, 2], (1, 2)),
        ([1, -1], (1, None)),
        ([1], None),
        (["1", 2], None),
        ([-1, 0], None),
        ([0, -2], None),
        (None, None),
    ],
)
def test_a_click_is_read_and_anything_else_is_none(customdata: object, expected: object) -> None:
    assert picked_head({"selection": {"points": [{"customdata": customdata}]}}) == expected


@pytest.mark.parametrize(
    "state", [{}, {"selection": {}}, {"selection": {"points": []}}, {"selection": {"points": [{}]}}]
)
def test_no_click_picks_nothing(state: dict[str, object]) -> None:
    assert picked_head(state) is None
