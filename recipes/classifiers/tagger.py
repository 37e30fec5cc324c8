r"""Fit the embedded tagger: one matrix that reads the part of speech of a word from a layer of headlight-bert.

    python -m recipes.classifiers.tagger --dev ../shared/ud/en_ewt-dev.conllu \
        --test ../shared/ud/en_ewt-test.conllu --out models/pretrained/tagger

The layers below stay as they are ("probing"; Tenney et al. 2019, "BERT Rediscovers the Classical NLP Pipeline"). Which
layer is read, a part of the sentences decides that the classifiers have not seen; then one is fitted on all of them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.nn import functional
from transformers import AutoTokenizer

from models.analysis.grammar.conllu import read_treebank
from models.checkpoints.bert import config_to_huggingface, load_checkpoint
from models.checkpoints.on_body import BODY
from models.scratch.config import TransformerConfig
from models.scratch.encoder import Encoder
from models.training.corpora.batches import NO_LABEL
from models.training.corpora.labelled_words import UNIVERSAL, LabelledSentence, UsualLabels, of_treebank
from models.training.corpora.vocabulary import PAD_ID
from models.training.tasks.word_labels import EncodedWords, encode_words

BODY_FOLDER = Path("models") / "pretrained" / "headlight-bert"
UNSEEN = 0.2
"""The share of the sentences that decides which layer is read."""
EPOCHS, ROWS, RATE, DECAY = 30, 512, 3e-3, 1e-2
SENTENCES_AT_ONCE = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadWords:
    """The states of words after the embeddings and after each layer, [n_words, d_model] each, and their labels
    [n_words]; `n_asked` counts the words that have no state, too."""

    states: tuple[Tensor, ...]
    labels: Tensor
    n_asked: int


def read_sentences(path: Path) -> list[LabelledSentence]:
    """The sentences of a treebank with universal parts of speech."""
    return list(map(of_treebank, read_treebank(path.read_text(encoding="utf-8"))))


@torch.no_grad()
def read_words(encoder: Encoder, words: EncodedWords) -> ReadWords:
    """What the encoder makes of every labelled word."""
    states: list[list[Tensor]] = []
    labels = []
    order = np.argsort((words.ids != PAD_ID).sum(axis=1), kind="stable")
    for chosen in np.array_split(order, max(1, len(order) // SENTENCES_AT_ONCE)):
        ids, wanted = words.rows(chosen)
        read = encoder(ids, None, ids != PAD_ID).hidden_states  # (n_layers + 1) of [b, n_tokens, d_model]
        has_label = wanted != NO_LABEL  # [b, n_tokens]
        states.append([state[has_label] for state in read])
        labels.append(wanted[has_label])
    return ReadWords(
        states=tuple(torch.cat(of_layer) for of_layer in zip(*states, strict=True)),
        labels=torch.cat(labels),
        n_asked=words.n_words,
    )


def fitted(states: Tensor, labels: Tensor, n_labels: int, *, seed: int = 0) -> nn.Linear:
    """Logistic regression of the labels [n_words] on the states [n_words, d_model]."""
    torch.manual_seed(seed)
    classifier = nn.Linear(states.shape[1], n_labels)
    optimizer = torch.optim.AdamW(classifier.parameters(), lr=RATE, weight_decay=DECAY)
    falling = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)
    for _ in range(EPOCHS):
        order = torch.randperm(len(states))  # [n_words]
        for begin in range(0, len(order), ROWS):
            rows = order[begin : begin + ROWS]  # [at most ROWS]
            loss = functional.cross_entropy(classifier(states[rows]), labels[rows])
            optimizer.zero_grad()
            torch.autograd.backward(loss)
            optimizer.step()
        falling.step()
    return classifier


@torch.no_grad()
def share_right(classifier: nn.Linear, words: ReadWords, layer: int) -> float:
    """The share of all words whose likeliest label is the true one; a word without a state is wrong."""
    right = classifier(words.states[layer]).argmax(-1) == words.labels  # [n_words]
    return int(right.sum()) / words.n_asked


def train(body: Path, dev: Sequence[LabelledSentence], test: Sequence[LabelledSentence], out: Path) -> dict[str, Any]:
    """Choose the layer, fit the classifier, write it, and say how often it is right on `test`."""
    model, tokenizer = load_checkpoint(body), AutoTokenizer.from_pretrained(body, local_files_only=True)
    border = round((1 - UNSEEN) * len(dev))
    max_tokens = model.config.max_tokens
    seen, unseen, learned, asked = (
        read_words(model.encoder, encode_words(tokenizer, sentences, UNIVERSAL, max_tokens=max_tokens))
        for sentences in (dev[:border], dev[border:], dev, test)
    )
    layers = range(1, model.config.n_layers + 1)
    by_layer = {
        layer: share_right(fitted(seen.states[layer], seen.labels, len(UNIVERSAL)), unseen, layer) for layer in layers
    }
    best = max(by_layer, key=by_layer.__getitem__)
    classifier = fitted(learned.states[best], learned.labels, len(UNIVERSAL))
    write(out, replace(model.config, n_layers=best), classifier, body)
    return {
        "right_by_layer": by_layer,
        "layers": best,
        "right": share_right(classifier, asked, best),
        "words": asked.n_asked,
        "usual_label": _usual(dev, test),
        "by_label": _by_label(classifier, asked, best),
    }


def write(out: Path, config: TransformerConfig, classifier: nn.Linear, body: Path) -> None:
    """The classifier alone, in half precision, with the configuration of the model that it completes."""
    out.mkdir(parents=True, exist_ok=True)
    told = config_to_huggingface(config) | {
        "architectures": ["BertForTokenClassification"],
        "id2label": {str(at): label for at, label in enumerate(UNIVERSAL)},
        "label2id": {label: at for at, label in enumerate(UNIVERSAL)},
        BODY: body.name,
    }
    (out / "config.json").write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    weights = {f"classifier.{name}": weight.detach().half() for name, weight in classifier.named_parameters()}
    save_file(weights, out / "model.safetensors", metadata={"format": "pt"})


def _usual(dev: Sequence[LabelledSentence], test: Sequence[LabelledSentence]) -> float:
    """How often the label that a word had most often is right."""
    usual = UsualLabels(dev)
    right = [
        usual.of(word) == label
        for sentence in test
        for word, label in zip(sentence.words, sentence.labels, strict=True)
    ]
    return sum(right) / len(right)


@torch.no_grad()
def _by_label(classifier: nn.Linear, words: ReadWords, layer: int) -> dict[str, dict[str, float]]:
    """For each label how many words have it and got it, and how many of those that got it have it."""
    said = classifier(words.states[layer]).argmax(-1)  # [n_words]
    found = {}
    for at, label in enumerate(UNIVERSAL):
        true, given = words.labels == at, said == at
        n, n_given, n_both = (int(which.sum()) for which in (true, given, true & given))
        found[label] = {"n": n, "recall": n_both / max(1, n), "precision": n_both / max(1, n_given)}
    return found


def main() -> None:
    """Read the command line, fit, and print the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--body", type=Path, default=BODY_FOLDER, help="the checkpoint whose layers are read")
    parser.add_argument("--dev", type=Path, required=True, help="a treebank to learn from")
    parser.add_argument("--test", type=Path, required=True, help="a treebank to be judged by")
    parser.add_argument("--out", type=Path, required=True, help="the folder to write; it lies beside the body")
    arguments = parser.parse_args()
    report = train(arguments.body, read_sentences(arguments.dev), read_sentences(arguments.test), arguments.out)
    sys.stdout.write(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
