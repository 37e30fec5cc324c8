"""The heads of a model as named tiles, grouped by what they do."""

from __future__ import annotations

from typing import Any

from models.values.head_roles import SPECIAL, HeadRole
from models.values.results.atlas import HeadAtlas
from viz.heads.words import role_name, role_numbers
from viz.kit import theme as style
from viz.kit.language import tr


def wall_of_heads(atlas: HeadAtlas) -> list[dict[str, Any]]:
    """Return groups of tiles as JSON types: first the heads with a role, the surest role first, then those that rest on
    special tokens, then those without a name. A head stands once, under its surest role that is not SPECIAL."""
    surest: dict[tuple[int, int], HeadRole] = {}
    for role in sorted(atlas.roles, key=lambda role: role.name == SPECIAL):  # stable: surest first
        surest.setdefault((role.layer, role.head), role)
    groups: dict[str, list[dict[str, Any]]] = {}
    for role in surest.values():
        tile = _tile(role.layer, role.head) | {
            "share": f"{role.share:{style.SHARE_FORMAT}}",
            "about": f"{role_name(role)}: {role_numbers(role)}",
        }
        groups.setdefault(role_name(role), []).append(tile)
    places = ((layer, head) for layer in range(atlas.n_layers) for head in range(atlas.n_heads))
    nameless = [_tile(*place) for place in places if place not in surest]
    if nameless:
        groups[tr("no name: does nothing often enough")] = nameless
    return [{"name": name, "tiles": tiles} for name, tiles in groups.items()]


def _tile(layer: int, head: int) -> dict[str, Any]:
    return {"layer": layer, "head": head, "share": "", "about": ""}
