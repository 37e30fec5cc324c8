"""The width of the reader's page, as the browser reports it."""

from __future__ import annotations

import streamlit as st

from ui.desk.windows import window_width

ASSUMED, ON_TELEPHONE = 1260, 358
"""The width of the content in CSS pixels where no cookie tells that of the window: a laptop's, and a telephone's."""
NARROW, PADDINGS = 864, (34, 170)
"""The window from which the page has its wide padding, and both paddings, as `ui/serving/style.css` has them."""
MOBILE = "Mobi"
"""A word in the names of telephones' browsers (MDN, "Browser detection using the user agent")."""
WIDTH = "X-Headlight-Width"
"""The header by which a stage of a class (`ui.class_room.stage`) says the width at once."""
NARROWEST, WIDEST = 240, 4000
SIDE_BY_SIDE = 900
"""The width in CSS pixels from which two pictures are side by side."""
_KEY = "headlight_viewport"
_STATE = "headlight_page_width"

_JAVASCRIPT = """
const SLACK = 90;  // pixels a page may be wider than known, before it is worth drawing everything again
let observer;  // one for the page: this function runs again whenever Python knows another width
export default function ({ data, parentElement, setStateValue }) {
  const host = parentElement.host ?? parentElement;
  const content = host.closest('[data-testid="stVerticalBlock"]') ?? document.body;
  let told = data.width;
  const tell = () => {  // the page also grows in height, many times: the same width is told once
    const width = Math.floor(content.getBoundingClientRect().width);
    if (width <= 0 || width === told || (width >= data.width && width <= data.width + SLACK)) return;
    told = width;
    setStateValue("width", width);
  };
  observer?.disconnect();
  const watcher = observer = new ResizeObserver(tell);
  watcher.observe(content);
  return () => watcher.disconnect();
}
"""
_watch = st.components.v2.component(_KEY, js=_JAVASCRIPT)


def watch_viewport() -> None:
    """Draw the invisible watcher, before any picture. It reports a page that is narrower, or much wider, than known."""
    width = st.session_state.get(_KEY, {}).get("width")
    if isinstance(width, int | float) and width > 0:
        st.session_state[_STATE] = int(width)
    _watch(key=_KEY, data={"width": page_width()}, height=1, on_width_change=lambda: None)


def page_width() -> int:
    """Return the width of the page as last reported, in CSS pixels; before, as a header or the window tells it."""
    return int(st.session_state.get(_STATE) or _first_width())


def _first_width() -> int:
    said, window = st.context.headers.get(WIDTH, ""), window_width()
    if said.isascii() and said.isdecimal() and len(said) < 6:
        return min(max(int(said), NARROWEST), WIDEST)
    if window is not None:
        return window - PADDINGS[window >= NARROW]
    return ON_TELEPHONE if MOBILE in st.context.headers.get("User-Agent", "") else ASSUMED


def column_widths(*shares: int) -> list[int]:
    """Return the widths of the columns of `st.columns(shares, gap="medium")`; on a narrow page they are stacked."""
    width = page_width()
    if width < SIDE_BY_SIDE:
        return [width] * len(shares)
    gap = 36 * (len(shares) - 1)
    return [(width - gap) * share // sum(shares) for share in shares]
