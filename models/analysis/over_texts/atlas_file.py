"""An atlas as a file: JSON, which everybody can read, with numbers of six digits."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from models.values.arguments.check import check_arguments
from models.values.errors import RecordError
from models.values.head_roles import ENGLISH, HeadRole
from models.values.history import Measure
from models.values.record import Array
from models.values.results.atlas import AtlasMeasure, HeadAtlas, HeadExamples, HeadPieces, PieceShare, TextShare
from models.values.results.grammar import RelationScore
from models.values.wording import worded

FILE = "atlas.json"
"""Its name beside the weights of a model."""
FORM = "headlight-atlas-1"
DIGITS = 6


@check_arguments
def atlas_json(atlases: Sequence[HeadAtlas]) -> str:
    """The atlases of a model, one for each self-attention, as a text."""
    return json.dumps({"form": FORM, "atlases": [_plain(asdict(atlas)) for atlas in atlases]}, ensure_ascii=False)


@check_arguments
def read_atlas(text: str, *, language: str = ENGLISH) -> tuple[HeadAtlas, ...]:
    """The atlases that a text holds, of a model that reads a `language` (an ISO 639-1 code). Raises RecordError, saying
    what is wrong, for one that holds none."""
    try:
        content = json.loads(text)
        if content["form"] != FORM:
            raise RecordError(f"the form of the atlas is {str(content['form'])[:40]!r}, expected {FORM!r}.")
        return tuple(_atlas(entry, language) for entry in content["atlases"])
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        if isinstance(error, RecordError):
            raise
        raise RecordError(
            worded(
                "The text is no atlas of heads, expected what atlas_json(atlases) writes. Of a file, give the text: "
                "{code}.",
                code='Path("atlas.json").read_text(encoding="utf-8")',
            )
        ) from error


def _plain(value: Any) -> Any:
    """Return a value for JSON: arrays become lists, NaN becomes null."""
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items() if name != "language"}  # the card has it
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, float):
        return round(value, DIGITS) if np.isfinite(value) else None
    return value


def _atlas(given: dict[str, Any], language: str) -> HeadAtlas:
    return HeadAtlas(
        model=str(given["model"]),
        kind=given["kind"],
        n_texts=int(given["n_texts"]),
        n_pieces=int(given["n_pieces"]),
        measures=tuple(map(_measure, given["measures"])),
        offsets=_array(given["offsets"]),
        pieces=tuple(
            HeadPieces(queries=_shares(pieces["queries"]), keys=_shares(pieces["keys"])) for pieces in given["pieces"]
        ),
        examples=tuple(map(_examples, given["examples"])),
        apart=_array(given["apart"]),
        places=_array(given["places"]),
        circuits=tuple(map(_measure, given["circuits"])),
        roles=tuple(HeadRole(**role, language=language) for role in given["roles"]),
        relations=tuple(RelationScore(**relation, language=language) for relation in given.get("relations", ())),
        n_parsed=int(given.get("n_parsed", 0)),
    )


def _measure(given: dict[str, Any]) -> AtlasMeasure:
    baseline = given["baseline"]
    return AtlasMeasure(
        measure=Measure(**given["measure"]),
        unit=str(given["unit"]),
        values=_array(given["values"]),
        baseline=float("nan") if baseline is None else float(baseline),
        count=int(given["count"]),
        counted_as=str(given["counted_as"]),
    )


def _shares(given: Sequence[dict[str, Any]]) -> tuple[PieceShare, ...]:
    return tuple(PieceShare(text=str(piece["text"]), share=float(piece["share"]), n=int(piece["n"])) for piece in given)


def _examples(given: dict[str, Any]) -> HeadExamples:
    return HeadExamples(
        measure=str(given["measure"]), strongest=_texts(given["strongest"]), typical=_texts(given["typical"])
    )


def _texts(given: Sequence[dict[str, Any]]) -> tuple[TextShare, ...]:
    return tuple(TextShare(text=str(example["text"]), share=float(example["share"])) for example in given)


def _array(given: Any) -> Array:
    return np.array(given, dtype=np.float32)  # null becomes NaN
