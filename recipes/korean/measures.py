"""Measure a model on text that it never learns from: masked pieces behind [MASK] alone, and next sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import torch
from tokenizers import Tokenizer
from torch.nn import functional

from models.scratch.pretraining import MaskedLanguageModelHead, NextSentenceHead, PretrainingModel
from models.training.corpora.batches import Batch, DrawnRow, draw_pair
from models.training.corpora.corpus import Corpus
from models.training.corpora.vocabulary import CLS, MASK, SEP, SpecialIds
from recipes.korean.batches import draw_row, n_tokens
from recipes.korean.data import HELD_OUT
from recipes.korean.texts import PROSE, REVIEWS, SENTENCES

MASK_RATE = 0.15
SEED = 42
LINES: Mapping[str, int] = {REVIEWS: 240, PROSE: 100, SENTENCES: 240}
"""How many rows of each source are masked while a run goes on; `scale` multiplies them."""
PAIRS, WINDOW, TOKENS = 128, 64, 1024
GUESSES = 5
ASKED = (
    "학교[MASK] 갔다.",
    "정말 [MASK].",
    "영화[MASK] 재미있었다.",
    "밥[MASK] 먹었다.",
    "저는 [MASK]을 먹었어요.",
    "이 [MASK]는 정말 감동적이다.",
    "나는 어제 친구[MASK] 함께 영화를 봤다.",
    "오늘은 날씨가 [MASK].",
    "아이들이 공원에서 [MASK] 있다.",
)
"""Shown as the run goes on, for whoever reads along; nothing is chosen by them."""


class Measures:
    """Held-out rows that are masked once, so that every measurement asks the same."""

    def __init__(self, texts: Mapping[str, Corpus], tokenizer: Tokenizer, *, scale: float = 1.0) -> None:
        self.tokenizer = tokenizer
        self.masked: dict[str, list[Batch]] = {}
        for name, n in LINES.items():
            random, corpus = np.random.default_rng((SEED, n)), texts[name + HELD_OUT]
            rows = [draw_row(name, corpus, random, WINDOW) for _ in range(round(n * scale))]
            self.masked[name] = _mask_alone(rows, random, corpus)
        random, prose = np.random.default_rng(SEED), texts[PROSE + HELD_OUT]
        pairs = [draw_pair(prose, random, WINDOW - 3, same_document=0.5) for _ in range(round(PAIRS * scale))]
        self.pairs = pad_rows(pairs, prose.special)

    def measure(self, model: PretrainingModel) -> dict[str, float]:
        """Return the loss in nats, the share of best guesses that are right, and that of one of five, by source."""
        mlm, nsp = heads(model)
        measured: dict[str, float] = {}
        with torch.inference_mode():
            for name, batches in self.masked.items():
                measured |= {f"{name}_{key}": value for key, value in _measure_masked(model, mlm, batches).items()}
            measured["next_sentence"] = _measure_pairs(model, nsp, self.pairs)
        return measured

    def guesses(self, model: PretrainingModel, texts: Sequence[str] = ASKED) -> dict[str, list[str]]:
        """Return the best guesses for [MASK] in some texts."""
        return {text: guess(model, self.tokenizer, text) for text in texts}


def heads(model: PretrainingModel) -> tuple[MaskedLanguageModelHead, NextSentenceHead]:
    """Return both heads of a model. Raises ValueError if it lacks one."""
    if model.mlm is None or model.nsp is None:
        raise ValueError("the model lacks its MLM or NSP head.")
    return model.mlm, model.nsp


def guess(model: PretrainingModel, tokenizer: Tokenizer, text: str, n: int = GUESSES) -> list[str]:
    """Return the `n` best pieces for the [MASK] of a text."""
    ids = encode_masked(tokenizer, text)
    with torch.inference_mode():
        last = model.encoder(torch.tensor([ids], device=_device(model))).last  # [1, n_tokens, d_model]
        logits = heads(model)[0](last[0, ids.index(piece_id(tokenizer, MASK))])  # [d_vocab]
    return [tokenizer.id_to_token(piece) or "" for piece in logits.topk(n).indices.tolist()]


def encode_masked(tokenizer: Tokenizer, text: str) -> list[int]:
    """Return the ids of a text with one [MASK], special tokens around them.

    A mask without a space behind it is a beginning, or the middle, of a word that goes on: [MASK]을.
    """
    before, after = text.split(MASK)
    ids = tokenizer.encode(before, add_special_tokens=False).ids
    goes_on = after[:1].isalnum()
    rest = tokenizer.encode(f"0{after}" if goes_on else after, add_special_tokens=False).ids  # 0 and what continues it
    cls, mask, sep = (piece_id(tokenizer, piece) for piece in (CLS, MASK, SEP))
    return [cls, *ids, mask, *rest[int(goes_on) :], sep]


def piece_id(tokenizer: Tokenizer, piece: str) -> int:
    """Return the id of a piece. Raises KeyError if the vocabulary lacks it."""
    number = tokenizer.token_to_id(piece)
    if number is None:
        raise KeyError(piece)
    return number


def pad_rows(rows: Sequence[DrawnRow], special: SpecialIds) -> list[Batch]:
    """Put rows of like length into batches of at most TOKENS tokens each, with nothing masked."""
    lengths = np.array([n_tokens(row) for row in rows])
    order = np.argsort(lengths, kind="stable")
    borders, first = [0], 0
    for place, row in enumerate(order):
        if (place + 1 - first) * lengths[row] > TOKENS:
            borders.append(place)
            first = place
    borders.append(len(rows))
    return [_padded([rows[row] for row in order[a:b]], special) for a, b in pairwise(borders) if b > a]


def _padded(rows: Sequence[DrawnRow], special: SpecialIds) -> Batch:
    ids = np.zeros((len(rows), max(map(n_tokens, rows))), dtype=np.int64)  # [b, n_tokens]
    segments = np.zeros_like(ids)  # [b, n_tokens]
    for row, (first, second, _) in enumerate(rows):
        tail = [*second, special.sep] if second.size else []
        whole = np.concatenate(([special.cls], first, [special.sep], tail))
        ids[row, : whole.size] = whole
        segments[row, first.size + 2 : whole.size] = 1
    return Batch(
        input_ids=torch.from_numpy(ids),
        segment_ids=torch.from_numpy(segments),
        mask=torch.from_numpy(ids != 0) if (ids == 0).any() else None,
        masked=torch.zeros(0, dtype=torch.int64),
        targets=torch.zeros(0, dtype=torch.int64),
        next_labels=torch.tensor([label for _, _, label in rows]),
    )


def _mask_alone(rows: Sequence[DrawnRow], random: np.random.Generator, corpus: Corpus) -> list[Batch]:
    """Mask a part of the pieces, each with [MASK] alone."""
    batches = []
    for batch in pad_rows(rows, corpus.special):
        ids = batch.input_ids.numpy()  # [b, n_tokens]
        chosen = (random.random(ids.shape) < MASK_RATE) & (ids >= corpus.special.first_piece)  # [b, n_tokens]
        masked = torch.from_numpy(np.flatnonzero(chosen))  # [n_masked]
        input_ids = batch.input_ids.masked_fill(torch.from_numpy(chosen), corpus.special.mask)  # [b, n_tokens]
        masked_batch = Batch(
            input_ids=input_ids,
            segment_ids=batch.segment_ids,
            mask=batch.mask,
            masked=masked,
            targets=batch.input_ids.flatten()[masked],
            next_labels=batch.next_labels,
        )
        batches.append(masked_batch)
    return batches


def _measure_masked(
    model: PretrainingModel, mlm: MaskedLanguageModelHead, batches: Sequence[Batch]
) -> dict[str, float]:
    n, loss, best, five = 0, 0.0, 0, 0
    for batch in (each.to(_device(model)) for each in batches):
        last = model.encoder(batch.input_ids, batch.segment_ids, batch.mask).last  # [b, n_tokens, d_model]
        logits = mlm(last.flatten(end_dim=1)[batch.masked])  # [n_masked, d_vocab]
        hits = logits.topk(GUESSES).indices == batch.targets[:, None]  # [n_masked, 5]
        n, best, five = n + len(hits), best + int(hits[:, 0].sum()), five + int(hits.sum())
        loss += functional.cross_entropy(logits, batch.targets, reduction="sum").item()
    return {"loss": loss / n, "best": best / n, "five": five / n, "n": n}


def _measure_pairs(model: PretrainingModel, nsp: NextSentenceHead, batches: Sequence[Batch]) -> float:
    right = n = 0
    for batch in (each.to(_device(model)) for each in batches):
        logits = nsp(model.encoder(batch.input_ids, batch.segment_ids, batch.mask).last)  # [b, 2]
        right, n = right + int((logits.argmax(-1) == batch.next_labels).sum()), n + len(logits)
    return right / n


def _device(model: PretrainingModel) -> torch.device:
    return next(model.parameters()).device
