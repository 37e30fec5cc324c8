"""How many files a sentence passes on its way to the first picture: `python -m tests.paths`.

The Attention page is opened with the embedded model, then a sentence is typed and sent. Counted are the files of this
repository between its arrival and the viewer's payload: all in which a function ran, and those of them that were handed
the sentence, or what was made of it (a selection, token ids, states, a record).
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
from ui.state.routes import KEYS
from viz.viewer import payload

ROOT = Path(__file__).resolve().parents[1]
SENTENCE = "The lamp stood beside the window."
MADE_OF_IT = (AttentionRecord, Recording, torch.Tensor)


def is_handed_on(value: object) -> bool:
    """Whether a value is the sentence, or was made of it."""
    if isinstance(value, Selection):
        return value.text == SENTENCE
    return isinstance(value, MADE_OF_IT) or (isinstance(value, str) and SENTENCE in value)


def watched(do: Callable[[], None]) -> tuple[list[str], list[str]]:
    """The files in which a function runs while `do` does, and those that were handed the sentence, in their order."""
    ran: dict[str, bool] = {}

    def look(frame: FrameType, event: str, _: Any) -> None:
        path = Path(frame.f_code.co_filename)
        if event != "call" or ROOT not in path.parents or ".venv" in path.parts or path == Path(__file__):
            return
        name = path.relative_to(ROOT).as_posix()
        given = frame.f_code.co_argcount + frame.f_code.co_kwonlyargcount
        arguments = [frame.f_locals.get(each) for each in frame.f_code.co_varnames[:given]]
        ran[name] = ran.get(name, False) or any(map(is_handed_on, arguments))

    threading.setprofile(look)
    sys.setprofile(look)
    try:
        do()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return list(ran), [name for name, is_handed in ran.items() if is_handed]


def paths() -> tuple[list[str], list[str]]:
    """The files of one sentence: all that ran, and those that were handed it."""
    app = AppTest.from_file(str(ROOT / "pages" / "attention.py"), default_timeout=300).run()

    def send() -> None:
        app.text_input(key="typed_text").set_value(SENTENCE)
        next(button for button in app.button if button.label == "Show").click().run()
        opened = list(KEYS.values())[-1]
        payload.about(opened.recording, name=opened.name)
        for record in opened.recording.attention:
            b"".join(payload.overview_and_weights(record))

    return watched(send)


if __name__ == "__main__":
    all_files, handed = paths()
    sys.stdout.write("".join(f"{'*' if name in handed else ' '} {name}\n" for name in all_files))
    sys.stdout.write(f"{len(all_files)} files in which a function ran; {len(handed)} (*) were handed the sentence\n")
