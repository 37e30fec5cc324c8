"""A head whose W_Q, W_K and W_V are written by hand, and the forward pass of one or two of them.

A word has up to seven letters, behind a start token. The vector of a token is its letter, one of four (a 1 in one of
four rows), beside its place on a circle of eight (cosine and sine). What a layer puts out stands in four more rows
that the next layer reads, as in a residual stream with room to spare: Elhage et al. 2021, "A Mathematical Framework for
Transformer Circuits".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from models.scratch.attention import attention, causal_mask, mask_to_bias
from models.values.record import Array, AttentionRecord, Token

LETTERS: tuple[str, ...] = ("A", "B", "C", "D")
D_HEAD = 4
N_PLACES = 8
"""The places on the circle: the start token and up to seven letters."""
MOST_LETTERS = N_PLACES - 1
LARGEST = 9
"""The largest number that a reader writes into a matrix: one digit."""
D_FIRST = len(LETTERS) + 2
"""The dimensions that the first layer reads; every later layer reads D_HEAD more."""
START = "[START]"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HandHead:
    """The matrices of a head [n_dimensions, D_HEAD]: a row for each number of the vector that it reads."""

    query: Array
    key: Array
    value: Array

    def __post_init__(self) -> None:
        for array in (self.query, self.key, self.value):
            if array.shape != self.query.shape or array.shape[1:] != (D_HEAD,):
                raise ValueError(f"A matrix has shape {array.shape}, expected [n_dimensions, {D_HEAD}].")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HandRun:
    """A word that heads have read, one head a layer: the `record`, the `weights` [n_layers, n, n] of equation 1, the
    `output` [n_layers, n, D_HEAD], and the vectors that each layer read [n, n_dimensions]. `letters` are the numbers of
    its letters, `names` the texts of the four."""

    letters: tuple[int, ...]
    names: tuple[str, ...]
    record: AttentionRecord
    weights: Array
    output: Array
    read: tuple[Array, ...]


def rows_of_layer(layer: int) -> int:
    """Return the number of dimensions that a layer reads."""
    return D_FIRST + layer * D_HEAD


def zero_head(layer: int) -> HandHead:
    """Return the head of a layer whose matrices are all zero: it looks everywhere alike."""
    zeros = np.zeros((rows_of_layer(layer), D_HEAD), np.float32)
    return HandHead(query=zeros, key=zeros.copy(), value=zeros.copy())


def letters_of(word: str) -> tuple[int, ...]:
    """Return the numbers of the letters of a word such as "ABCA"."""
    return tuple(map(LETTERS.index, word))


def read_words(text: str) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return the letters of a reader's words, and the texts of the four: A, B, C and D, or the first four words of
    hers. One word alone is read letter by letter; what is too long or a fifth word is left out."""
    words = text.split()
    words = list(words[0]) if len(words) == 1 else words
    if {word.upper() for word in words} <= {*LETTERS}:
        words, own = [word.upper() for word in words], LETTERS
    else:
        own = tuple(dict.fromkeys(words))[: len(LETTERS)]
    names = own + LETTERS[len(own) :]
    known = [names.index(word) for word in words if word in names]
    return tuple(known[:MOST_LETTERS]), names


def embed_letters(letters: Sequence[int]) -> Array:
    """Return the vectors of the start token and of the letters [n, D_FIRST]."""
    places = np.arange(len(letters) + 1)
    vectors = np.zeros((len(places), D_FIRST), np.float32)
    vectors[places[1:], list(letters)] = 1
    angles = 2 * np.pi * places / N_PLACES
    vectors[:, -2], vectors[:, -1] = np.cos(angles), np.sin(angles)
    return vectors


def run_heads(heads: Sequence[HandHead], letters: Sequence[int], names: Sequence[str] = LETTERS) -> HandRun:
    """Let one head a layer read a word; `names` are the texts of the four letters. A token sees itself and those
    before it."""
    vectors = embed_letters(letters)  # [n, D_FIRST]
    mask = mask_to_bias(causal_mask(len(vectors), len(vectors)))  # [n, n]
    read, projected, weights, output = [], [], [], []
    for head in heads:
        read.append(vectors)
        query, key, value = (vectors @ matrix for matrix in (head.query, head.key, head.value))  # [n, D_HEAD]
        mixed, looked = attention(
            query=_batch(query), key=_batch(key), value=_batch(value), bias=mask, scale=D_HEAD**-0.5
        )  # [1, 1, n, D_HEAD], [1, 1, n, n]
        projected.append((query, key, value))
        weights.append(looked[0, 0].numpy())
        output.append(mixed[0, 0].numpy())
        vectors = np.concatenate((vectors, output[-1]), axis=1)  # [n, n_dimensions + D_HEAD]
    queries, keys, values = (np.stack(arrays)[:, None] for arrays in zip(*projected, strict=True))
    tokens = (Token(text=START, is_special=True), *(Token(text=names[letter]) for letter in letters))
    record = AttentionRecord(
        kind="decoder",
        query_tokens=tokens,
        key_tokens=tokens,
        query=queries,
        key=keys,
        value=values,
        bias=(mask.numpy(),) * len(heads),
        scale=(D_HEAD**-0.5,) * len(heads),
    )
    return HandRun(
        letters=tuple(letters),
        names=tuple(names),
        record=record,
        weights=np.stack(weights),
        output=np.stack(output),
        read=tuple(read),
    )


def _batch(vectors: Array) -> torch.Tensor:
    """Return vectors as one head of one text [1, 1, n, D_HEAD]."""
    return torch.from_numpy(vectors)[None, None]
