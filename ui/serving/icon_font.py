"""The font of the icons with the icons that are used, 12 kB in the place of Streamlit's 370 with all four thousand.

`python -m tests.browser.make_icon_font` makes it anew from the font of the installed Streamlit (Material Symbols
Rounded, Google, Apache-2.0). The app sends it in the place of that very font: with another Streamlit, its own is sent.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from pathlib import Path

from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.file_util import get_static_dir

from ui.serving.held_answer import send_whole

ICONS = Path(__file__).with_name("icons")
FONT, ABOUT = ICONS / "material-symbols.woff2", ICONS / "material-symbols.json"
ROOT = Path(__file__).resolve().parents[2]
_NAMED = re.compile(r":material/([a-z][a-z0-9_]*)")


class UsedIcons:
    """Middleware (ASGI) that sends the small font where a page asks for the whole one."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        whole = replaced()
        if whole is None or scope["type"] != "http" or not scope["path"].endswith(f"/static/media/{whole.name}"):
            await self.app(scope, receive, send)
            return
        content = small_font()
        headers = {
            "content-type": "font/woff2",
            "content-length": str(len(content)),
            "cache-control": "public, immutable, max-age=31536000",
        }
        await send_whole(send, [(name.encode(), value.encode()) for name, value in headers.items()], content)


@cache
def small_font() -> bytes:
    """Return the font with the used icons."""
    return FONT.read_bytes()


@cache
def replaced() -> Path | None:
    """Return the font of the installed Streamlit that the small one was made from; None if it is another one."""
    made_from = json.loads(ABOUT.read_text(encoding="utf-8"))["made_from"]
    return next((path for path in whole_fonts() if digest(path.read_bytes()) == made_from), None)


def whole_fonts() -> list[Path]:
    """Return the fonts of icons of the installed Streamlit."""
    return sorted(Path(get_static_dir()).rglob("MaterialSymbols-Rounded*.woff2"))


def used_icons() -> list[str]:
    """Return the names of the icons that the pages ask for, and those that Streamlit's own front end names."""
    scripts = Path(get_static_dir()).rglob("*.js")
    ours = (path for part in ("pages", "ui") for path in (ROOT / part).rglob("*.py"))
    found = {name for path in (*scripts, *ours) for name in _NAMED.findall(path.read_text(encoding="utf-8"))}
    return sorted(found)


def digest(content: bytes) -> str:
    """By which a font is known."""
    return hashlib.sha256(content).hexdigest()
