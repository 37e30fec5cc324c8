"""Train the embedded classifier on sentences that a grammar makes (docs/sentiment.md).

    python -m recipes.classifiers.classifier --run runs/sentiment
    python -m recipes.classifiers.classifier --run runs/sentiment-mean --pooling mean

The first reads [CLS], the second the mean over the words. A stopped run goes on where it was. At the end the checkpoint
lies in the run's `model/`, and how often it is right is printed: on sentences whose deciding clause was held out, on
sentences written by hand, and beside counting words.
"""

from __future__ import annotations

import argparse
import json
import string
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor
from tqdm import tqdm
from transformers import AutoTokenizer, BertTokenizer, PreTrainedTokenizerBase

from models.checkpoints.bert import load_bert
from models.checkpoints.devices import pick_device
from models.opening.entries import PRETRAINED, ROOT
from models.opening.folders import load_folder
from models.scratch.classification import ClassifierModel, Pooling
from models.scratch.config import TransformerConfig
from models.text.source_words import words_as_read
from models.training.corpora.vocabulary import CLS, MASK, PAD_ID, SEP, SPECIAL_TOKENS, train_wordpiece
from models.training.tasks.classification import ClassificationTask, EncodedTexts, encode_texts
from models.training.trainer.fit import MODEL, FitConfig, Progress, fit
from recipes.evaluation.bag_of_words import BagOfWords
from recipes.sentences.sentiment.by_hand import COMPLAINTS, PRAISE
from recipes.sentences.sentiment.reviews import LABELS, LabelledText, labelled
from recipes.sentences.sentiment.words import ADJECTIVES

MAX_TOKENS, ROWS = 64, 128
D_MODEL, N_HEADS, D_FF, DROPOUT = 96, 4, 384, 0.1
D_VOCAB, N_ENDINGS = 2400, 300
"""Pieces, and how many of them only go on with a word."""
LEARNED_SEED, HELD_OUT_SEED = 1, 2
HELD_OUT_TEXTS = 4000
STRANGE = 0.15
"""The fraction of sentences whose noun becomes any word that mini-bert has read, as readers type such words, too."""
HIDDEN = 0.03
"""The fraction of sentences whose noun is [MASK], because a reader may hide words."""
CARELESS = 0.3
"""The fraction of sentences without their mark at the end: readers type like that."""
NEGATIONS = ("not", "'", "t", "never", "nothing", "nobody", "no", "neither", "nor", "too", "enough", "far", "less")
TURNS = ("but", "yet", "however", "although", "though", "despite", "spite", "because", "and", "later")
WORD_GROUPS = {
    "adjectives that praise": frozenset(word.word for word in ADJECTIVES if word.sign > 0),
    "adjectives that complain": frozenset(word.word for word in ADJECTIVES if word.sign < 0),
    "not, never, nothing, too, ...": frozenset(NEGATIONS),
    "but, although, because, ...": frozenset(TURNS),
    "[CLS] and [SEP]": frozenset({CLS, SEP}),
}
"""Words that matter to a label, to see which head looks at which; the rest are OTHER_WORDS."""
OTHER_WORDS = "all other words"
LOOKED_AT_TEXTS = 500
COUNTED_TEXTS = 30_000
"""How many sentences counting words learns from; more change its accuracy by less than 0.01."""


def draw_texts(n: int, *, seed: int, held_out: bool) -> list[LabelledText]:
    """`n` different sentences of the grammar."""
    found: dict[str, LabelledText] = {}
    for made in labelled(seed, held_out):
        found.setdefault(made.text, made)
        if len(found) == n:
            break
    return list(found.values())


def typed(made: LabelledText, others: Sequence[str], chance: np.random.Generator) -> str:
    """The sentence as readers type it: sometimes about something else, or with its noun hidden, sometimes without its
    full stop."""
    text, noun = made.text, made.content.deciding.noun.word
    if chance.random() < STRANGE:
        text = text.replace(f" {noun}", f" {others[int(chance.integers(len(others)))]}")
    elif chance.random() < HIDDEN:
        text = text.replace(f" {noun}", f" {MASK}")
    return text.rstrip(".!") if chance.random() < CARELESS else text


def sentiment_tokenizer(texts: Sequence[str]) -> tuple[PreTrainedTokenizerBase, tuple[str, ...]]:
    """Every word of the texts is a piece; then come letters, and the most frequent pieces of what mini-bert has read.

    Returns the tokenizer, and words that mini-bert has read and the texts have not.
    """
    cut = train_wordpiece([], len(SPECIAL_TOKENS))
    own = sorted({word for text in texts for word in words_as_read(cut, text)})
    letters = [piece for letter in string.ascii_lowercase + string.digits for piece in (letter, f"##{letter}")]
    learned = Tokenizer.from_file(str(ROOT / PRETRAINED / "mini-bert" / "tokenizer.json")).get_vocab()
    read = [piece for piece in sorted(learned, key=learned.__getitem__) if piece.removeprefix("##").isalpha()]
    endings = [piece for piece in read if piece.startswith("##")][:N_ENDINGS]
    known = dict.fromkeys([*SPECIAL_TOKENS, *letters, *string.punctuation, *own, *endings])
    others = tuple(word for word in read if word.isascii() and word.isalpha() and len(word) > 1 and word not in known)
    pieces = [*known, *others[: D_VOCAB - len(known)]]
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    return BertTokenizer(vocab=vocabulary, model_max_length=MAX_TOKENS), others


