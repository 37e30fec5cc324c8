"""The numbers that all browsers of a class request at the same moment, computed once."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from models.checkpoints.devices import FLOAT32
from models.checkpoints.folder import WEIGHTS
from models.values.record import Recording
from ui.class_room.asking import recording_of
from ui.class_room.messages import chosen, link_of, numbers_address, recording_name, viewer_choices
from ui.desk.cache import Kept
from ui.shared.room_values import SharedView
from ui.state.portable import content_digest, is_portable, portable_folder, portable_model
from ui.state.routes import address, asked_head, asked_record
from viz.kit.language import language, read_in
from viz.viewer import payload
from viz.viewer.about import describe_recording
from viz.viewer.live import Served, alone_html

MOST_TOKENS = 128
"""The most tokens that a browser reads by itself (`viz/viewer/frontend/live_reader.js`)."""
_KEPT: Kept[tuple[object, ...], bytes] = Kept("numbers of rooms", len)


def numbers_of(view: SharedView, what: str, asked: Mapping[str, str]) -> bytes:
    """Return the numbers that a viewer requests of the recording of a view, with words in the requested language.
    Raises the errors of `recording_of` and `payload.head`."""
    name = recording_name(view)
    with read_in(asked.get("lang", "")):
        key = name, what, asked.get("kind", ""), language() if what == "about" else ""
        of_head = asked_head(asked).values() if what == "head" else ()
        return _KEPT.get((*key, *of_head), lambda: NUMBERS[what](name, recording_of(view), asked))


def alone_page(letters: str, view: SharedView) -> bytes | None:
    """Return the page on which a student's browser computes a view by itself, in the current language; None for what it
    does not compute as the server does: other models, two sentences, other precisions, long texts. Raises the errors of
    `recording_of`."""
    choices = chosen(view)
    name = choices["model"]
    if choices["text_b"].strip() or not is_portable(name):
        return None
    recording = recording_of(view)
    if recording.info.dtype != FLOAT32 or len(recording.tokens) > MOST_TOKENS:
        return None
    picked, file = viewer_choices(view), portable_folder(name) / WEIGHTS

    def draw() -> bytes:
        served = Served(
            text=choices["text"],
            numbers=numbers_address(letters, view),
            address=address(f"models/{content_digest(name)}/{name}/{WEIGHTS}"),
            size=file.stat().st_size,
            page=link_of(view),
        )
        return alone_html(recording, portable_model(name), picked, served).encode()

    return _KEPT.get((letters, recording_name(view), "alone", language(), json.dumps(picked)), draw)


def _about(name: str, recording: Recording, _asked: Mapping[str, str]) -> bytes:
    return json.dumps(describe_recording(recording, name=name)).encode()


def _overview(_name: str, recording: Recording, asked: Mapping[str, str]) -> bytes:
    return b"".join(payload.overview_and_weights(asked_record(asked, recording)))


def _head(_name: str, recording: Recording, asked: Mapping[str, str]) -> bytes:
    return payload.head(asked_record(asked, recording), **asked_head(asked))


NUMBERS: dict[str, Callable[[str, Recording, Mapping[str, str]], bytes]] = {
    "about": _about,
    "overview": _overview,
    "head": _head,
}
"""The requests for numbers, by name."""
