"""A page that reads: one HTML file with the viewer, a model and the engine that runs it. It needs no server and no
network, and opens from disk."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from models.values.arguments.check import check_arguments
from models.values.record import Recording, Token
from models.values.record.portable import PortableModel
from models.values.text.particles import MARKINGS
from models.values.text.spelling import BYTE_LEVEL, LITERAL, SpelledPiece, joined_pieces, spelling_of, text_of
from viz.kit.language import said, tr
from viz.kit.tokens import UNMARKED_WORDS, particle_in_words, visible
from viz.viewer.about import describe_recording
from viz.viewer.choices import check_choices
from viz.viewer.engine import engine_script
from viz.viewer.html import ENTRY_ALONE, ENTRY_LIVE, READS, READS_FETCHED, document

_INSIDE = "##"


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """The parts of a page that a server hands out.

    `text` is the one that was recorded, `numbers` the address of its recording, `address` that of the weights as they
    are on disk, `size` their number of bytes, and `page` the address of the page of the app with all that it has.
    """

    text: str
    numbers: str
    address: str
    size: int
    page: str


@check_arguments
def live_html(recording: Recording, model: PortableModel, choices: Mapping[str, Any]) -> str:
    """Return a whole HTML document in which a model reads whatever is typed.

    It begins with the text of a recording of the same model, and the reader's choices; it says in the current language
    what is known of the heads. Raises what `viewer_html` raises.
    """
    weights = base64.b64encode(gzip.compress(model.weights, mtime=0)).decode()
    contents = live_contents(recording, model, choices) | {"engine": engine_script(), "weights": weights}
    title = tr("{model} reads your sentence · Headlight", model=visible(model.name))
    return document(title, contents, entry=ENTRY_LIVE, may=READS)


@check_arguments
def alone_html(recording: Recording, model: PortableModel, choices: Mapping[str, Any], served: Served) -> str:
    """Return a page for a student's browser: it shows a recording by the numbers of a server until it has fetched the
    model, and reads by itself what is typed. Raises what `viewer_html` raises."""
    contents = live_contents(recording, model, choices) | {"engine": engine_script(), **asdict(served)}
    del contents["origin"]["rounded"]
    title = tr("{model} reads your sentence · Headlight", model=visible(model.name))
    return document(title, contents, entry=ENTRY_ALONE, may=READS_FETCHED)


def live_contents(recording: Recording, model: PortableModel, choices: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a page needs of a model beside its weights to read with it, in the current language. Raises what
    `viewer_html` raises."""
    return {
        "about": describe_recording(recording, name="live") | {"model": model.name},
        "choices": check_choices(recording, choices),
        "text": text_of_tokens(recording.tokens),
        "spelled": spelled_pieces(model.tokenizer),
        "note": said(UNMARKED_WORDS),
        "tokenizer": model.tokenizer,
        "config": model.config,
        "languages": list(model.languages),
        "findings": dict(model.findings),
        "learned": " ".join(model.source_words),
        "markings": {marking: particle_in_words(marking) for marking in MARKINGS.values()},
        "origin": {
            "name": visible(model.name),
            "license": model.license or tr("not named in its files"),
            "notice": model.notice,
            "sha256": model.sha256,
            "rounded": tr(
                "Here its weights are rounded to 8 bits, so the numbers differ a little from those of the app."
            ),
        },
    }


def text_of_tokens(tokens: Sequence[Token]) -> str:
    """Return the text that tokens were cut from, as their vocabulary spells it: a space where they leave a gap, unless
    it spells spaces itself."""
    pieces = [token.text for token in tokens if token.start is not None]
    if pieces and spelling_of(pieces[0]) == BYTE_LEVEL:
        return joined_pieces(pieces)[0]
    text, end = "", 0
    for token in tokens:
        if token.start is None or token.end is None:
            continue
        text += (" " if text and token.start != end else "") + token.text.removeprefix(_INSIDE)
        end = token.end
    return text


def spelled_pieces(tokenizer: Mapping[str, Any]) -> dict[str, str]:
    """Return the pieces of the vocabulary that a person reads differently, and what that is: bytes as text, and what is
    invisible spelled out."""
    model, added = tokenizer["model"], {token["content"] for token in tokenizer.get("added_tokens", ())}
    spelling = BYTE_LEVEL if model.get("type") == "BPE" else LITERAL
    pieces = (SpelledPiece(piece, LITERAL if piece in added else spelling) for piece in model["vocab"])
    return {str(piece): text for piece in pieces if (text := visible(text_of(piece))) != piece}
