"""The viewer as a widget of a notebook, by anywidget: Jupyter, Colab, VS Code, marimo. An extra: headlights[widget]."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from models.values.wording import worded

try:
    from anywidget import AnyWidget
    from traitlets import Any as AnyTrait
    from traitlets import Bunch, Dict, Instance, observe, validate
except ModuleNotFoundError as error:
    missing = worded(
        "The widget needs another package. Install it with: {command}", command='pip install "headlights[widget]"'
    )
    raise ModuleNotFoundError(str(missing), name=error.name) from error

from models.values.arguments.check import check_arguments
from models.values.record import Recording
from models.values.results.finding import Finding
from viz.heads.words import finding_in_words
from viz.kit.declaring import takes_after
from viz.kit.theme import FONT
from viz.viewer.choices import CHOICES, SHARED, Choices, check_choices
from viz.viewer.html import contents_of, entry_of, joined_modules, style
from viz.viewer.joining import constant

MODULE = "widget.js"


def _to_sentences(finding: Finding | None, widget: ViewerWidget) -> list[str]:
    """Return a finding as the browser shows it: what it says, and against what."""
    return [] if finding is None else list(finding_in_words(finding, widget.recording.of(finding.kind)))


class ViewerWidget(AnyWidget):
    """The viewer of a recording. Each of the reader's choices is a trait of the same name: what is set here is seen
    there, and the other way round; `observe` is told of every click.

    `finding` is what `models.analysis.stands_out` returns: it is set, shown with its sentence, and read.
    A value that the recording does not have raises what `viewer_html` raises.
    """

    contents = Dict().tag(sync=True)
    """The contents for the browser side, the numbers as bytes."""
    finding = Instance(Finding, allow_none=True).tag(sync=True, to_json=_to_sentences)
    """The finding that is said above the picture, with its head on show and its word held; None as soon as another head
    is."""

    def __init__(self, recording: Recording, chosen: Mapping[str, Any]) -> None:
        self.recording = recording
        self._esm = script(entry_of(recording))
        self.add_traits(**{name: AnyTrait(CHOICES[name].default).tag(sync=True) for name in SHARED})
        super().__init__(contents=contents_of(recording, chosen), **chosen)

    @validate(*SHARED)
    def _check(self, proposal: Bunch) -> Any:
        """Return a value that the recording has."""
        name, value = proposal["trait"].name, proposal["value"]
        kind = value if name == "kind" else self.trait_values()["kind"]
        return check_choices(self.recording, {"kind": kind, name: value}).get(name)

    @validate("finding")
    def _check_finding(self, proposal: Bunch) -> Finding | None:
        """Return a finding whose head and tokens the recording has."""
        finding: Finding | None = proposal["value"]
        if finding is not None:
            check_choices(self.recording, _place(finding) | {"locked": [finding.query, finding.key]})
        return finding

    @observe("finding")
    def _turn_to_finding(self, change: Bunch) -> None:
        if change.new is not None:
            with self.hold_trait_notifications():
                for name, value in (_place(change.new) | {"locked": [change.new.query]}).items():
                    setattr(self, name, value)

    @observe("kind", "layer", "head")
    def _leave_finding(self, _: Bunch) -> None:
        if self.finding is not None and any(getattr(self, name) != at for name, at in _place(self.finding).items()):
            self.finding = None


def _place(finding: Finding) -> dict[str, Any]:
    return {"kind": finding.kind, "layer": finding.layer, "head": finding.head}


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
    sheet = f":host {{ display: block; font: 17px {FONT}; }}\n.finding {{ margin: 0 0 8px; }}\n{style(entry)}"
    made = f"{constant(MODULE)}.inNotebook({constant(entry)}.openFile, {json.dumps(sheet)})"
    return f"{joined_modules(entry, MODULE)}\nexport default {made};\n"
