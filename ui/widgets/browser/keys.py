"""Letters that press buttons even while a slider or a switch has the focus.

Streamlit's shortcuts of buttons pause while any input has the focus, even a slider or a switch. Here a letter still
presses the button then; in a text field it is typed.
"""

from __future__ import annotations

import streamlit as st

_KEY = "headlight_keys"

_JAVASCRIPT = """
const WITHOUT_LETTERS = ["range", "checkbox", "radio"];
export default function ({ data }) {
  const press = (event) => {
    const inside = event.composedPath()[0];
    const free = inside?.tagName === "INPUT" && WITHOUT_LETTERS.includes(inside.type);
    const button = data.buttons[event.key.toLowerCase()];
    if (!free || !button || event.ctrlKey || event.metaKey || event.altKey) return;
    document.querySelector(`.st-key-${button} button`)?.click();
  };
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}
"""
_listen = st.components.v2.component(_KEY, js=_JAVASCRIPT)


def letters_press(buttons: dict[str, str]) -> None:
    """Draw the invisible listener; `buttons` maps letters to the keys of buttons with the same shortcuts."""
    _listen(key=_KEY, data={"buttons": {letter.lower(): key for letter, key in buttons.items()}}, height=1)
