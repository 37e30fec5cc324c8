"""Train the embedded causal model on the text of the embedded BERT, with its vocabulary, to be put beside it.

    python -m recipes.decoders.gpt --text ../shared/corpus/gutenberg.txt.xz --run runs/mini-gpt

A stopped run goes on where it was. At the end the checkpoint lies in the run's `model/`.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from tqdm import tqdm

from models.checkpoints.bert import load_checkpoint
from models.checkpoints.devices import pick_device
from models.checkpoints.gpt2 import load_gpt2
from models.scratch.classification import ClassifierModel
from models.scratch.config import PRESETS
from models.scratch.gpt import LanguageModel
from models.scratch.pretraining import PretrainingModel
from models.training.corpora.corpus import Corpus
from models.training.corpora.vocabulary import PAD_ID, continuing_tokenizer
from models.training.tasks.next_token import END_ID, NextTokenTask, Stream
from models.training.trainer.fit import MODEL, FitConfig, Progress, fit
from recipes.corpora.data import TrainingData, prepare_data
from recipes.evaluation.baselines import Bigrams, count_bigrams
from recipes.evaluation.evaluate import SEED, MaskScores

PRESET = "mini-gpt"
LENGTHS = (64, 128, 256)
CLASSROOM_SHARE = 0.1
SAVE_EVERY = 300.0
MEASURED_ROWS, MEASURED_TOKENS, ROWS_AT_ONCE = 512, 128, 16


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=Path, nargs="+", required=True, help="text files, plain or .xz")
    parser.add_argument("--run", type=Path, required=True, help="folder of this run; an unfinished run is resumed")
    parser.add_argument("--held-out", nargs="*", default=[], help="titles of documents never to train on")
    parser.add_argument("--iterations", type=int, default=2000)
    parser.add_argument("--rows", type=int, default=64, help="rows of 64 tokens in an iteration; fewer of longer ones")
    parser.add_argument("--decay", type=float, default=0.3)
    parser.add_argument("--passages", type=int, default=4000, help="classroom passages of every family")
    parser.add_argument("--vectors", type=Path, help="a BERT of the same vocabulary and width, to begin with its words")
    parser.add_argument("--device", default="auto")
    arguments = parser.parse_args()
    preset = PRESETS[PRESET]
    data = prepare_data(arguments.run, arguments.text, arguments.held_out, preset.d_vocab, passages=arguments.passages)
    tokenizer = continuing_tokenizer(Tokenizer.from_file(str(arguments.run / "tokenizer.json")), preset.max_tokens)
    task = NextTokenTask(
        preset,
        tokenizer,
        data.learned,
        data.held_out,
        n_tokens=LENGTHS,
        side=data.classroom,
        side_share=CLASSROOM_SHARE,
    )
    if arguments.vectors:
        begin_with(task.model, load_checkpoint(arguments.vectors))
    config = FitConfig(
        iterations=arguments.iterations, rows=arguments.rows, decay=arguments.decay, warmup_iterations=100, log_every=20
    )
    with tqdm(total=config.iterations, unit="iteration") as bar:

        def watch(progress: Progress) -> None:
            bar.update(progress.iteration - bar.n)
            if progress.held_out:
                found = {name: f"{value:.3f}" for name, value in progress.held_out.items()}
                bar.set_postfix(found, train=f"{progress.loss:.3f}")

        fit(arguments.run, task, config, device=pick_device(arguments.device), watch=watch, save_every=SAVE_EVERY)
    found = report(load_gpt2(arguments.run / MODEL), data)
    sys.stdout.write(json.dumps(found, indent=2) + "\n")


def begin_with(model: LanguageModel, other: PretrainingModel | ClassifierModel) -> None:
    """Take over the token embeddings of another model: what words mean to it is a good beginning.

    Raises ValueError for another vocabulary or width.
    """
    own, given = model.decoder.embeddings.token.weight, other.encoder.embeddings.token.weight
    if own.shape != given.shape:
        raise ValueError(f"its embeddings have shape {list(given.shape)}, expected {list(own.shape)}.")
    with torch.no_grad():
        own.copy_(given)


def report(model: LanguageModel, data: TrainingData) -> dict[str, dict[str, dict[str, float]]]:
    """What a model card says in numbers: for every token of unseen text, the model beside guessing by counts alone."""
    counts = count_bigrams([data.learned], model.config.d_vocab)
    unseen = {"unseen text": data.held_out, "classroom": data.classroom_held_out}
    return {name: evaluate(model, corpus, counts) for name, corpus in unseen.items() if corpus is not None}


@torch.inference_mode()
def evaluate(model: LanguageModel, held_out: Corpus, counts: Bigrams) -> dict[str, dict[str, float]]:
    """Scores of every token but the first of MEASURED_ROWS rows of MEASURED_TOKENS tokens, always the same ones."""
    random = np.random.default_rng(SEED)
    scores = {name: MaskScores() for name in ("model", "unigram", "bigram")}
    text = Stream(held_out)
    for _ in range(MEASURED_ROWS // ROWS_AT_ONCE):
        ids = text.rows(ROWS_AT_ONCE, MEASURED_TOKENS, random)  # [b, n_tokens]
        given, asked = torch.from_numpy(ids[:, :-1]), torch.from_numpy(ids[:, 1:]).flatten()
        is_text = (asked != PAD_ID) & (asked != END_ID)
        targets, before = asked[is_text], given.flatten()[is_text]
        logits = model(given).logits.flatten(end_dim=1)[is_text]  # [n_asked, d_vocab]
        scores["model"].add(logits.log_softmax(dim=-1), targets)
        scores["unigram"].add(counts.unigram_guess(len(targets)), targets)
        scores["bigram"].add(counts.guess(before.numpy()), targets)
    return {name: asdict(found) for name, found in scores.items()}


if __name__ == "__main__":
    main()
