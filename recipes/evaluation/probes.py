"""A few questions, always the same, that show while a run goes on what a model knows and what its heads do.

They are small: a model card wants `recipes.evaluation.evaluate`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from transformers import BertTokenizer

from models.analysis import measure_heads, strongest
from models.scratch.pretraining import PretrainingModel
from models.scratch_models.encoder import ScratchModel
from models.training.corpora.batches import DrawnRow, draw_pair, pack
from models.values.record import Array, Token
from recipes.corpora.data import TrainingData
from recipes.sentences.everyday import QUESTIONS, EverydayQuestion
from recipes.sentences.which_noun.pairs import NounPair, pairs

SEED = 1_000_033
N_TEXTS, N_PAIRS = 40, 200
N_SWITCHES = 24
"""Pairs of sentences in which "it" is watched, beside the one that everybody knows."""
N_ROWS, ROWS_AT_ONCE, N_TOKENS, MASK_RATE = 64, 16, 128, 0.15
TEXT_PIECES = 32
_KNOWN = "The animal didn't cross the street because {} was too {}."
KNOWN = NounPair(
    nouns=("animal", "street"),
    words=("tired", "wide"),
    sentences=(_KNOWN.format("it", "tired"), _KNOWN.format("it", "wide")),
    masked=(_KNOWN.format("the [MASK]", "tired"), _KNOWN.format("the [MASK]", "wide")),
    is_new_schema=False,
)
"""The pair that everybody knows."""


class Probes:
    """The questions of one run, made once."""

    def __init__(self, data: TrainingData) -> None:
        self.tokenizer = BertTokenizer(vocab=data.tokenizer.get_vocab())
        random = np.random.default_rng(SEED)
        self.texts: list[str] = []
        self.rows: list[DrawnRow] = []
        self.special = data.learned.special
        if data.held_out is not None:
            drawn = [draw_pair(data.held_out, random, N_TOKENS - 3, same_document=1.0) for _ in range(N_ROWS)]
            self.texts = [data.tokenizer.decode(first[:TEXT_PIECES].tolist()) for first, _, _ in drawn[:N_TEXTS]]
            self.rows = drawn

    def ask(self, model: PretrainingModel) -> dict[str, Any]:
        """All that is watched, as numbers with names."""
        was_training = model.training
        reader = ScratchModel(model, self.tokenizer, name="", device=next(model.parameters()).device)
        with torch.inference_mode():
            found = {
                **self._pieces(model),
                "everyday": answered_everyday(reader, QUESTIONS),
                **which_noun(reader, pairs(N_PAIRS)),
                **self._heads(reader),
                **switching(reader, [KNOWN, *pairs(N_SWITCHES)]),
            }
        model.train(was_training)
        return found

    def _pieces(self, model: PretrainingModel) -> dict[str, float]:
        """Behind [MASK] alone, on unseen books: best guess right, one of five right, the loss; and next sentences."""
        if not self.rows or model.mlm is None or model.nsp is None:
            return {}
        right = right_of_five = loss = 0.0
        n = n_following = 0
        for at in range(0, len(self.rows), ROWS_AT_ONCE):
            rows = self.rows[at : at + ROWS_AT_ONCE]
            whole, masked = (
                pack(
                    rows,
                    np.random.default_rng((SEED, at)),
                    mask_rate=rate,
                    d_vocab=model.config.d_vocab,
                    special=self.special,
                )[0]
                for rate in (0.0, MASK_RATE)
            )
            ids = masked.input_ids.flatten()  # [b * n_tokens]
            ids[masked.masked] = self.special.mask
            last = model.encoder(ids.view_as(masked.input_ids), masked.segment_ids, masked.mask).last
            logits = model.mlm(last.flatten(end_dim=1)[masked.masked])  # [n_masked, d_vocab]
            best = logits.topk(5, dim=-1).indices == masked.targets[:, None]  # [n_masked, 5]
            right, right_of_five = right + float(best[:, 0].sum()), right_of_five + float(best.sum())
            loss += float(functional.cross_entropy(logits, masked.targets, reduction="sum"))
            n += len(masked.targets)
            told = model.nsp(model.encoder(whole.input_ids, whole.segment_ids, whole.mask).last).argmax(dim=-1)  # [b]
            n_following += int((told == whole.next_labels).sum())
        return {
            "books": right / n,
            "books_5": right_of_five / n,
            "books_loss": loss / n,
            "follows": n_following / len(self.rows),
        }

    def _heads(self, reader: ScratchModel) -> dict[str, Any]:
        """For every measure of heads the head that has most of it, and its share, and the shares of all heads."""
        if not self.texts:
            return {}
        heads = measure_heads(reader.record(text).of("encoder") for text in self.texts)
        return {measure.name: _best_and_all(heads.of(measure.name)) for measure in heads.measures}


def _best_and_all(shares: Array) -> dict[str, Any]:
    return {"best": strongest(shares), "all": np.round(shares.astype(np.float64), 3).tolist()}


def answered_everyday(reader: ScratchModel, questions: Sequence[EverydayQuestion]) -> float:
    """The share of everyday questions of which one of the five best guesses is accepted."""
    right = 0
    for question in questions:
        (guesses,) = reader.fill_mask(question.masked, top_k=5)
        right += any(choice.text in question.accepted for choice in guesses.choices)
    return right / len(questions)


def which_noun(reader: ScratchModel, asked: Sequence[NounPair]) -> dict[str, float]:
    """How often the noun that is meant is the likelier one, sentence by sentence and in both of a pair."""
    right = guessed_nouns(reader, asked)
    seen = [hits for hits, pair in zip(right, asked, strict=True) if not pair.is_new_schema]
    new = [hits for hits, pair in zip(right, asked, strict=True) if pair.is_new_schema]
    return {
        "nouns": float(np.mean(seen)),
        "nouns_both": float(np.mean([all(hits) for hits in seen])),
        "nouns_new_schemas": float(np.mean(new)) if new else 0.0,
    }


def guessed_nouns(reader: ScratchModel, asked: Sequence[NounPair]) -> list[tuple[bool, bool]]:
    """Say for both sentences of each pair whether the noun that is meant is the likelier of the two behind [MASK]."""
    right: list[tuple[bool, bool]] = []
    for pair in asked:
        ids = [reader.tokenizer.convert_tokens_to_ids(noun) for noun in pair.nouns]
        prefers_first = [_logits_at_mask(reader, text)[ids].argmax().item() == 0 for text in pair.masked]
        right.append((prefers_first[0], not prefers_first[1]))
    return right


def _logits_at_mask(reader: ScratchModel, text: str) -> Tensor:
    encoded = reader.tokenizer(text, return_tensors="pt")
    at = int((encoded["input_ids"][0] == reader.tokenizer.mask_token_id).nonzero()[0])
    model = reader.model
    if not isinstance(model, PretrainingModel) or model.mlm is None:
        raise ValueError("the model to be watched lacks its MLM head.")
    logits: Tensor = model.mlm(model.encoder(encoded["input_ids"]).last[0, at])  # [d_vocab]
    return logits


def switching(reader: ScratchModel, asked: Sequence[NounPair]) -> dict[str, Any]:
    """What "it" gives to each of the two nouns when one is meant and when the other is.

    `switch` [n_layers, n_heads]: the share of pairs in which the noun with more weight is the right one both times;
    `swing`: how much more weight goes to a noun when it is meant, on average over the nouns and the pairs; `known`: the
    four weights of the head that swings most in the first pair, (animal if tired, street if tired, animal if wide,
    street if wide).
    """
    weights = weights_of_it(reader, asked)  # [n_pairs, 2, 2, n_layers, n_heads]
    switch, swings = turning(weights)
    swing = swings.mean(axis=0)  # [n_layers, n_heads]
    layer, head, _ = strongest(swings[0])
    return {
        "switch": _best_and_all(switch),
        "swing": _best_and_all(swing),
        "known": {
            "head": (layer, head),
            "weights": np.round(weights[0, :, :, layer, head].astype(np.float64), 3).ravel().tolist(),
        },
    }


def weights_of_it(reader: ScratchModel, asked: Sequence[NounPair]) -> Array:
    """What "it" gives to both nouns in both sentences [n_pairs, 2 sentences, 2 nouns, n_layers, n_heads]."""
    found: Array = np.stack([[_weights_of_it(reader, pair, text) for text in pair.sentences] for pair in asked])
    return found


def turning(weights: Array) -> tuple[Array, Array]:
    """(`switch` [n_layers, n_heads], swings [n_pairs, n_layers, n_heads]) of `switching`, from what "it" gives in both
    sentences to both nouns, `weights` [n_pairs, 2, 2, n_layers, n_heads]."""
    prefers_first = weights[:, :, 0] > weights[:, :, 1]  # [n_pairs, 2, n_layers, n_heads]
    both = prefers_first[:, 0] & ~prefers_first[:, 1]  # [n_pairs, n_layers, n_heads]
    switch: Array = both.mean(axis=0).astype(np.float32)  # [n_layers, n_heads]
    swings: Array = (weights[:, 0, 0] - weights[:, 1, 0] + weights[:, 1, 1] - weights[:, 0, 1]) * np.float32(0.5)
    return switch, swings


def _weights_of_it(reader: ScratchModel, pair: NounPair, text: str) -> Array:
    """What the last "it" gives to the two nouns [2, n_layers, n_heads], each where it stands first; to a word of
    several pieces, what all of them get."""
    record = reader.record(text).of("encoder")
    it = [at for at, token in enumerate(record.query_tokens) if token.text == "it"][-1]
    places = [_pieces_of(record.key_tokens, text, noun) for noun in pair.nouns]
    rows = np.stack([record.layer_weights(layer)[:, it] for layer in range(record.n_layers)])
    return np.stack([rows[:, :, at].sum(axis=2) for at in places])  # [2, n_layers, n_heads]


def _pieces_of(tokens: Sequence[Token], text: str, word: str) -> list[int]:
    """Where the pieces of a word of a text stand, the first time that it occurs."""
    found = re.search(rf"\b{re.escape(word)}\b", text)
    if found is None:
        raise ValueError(f"{word!r} does not stand in {text!r}.")
    return [
        at
        for at, token in enumerate(tokens)
        if token.start is not None and token.end is not None and found.start() <= token.start < token.end <= found.end()
    ]
