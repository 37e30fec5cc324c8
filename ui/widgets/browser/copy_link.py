"""A button that copies the address of the page, with all of the reader's choices."""

from __future__ import annotations

import streamlit as st

from viz.kit.language import tr

_KEY = "headlight_copy_link"

_HTML = """
<button type="button"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M9.5 14.5l5-5M8 11l-2.2 2.2a3.7 3.7 0 0 0 5.2
5.2L13 16M16 13l2.2-2.2a3.7 3.7 0 0 0-5.2-5.2L11 8"/></svg><span></span></button>
<div role="status"></div>
"""

_STYLE = """
:host, div { font-family: var(--st-font); }
button {
  display: flex; align-items: center; gap: 0.35rem; padding: 0.3rem 0.6rem; border: 0; border-radius: 0.5rem;
  background: none; color: var(--st-text-color); font: inherit; font-size: 0.875rem; cursor: pointer;
  white-space: nowrap;
}
button:hover { background: var(--st-secondary-background-color); }
button:focus-visible { outline: 3px solid currentColor; outline-offset: -3px; }
svg { width: 1.15rem; height: 1.15rem; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; }
[role=status]:not(:empty) {
  position: absolute; right: 0; top: 2.4rem; width: max-content; max-width: min(26rem, 80vw); padding: 0.6rem 0.8rem;
  border-radius: 0.5rem; background: var(--st-text-color); color: var(--st-background-color); overflow-wrap: anywhere;
}
[role=status] input { width: 100%; margin-top: 0.4rem; font: inherit; }
@media (max-width: 1100px) { span { position: absolute; clip-path: inset(50%); width: 1px; overflow: hidden; } }
"""

_JAVASCRIPT = """
const LASTS = 6000;  // milliseconds for which it is said what has happened
const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

export default function ({ data, parentElement }) {
  const [button, news] = [parentElement.querySelector("button"), parentElement.querySelector("[role=status]")];
  parentElement.querySelector("span").textContent = data.label;
  let fading;
  const say = (...parts) => {
    clearTimeout(fading);
    news.replaceChildren(...parts);
    fading = setTimeout(() => news.replaceChildren(), LASTS);
  };
  const field = (address) => {
    const settings = { value: address, readOnly: true, ariaLabel: data.link };
    const made = Object.assign(document.createElement("input"), settings);
    made.onfocus = () => clearTimeout(fading);
    made.onblur = () => news.replaceChildren();
    return made;
  };
  button.onclick = async () => {
    const address = location.href;
    try {
      await navigator.clipboard.writeText(address);
      say(LOCAL.includes(location.hostname) ? `${data.copied} ${data.onThisComputer}` : data.copied);
    } catch {
      const made = field(address);
      say(data.byHand, made);
      made.focus();
      made.select();
    }
  };
  button.onkeydown = (event) => { if (event.key === "Escape") news.replaceChildren(); };
  return () => clearTimeout(fading);
}
"""
_link = st.components.v2.component(_KEY, html=_HTML, css=_STYLE, js=_JAVASCRIPT)


def copy_link() -> None:
    """Draw the button in the bar at the top."""
    words = {
        "label": tr("Copy link"),
        "link": tr("Link"),
        "copied": tr("The link is copied. It opens this page with all that is chosen."),
        "onThisComputer": tr("It works on this computer only."),
        "byHand": tr("This browser lets no page copy. The link is selected: copy it by hand."),
    }
    _link(key=_KEY, data=words)
