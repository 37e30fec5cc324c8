"""Components that are drawn by a module of the viewer's frontend, one for each language: the address of the module sets
its language."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from ui.state.routes import frontend
from ui.state.scripts import COMPONENTS, opens
from viz.kit.language import ENGLISH, LANGUAGES, language, read_in


def in_each_language(
    name: str, *, module: str, html: str, styles: Sequence[str] = (), css: str | None = None
) -> Callable[..., Any]:
    """Return a function that draws a component in the current language.

    The `openComponent` of its `module`, one of `scripts.ENTRIES`, draws into `html`; `styles` are style sheets beside
    the scripts.
    """
    components = {
        spoken: _component(name, spoken, module=module, html=html, styles=styles, css=css) for spoken in LANGUAGES
    }

    def draw(**settings: Any) -> Any:
        return components[language()](**settings)

    return draw


def _component(
    name: str, spoken: str, *, module: str, html: str, styles: Sequence[str], css: str | None
) -> Callable[..., Any]:
    with read_in(spoken):
        place = frontend()
    links = "".join(f'<link rel="stylesheet" href="{place}/{style}">' for style in styles)
    component: Callable[..., Any] = st.components.v2.component(
        name if spoken == ENGLISH else f"{name}_{spoken}",
        html=links + html,
        css=css,
        js=(
            f"const loaded = import(new URL({json.dumps(f'{place}/{COMPONENTS}')}, location.origin).href);\n"
            "export default async (component) => {\n"
            f"  const module = await loaded;\n  return {opens(module)}(component);\n}};\n"
        ),
    )
    return component
