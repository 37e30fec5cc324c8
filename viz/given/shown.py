"""`show`: attention that somebody already has, of any library, as a value that is looked at, saved and taken apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from models.values.arguments.bounds import Called, Count, Index
from models.values.arguments.check import check_arguments, fit_value
from models.values.errors import ArgumentError
from models.values.record import Kind, Recording
from models.values.wording import to_say, worded
from viz.given.files import TOKENS, AttentionFile, is_path, read_attention, without_objects
from viz.given.labels import as_image
from viz.given.recording import read_mask, recording_of_file
from viz.kit.language import tr
from viz.kit.theme import Theme
from viz.kit.tokens import token_texts
from viz.painter.pictures import PictureName, paint
from viz.painter.svg import svg_of
from viz.viewer.choices import check_choices
from viz.viewer.files import all_heads_npz
from viz.viewer.html import viewer_html
from viz.viewer.notebook import as_cell, notebook_html

if TYPE_CHECKING:
    import pandas as pd

    from viz.viewer.widget import ViewerWidget

ENDINGS = (".html", ".svg", ".png", ".npz")
PNG = "viz.painter.png"  # by its name: Pillow is loaded for a PNG alone
WIDGET = "viz.viewer.widget"  # likewise anywidget, an extra
TokenTexts = Sequence[
    Annotated[
        str,
        Called(
            to_say("a text (str)"),
            to_say("Give a list with the text of each token: tokenizer.convert_ids_to_tokens(inputs.input_ids[0])."),
        ),
    ]
]
"""The tokens of an axis."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ShownAttention:
    """Attention to look at: in a notebook the viewer, and otherwise what is asked for. It never displays by itself.

    `recording` has the numbers and the tokens, as of a model that was recorded; `choices` are those of the viewer.
    """

    recording: Recording
    choices: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return repr(self.recording)

    def _repr_mimebundle_(self, **_named: Any) -> dict[str, str]:
        """Return the viewer for a cell of a notebook, and its picture, by their MIME types."""
        return as_cell(self.recording, **self.choices)

    def _repr_html_(self) -> str:
        """Return the viewer alone, for a notebook that takes HTML only."""
        return notebook_html(self.recording, **self.choices)

    def widget(self) -> ViewerWidget:
        """Return the viewer as a widget of a notebook, whose choices are read and set from Python (anywidget)."""
        shown: ViewerWidget = import_module(WIDGET).viewer_widget(self.recording, **self.choices)
        return shown

    @check_arguments
    def save(
        self,
        path: str | PathLike[str],
        *,
        picture: PictureName = "arcs",
        theme: Theme = "light",
        **choices: Any,
    ) -> Path:
        """Write a file, and return its path: .html is the viewer, .svg and .png a picture, .npz the numbers.

        A picture is that of a head: `save("map.svg", picture="map", layer=2, head=3)`; the overview has all heads.
        `choices` are those of the viewer. Raises ArgumentError for another ending, SelectionError for a head that there
        is not.
        """
        place = _in_a_folder(Path(path))
        chosen = check_choices(self.recording, {**self.choices, **choices})
        ending = place.suffix.lower()
        if ending == ".html":
            place.write_text(viewer_html(self.recording, **{**self.choices, **choices}), "utf-8")
        elif ending == ".npz":
            place.write_bytes(b"".join(all_heads_npz(self.recording, kind=chosen["kind"])))
        elif ending in ENDINGS:
            drawing = paint(self.recording, chosen, picture=picture, theme=theme)
            if ending == ".svg":
                place.write_text(svg_of(drawing), "utf-8")
            else:
                place.write_bytes(import_module(PNG).png_of(drawing))
        else:
            raise ArgumentError(
                worded(
                    "{path} ends in {ending}, expected one of {endings}.",
                    path=str(path),
                    ending=repr(ending),
                    endings=", ".join(ENDINGS),
                )
            )
        return place

    @check_arguments
    def heads(self, layer: Index, heads: Sequence[Index] = ()) -> ShownAttention:
        """Return the same with some heads of a layer beside each other, or with all of them.

        Raises SelectionError for a layer or a head that there is not.
        """
        kind = self.choices.get("kind", self.recording.kinds[0])
        which = list(heads) or list(range(self.recording.of(kind).n_heads))
        chosen = {**self.choices, "layer": layer, "head": which[0], "heads": which, "picture": "text"}
        check_choices(self.recording, chosen)
        return replace(self, choices=chosen)

    def head(self, layer: int, head: int, kind: Kind | None = None) -> pd.DataFrame:
        """Return the weights of a head as a table of pandas: a row for each query, a column for each key, with the
        tokens as labels. Raises SelectionError for a head that there is not."""
        record = self.recording.of(kind or self.choices.get("kind", self.recording.kinds[0]))
        frame: pd.DataFrame = import_module("pandas").DataFrame(
            record.weights(layer, head),
            index=list(token_texts(record.query_tokens)),
            columns=list(token_texts(record.key_tokens)),
        )
        return frame


