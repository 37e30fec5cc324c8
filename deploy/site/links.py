"""Whether a built site is whole: every link leads to a file and a heading that are there, and nothing loads from
elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADS = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "link": "href",
    "source": "src",
    "video": "src",
    "audio": "src",
}
"""The elements that fetch something when a page is opened, and the attribute that says what."""
NO_FETCH = {"canonical", "alternate", "next", "prev", "edit"}
"""Relations of a <link> that name a page and fetch nothing."""


class _Page(HTMLParser):
    """The links of a page, the addresses it loads, and the places in it that can be linked to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value for name, value in attrs if value is not None}
        self.places.update(given[name] for name in ("id", "name") if name in given)
        loaded = given.get(LOADS.get(tag, ""))
        if loaded and not (tag == "link" and set(given.get("rel", "").split()) & NO_FETCH):
            self.loads.append(loaded)
        elif tag == "a" and "href" in given:
            self.links.append(given["href"])


@cache
def _read(path: Path) -> _Page:
    return _Page(path.read_text(encoding="utf-8", errors="replace"))


def faults(site: Path) -> Iterator[str]:
    """Yield what is wrong with the pages of a site, one sentence each."""
    site = site.resolve()
    for read in (_read, _file_at):
        read.cache_clear()
    for path in sorted(site.rglob("*.html")):
        page, name = _read(path), path.relative_to(site).as_posix()
        for address in page.loads:
            if urlsplit(address).scheme in ("http", "https") or address.startswith("//"):
                yield f"{name} loads {address}"
            elif reason := _why_broken(site, path, address):
                yield f"{name} loads {address}: {reason}"
        for address in page.links:
            if reason := _why_broken(site, path, address):
                yield f"{name} links to {address}: {reason}"


def _why_broken(site: Path, page: Path, address: str) -> str:
    """Return why a link leads nowhere; empty for one that is whole, or that leads out of the site."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return ""
    target = _file_at(site, page.parent, unquote(parts.path)) if parts.path else page
    if target is None:
        return "there is no such file"
    if parts.fragment and target.suffix == ".html" and unquote(parts.fragment) not in _read(target).places:
        return "there is no such place on that page"
    return ""


@cache
def _file_at(site: Path, folder: Path, path: str) -> Path | None:
    """Return the file that a path leads to from a folder of a site; None where there is none, or outside the site."""
    target = site / path.lstrip("/") if path.startswith("/") else folder / path
    if target.is_dir():
        target /= "index.html"
    target = target.resolve()
    return target if target.is_relative_to(site) and target.is_file() else None
