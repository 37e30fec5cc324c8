"""The known roles of a model's heads: `heads.json` beside its weights, or the names in its atlas."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from models.checkpoints.card import read_card
from models.values.head_roles import ENGLISH, HeadRole, RoleByHand

FILE = "heads.json"
ATLAS = "atlas.json"
_DIGITS = 4


class KnownHeads(NamedTuple):
    """The `roles` of heads, and what the heads that have none come `nearest` to."""

    roles: tuple[HeadRole, ...] = ()
    nearest: tuple[HeadRole, ...] = ()

    def below(self, n_layers: int) -> KnownHeads:
        """Those of the first layers."""
        return KnownHeads(*(tuple(role for role in part if role.layer < n_layers) for part in self))


def read_heads(folder: Path) -> KnownHeads:
    """Return the known roles of the heads of a checkpoint: by its own file, or else the roles that its atlas gives,
    which pass the same thresholds; nothing where nobody has measured any.

    Only for folders of this repository: what it says is not checked. Raises RecordError for a share that is none.
    """
    for name in (FILE, ATLAS):
        if (folder / name).is_file():
            content = json.loads((folder / name).read_text(encoding="utf-8"))
            parts, language = content.get("atlases", [content]), language_of(folder)
            return KnownHeads(
                roles=tuple(HeadRole(**role, language=language) for part in parts for role in part["roles"]),
                nearest=tuple(HeadRole(**role, language=language) for role in content.get("nearest", ())),
            )
    return KnownHeads()


def language_of(folder: Path) -> str:
    """Return the language that the model of a folder reads, by its card."""
    return next(iter(read_card(folder).languages), ENGLISH)


def heads_json(
    roles: Iterable[HeadRole], nearest: Iterable[HeadRole], by_hand: Iterable[RoleByHand], about: dict[str, Any]
) -> str:
    """The file: how it was measured, then one role a line, what the heads that have none come nearest to, and what
    every role came to on sentences written by hand, those among them that did not hold there."""
    head = json.dumps(about, indent=1, ensure_ascii=False)[:-2]
    parts = {"roles": _lines(roles), "nearest": _lines(nearest), "by_hand": _lines(by_hand)}
    return "".join((head, *(f',\n "{name}": {lines}' for name, lines in parts.items()), "\n}\n"))


def read_by_hand(folder: Path) -> tuple[RoleByHand, ...]:
    """Return the shares of a checkpoint's roles on sentences written by hand; empty where that was not measured."""
    path = folder / FILE
    content = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return tuple(RoleByHand(**role) for role in content.get("by_hand", ()))


def _lines(roles: Iterable[HeadRole | RoleByHand]) -> str:
    lines = ",\n".join(f"  {json.dumps(_round_shares(role), ensure_ascii=False)}" for role in roles)
    return f"[\n{lines}\n ]"


def _round_shares(role: HeadRole | RoleByHand) -> dict[str, Any]:
    return {
        name: round(value, _DIGITS) if isinstance(value, float) else value
        for name, value in asdict(role).items()
        if name != "language"
    }
