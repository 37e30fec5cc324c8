"""What a checkpoint knows beside the pieces of books: everyday English, which noun is meant, whether B follows A where
both are of one book, and which of its heads follow the grammar of a treebank. One dictionary for the card."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from models.analysis import measure_heads, strongest
from models.analysis.grammar.dependencies import counts_of, score_relations
from models.opening.folders import load_folder
from models.scratch.pretraining import PretrainingModel
from models.scratch_models.encoder import ScratchModel
from models.training.corpora.batches import draw_pair, make_batch
from models.training.corpora.corpus import Corpus
from recipes.evaluation.heads.dependencies import attention_between, read_conllu
from recipes.evaluation.heads.nouns_by_hand import in_vocabulary, nouns_by_hand
from recipes.evaluation.probes import answered_everyday, which_noun
from recipes.sentences.everyday import QUESTIONS, UNWATCHED
from recipes.sentences.which_noun.pairs import NounPair, pairs

ONE_BOOK = "next sentence, the other one from the same book"
EVERYDAY = "everyday sentences, one of the best five accepted"
EVERYDAY_UNWATCHED = "everyday sentences that were never watched"
NOUNS = "which noun is meant"
NOUNS_BY_HAND = "which noun is meant, by hand"
RELATIONS = "relations of grammar"
LENGTHS = (128, 256)
N_PAIRS = 4096
"""Pairs of sentences A and B of each length."""
N_NOUN_PAIRS = 200
SEED = 2_000_003
"""Not that of the 2,048 pairs by which the last mean of weights of headlight-bert was chosen."""
ROWS_AT_ONCE = 32


def knowledge(
    model: PretrainingModel, reader: ScratchModel, held_out: Corpus, treebank: tuple[Path, Path] | None = None
) -> dict[str, Any]:
    """All of it; the relations of grammar only where a `treebank` (the part by which heads are chosen, the part by
    which they are judged) is given."""
    found: dict[str, Any] = {
        ONE_BOOK: {
            f"{n_tokens} tokens": follows_in_one_book(model, held_out, n_tokens=n_tokens) for n_tokens in LENGTHS
        },
        **{
            name: {"n": len(questions), "right": answered_everyday(reader, questions)}
            for name, questions in ((EVERYDAY, QUESTIONS), (EVERYDAY_UNWATCHED, UNWATCHED))
        },
        NOUNS: generated_nouns(reader, pairs(N_NOUN_PAIRS)),
        NOUNS_BY_HAND: nouns_by_hand(reader),
    }
    if treebank is not None:
        read = attention_between(reader)
        dev, test = (counts_of(read_conllu(path), read) for path in treebank)
        found[RELATIONS] = [asdict(each) for each in score_relations(dev, test)]
    return found


@torch.inference_mode()
def follows_in_one_book(
    model: PretrainingModel, held_out: Corpus, *, n_tokens: int, n_pairs: int = N_PAIRS
) -> dict[str, float]:
    """How often the model tells the B that follows A from another one of the same document, of whole texts."""
    if model.nsp is None:
        raise ValueError("the checkpoint lacks its NSP head.")
    right = 0
    draw = partial(draw_pair, same_document=1.0)
    for iteration in range(n_pairs // ROWS_AT_ONCE):
        batch = make_batch(
            held_out,
            batch_size=ROWS_AT_ONCE,
            n_tokens=n_tokens,
            mask_rate=0.0,
            d_vocab=model.config.d_vocab,
            seed=SEED,
            iteration=iteration,
            draw=draw,
        )
        told = model.nsp(model.encoder(batch.input_ids, batch.segment_ids, batch.mask).last).argmax(dim=-1)  # [b]
        right += int((told == batch.next_labels).sum())
    n = n_pairs // ROWS_AT_ONCE * ROWS_AT_ONCE
    return {"n": n, "right": right / max(n, 1)}


@torch.inference_mode()
def generated_nouns(reader: ScratchModel, asked: Sequence[NounPair]) -> dict[str, Any]:
    """Measure how often the noun that is meant is the likelier one behind [MASK], in the generator's pairs."""
    whole = in_vocabulary(reader, asked)
    return {"n": len(whole), **(which_noun(reader, whole) if whole else {})}


def heads(folder: Path, texts: Iterable[str], pairs: Iterable[tuple[str, str]]) -> dict[str, dict[str, Any]]:
    """For each measure of heads the head of a checkpoint with the largest share, and the shares of all
    [n_layers][n_heads]: what the word pieces of `texts` attend to, and those of `pairs`."""
    model = load_folder(folder, name=folder.name, device="cpu")
    measured = (
        measure_heads(model.record(text).of("encoder") for text in texts),
        measure_heads((model.record(*pair).of("encoder") for pair in pairs), needs="pairs"),
    )
    return {
        measure.name: {
            "strongest (layer, head, share)": strongest(found.of(measure.name)),
            "all": np.round(found.of(measure.name).astype(np.float64), 3).tolist(),
        }
        for found in measured
        for measure in found.measures
    }
