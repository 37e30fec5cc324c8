"""Installation of the page as an app: a web manifest with icons (W3C, "Web Application Manifest"), and the lines in
Streamlit's page that link them. It is invisible, and nothing works without the server."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.desk.clients import COOKIE, is_named, new_cookie
from ui.desk.windows import SCRIPT
from ui.serving.compressed import AT_ONCE, ENCODINGS, asking_for_plain, taken_encoding
from ui.serving.held_answer import HeldAnswer, headers_of, send_whole
from ui.serving.link_cards import ABOUT, NAME, card_lines
from ui.serving.preloaded import preload_lines
from ui.state.routes import address, app_address, language_of
from ui.state.where import origin_of
from viz.kit.theme import DARK, LIGHT

ICONS = Path(__file__).with_name("icons")
SIZES = (192, 512)
"""The sizes in pixels of the icons for systems without SVG."""
A_DAY = {"Cache-Control": "public, max-age=86400"}
_COLOURS = "".join(
    f":root {{ --headlight-{name}: light-dark({getattr(LIGHT, name)}, {getattr(DARK, name)}); }}\n"
    for name in ("ground", "ink", "control")
)
STYLE = _COLOURS + re.sub(
    r"/\*.*?\*/\s*", "", Path(__file__).with_name("style.css").read_text(encoding="utf-8"), flags=re.DOTALL
)
"""The style of all pages, without its comments."""
_PRESSABLE = (
    '<style id="react-aria-pressable-style">'
    "@layer { [data-react-aria-pressable] { touch-action: pan-x pan-y pinch-zoom; } }</style>"
)
"""The style that React Aria, of which Streamlit's menus are made, puts in front of all others when the first menu is
drawn, unless it is there. A browser then takes every font anew, and the lines of a page break otherwise meanwhile."""
_END_OF_HEAD, _END_OF_BODY, _TITLE = b"</head>", b"</body>", b"<title>Streamlit</title>"


def manifest() -> dict[str, object]:
    """Return the web manifest of this server. JSON types only."""
    pictures = [
        {"src": address(f"icons/icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"} for size in SIZES
    ]
    drawing = {"src": address("icons/icon.svg"), "sizes": "any", "type": "image/svg+xml"}
    home = app_address()
    return {
        "name": NAME,
        "short_name": NAME,
        "description": ABOUT,
        "id": home,
        "start_url": home,
        "scope": home,
        "display": "standalone",
        "lang": "en",
        "background_color": LIGHT.ground,
        "theme_color": LIGHT.ground,
        "icons": [drawing, *pictures],
    }


def installing_routes() -> list[Route]:
    """Return the routes of the manifest and of the icons, for `st.App`."""
    return [Route(address("manifest.webmanifest"), _manifest), Route(address("icons/{name}"), _icon)]


def head_lines(spoken: str, origin: str, asked: Mapping[str, str] | None = None) -> str:
    """Return the lines in the head of the page, for a language and the origin that was asked, such as
    "https://headlight.example.edu"; `asked` are the parameters of the address."""
    return preload_lines(spoken) + (
        f"{_PRESSABLE}<script>{SCRIPT}</script>"
        f'<link rel="manifest" href="{address("manifest.webmanifest")}">'
        f'<link rel="apple-touch-icon" href="{address(f"icons/icon-{SIZES[0]}.png")}">'
        f'<meta name="description" content="{ABOUT}">'
        f'<meta name="theme-color" media="(prefers-color-scheme: light)" content="{LIGHT.ground}">'
        f'<meta name="theme-color" media="(prefers-color-scheme: dark)" content="{DARK.ground}">'
        f"{card_lines(spoken, origin, asked or {})}"
    )


def _manifest(_request: Request) -> Response:
    return JSONResponse(manifest(), media_type="application/manifest+json", headers=A_DAY)


def _icon(request: Request) -> Response:
    icons = {path.name: path for path in ICONS.iterdir()}
    path = icons.get(request.path_params["name"])
    return Response(status_code=404) if path is None else FileResponse(path, headers=A_DAY)


class NamedPage:
    """ASGI middleware that gives Streamlit's page Headlight's title, the lines of `head_lines` and its style."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        framed = _framed_address(scope)
        if framed:
            await RedirectResponse(framed)(scope, receive, send)
            return
        answer = HeldAnswer(send, wants=is_page)
        asked = (
            asking_for_plain(scope) if _asks_for_page(scope) else scope
        )  # Streamlit compresses its page, except at "/"
        await self.app(asked, receive, answer.take)
        if not answer.is_passed_on:
            await _send_page(answer, scope, send)


async def _send_page(answer: HeldAnswer, scope: Scope, send: Send) -> None:
    """Send the page in the language of the reader, compressed if the browser accepts that."""
    request = Request(scope)
    origin = origin_of(request.headers, request.url.scheme)
    lines = await run_in_threadpool(head_lines, language_of(request), origin, request.query_params)
    page = name_page(answer.content, lines)
    encoding = None if page == answer.content else taken_encoding(Headers(scope=scope))
    content = page if encoding is None else _compress_page(page, encoding, is_lasting=not request.query_params)
    headers = headers_of(answer.start, content)
    headers.add_vary_header("Accept-Language")
    headers.add_vary_header("Accept-Encoding")
    if encoding is not None:
        headers["Content-Encoding"] = encoding
    if page != answer.content and not is_named(request.cookies.get(COOKIE, "")):
        headers.append("Set-Cookie", new_cookie(app_address()))
    await send_whole(send, headers.raw, content)


def _compress_page(page: bytes, encoding: str, *, is_lasting: bool) -> bytes:
    """Compress a page: at the best quality, and once, the one of each language that names no sentence."""
    return _compress_lasting_page(page, encoding) if is_lasting else AT_ONCE[encoding](page)


@lru_cache(maxsize=8)
def _compress_lasting_page(page: bytes, encoding: str) -> bytes:
    return ENCODINGS[encoding](page)


def _framed_address(scope: Scope) -> str:
    """Return the address of a page that is asked for with `embed=1` in Streamlit's spelling; empty for another one."""
    if not _asks_for_page(scope):
        return ""
    pairs = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    if ("embed", "1") not in pairs:
        return ""
    return "?" + urlencode([(name, "true" if name == "embed" else value) for name, value in pairs])


def _asks_for_page(scope: Scope) -> bool:
    """Return whether a browser opens an address, and not a script."""
    return "text/html" in Headers(scope=scope).get("accept", "")


def is_page(start: Message) -> bool:
    """Return whether an answer with this start is an uncompressed HTML page to show, and not a file to save."""
    headers = Headers(raw=start["headers"])
    return (
        start["status"] == 200
        and headers.get("content-type", "").startswith("text/html")
        and "content-encoding" not in headers
        and "content-disposition" not in headers
    )


def name_page(page: bytes, lines: str) -> bytes:
    """Return the page with Headlight's title, these lines in its head and Headlight's style behind Streamlit's, which
    it overrules; unchanged if it is not Streamlit's."""
    if _TITLE not in page:
        return page
    page = page.replace(_TITLE, f"<title>{NAME}</title>".encode(), 1)
    page = page.replace(_END_OF_HEAD, lines.encode() + _END_OF_HEAD, 1)
    return page.replace(_END_OF_BODY, f"<style>{STYLE}</style>".encode() + _END_OF_BODY, 1)
