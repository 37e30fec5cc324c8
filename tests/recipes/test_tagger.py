"""The tagger learns from a treebank, reads the layer that its unseen sentences chose, and is right as it says."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from models.analysis.grammar.conllu import read_treebank
from models.checkpoints.on_body import PRETRAINED, load_on_body
from models.scratch_models.encoder import load_scratch
from models.training.corpora.labelled_words import LabelledSentence, first_pieces, of_treebank
from recipes.classifiers.tagger import read_sentences, train
from recipes.sentences.parts_of_speech import Tagged, tagged_sentences
from tests.closeness import assert_close

BODY = PRETRAINED / "mini-bert"


def as_treebank(sentences: list[Tagged]) -> str:
    blocks = (
        "".join(f"{at}\t{word}\t_\t{label}\t_\t_\t0\t_\t_\t_\n" for at, (word, label) in enumerate(sentence, start=1))
        for sentence in sentences
    )
    return "\n".join(blocks)


@pytest.fixture(scope="module")
def treebanks(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[LabelledSentence], list[LabelledSentence]]:
    folder = tmp_path_factory.mktemp("treebanks")
    found = []
    for seed, n in ((1, 160), (2, 60)):
        (folder / f"{seed}.conllu").write_text(as_treebank(list(islice(tagged_sentences(seed), n))), encoding="utf-8")
        found.append(read_sentences(folder / f"{seed}.conllu"))
    return found[0], found[1]


def test_a_treebank_that_was_written_is_read(
    treebanks: tuple[list[LabelledSentence], list[LabelledSentence]],
) -> None:
    made = list(islice(tagged_sentences(2), 60))
    assert [list(zip(read.words, read.labels, strict=True)) for read in treebanks[1]] == made
    assert of_treebank(next(read_treebank(as_treebank(made).splitlines()))) == treebanks[1][0]


def test_it_is_right_as_often_as_it_says_and_oftener_than_the_usual_label(
    treebanks: tuple[list[LabelledSentence], list[LabelledSentence]], tmp_path: Path
) -> None:
    dev, test = treebanks
    said = train(BODY, dev, test, tmp_path)
    assert said["right_by_layer"][said["layers"]] == max(said["right_by_layer"].values())
    assert len(load_on_body(tmp_path, BODY).encoder.layers) == said["layers"]
    assert said["right"] > said["usual_label"]
    reader = load_scratch(tmp_path, name="new", body=BODY)
    right = []
    for sentence in test:
        answer = reader.label_tokens(sentence.text)
        places = first_pieces(sentence.spans, ((token.start, token.end) for token in answer.tokens))
        best = np.array(answer.labels)[answer.probabilities.argmax(axis=1)]
        right += [
            piece is not None and best[piece] == label for piece, label in zip(places, sentence.labels, strict=True)
        ]
    assert len(right) == said["words"]
    assert_close(np.mean(right), said["right"], tolerance=2e-3, magnitude=1)  # half precision
    assert sum(found["n"] for found in said["by_label"].values()) <= said["words"]
