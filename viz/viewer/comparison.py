"""The data for the browser side `comparison.js`: two heads on shared rows and columns, and their names."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from models.values.arguments.check import check_arguments, check_fields
from models.values.record import Token
from models.values.results.comparison import AttentionComparison, TokenPair
from viz.heads.compared import (
    comparison_finding,
    comparison_measured,
    difference_title,
    pair_names,
    pair_texts,
)
from viz.kit.language import said, shown, to_say
from viz.kit.theme import DARK, LIGHT
from viz.kit.tokens import visible
from viz.viewer.about import token_columns
from viz.viewer.html import ENTRY_OF_COMPARISON, document
from viz.viewer.packing import pack_arrays

ENTRY = ENTRY_OF_COMPARISON
ComparedPicture = Literal["arcs", "map"]
SideName = Literal["one", "other"]
MOST_TOKENS = 256
"""The most rows or columns that are distinguishable side by side."""
NOTE = to_say(
    "A row looks at the columns. In the third map blue is more in the second, brown more in the first. Tokens that "
    "differ are marked and written “a | b”; hatched: a token that stands in one text alone."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedWords:
    """The words of a comparison: the titles of the two maps, their names in a sentence, the title of the whole, and the
    models. Plain text."""

    one_title: str
    other_title: str
    one: str
    other: str
    title: str
    models: str
    are_texts: bool = False
    """Whether the titles of the two maps are the texts themselves, which arcs show anyway."""
    finding: str = ""
    """The sentence above the picture; if it is empty, the one about the word that moves most."""

    def __post_init__(self) -> None:
        check_fields(self)


def comparison_data(comparison: AttentionComparison, words: ComparedWords) -> dict[str, Any]:
    """Return all data of the comparison as JSON types: `about`, and the `numbers` in base64."""
    arrays = {"one": comparison.one, "other": comparison.other, "distances": comparison.distances}
    given = {name: np.asarray(array, np.float32) for name, array in arrays.items()}
    return {"about": _about(comparison, words), "numbers": base64.b64encode(pack_arrays({}, given)).decode()}


@check_arguments
def comparison_html(
    comparison: AttentionComparison, words: ComparedWords, *, picture: ComparedPicture = "arcs", fits: bool = False
) -> str:
    """Return a whole HTML document that shows a comparison and opens from disk; it asks no other file or host for
    anything. Its two maps end at 1, or, if `fits`, at their largest weight."""
    title = f"{visible(shown(words.title))} · Headlight"
    return document(title, comparison_data(comparison, words) | {"picture": picture, "fits": fits}, entry=ENTRY)


def comparison_file(words: ComparedWords) -> str:
    """Return the name of the comparison's files, without an ending: letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", f"compared-{words.title}".lower())[:80].strip("-")


def _about(comparison: AttentionComparison, words: ComparedWords) -> dict[str, Any]:
    one, other = visible(shown(words.one)), visible(shown(words.other))
    return {
        "title": visible(shown(words.title)),
        "titles": {
            "one": visible(shown(words.one_title)),
            "other": visible(shown(words.other_title)),
            "difference": difference_title(comparison, one, other),
        },
        "names": {"one": one, "other": other},
        "models": visible(shown(words.models)),
        "finding": visible(shown(words.finding)) if words.finding else comparison_finding(comparison, one, other),
        "measured": comparison_measured(comparison),
        "note": said(NOTE),
        "file": comparison_file(words),
        "sides": {side: _side(comparison, side) for side in get_args(SideName)},
        "pairs": {
            "rows": [[pair.one, pair.other] for pair in comparison.rows],
            "columns": [[pair.one, pair.other] for pair in comparison.columns],
        },
        "captions": {
            "one": "" if words.are_texts else visible(shown(words.one_title)),
            "other": "" if words.are_texts else visible(shown(words.other_title)),
        },
        "rows": _axis(comparison.rows, comparison.one_queries, comparison.other_queries),
        "columns": _axis(comparison.columns, comparison.one_keys, comparison.other_keys),
        "palettes": {
            theme: {name: getattr(palette, name) for name in palette.__dataclass_fields__}
            for theme, palette in (("light", LIGHT), ("dark", DARK))
        },
    }


def _side(comparison: AttentionComparison, side: SideName) -> dict[str, Any]:
    """Return the tokens of one text, and the position of the word that is held at first: the one that changes most."""
    queries, keys = getattr(comparison, f"{side}_queries"), getattr(comparison, f"{side}_keys")
    places = comparison.shift.rows if comparison.shift is not None else ()
    held = [position for place in places if (position := getattr(comparison.rows[place], side)) is not None]
    return {
        "queries": token_columns(queries),
        "keys": None if keys == queries else token_columns(keys),
        "held": held[:1],
    }


def _axis(pairs: Sequence[TokenPair], one: Sequence[Token], other: Sequence[Token]) -> dict[str, list[Any]]:
    """Return the tokens of an axis as columns, in the format of `payload`."""
    tokens = [other[pair.other or 0] if pair.one is None else one[pair.one] for pair in pairs]
    return {
        "texts": pair_texts(pairs, one, other),
        "names": pair_names(pairs, one, other),
        "equal": [pair.is_equal for pair in pairs],
        "segments": [token.segment for token in tokens],
        "special": [token.is_special for token in tokens],
    }


if __name__ == "__main__":
    import tempfile
    import webbrowser

    from viz.heads.demos.effects import demo_comparison

    called = ComparedWords(
        one_title="She ran",
        other_title="He ran home",
        one="this sentence",
        other="the other sentence",
        title="Layer 0 · Head 3 in two sentences",
        models="demo",
    )
    with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False, encoding="utf-8") as file:
        file.write(comparison_html(demo_comparison(), called))
    webbrowser.open(f"file://{file.name}")
