"""The recipe of a new training in the address, so that a link, or a teacher's room, lets everybody train the same."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from lab.presets import PRESETS, QUICK, presets_for
from lab.recipe import BODIES, POOLINGS, RANGES, TASKS, Recipe
from models.values.errors import LabError
from ui.state.selection import choose, selection

TASK, BODY, PRESET, NAME, POOLING = "lab_task", "lab_body", "lab_preset", "lab_name", "lab_pooling"
"""The session keys of the fields of a new training, in part."""
_TOLD = "headlight_told_recipe"
_CHOICES = {"task": TASKS, "body": BODIES, "pooling": POOLINGS}


def kind_of(task: str, body: str) -> str:
    """Return the part of the session keys that belongs to a task and the model that it starts from."""
    return f"{task}_{body}" if body else task


def number_key(kind: str, name: str) -> str:
    """Return the session key of a number."""
    return f"lab_{kind}_{name}"


def take_recipe() -> None:
    """Fill the fields with the recipe of a link. Call it before they are drawn; one that cannot be is ignored."""
    packed = selection().recipe
    if packed == st.session_state.get(_TOLD, ""):
        return
    st.session_state[_TOLD] = packed
    recipe, preset = _parse(packed)
    if recipe is None:
        return
    kind, state = kind_of(recipe.task, recipe.body), st.session_state
    state[TASK], state[f"{PRESET}_{kind}"], state[f"{NAME}_{recipe.task}"] = recipe.task, preset, recipe.name
    if recipe.task == "labels":
        state[BODY], state[POOLING] = recipe.body, recipe.pooling
    for name in RANGES.keys() - {"snapshots"}:
        state[number_key(kind, name)] = getattr(recipe, name)


def tell_recipe(preset: str, recipe: Recipe) -> None:
    """Write the recipe into the address; the one that the page opens with needs no words."""
    named = _expand(recipe, preset)
    default = _expand(replace(PRESETS["copy"][QUICK], name=default_name("copy")), QUICK)
    packed = "" if named == default else json.dumps(named, separators=(",", ":"))
    st.session_state[_TOLD] = packed
    choose(recipe=packed)


def default_name(task: str) -> str:
    """Return the name of a training that has been given none."""
    return f"my {task}"


def _expand(recipe: Recipe, preset: str) -> dict[str, Any]:
    """Return a recipe as its preset and what differs from that."""
    usual = presets_for(recipe.task, recipe.body)[preset]
    changed = {name: getattr(recipe, name) for name in RANGES if getattr(recipe, name) != getattr(usual, name)}
    words = {"task": recipe.task, "body": recipe.body, "pooling": recipe.pooling}
    return {name: word for name, word in words.items() if word} | {"preset": preset, "name": recipe.name} | changed


def _parse(packed: str) -> tuple[Recipe | None, str]:
    """Return the recipe of an address, which is untrusted, with its preset; None for anything else."""
    try:
        given = json.loads(packed)
        words = {name: given.get(name, choices[0]) for name, choices in _CHOICES.items()}
        if any(word not in _CHOICES[name] for name, word in words.items()):
            return None, ""
        usual = presets_for(words["task"], words["body"])[given["preset"]]
        numbers: dict[str, Any] = {name: _number(name, given) for name in RANGES.keys() & given.keys()}
        return replace(usual, pooling=words["pooling"], name=str(given["name"]), **numbers), given["preset"]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, LabError):
        return None, ""


def _number(name: str, given: Mapping[str, Any]) -> float:
    """Return a number of a recipe. Raises TypeError for what is none."""
    number = given[name]
    if type(number) not in ((int, float) if name == "learning_rate" else (int,)):
        raise TypeError(name)
    return float(number) if name == "learning_rate" else int(number)
