"""The gallery: sentences that show something, each a picture that opens the viewer in which every head is at hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from html import escape
from pathlib import Path

from models import load
from models.model import Model
from models.values.record import Kind, Recording
from ui.widgets.asking.showcases import KOREAN_SHOWCASES, SHOWCASES, Showcase, Side, query_of
from viz import show
from viz.kit.language import read_in, said
from viz.painter.pictures import PictureName

OF_LANGUAGE = {"en": SHOWCASES, "ko": KOREAN_SHOWCASES}
SHOWN_AS: dict[Kind, PictureName] = {"encoder": "arcs", "decoder": "map", "cross": "map"}


@dataclass(frozen=True, slots=True, kw_only=True)
class GalleryWords:
    """The sentences of the page."""

    title: str
    about: str


WORDS = {
    "en": GalleryWords(
        title="Gallery",
        about="Each picture opens a live viewer: one file with every head of the model and all of its numbers.",
    ),
    "ko": GalleryWords(
        title="갤러리",
        about="그림을 누르면 뷰어가 열립니다. 파일 하나에 모델의 모든 헤드와 모든 수치가 들어 있습니다.",
    ),
}


def write_gallery(folder: Path, language: str) -> str:
    """Write the viewers and thumbnails of a language into a folder, and return the Markdown of the page."""
    folder.mkdir(parents=True, exist_ok=True)
    words = WORDS[language]
    with read_in(language):
        tiles = "\n".join(_tiles(folder, OF_LANGUAGE[language]))
    return f'# {words.title}\n\n{words.about}\n\n<div class="gallery">\n{tiles}\n</div>\n'


def _tiles(folder: Path, of_language: Sequence[Showcase]) -> Iterator[str]:
    opened = cache(partial(load, device="cpu"))
    for number, showcase in enumerate(of_language):
        for place, side in enumerate(showcase.sides):
            recording = _recorded(side, opened(showcase.model))
            name = f"{number + 1}{'ab'[place] if len(showcase.sides) > 1 else ''}"
            row = query_of(recording, showcase, side)
            locked = [] if row is None else [row]
            shown = show(recording, kind=showcase.kind, layer=side.layer, head=side.head, locked=locked)
            picture = SHOWN_AS[showcase.kind]
            shown.save(folder / f"{name}.html", picture=picture)
            shown.save(folder / f"{name}.svg", picture=picture)
            title = " · ".join(filter(None, (said(showcase.label), side.name)))
            yield (
                f'<a class="tile" href="{name}.html"><img src="{name}.svg" alt="{escape(side.text, quote=True)}">'
                f"<b>{escape(title)}</b><span>{escape(said(showcase.sees))}</span></a>"
            )


def _recorded(side: Side, model: Model) -> Recording:
    if model.info.can_translate:
        return model.translate(side.text).recording
    return model.record(side.text, side.text_b or None)
