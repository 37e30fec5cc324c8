"""The view of attention from a file: arrays that a reader has from anywhere, with their tokens, in the same viewer."""

from __future__ import annotations

import hashlib

import streamlit as st

from models.values.record import Recording
from ui.desk.ask import take_turn
from ui.desk.cache import Kept
from ui.state.plain import plain
from ui.state.selection import fit, selection
from ui.widgets.asking.pickers import layer_and_head, pick_kind
from ui.widgets.viewer import viewer
from viz.given.strangers import MOST_BYTES, recording_of_strangers_file
from viz.kit.language import said, tr

FILE = "attention_file"
MEGABYTE = 1_000_000
_OPENED: Kept[tuple[str, str], Recording] = Kept("opened attention")


def opened_view() -> None:
    """Draw the upload, and below it the attention that is in the file. Raises RecordError for one that has none."""
    st.caption(
        tr(
            "An .npz or .safetensors file with the weights after the softmax, [layers, heads, queries, keys], as "
            "“attention”, and the “tokens”: such as viz.show(attention, tokens).save(“mine.npz”) writes. It is kept "
            "for this session only."
        )
    )
    file = st.file_uploader(
        tr("File with attention"),
        type=["npz", "safetensors"],
        key=FILE,
        max_upload_size=MOST_BYTES // MEGABYTE,
        label_visibility="collapsed",
    )
    if file is not None:
        _draw(_read_once(file.getvalue(), file.name))


def _read_once(content: bytes, name: str) -> Recording:
    """Return the recording of a file, read once."""
    key = hashlib.sha256(content).hexdigest(), name
    return _OPENED.get(key, lambda: take_turn(lambda: recording_of_strangers_file(content, name)))


def _draw(recording: Recording) -> None:
    fit(recording)
    pick_kind(recording.kinds)
    record = recording.of(selection().kind)
    layer_and_head(record)
    viewer(recording)
    for note in recording.info.notes:
        st.info(plain(said(note)), icon=":material/info:")
    st.caption(
        tr(
            "{model} · {layers} layers × {heads} heads · {queries} × {keys} tokens",
            model=plain(recording.info.name),
            layers=record.n_layers,
            heads=record.n_heads,
            queries=record.n_query,
            keys=record.n_key,
        )
    )
