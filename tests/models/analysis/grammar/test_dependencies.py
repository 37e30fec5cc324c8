"""Which head knows which relation: words from pieces, both directions, and a baseline that only counts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from transformers import BertTokenizer

from models.analysis.grammar.dependencies import (
    ParsedSentence,
    between_words,
    count_relations,
    counts_of,
    score_relations,
)
from models.scratch.config import TransformerConfig
from models.scratch.pretraining import PretrainingModel
from models.scratch_models.encoder import ScratchModel
from models.training.trainer.start import initialise
from recipes.evaluation.heads.dependencies import attention_between, read_conllu
from tests.closeness import assert_close

TREEBANK = """# text = don't sing
1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tdo\tdo\tAUX\t_\t_\t3\taux\t_\t_
2\tn't\tnot\tPART\t_\t_\t3\tadvmod\t_\t_
3\tsing\tsing\tVERB\t_\t_\t0\troot\t_\t_
3.1\tsongs\tsong\tNOUN\t_\t_\t_\t_\t_\t_

1\tIt\tit\tPRON\t_\t_\t2\tnsubj:pass\t_\t_
2\tended\tend\tVERB\t_\t_\t0\troot\t_\t_
"""


def test_words_are_read_with_their_heads_and_relations(tmp_path: Path) -> None:
    (tmp_path / "bank.conllu").write_text(TREEBANK, encoding="utf-8")
    first, second = read_conllu(tmp_path / "bank.conllu")
    assert first == ParsedSentence(words=("do", "n't", "sing"), heads=(2, 2, -1), relations=("aux", "advmod", "root"))
    assert second.relations == ("nsubj", "root")


def test_attention_is_summed_to_a_word_and_averaged_from_it() -> None:
    weights = np.array(
        [
            [
                [0.2, 0.2, 0.2, 0.2, 0.2],
                [0.1, 0.2, 0.3, 0.3, 0.1],
                [0.1, 0.4, 0.1, 0.1, 0.3],
                [0.0, 0.1, 0.6, 0.3, 0.0],
                [0.2, 0.2, 0.2, 0.2, 0.2],
            ]
        ],
        dtype=np.float32,
    )
    found = between_words(weights, [None, 0, 1, 1, None])
    assert_close(found, [[[-1, 0.6], [0.25, -1]]])


def test_a_head_is_chosen_on_one_part_and_judged_on_the_other() -> None:
    sentence = ParsedSentence(
        words=("the", "old", "dog", "ran"), heads=(2, 2, 3, -1), relations=("det", "amod", "nsubj", "root")
    )
    right = np.array(
        [[[2, 2, 3, 2], [1, 0, 1, 0]]]
    )  # one layer: a head that knows all, from the dependent; one nothing
    wrong = np.array([[[3, 3, 0, 0], [1, 0, 1, 0]]])
    dev, test = {}, {}
    for _ in range(10):
        count_relations(sentence, right, dev)
    for looks in (right, right, right, wrong):
        for _ in range(20):
            count_relations(sentence, looks, test)
    scores = {found.relation: found for found in score_relations(dev, test)}
    assert set(scores) == {"det", "amod", "nsubj"}
    det = scores["det"]
    assert (det.layer, det.head, det.direction, det.n) == (0, 0, "from the dependent", 80)
    assert (det.chosen_by, det.right, det.offset, det.right_by_offset) == (1.0, 0.75, 2, 1.0)
    assert_close(scores["nsubj"].right, 0.75)


def test_a_head_that_looks_at_the_next_token_is_found_in_a_model() -> None:
    words = ["the", "a", "dog", "cat", "ran", "sat"]
    tokenizer = BertTokenizer(
        vocab={word: at for at, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words])}
    )
    model = PretrainingModel(
        TransformerConfig(d_vocab=11, d_model=8, n_layers=1, n_heads=2, d_ff=8, max_tokens=16)
    ).eval()
    initialise(model, 0)
    with torch.no_grad():  # head 1 looks from each position at the next one
        embeddings, attention = model.encoder.embeddings, model.encoder.layers[0].attention
        embeddings.token.weight.zero_()
        embeddings.segment.weight.zero_()
        angles = torch.arange(16)[:, None] * torch.tensor([0.3, 1.1])  # [n_tokens, 2]
        embeddings.position.weight.copy_(torch.cat((angles.sin(), angles.cos()), dim=1).repeat(1, 2))
        turn = torch.zeros(4, 8)
        for at, speed in enumerate((0.3, 1.1)):
            cos, sin = torch.cos(torch.tensor(speed)), torch.sin(torch.tensor(speed))
            turn[at, at], turn[at, at + 2], turn[at + 2, at], turn[at + 2, at + 2] = cos, sin, -sin, cos
        attention.query.weight[4:] = 40 * turn
        attention.key.weight[4:] = torch.eye(4, 8)
        for projection in (attention.query, attention.key):
            projection.bias.zero_()
    sentence = ParsedSentence(words=("the", "dog", "ran"), heads=(1, 2, -1), relations=("det", "nsubj", "root"))
    read = attention_between(ScratchModel(model, tokenizer, name="made", device=torch.device("cpu")))
    totals = counts_of([sentence] * 3, read)
    assert totals["det"].n == totals["nsubj"].n == 3
    assert totals["det"].right[0, 0, 1] == totals["nsubj"].right[0, 0, 1] == 3
    assert totals["det"].offsets == {1: 3}
    too_long = ParsedSentence(words=("dog",) * 20, heads=(-1,) * 20, relations=("root",) * 20)
    assert counts_of([too_long], read) == {}
