"""The choice of the language of the app, each by its own name."""

from __future__ import annotations

import streamlit as st

from ui.state.speaking import choose_language
from viz.kit.language import LANGUAGES, language, tr

_KEY = "headlight_language"

_HTML = """
<label><svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="8.5"/><path d="M3.5 12h17M12 3.5c5 5 5
12 0 17M12 3.5c-5 5-5 12 0 17"/></svg><select></select></label>
"""

_STYLE = """
:host, label { font-family: var(--st-font); }
label {
  display: flex; align-items: center; gap: 0.35rem; padding: 0.3rem 0.4rem; border-radius: 0.5rem;
  color: var(--st-text-color); font-size: 0.875rem;
}
label:hover { background: var(--st-secondary-background-color); }
label:focus-within { outline: 3px solid currentColor; outline-offset: -3px; }
svg { flex: none; width: 1.15rem; height: 1.15rem; fill: none; stroke: currentColor; stroke-width: 1.8; }
select { border: 0; background: none; color: inherit; font: inherit; cursor: pointer; outline: none; }
option { background: var(--st-background-color); color: var(--st-text-color); }
@media (max-width: 1100px) {
  label { position: relative; }
  select { position: absolute; inset: 0; width: 100%; opacity: 0; }
}
"""

_JAVASCRIPT = """
export default function ({ data, parentElement, setStateValue }) {
  document.documentElement.lang = data.spoken;
  const select = parentElement.querySelector("select");
  select.ariaLabel = select.title = data.label;
  select.replaceChildren(...Object.entries(data.languages).map(([name, called]) =>
    Object.assign(document.createElement("option"), { value: name, textContent: called, lang: name })));
  select.value = data.spoken;
  select.onchange = () => setStateValue("chosen", select.value);
}
"""
_pick = st.components.v2.component(_KEY, html=_HTML, css=_STYLE, js=_JAVASCRIPT)


def pick_language() -> None:
    """Draw the choice, which applies to all pages and is in the address."""
    _pick(
        key=_KEY,
        data={"languages": LANGUAGES, "spoken": language(), "label": tr("Language")},
        on_chosen_change=_take_choice,
    )


def _take_choice() -> None:
    state = st.session_state.get(_KEY) or {}
    choose_language(str(state.get("chosen", "")))
