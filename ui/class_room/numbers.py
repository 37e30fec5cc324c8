"""The numbers that all browsers of a class request at the same moment, computed once."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from models.values.record import Recording
from ui.class_room.asking import recording_of
from ui.class_room.messages import recording_name
from ui.desk.cache import Kept
from ui.shared.room_values import SharedView
from ui.state.routes import asked_head, asked_record
from viz.kit.language import language, read_in
from viz.viewer import payload
from viz.viewer.about import describe_recording

_KEPT: Kept[tuple[object, ...], bytes] = Kept("numbers of rooms", len)


def numbers_of(view: SharedView, what: str, asked: Mapping[str, str]) -> bytes:
    """Return the numbers that a viewer requests of the recording of a view, with words in the requested language.
    Raises the errors of `recording_of` and `payload.head`."""
    name = recording_name(view)
    with read_in(asked.get("lang", "")):
        key = name, what, asked.get("kind", ""), language() if what == "about" else ""
        of_head = asked_head(asked).values() if what == "head" else ()
        return _KEPT.get((*key, *of_head), lambda: NUMBERS[what](name, recording_of(view), asked))


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
