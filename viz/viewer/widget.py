"""The viewer as a widget of a notebook, by anywidget: Jupyter, Colab, VS Code, marimo. An extra: headlights[widget]."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from anywidget import AnyWidget
from traitlets import Any as AnyTrait
from traitlets import Bunch, Dict, validate

from models.values.arguments.check import check_arguments
from models.values.record import Recording
from viz.kit.declaring import takes_after
from viz.kit.theme import FONT
from viz.viewer.choices import CHOICES, SHARED, Choices, check_choices
from viz.viewer.html import contents_of, entry_of, joined_modules, style
from viz.viewer.joining import constant

MODULE = "widget.js"


class ViewerWidget(AnyWidget):
    """The viewer of a recording. Each of the reader's choices is a trait of the same name: what is set here is seen
    there, and the other way round; `observe` is told of every click.

    A value that the recording does not have raises what `viewer_html` raises.
    """

    contents = Dict().tag(sync=True)
    """The contents for the browser side, the numbers as bytes."""

    def __init__(self, recording: Recording, chosen: Mapping[str, Any]) -> None:
        self._recording = recording
        self._esm = script(entry_of(recording))
        self.add_traits(**{name: AnyTrait(CHOICES[name].default).tag(sync=True) for name in SHARED})
        super().__init__(contents=contents_of(recording, chosen), **chosen)

    @validate(*SHARED)
    def _check(self, proposal: Bunch) -> Any:
        """Return a value that the recording has."""
        name, value = proposal["trait"].name, proposal["value"]
        kind = value if name == "kind" else self.trait_values()["kind"]
        return check_choices(self._recording, {"kind": kind, name: value}).get(name)


@takes_after(Recording, Choices)
@check_arguments
def viewer_widget(recording: Recording, **choices: Any) -> ViewerWidget:
    """Return the viewer as a widget of a notebook, in the current language. Raises what `viewer_html` raises.

    Its choices are read and set by name: `shown = viewer_widget(recording, layer=2)`, then `shown.head = 5`.
    """
    chosen = check_choices(recording, choices)
    return ViewerWidget(recording, {name: chosen[name] for name in SHARED if name in chosen})


def script(entry: str) -> str:
    """Return the browser side of the widget as one module, its style inside."""
    sheet = f":host {{ display: block; font: 17px {FONT}; }}\n{style(entry)}"
    made = f"{constant(MODULE)}.inNotebook({constant(entry)}.openFile, {json.dumps(sheet)})"
    return f"{joined_modules(entry, MODULE)}\nexport default {made};\n"
