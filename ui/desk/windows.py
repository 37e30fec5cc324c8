"""The width of a reader's window, which a cookie tells before the first run: the page is drawn once, and not again for
another width, and nothing on it moves."""

from __future__ import annotations

import re

import streamlit as st

COOKIE = "headlight_window"
SCRIPT = f"""{{
  const probe = document.createElement("div");
  probe.style.cssText = "position: absolute; overflow: scroll; visibility: hidden";
  document.documentElement.append(probe);
  const bar = probe.offsetWidth; // an empty box is as wide as its scroll bar
  probe.remove();
  document.cookie = `{COOKIE}=${{innerWidth - bar}}; path=/; SameSite=Lax`;
  const PHONE = 768; // pixels under which the menu lies over the page
  const CLOSES_MENU = '[data-testid="stSidebarCollapseButton"] button';
  addEventListener("click", ({{ target }}) => {{ // before what was clicked is drawn anew and stands in no menu any more
    if (innerWidth >= PHONE || !target.closest?.('[data-testid="stSidebarNavLink"]')) return;
    setTimeout(() => document.querySelector(CLOSES_MENU)?.click());
  }}, true);
  const about = document.documentElement.dataset;
  about.arriving = ""; // a page in its first run, which writes its choices into an address that has none yet
  for (const hand of ["pointerdown", "keydown"]) addEventListener(hand, () => delete about.arriving, true);
  const [push, replace] = [history.pushState.bind(history), history.replaceState.bind(history)];
  history.pushState = (state, title, url) => {{ // one step of Back a page, not one more for the bare address
    const turnsPage = new URL(url ?? "", location.href).pathname !== location.pathname;
    ("arriving" in about && !turnsPage && !location.search ? replace : push)(state, title, url);
    if (turnsPage) about.arriving = "";
  }};
}}"""
"""Runs in the head of the page, before Streamlit connects: it tells the width, closes the menu of a telephone after a
choice, and keeps Back at one step a page."""
_A_WIDTH = re.compile(r"[1-9]\d{2,3}", re.ASCII)


def window_width() -> int | None:
    """Return the width of this session's window without its scroll bar, in CSS pixels; None if no cookie tells it."""
    told = str(st.context.cookies.get(COOKIE, ""))
    return int(told) if _A_WIDTH.fullmatch(told) else None
