from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from models.values.arguments.shapes import fix_arrays
from models.values.errors import RecordError


@dataclass(frozen=True)
class Pair:
    query: Any = None
    key: Any = None


def test_what_fits_is_read_only_and_none_is_passed_over() -> None:
    pair = Pair(query=np.zeros((2, 4)), key=np.zeros((3, 4)))
    fix_arrays(pair, query=("n_query", "d_head"), key=(3, "d_head"))
    fix_arrays(Pair(query=pair.query), query=(2, 4), key=(3, "d_head"))
    for array in (pair.query, pair.key):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 1


@pytest.mark.parametrize(
    ("key", "message"),
    [
        (np.zeros((3, 5)), r"key has shape \[3, 5\], expected \[3, 4\]\."),
        (np.zeros(4), r"key has shape \[4\], expected \[n_key, 4\]\."),
        (np.zeros((1, 3, 4)), r"key has shape \[1, 3, 4\], expected \[n_key, 4\]\."),
    ],
)
def test_a_name_stands_for_one_size(key: Any, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        fix_arrays(Pair(query=np.zeros((2, 4)), key=key), query=("n_query", "d_head"), key=("n_key", "d_head"))


def test_one_name_twice_in_a_shape_is_a_square() -> None:
    with pytest.raises(RecordError, match=r"expected \[2, 2\]"):
        fix_arrays(Pair(query=np.zeros((2, 3))), query=("d_model", "d_model"))


def test_a_type_is_named() -> None:
    with pytest.raises(RecordError, match=r"query has type float64, expected float32\."):
        fix_arrays(Pair(query=np.zeros(2)), np.float32, query=(2,))
