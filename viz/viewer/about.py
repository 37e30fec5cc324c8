"""The facts that the viewer gets before any number: model, kinds of attention, tokens, colours."""

from __future__ import annotations

from typing import Any

from models.values.places import Image, Waveform
from models.values.record import AttentionRecord, Recording, Token, word_ranges
from models.values.text.particles import particle_markings
from viz.attention.transform import refused_quantities
from viz.heads.words import nearest_in_words, role_in_words
from viz.kit.language import said
from viz.kit.theme import DARK, LIGHT, Palette
from viz.kit.tokens import particle_in_words, texts_of_words, token_texts, unmarked_words_note
from viz.viewer.payload import is_dense, is_whole, row_step, small_step
from viz.viewer.sources import about_places, about_source


def describe_recording(recording: Recording, *, name: str) -> dict[str, Any]:
    """Return the facts that the viewer needs before any number: model, kinds, tokens, colours. JSON types only, in the
    current language.

    `name` identifies the recording: another text or model has another one.
    """
    return {
        "id": name,
        "model": recording.info.public_name,
        "dtype": recording.info.dtype,
        "segment_b_start": recording.segment_b_start,
        "kinds": [_about_kind(record, recording.source) for record in recording.attention],
        "roles": [role_in_words(role) for role in recording.info.head_roles],
        "nearest": [nearest_in_words(role) for role in recording.info.nearest_roles],
        "palettes": {"light": _colours(LIGHT), "dark": _colours(DARK)},
        **about_source(recording.source),
    }


def _about_kind(record: AttentionRecord, source: Image | Waveform | None) -> dict[str, Any]:
    shape, step = (len(record.query_tokens), len(record.key_tokens)), small_step(record)
    return {
        "kind": record.kind,
        "n_layers": record.n_layers,
        "n_heads": record.n_heads,
        "queries": token_columns(record.query_tokens, source),
        "keys": None if record.key_tokens == record.query_tokens else token_columns(record.key_tokens, source),
        "words_note": _words_note(record),
        "refused": {quantity: said(reason) for quantity, reason in refused_quantities(record).items()},
        "whole": is_whole(record),
        "dense": is_dense(record),
        "tall": -(-shape[0] // step),
        "wide": -(-shape[1] // step),
        "step": step,
        "row_step": row_step(record),
        "sink_layers": [layer for layer in range(record.n_layers) if record.has_sinks(layer)],
        "own_sums": [layer for layer in range(record.n_layers) if record.has_own_sums(layer)],
    }


def token_columns(tokens: tuple[Token, ...], source: Image | Waveform | None = None) -> dict[str, list[Any]]:
    """Return tokens as columns, not rows: 4,096 tokens take 100 kB."""
    return {
        "texts": list(token_texts(tokens)),
        "wholes": _wholes(tokens),
        "words": [token.word for token in tokens],
        "segments": [token.segment for token in tokens],
        "special": [token.is_special for token in tokens],
        **_markings(tokens),
        **about_places(tokens, source),
    }


def _markings(tokens: tuple[Token, ...]) -> dict[str, list[str]]:
    """Return what the particles among the tokens mark, in words; nothing where there are none."""
    markings = particle_markings(tokens)
    return {"markings": [particle_in_words(marking) for marking in markings]} if any(markings) else {}


def _words_note(record: AttentionRecord) -> str:
    """Return the note on whole words for the tokens of a record."""
    axes = (record.query_tokens, record.key_tokens)
    return unmarked_words_note(text for tokens in axes for text in texts_of_words(tokens, word_ranges(tokens)))


def _wholes(tokens: tuple[Token, ...]) -> list[str | None]:
    """Return the text of the whole word beside the first token of each word, None where the two are equal."""
    words, texts = word_ranges(tokens), token_texts(tokens)
    wholes: list[str | None] = [None] * len(tokens)
    for word, text in zip(words, texts_of_words(tokens, words), strict=True):
        wholes[word.start] = None if text == texts[word.start] else text
    return wholes


def _colours(palette: Palette) -> dict[str, Any]:
    return {name: getattr(palette, name) for name in palette.__dataclass_fields__}
