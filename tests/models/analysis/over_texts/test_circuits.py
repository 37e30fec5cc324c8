"""Copying and matching, from the weights alone."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from models.analysis.over_texts.circuits import circuit_measures
from models.opening.registry import load
from models.values.probing.circuits import HeadCircuits
from models.values.record import Array
from tests.closeness import assert_close
from tests.models.huggingface.families import FAMILIES
from tests.models.probed import TEXT, opened

ROTARY = {"modernbert", "esm", "llama", "qwen3", "gemma2", "gemma3_text", "gpt_oss"}
FACTORISED = {"albert", "electra", "electra-generator", "opt"}
"""Families whose embeddings are smaller than their layers, or are not what the words come out of."""


def made(value: Array, output: Array, embedding: Array) -> HeadCircuits:
    centred = embedding - embedding.mean(axis=0)
    gram = (centred.T @ embedding).astype(np.float32)
    return HeadCircuits(kind="encoder", value=value, output=output, query=None, key=None, matches=gram, copies=gram)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_head_that_hands_on_what_it_sees_copies_and_one_that_turns_it_round_does_the_reverse(sign: int) -> None:
    rng = np.random.default_rng(0)
    value = np.linalg.qr(rng.normal(size=(8, 4)))[0].astype(np.float32)[None, None]  # [1, 1, d_model, d_head]
    (copying,) = circuit_measures(made(value, sign * value.swapaxes(2, 3), rng.normal(size=(50, 8))))
    assert_close(copying.values[0, 0], sign)
    random = rng.normal(size=(1, 64, 4, 8)).astype(np.float32)
    (copying,) = circuit_measures(made(np.repeat(value, 64, axis=1), random, rng.normal(size=(50, 8))))
    assert abs(copying.values.mean()) < 0.2


def score_of(matrix: Array) -> float:
    eigenvalues = np.linalg.eigvals(matrix)
    return float(eigenvalues.real.sum() / np.abs(eigenvalues).sum())


def test_the_unembedding_is_centred_and_it_makes_no_difference_whether_the_embeddings_are_too() -> None:
    rng = np.random.default_rng(3)
    embedding = rng.normal(size=(50, 8)) + 3 * rng.normal(size=8)  # every token shares a long vector
    value, output = rng.normal(size=(8, 4)), rng.normal(size=(4, 8))
    (copying,) = circuit_measures(
        made(value[None, None].astype(np.float32), output[None, None].astype(np.float32), embedding)
    )
    centred = embedding - embedding.mean(axis=0)
    assert_close(copying.values[0, 0], score_of(embedding @ value @ output @ centred.T), tolerance=1e-4, magnitude=1)
    assert_close(copying.values[0, 0], score_of(centred @ value @ output @ centred.T), tolerance=1e-4, magnitude=1)
    assert abs(copying.values[0, 0] - score_of(embedding @ value @ output @ embedding.T)) > 0.3


def test_the_scores_are_those_of_the_matrices_over_the_whole_vocabulary() -> None:
    model = load("mini-gpt", device="cpu")
    (circuits,) = model.head_circuits("the old cat")
    copying, matching = (found.values for found in circuit_measures(circuits))
    layer, head = 1, 3
    rows = slice(head * 32, (head + 1) * 32)
    attention = model.model.decoder.layers[layer].attention
    with torch.no_grad():
        embedded = model.embeddings.token.weight[
            :300
        ].double()  # so many words are enough to tell a formula from another
        w_q, w_k, w_v = (each.weight[rows].double() for each in (attention.query, attention.key, attention.value))
        w_o = attention.output.weight[:, rows].double()
        centred = embedded - embedded.mean(dim=0)
        ov = (embedded @ w_v.T @ w_o.T @ centred.T).numpy()  # [n_words, n_words]
        qk = (embedded @ w_q.T @ w_k @ centred.T).numpy()
    few = (centred.T @ embedded).float().numpy()
    found = circuit_measures(
        HeadCircuits(
            **{
                **{name: getattr(circuits, name) for name in ("kind", "value", "output", "query", "key")},
                "matches": few,
                "copies": few,
            }
        )
    )
    for whole, small in zip((ov, qk), found, strict=True):
        assert_close(small.values[layer, head], score_of(whole), tolerance=1e-3, magnitude=1)
    assert (matching > 0.9).mean() > 0.5
    assert copying[0].min() > 0.5  # the heads of the first layer look at themselves, and hand on what they see


def test_a_head_of_mini_bert_that_looks_at_itself_copies() -> None:
    model = load("mini-bert", device="cpu")
    (circuits,) = model.head_circuits("The cat sat.")
    (copying, _) = circuit_measures(circuits)
    roles = {(role.layer, role.head) for role in model.info.head_roles if role.name == "same" and role.share > 0.9}
    assert roles
    assert all(copying.values[place] > 0.9 for place in roles)


@pytest.mark.parametrize("name", FAMILIES)
def test_matrices_are_found_where_they_can_be(name: str) -> None:
    found = opened(name).head_circuits(TEXT)
    if name in FACTORISED:
        assert found == ()
        return
    assert [circuits.kind for circuits in found] == [kind for kind in opened(name).info.kinds if kind != "cross"]
    for circuits, record in zip(found, opened(name).record(TEXT).attention, strict=False):
        assert circuits.value.shape[:2] == (record.n_layers, record.n_heads)
        assert (circuits.query is None) == (name in ROTARY)
        assert len(circuit_measures(circuits)) == (1 if name in ROTARY else 2)
