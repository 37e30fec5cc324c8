r"""Train the upper half of headlight-bert on to tell whether B follows A, where both are one or two short sentences.

    python -m recipes.pretraining.short_pairs --run RUN --data DATA --start models/pretrained/headlight-bert \
        --parallel ../shared/parallel

DATA is the folder of a run of `recipes.pretraining.headlight`, with its text. The same command starts and resumes
(docs/headlight-bert.md).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from models.checkpoints.bert import load_checkpoint
from models.scratch.attention import mask_to_bias
from models.scratch.encoder import EncoderLayer
from models.scratch.pretraining import IS_NEXT, PretrainingModel
from models.training.corpora.batches import NO_LABEL, Batch, DrawnRow, draw_pair, draw_passage, draw_sentence, pack
from models.training.trainer.line_by_line import attending_line_by_line
from models.training.trainer.optimizers import update_all
from recipes.corpora.data import TrainingData, load_corpus, open_data
from recipes.corpora.short_pairs import ShortPairs, content_pieces
from recipes.evaluation.short_pairs.score import CHOOSING, score_short_pairs
from recipes.pretraining.curriculum import TrainingConfig
from recipes.pretraining.headlight import EVERYDAY, WEB, WHICH_NOUN
from recipes.pretraining.pretrain import train
from recipes.pretraining.trainer import SHORT_TOKENS, Pretrainer
from recipes.sentences import everyday
from recipes.sentences.follow_up.pairs import PassagePairs

N_OTHERS = 30_000
"""Everyday sentences among which one that does not follow is looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortPairsConfig(TrainingConfig):
    """What an iteration reads: short pairs that hide nothing, of which the next sentence is asked; and in turn long
    pairs, of which it is asked, too, or rows with masks. Of both all states are to stay as they were."""

    pieces: int = 1_050_000
    pieces_per_batch: int = 2500
    written_rows: int = 44
    book_rows: int = 6
    web_rows: int = 2
    long_tokens: int = 512
    lengths: tuple[int, ...] = (64, 128, 128, 256)
    everyday_rows: int = 14
    passage_rows: int = 10
    sentence_rows: int = 8
    mask_rate: float = 0.25
    parts: int = 4
    n_still: int = 3
    """How many layers, from the embeddings up, stay as they are, and so what their heads do."""
    keeping: float = 32.0
    """What the mean square by which the states move counts beside the loss of the pairs."""
    long_weight: float = 0.4
    """What the loss of the long pairs counts beside that of the short ones."""
    optimizer: Any = "adamw"
    looking: float = 0.1
    learning_rate: float = 3e-4
    warmup_steps: int = 30
    watch_every: int = 50
    decay: float = 0.6