def sentiment_task(n_texts: int, pooling: Pooling = "cls", seed: int = 0) -> ClassificationTask:
    """The task; everything in it follows from the seeds."""
    learned = draw_texts(n_texts, seed=LEARNED_SEED, held_out=False)
    tokenizer, others = sentiment_tokenizer([made.text for made in learned])
    chance = np.random.default_rng(LEARNED_SEED)
    config = TransformerConfig(
        d_vocab=len(tokenizer),
        d_model=D_MODEL,
        n_layers=1,
        n_heads=N_HEADS,
        d_ff=D_FF,
        max_tokens=MAX_TOKENS,
        dropout=DROPOUT,
    )
    return ClassificationTask(
        config,
        tokenizer,
        LABELS,
        encoded(tokenizer, [typed(made, others, chance) for made in learned], [made.label for made in learned]),
        encoded(tokenizer, *_both(draw_texts(HELD_OUT_TEXTS, seed=HELD_OUT_SEED, held_out=True))),
        pooling=pooling,
        seed=seed,
    )


def encoded(tokenizer: PreTrainedTokenizerBase, texts: Sequence[str], labels: Sequence[str]) -> EncodedTexts:
    """Texts as ids, within the positions of the model."""
    return encode_texts(tokenizer, texts, [LABELS.index(label) for label in labels], max_tokens=MAX_TOKENS)


def report(folder: Path) -> dict[str, dict[str, float]]:
    """What the model card says in numbers: the share of sentences judged right, by the model and by counting words."""
    model, tokenizer = load_bert(folder), AutoTokenizer.from_pretrained(folder, local_files_only=True)
    if not isinstance(model, ClassifierModel):
        raise TypeError(f"{folder} holds no classifier.")
    unseen = draw_texts(HELD_OUT_TEXTS, seed=HELD_OUT_SEED, held_out=True)
    asked = {"held out": _both(unseen)}
    for shape in sorted({made.content.shape.name for made in unseen}):
        asked[shape] = _both([made for made in unseen if made.content.shape.name == shape])
    asked["by hand"] = [*PRAISE, *COMPLAINTS], [LABELS[1]] * len(PRAISE) + [LABELS[0]] * len(COMPLAINTS)
    counted = _both(draw_texts(COUNTED_TEXTS, seed=LEARNED_SEED, held_out=False))
    judges = {"words": BagOfWords(1), "words and neighbours": BagOfWords(2)}
    for judge in judges.values():
        judge.fit(counted[0], _are_positive(counted[1]))
    return {
        name: {"n": len(texts), "model": accuracy(model, encoded(tokenizer, texts, labels))}
        | {who: judge.accuracy(texts, _are_positive(labels)) for who, judge in judges.items()}
        for name, (texts, labels) in asked.items()
    }


@torch.inference_mode()
def accuracy(model: ClassifierModel, texts: EncodedTexts) -> float:
    """The share of texts whose label is the likeliest one."""
    n_right = 0
    for part in np.array_split(np.arange(len(texts)), max(1, len(texts) // ROWS)):
        ids, labels = texts.rows(part)
        logits: Tensor | None = model(ids, mask=ids != PAD_ID).text_labels  # [b, n_labels]
        n_right += 0 if logits is None else int((logits.argmax(-1) == labels).sum())
    return n_right / len(texts)


def attention_shares(folder: Path) -> dict[str, list[float]]:
    """How much of the attention that the label is read from goes to which words, for every head, on average over
    held-out sentences: that of [CLS], or that of the words, whose rows count alike."""
    model = load_folder(folder, name=folder.name, device="cpu")
    totals = dict.fromkeys([*WORD_GROUPS, OTHER_WORDS], np.zeros(model.info.n_heads))
    unseen = draw_texts(LOOKED_AT_TEXTS, seed=HELD_OUT_SEED, held_out=True)
    for made in unseen:
        record = model.record(made.text).of("encoder")
        read_from = list(model.label_text(made.text).read_from)
        row = record.layer_weights(record.n_layers - 1)[:, read_from].mean(axis=1)  # [n_heads, n_key]
        groups = np.array([_group(token.text) for token in record.key_tokens])
        totals = {group: total + row[:, groups == group].sum(axis=1) for group, total in totals.items()}
    return {group: (total / len(unseen)).round(3).tolist() for group, total in totals.items()}


def _group(word: str) -> str:
    return next((group for group, said in WORD_GROUPS.items() if word in said), OTHER_WORDS)


def _both(texts: Sequence[LabelledText]) -> tuple[list[str], list[str]]:
    return [made.text for made in texts], [made.label for made in texts]


def _are_positive(labels: Sequence[str]) -> list[bool]:
    return [label == LABELS[1] for label in labels]


def main() -> None:
    """Read the command line, train, and print the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--texts", type=int, default=60_000, help="different sentences to learn from")
    parser.add_argument("--iterations", type=int, default=1200)
    parser.add_argument("--pooling", choices=get_args(Pooling), default="cls", help="what the label is read from")
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--seed", type=int, default=0, help="which weights to begin with, and which batches to draw")
    parser.add_argument("--device", default="auto")
    arguments = parser.parse_args()
    config = FitConfig(
        iterations=arguments.iterations,
        rows=arguments.rows,
        warmup_iterations=100,
        log_every=20,
        snapshots=0,
        seed=arguments.seed,
    )
    with tqdm(total=config.iterations, unit="iteration") as bar:

        def watch(progress: Progress) -> None:
            bar.update(progress.iteration - bar.n)
            if progress.held_out:
                bar.set_postfix(loss=f"{progress.loss:.3f}", right=f"{progress.held_out['accuracy']:.3f}")

        task = sentiment_task(arguments.texts, arguments.pooling, arguments.seed)
        fit(arguments.run, task, config, device=pick_device(arguments.device), watch=watch, save_every=120)
    found = {"right": report(arguments.run / MODEL), "heads": attention_shares(arguments.run / MODEL)}
    sys.stdout.write(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
