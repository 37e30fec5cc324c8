"""`heads.json` beside the weights of a model of ours: what its heads are known to do, and where that was measured."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from models.values.head_roles import HeadRole

FILE = "heads.json"
_DIGITS = 4


def read_heads(folder: Path) -> tuple[HeadRole, ...]:
    """The roles of the heads of a checkpoint; none where nobody has measured any.

    Only for folders of this repository: what it says is not checked. Raises RecordError for a share that is none.
    """
    file = folder / FILE
    if not file.is_file():
        return ()
    return tuple(HeadRole(**role) for role in json.loads(file.read_text(encoding="utf-8"))["roles"])


def heads_json(roles: Iterable[HeadRole], about: dict[str, Any]) -> str:
    """The file: how it was measured, then one role a line."""
    lines = ",\n".join(f"  {json.dumps(_rounded(role), ensure_ascii=False)}" for role in roles)
    head = json.dumps(about, indent=1, ensure_ascii=False)[:-2]
    return f'{head},\n "roles": [\n{lines}\n ]\n}}\n'


def _rounded(role: HeadRole) -> dict[str, Any]:
    return {name: round(value, _DIGITS) if isinstance(value, float) else value for name, value in asdict(role).items()}
