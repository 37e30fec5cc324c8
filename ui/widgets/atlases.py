"""The atlases and the Jacobian lenses in the folders of the embedded models, read once for all readers."""

from __future__ import annotations

from pathlib import Path

from models.analysis.over_texts.atlas_file import FILE, read_atlas
from models.analysis.over_texts.lens_file import FILE as LENS_FILE
from models.analysis.over_texts.lens_file import read_lens
from models.checkpoints.heads_file import language_of
from models.model import Model
from models.opening.registry import embedded_folder
from models.values.answers import LayerwisePrediction
from models.values.record import Kind
from models.values.results.atlas import HeadAtlas
from models.values.results.lens import JacobianLens
from ui.desk.ask import ask
from ui.desk.cache import Kept
from ui.state.selection import selection
from ui.widgets.frame import theme
from ui.widgets.pictures import numbers, picture
from viz.predictions.two_lenses import lens_table, two_lenses

_READ: Kept[str, tuple[HeadAtlas, ...]] = Kept("atlas of an embedded model")
_LENSES: Kept[str, JacobianLens | None] = Kept("lens of an embedded model")


def embedded_atlases(name: str) -> tuple[HeadAtlas, ...]:
    """Return an atlas for each self-attention of a model; empty for a model without a file."""
    folder = embedded_folder(name)
    return () if folder is None else _READ.get(str(folder), lambda: _read_file(folder / FILE))


def embedded_atlas(name: str, kind: Kind) -> HeadAtlas | None:
    """Return the atlas of one kind of attention; None if there is none."""
    return next((atlas for atlas in embedded_atlases(name) if atlas.kind == kind), None)


def _read_file(file: Path) -> tuple[HeadAtlas, ...]:
    return read_atlas(file.read_text(encoding="utf-8"), language=language_of(file.parent)) if file.is_file() else ()


def embedded_lens(name: str) -> JacobianLens | None:
    """Return the Jacobian lens of a model; None for one without a file."""
    folder = embedded_folder(name)
    return None if folder is None else _LENSES.get(str(folder), lambda: _read_lens_file(folder / LENS_FILE))


def show_two_lenses(name: str, text: str, *, mask: int = 0, text_b: str | None = None, width: int) -> None:
    """Draw the answer after every layer by two lenses, with its numbers; nothing for a model without a lens."""
    lens, device = embedded_lens(name), selection().device
    if lens is None:
        return
    plain = ask(name, device, Model.predict_by_layer, text, mask, text_b)
    carried = ask(name, device, predict_carried, text, mask, text_b)
    picture(two_lenses(plain, carried, lens, theme=theme(), width=width), f"two-lenses-{name}")
    numbers(lambda: lens_table(plain, carried, lens), f"two-lenses-{name}")


def predict_carried(model: Model, text: str, mask: int, text_b: str | None) -> LayerwisePrediction:
    """Return the prediction of an embedded model after every layer, through its Jacobian lens."""
    return model.predict_by_layer(text, mask, text_b, lens=embedded_lens(model.info.name))


def _read_lens_file(file: Path) -> JacobianLens | None:
    return read_lens(file) if file.is_file() else None
