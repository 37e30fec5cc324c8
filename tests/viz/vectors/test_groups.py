"""Which heads share their keys and values, and what the page says of them, of a real record."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from models.opening.folders import load_folder
from models.opening.registry import load
from models.values.record import AttentionRecord
from tests.models.tasks import tiny_writers
from viz.vectors.groups import group_story, heads_of_group
from viz.vectors.head_maps import head_maps

TEXT = "The old man sees a red house."


@pytest.fixture(scope="module")
def grouped(tmp_path_factory: pytest.TempPathFactory) -> AttentionRecord:
    folder: Path = tiny_writers.llama(tmp_path_factory.mktemp("llama"))
    return load_folder(folder, name="tiny", device="cpu").record(TEXT).of("decoder")


def test_neighbours_share_and_the_story_names_where_each_looks(grouped: AttentionRecord) -> None:
    assert [heads_of_group(grouped, layer=1, head=head) for head in range(4)] == [(0, 1), (0, 1), (2, 3), (2, 3)]
    story = group_story(grouped, layer=1, head=3, position=5)
    assert "Heads 2 and 3 share" in story
    for head in (2, 3):
        at = int(grouped.weights(1, head)[5].argmax())
        assert f"({at}) in head {head}" in story


def test_the_queries_of_a_group_stand_beside_each_other(grouped: AttentionRecord) -> None:
    figure = head_maps(grouped, layer=1, head=2, group=(2, 3))
    drawn = [np.asarray(trace.z) for trace in figure.data]
    shown = (grouped.query[1, 2], grouped.query[1, 3], grouped.key[1, 2], grouped.value[1, 2])
    for values in shown:
        assert any(each.shape == values.shape and np.array_equal(each, values) for each in drawn)


def test_heads_with_keys_of_their_own_have_no_story() -> None:
    record = load("mini-bert", device="cpu").record(TEXT).of("encoder")
    assert heads_of_group(record, layer=0, head=1) == (1,)
    assert not group_story(record, layer=0, head=1, position=2)
