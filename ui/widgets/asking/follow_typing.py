"""The picture that follows what is typed, key by key, before the server is asked (`viz/viewer/frontend/typing.js`)."""

from __future__ import annotations

from typing import Any

from models.checkpoints.devices import FLOAT32
from models.values.record import Recording
from ui.state.portable import is_portable
from ui.state.routes import address, frontend
from ui.state.scripts import ENGINE
from ui.state.selection import selection
from ui.widgets.asking.ask_bar import field_key
from viz.kit.language import said
from viz.kit.tokens import UNMARKED_WORDS


def follow_typing(recording: Recording) -> dict[str, Any]:
    """Return the viewer's argument with which a browser reads what is typed; none for what it cannot compute as the
    server does: other models, two sentences, other precisions."""
    name, chosen = recording.info.name, selection()
    if chosen.text_b.strip() or recording.info.dtype != FLOAT32 or not is_portable(name):
        return {}
    return {
        "typed": {
            "field": field_key("text"),
            "text": chosen.text,
            "engine": f"{frontend()}/{ENGINE}",
            "model": address(f"portable/{name}"),
            "note": said(UNMARKED_WORDS),
        }
    }
