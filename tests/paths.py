"""How many files a sentence passes on its way to the first picture: `python -m tests.paths`.

The Attention page is opened with the embedded model, then a sentence is typed and sent. Counted are the files of this
repository between its arrival and the viewer's payload: all in which a function ran, and those that hand it on: a
function there is handed the sentence, or what was made of it (a selection, token ids, states, a record), and gives
something made of it back, or hands it to a function of another file.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import torch
from streamlit.testing.v1 import AppTest

from models.values.record import AttentionRecord, Recording
from ui.state.choices import Selection
from ui.state.open_recordings import KEYS
from viz.viewer import payload
from viz.viewer.about import describe_recording

ROOT = Path(__file__).resolve().parents[1]
SENTENCE = "The lamp stood beside the window."
MADE_OF_IT = (AttentionRecord, Recording, torch.Tensor)


def is_handed_on(value: object) -> bool:
    """Whether a value is the sentence, or was made of it."""
    if isinstance(value, Selection):
        return value.text == SENTENCE
    return isinstance(value, MADE_OF_IT) or (isinstance(value, str) and SENTENCE in value)


class Watch:
    """The files in which functions run, in their order, and those that hand the sentence on."""

    def __init__(self) -> None:
        self.ran: dict[str, None] = {}
        self.hands_on: set[str] = set()
        self._handed: dict[FrameType, str] = {}
        """The functions that run now and were handed the sentence, with their files."""

    def look(self, frame: FrameType, event: str, returned: Any) -> None:
        """What `sys.setprofile` calls."""
        if event == "return" and frame in self._handed:
            name = self._handed.pop(frame)
            if is_handed_on(returned):
                self.hands_on.add(name)
        path = Path(frame.f_code.co_filename)
        if event != "call" or ROOT not in path.parents or ".venv" in path.parts or path == Path(__file__):
            return
        name = path.relative_to(ROOT).as_posix()
        self.ran.setdefault(name)
        given = frame.f_code.co_argcount + frame.f_code.co_kwonlyargcount
        if any(is_handed_on(frame.f_locals.get(each)) for each in frame.f_code.co_varnames[:given]):
            self._handed[frame] = name
            giver = frame.f_back
            while giver is not None and giver not in self._handed:
                giver = giver.f_back
            if giver is not None and self._handed[giver] != name:
                self.hands_on.add(self._handed[giver])


def watched(do: Callable[[], None]) -> tuple[list[str], list[str]]:
    """The files in which a function runs while `do` does, and those that hand the sentence on, in their order."""
    watch = Watch()
    threading.setprofile(watch.look)
    sys.setprofile(watch.look)
    try:
        do()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return list(watch.ran), [name for name in watch.ran if name in watch.hands_on]


def paths() -> tuple[list[str], list[str]]:
    """The files of one sentence: all that ran, and those that hand it on."""
    app = AppTest.from_file(str(ROOT / "pages" / "attention.py"), default_timeout=300).run()

    def send() -> None:
        app.text_input(key="typed_text").set_value(SENTENCE)
        next(button for button in app.button if button.label == "Show").click().run()
        opened = list(KEYS.values())[-1]
        describe_recording(opened.recording, name=opened.name)
        for record in opened.recording.attention:
            b"".join(payload.overview_and_weights(record))

    return watched(send)


if __name__ == "__main__":
    all_files, on_the_way = paths()
    sys.stdout.write("".join(f"{'*' if name in on_the_way else ' '} {name}\n" for name in all_files))
    sys.stdout.write(f"{len(all_files)} files in which a function ran; {len(on_the_way)} (*) hand the sentence on\n")
