"""A corpus read on a real Ray cluster of this machine, whose workers and machines die meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from models.analysis.over_texts.corpus import sample_texts
from models.engine.corpus import ATLAS, CONTENT, FAITHFULNESS, over_parts
from models.values.errors import MissingCapabilityError
from tests.closeness import assert_close
from tests.models.engine.ray.clusters import NO_RAY, TwoNodes, two_nodes
from tests.models.engine.ray.dying import KILLED, NOTED

ray = pytest.importorskip("ray", reason=NO_RAY)
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.timeout(900)]
TEXTS = sample_texts()[:48]


@pytest.fixture(scope="module")
def cluster() -> Iterator[TwoNodes]:
    with two_nodes() as made:
        yield made


def test_an_atlas_of_the_cluster_is_that_of_this_process(cluster: TwoNodes) -> None:
    from models.engine.ray.corpus import over_machines

    told: list[int] = []
    there = over_machines(ATLAS, "mini-bert", TEXTS, workers=2, n_texts=20, progress=told.append)["encoder"]
    here = over_parts(ATLAS, "mini-bert", TEXTS)["encoder"]
    assert told == [20, 40, 48]
    assert (here.n_texts, here.n_pieces) == (there.n_texts, there.n_pieces)
    for mine, its in zip(here.shares, there.shares, strict=True):
        np.testing.assert_array_equal(mine.counts, its.counts)
    np.testing.assert_array_equal(here.examples.texts, there.examples.texts)
    for mine, its in ((here.moments, there.moments), (here.offsets, there.offsets)):
        assert_close(mine / here.n_pieces, its / here.n_pieces)


def test_faithfulness_of_the_cluster_is_that_of_this_process(cluster: TwoNodes) -> None:
    from models.engine.ray.corpus import over_machines

    texts = ("A really good film.", "", "Not good.")
    there = over_machines(FAITHFULNESS, "sentiment", texts, workers=1, n_texts=2)
    here = over_parts(FAITHFULNESS, "sentiment", texts)
    assert here.n_texts == there.n_texts == 2
    assert here.methods == there.methods
    assert_close(here.totals, there.totals)


def test_what_a_model_cannot_be_asked_is_said_as_here(cluster: TwoNodes) -> None:
    from models.engine.ray.corpus import over_machines

    with pytest.raises(MissingCapabilityError, match="mini-gpt is no embedded BERT"):
        over_machines(CONTENT, "mini-gpt", TEXTS[:1], workers=1)


def test_a_worker_that_is_killed_takes_nothing_with_it(cluster: TwoNodes, tmp_path: Path) -> None:
    from models.engine.ray.corpus import over_machines

    killed = tmp_path / "killed"
    there = over_machines(KILLED, f"mini-bert|{killed}", TEXTS, workers=2, n_texts=4)
    assert killed.exists()
    assert there == over_parts(CONTENT, "mini-bert", TEXTS)


def test_a_machine_that_dies_takes_nothing_with_it(cluster: TwoNodes, tmp_path: Path) -> None:
    """The one that has read the first part: what else it has read and not yet told is read anew elsewhere."""
    from models.engine.ray.corpus import over_machines

    noted = tmp_path / "noted"

    def end(n_read: int) -> None:
        if n_read == 4:
            reader = noted.read_text(encoding="ascii").split()[0]
            (node,) = (each for each in cluster.nodes if each.node_id == reader)
            cluster.kill(node)

    there = over_machines(NOTED, f"mini-bert|{noted}", TEXTS, workers=2, n_texts=4, progress=end)
    readers = noted.read_text(encoding="ascii").split()
    assert len({*readers}) == 2
    assert there == over_parts(CONTENT, "mini-bert", TEXTS)