class ShortPairsTrainer(Pretrainer):
    """The upper layers and the NSP head learn; a copy of the upper layers, as they were, says what is to be kept."""

    def __init__(
        self,
        config: ShortPairsConfig,
        model: PretrainingModel,
        data: TrainingData,
        *,
        start: PretrainingModel,
        folder: Path,
        others: Sequence[str],
    ) -> None:
        keep_still(model, config.n_still)
        super().__init__(config, model, data, torch.device("cpu"))
        self.mix, self.start = config, start.eval().requires_grad_(False)
        self.side = {name: load_corpus(folder / f"{name}.npz") for name in (WEB, EVERYDAY, WHICH_NOUN)}
        is_content = content_pieces(data.tokenizer)
        self.written = PassagePairs(others)
        self.books, self.web = ShortPairs(data.learned, is_content), ShortPairs(self.side[WEB], is_content)

    def iterate(self) -> dict[str, float]:
        """Learn from one iteration; the losses of next sentences are means in nats. What moved, a mean square, is
        logged in the place of the masks."""
        mix, rate = self.mix, self.config.rate(self.iteration)
        short, long, kept = self.sources(self.iteration)
        self.learning.zero_grad(set_to_none=True)
        with attending_line_by_line():
            of_short = self._asked(short)
            of_long, moved = self._kept(long if self.iteration % 2 else kept)
        torch.autograd.backward(of_short + mix.long_weight * of_long + mix.keeping * moved)
        nn.utils.clip_grad_norm_(self.model.parameters(), mix.clip, error_if_nonfinite=True)
        update_all(self.optimizers, rate)
        self.iteration += 1
        return {
            "step": self.iteration,
            "pieces": self.iteration * mix.pieces_per_batch,
            "nsp_loss": of_short.item(),
            "mlm_loss": moved.item(),
            "long_loss": of_long.item(),
            "rate": rate,
        }

    def watched(self) -> dict[str, Any]:
        """Ask the half of the 200 pairs that may be chosen by."""
        with torch.inference_mode():
            return {"choosing": score_short_pairs(self.model, self.data.tokenizer).shares[CHOOSING]}

    def sources(self, iteration: int) -> tuple[list[Batch], list[Batch], list[Batch]]:
        """Draw the short pairs, the long ones, and the rows whose states are kept."""
        mix, random, books = self.mix, np.random.default_rng((self.mix.seed, iteration)), self.data.learned
        packed = partial(pack, random=random, d_vocab=self.model.config.d_vocab, special=books.special)
        drawn = [self._written(random) for _ in range(mix.written_rows)]
        drawn += [self.books.draw(random) for _ in range(mix.book_rows)]
        drawn += [self.web.draw(random) for _ in range(mix.web_rows)]
        n_tokens = int(random.choice(mix.lengths))
        long = [draw_pair(books, random, n_tokens - 3, same_document=0.7) for _ in range(mix.long_tokens // n_tokens)]
        kept = [draw_sentence(self.side[EVERYDAY], random, SHORT_TOKENS - 3) for _ in range(mix.everyday_rows)]
        kept += [draw_sentence(books, random, SHORT_TOKENS - 3) for _ in range(mix.sentence_rows)]
        for corpus in (self.data.classroom, self.side[WHICH_NOUN]):
            if corpus is not None:
                kept += [draw_passage(corpus, random, SHORT_TOKENS - 3) for _ in range(mix.passage_rows)]
        long_rate = mix.mask_rate if random.random() < 0.5 else 0.0
        return (
            packed(drawn, mask_rate=0.0, parts=mix.parts),
            packed(long, mask_rate=long_rate),
            packed(kept, mask_rate=mix.mask_rate, parts=2),
        )

    def _written(self, random: np.random.Generator) -> DrawnRow:
        pair = self.written.draw(random)
        first, second = (
            np.array(self.data.tokenizer.encode(text, add_special_tokens=False).ids, dtype=np.int32)
            for text in (pair.first, pair.second)
        )
        return first, second, IS_NEXT if pair.follows else 1 - IS_NEXT

    def _asked(self, batches: Sequence[Batch]) -> Tensor:
        """The mean loss of the next sentence; of the last layer no more is computed than [CLS]."""
        losses = []
        for batch in batches:
            x, bias = self._below(batch)  # [b, n_tokens, d_model]
            *layers, last = self._learning_layers()
            for layer in layers:
                x = layer(x, bias)  # [b, n_tokens, d_model]
            cls = last.attention_norm(x[:, :1] + last.attention(x[:, :1], bias, memory=x))  # [b, 1, d_model]
            losses.append(self._nsp_loss(last.feed_forward_norm(cls + last.feed_forward(cls)), batch))
        return torch.cat(losses).mean()

    def _kept(self, batches: Sequence[Batch]) -> tuple[Tensor, Tensor]:
        """The mean loss of the next sentence, and how far the states of the last layer have moved, [CLS] aside."""
        losses, moved = [], []
        for batch in batches:
            x, bias = self._below(batch)  # [b, n_tokens, d_model]
            was = x  # [b, n_tokens, d_model]
            for layer, old in list(zip(self.model.encoder.layers, self.start.encoder.layers, strict=True))[
                self.mix.n_still :
            ]:
                x = layer(x, bias)  # [b, n_tokens, d_model]
                with torch.no_grad():
                    was = old(was, bias)  # [b, n_tokens, d_model]
            far = (x - was).square().mean(dim=-1)[:, 1:]  # [b, n_tokens - 1]
            moved.append(far.flatten() if batch.mask is None else far[batch.mask[:, 1:]])
            losses.append(self._nsp_loss(x, batch))
        of_pairs = torch.cat(losses)
        return of_pairs.mean() if of_pairs.numel() else of_pairs.sum(), torch.cat(moved).mean()

    @torch.no_grad()
    def _below(self, batch: Batch) -> tuple[Tensor, Tensor | None]:
        """What the layers that stay make of a batch [b, n_tokens, d_model], and what hides its padding."""
        bias = None if batch.mask is None else mask_to_bias(batch.mask)[:, None, None, :]  # [b, 1, 1, n_tokens]
        x = self.model.encoder.embeddings(batch.input_ids, batch.segment_ids)  # [b, n_tokens, d_model]
        for layer in list(self.model.encoder.layers)[: self.mix.n_still]:
            x = layer(x, bias)  # [b, n_tokens, d_model]
        return x, bias

    def _learning_layers(self) -> list[EncoderLayer]:
        layers = list(self.model.encoder.layers)[self.mix.n_still :]
        return [layer for layer in layers if isinstance(layer, EncoderLayer)]

    def _nsp_loss(self, x: Tensor, batch: Batch) -> Tensor:
        """The losses of the rows that are pairs."""
        if self.model.nsp is None:
            raise ValueError("the model to be trained lacks its NSP head.")
        is_pair = batch.next_labels != NO_LABEL  # [b]
        return functional.cross_entropy(self.model.nsp(x)[is_pair], batch.next_labels[is_pair], reduction="none")


def keep_still(model: PretrainingModel, n_layers: int) -> None:
    """Let the embeddings, the first layers and the MLM head learn nothing."""
    for part in (model.encoder.embeddings, *list(model.encoder.layers)[:n_layers], model.mlm):
        if part is not None:
            part.requires_grad_(False)


def run(
    folder: Path, data: Path, start: Path, parallel: Path, config: ShortPairsConfig, *, begin: Path | None = None
) -> None:
    """Train to the end, or go on with it: from the weights of `begin`, keeping the states of `start`."""
    folder.mkdir(parents=True, exist_ok=True)
    read = everyday.without_questions(everyday.read_everyday(sorted(parallel.glob("*.tsv.xz"))))
    sentences = [said for said in read if not everyday.is_held_out(said)]
    random = np.random.default_rng(config.seed)
    others = [sentences[at] for at in random.permutation(len(sentences))[:N_OTHERS]]
    was = load_checkpoint(start)
    model = PretrainingModel(replace(was.config, dropout=0.0))
    model.load_state_dict((load_checkpoint(begin) if begin else was).state_dict())
    train(ShortPairsTrainer(config, model, open_data(data), start=was, folder=data, others=others), folder)


def main() -> None:
    """Read the command line and train."""
    given = ShortPairsConfig()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True, help="folder of this run; an unfinished run is resumed")
    parser.add_argument("--data", type=Path, required=True, help="folder of the run whose text is read")
    parser.add_argument("--start", type=Path, required=True, help="folder of the BERT to set out from")
    parser.add_argument("--begin", type=Path, help="folder of a BERT whose weights to begin with, in place of --start")
    parser.add_argument("--parallel", type=Path, required=True, help="folder with the everyday sentences")
    parser.add_argument("--pieces", type=int, default=given.pieces, help="where the run ends")
    parser.add_argument("--decay", type=float, default=given.decay, help="the last part of it, in which the rate falls")
    parser.add_argument("--still", type=int, default=given.n_still, help="layers that stay as they are")
    parser.add_argument("--seed", type=int, default=given.seed, help="another one draws other pairs")
    parser.add_argument("--rate", type=float, default=given.learning_rate, help="the highest of the rates")
    parser.add_argument("--long", type=float, default=given.long_weight, help="what the loss of long pairs counts")
    parser.add_argument("--long-tokens", type=int, default=given.long_tokens, help="tokens of long pairs an iteration")
    parser.add_argument("--snapshots", type=int, default=0, help="how many checkpoints to keep, to take a mean of")
    arguments = parser.parse_args()
    config = ShortPairsConfig(
        pieces=arguments.pieces,
        decay=arguments.decay,
        n_still=arguments.still,
        seed=arguments.seed,
        learning_rate=arguments.rate,
        snapshots=arguments.snapshots,
        long_weight=arguments.long,
        long_tokens=arguments.long_tokens,
    )
    torch.set_num_threads(1)
    run(arguments.run, arguments.data, arguments.start, arguments.parallel, config, begin=arguments.begin)


if __name__ == "__main__":
    main()
