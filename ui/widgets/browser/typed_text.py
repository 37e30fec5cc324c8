"""Text that is typed into a field of a form and not yet sent: the browser keeps it when the page is changed.

A form sends nothing before it is submitted, so the server never hears of such a text; a new page has a new field.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

_KEY = "headlight_typed"

_JAVASCRIPT = """
const STORED = "headlight-typed";
const stored = () => JSON.parse(sessionStorage.getItem(STORED) ?? "{}");
const store = (texts) => sessionStorage.setItem(STORED, JSON.stringify(texts));
const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
const field = (key) => document.querySelector(`.st-key-${key} input`);

let shown = {};  // the sentence on show, by the key of its field
let stop = () => {};  // one for the page: this function runs again whenever another sentence is on show

/** Where a field holds the sentence on show, put what was typed in its place, as if it were typed again. */
function putBack() {
  for (const [key, { typed }] of Object.entries(stored())) {
    const input = field(key);
    if (input?.value !== shown[key] || typed === shown[key]) continue;
    setValue.call(input, typed);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

function typing({ target }) {
  const key = Object.keys(shown).find((name) => target.closest?.(`.st-key-${name}`));
  if (key) store({ ...stored(), [key]: { typed: target.value, over: shown[key] } });
}

export default function ({ data }) {
  stop();
  shown = data.shown;
  const isOutdated = ([key, { over }]) => data.isReaders && over !== shown[key];  // another was sent or chosen since
  store(Object.fromEntries(Object.entries(stored()).filter((text) => !isOutdated(text))));
  const watcher = new MutationObserver(putBack);
  watcher.observe(document.body, { subtree: true, childList: true, attributeFilter: ["value"] });
  document.addEventListener("input", typing, true);
  putBack();
  stop = () => {
    watcher.disconnect();
    document.removeEventListener("input", typing, true);
  };
  return stop;
}
"""
_keep = st.components.v2.component(_KEY, js=_JAVASCRIPT)


def keep_typed(shown: Mapping[str, str], *, is_readers: bool) -> None:
    """Draw the invisible keeper of the fields with these keys and the sentences on show in them. What was typed is
    forgotten once another sentence is on show that `is_readers`: one that was sent, chosen or brought by a link."""
    _keep(key=_KEY, data={"shown": dict(shown), "isReaders": is_readers}, height=1)