def _in_a_folder(place: Path) -> Path:
    """Return a path. Raises ArgumentError if its folder is not there."""
    if not place.parent.is_dir():
        raise ArgumentError(
            worded("There is no folder {folder}. Make it first, or save elsewhere.", folder=str(place.parent))
        )
    return place


@check_arguments
def show(
    attention: Any,
    tokens: TokenTexts | None = None,
    *,
    query_tokens: TokenTexts | None = None,
    key_tokens: TokenTexts | None = None,
    sentence_b_start: Count | None = None,
    grid: tuple[int, int] | None = None,
    image: Any = None,
    mask: Any = None,
    item: Index | None = None,
    name: str = "",
    **choices: Any,
) -> ShownAttention:
    """Return any attention as a value to look at: `show(outputs.attentions, tokens)`, in a notebook the viewer.

    `attention` are weights after the softmax, [n_query, n_key] with axes for layers and heads before it: an array, a
    tensor, lists; an output of transformers, of one pass or of `generate`; the second output of
    `nn.MultiheadAttention`; a cache of TransformerLens; a path to an NPZ or safetensors file, or a dictionary with what
    such a file holds; a recording. `tokens` are in their tokenizer's spelling, special ones included; of two texts
    `query_tokens` name the rows, `key_tokens` the columns. `mask` has a 0 for padding, which is cut off; `item` is the
    text of a batch, whose axis is then the first of an array or a layer. `grid` are the rows and columns of the patches
    of an `image`. `choices` are the viewer's.

    Raises ArgumentError for what is no attention, RecordError for shapes, tokens or numbers that do not fit.
    """
    texts = {"tokens": tokens, "query_tokens": query_tokens, "key_tokens": key_tokens}
    if isinstance(attention, Recording):
        return _of_recording(attention, (*texts.values(), sentence_b_start, grid, image, mask, item), choices)
    recording = recording_of_file(
        _open_attention(attention, {axis: given for axis, given in texts.items() if given is not None}, name),
        item=item,
        sentence_b_start=sentence_b_start,
        grid=grid,
        image=as_image(image, grid),
        mask=read_mask(mask, item),
    )
    check_choices(recording, choices)
    return ShownAttention(recording=recording, choices=choices)


def _of_recording(recording: Recording, others: Sequence[Any], choices: Mapping[str, Any]) -> ShownAttention:
    """Return a recording to look at. Raises ArgumentError if tokens, or anything else that it has, is given, too."""
    if any(given is not None for given in others):
        raise ArgumentError(worded("A recording has its tokens: give it to show alone, or with the viewer's choices."))
    check_choices(recording, choices)
    return ShownAttention(recording=recording, choices=choices)


def _open_attention(attention: Any, tokens: Mapping[str, Sequence[str]], name: str) -> AttentionFile:
    """Return attention with its tokens and its name; of a file or a dictionary those that it has, where none are
    given."""
    if isinstance(attention, np.lib.npyio.NpzFile):
        attention = without_objects(attention)
    if isinstance(attention, Mapping) and not tokens:
        tokens = {axis: fit_value(axis, attention[axis], TokenTexts) for axis in TOKENS if axis in attention}
    if not is_path(attention):
        return AttentionFile(attention=attention, tokens=tokens, model=name or tr("your model"))
    file = read_attention(attention)
    return replace(file, tokens=tokens or file.tokens, model=name or file.model)
