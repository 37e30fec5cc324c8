"""The plane is the best one for queries and keys together, and its lines are the weights."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.closeness import assert_close
from viz.kit.demos.records import random_record, tokens_of
from viz.vectors.plane import project
from viz.vectors.projection import LEAST_LINE, THICKEST, plane_table, query_key_plane

AT = {"layer": 1, "head": 2}


def test_no_plane_keeps_more_of_the_variance() -> None:
    record = random_record(key_tokens=tokens_of("el animal no cruzó la calle"))
    points = np.concatenate([record.query[1, 2], record.key[1, 2]]).astype(np.float64)
    plane = project(record, **AT)
    drawn = np.concatenate([plane.queries, plane.keys])
    assert_close(drawn.mean(axis=0), 0, magnitude=1)
    variances = np.sort(np.linalg.eigvalsh(np.cov(points.T)))[::-1]
    assert_close(np.cov(drawn.T), np.diag(variances[:2]))
    assert_close(plane.shares, variances[:2] / variances.sum())


def test_the_axes_do_not_flip_with_the_order_of_the_tokens() -> None:
    record = random_record()
    back = replace(record, query=record.query[:, :, ::-1].copy(), key=record.key[:, :, ::-1].copy())
    assert_close(project(record, **AT).queries, project(back, **AT).queries[::-1])


def test_a_head_of_one_dimension_and_one_of_equal_points_have_a_plane_too() -> None:
    record = random_record()
    flat = replace(record, query=record.query[..., :1].copy(), key=record.key[..., :1].copy())
    assert project(flat, **AT).shares[1] == 0
    still = replace(record, query=np.ones_like(record.query), key=np.ones_like(record.key))
    assert project(still, **AT).shares == (0, 0)
    assert query_key_plane(still, **AT, position=0).data


@pytest.mark.parametrize("width", [900, 360])
def test_lines_lead_from_the_query_to_its_keys_as_thick_as_the_weight(width: int) -> None:
    record = random_record(causal=True)
    plane, weights = project(record, **AT), record.weights(1, 2)[7]
    figure = query_key_plane(record, **AT, position=7, width=width)
    lines = [trace for trace in figure.data if trace.mode == "lines" and trace.line.dash is None]
    seen = [key for key in np.argsort(weights)[::-1] if weights[key] >= LEAST_LINE]
    assert len(lines) == len(seen)
    for line, key in zip(lines, seen, strict=True):
        assert_close([line.x[1], line.y[1]], plane.keys[key])
        assert_close([line.x[0], line.y[0]], plane.queries[7])
        assert_close(line.line.width, max(THICKEST * weights[key], 0.6))
    assert figure.layout.width <= width
    x, y = figure.layout.xaxis.range, figure.layout.yaxis.range
    margin, layout = figure.layout.margin, figure.layout
    per_pixel = (
        (x[1] - x[0]) / (layout.width - margin.l - margin.r),
        (y[1] - y[0]) / (layout.height - margin.t - margin.b),
    )
    assert_close(per_pixel[0], per_pixel[1])


def test_the_table_names_queries_and_keys_with_their_weights() -> None:
    record = random_record(key_tokens=tokens_of("a b c"))
    table = plane_table(record, **AT, position=2)
    assert list(table["vector"].value_counts()[["query", "key"]]) == [16, 3]
    assert_close(table.loc[table["vector"] == "key", "weight"], record.weights(1, 2)[2])
