"""The icon font with only the icons that are used: 12 kB instead of Streamlit's 370 with all four thousand.

`python -m tests.browser.make_icon_font` builds it from the font of the installed Streamlit (Material Symbols Rounded,
Google, Apache-2.0). The app sends it in place of exactly that font: another Streamlit's font is sent unchanged.
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
    """ASGI middleware that sends the small font in place of the whole one."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        whole = font_to_replace()
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
def font_to_replace() -> Path | None:
    """Return the installed Streamlit's font from which the small one was built; None if it is another one."""
    made_from = json.loads(ABOUT.read_text(encoding="utf-8"))["made_from"]
    return next((path for path in whole_fonts() if digest(path.read_bytes()) == made_from), None)


def whole_fonts() -> list[Path]:
    """Return the icon fonts of the installed Streamlit."""
    return sorted(Path(get_static_dir()).rglob("MaterialSymbols-Rounded*.woff2"))


def used_icons() -> list[str]:
    """Return the names of the icons in the pages and in Streamlit's own frontend."""
    scripts = Path(get_static_dir()).rglob("*.js")
    ours = (path for part in ("pages", "ui") for path in (ROOT / part).rglob("*.py"))
    names = {name for path in (*scripts, *ours) for name in _NAMED.findall(path.read_text(encoding="utf-8"))}
    return sorted(names)


def digest(content: bytes) -> str:
    """Return the digest that identifies a font."""
    return hashlib.sha256(content).hexdigest()
