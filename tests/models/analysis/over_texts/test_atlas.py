"""The atlas: measures that are 1 where they should be, sums that merge, and what follows from them."""

from __future__ import annotations

import json
import runpy
import sys
from dataclasses import replace
from functools import reduce
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from models.analysis import find_measure, head_measures
from models.analysis.heads.measuring import HeadSums, sums_of
from models.analysis.heads.punctuation import is_punctuation
from models.analysis.jensen_shannon import distances
from models.analysis.over_texts import sums as sums_of_a_text
from models.analysis.over_texts.atlas import atlas, atlas_of
from models.analysis.over_texts.atlas_file import DIGITS, atlas_json, read_atlas
from models.analysis.over_texts.likeness import in_a_plane, likeness_sums, rows_to_compare
from models.analysis.over_texts.sums import AtlasSums, atlas_sums
from models.opening.entries import PRETRAINED
from models.opening.registry import load
from models.values.errors import RecordError, SelectionError, TextError
from models.values.record import AttentionRecord, Token
from models.values.results.atlas import FURTHEST, HeadAtlas
from tests.closeness import assert_at_most, assert_close
from viz.kit.demos.records import random_record, record_from_scores, tokens_of

TEXTS = (
    "[CLS] the cat saw the dog and the cat , ran . [SEP]",
    "[CLS] a b c a b c [SEP]",
    "[CLS] one two [SEP] one [SEP]",
)
CORPUS = ("The cat saw the dog, and the dog saw the cat.", "A red door stood open.", "It rained; it rained all day.")


def looking(tokens: tuple[Token, ...], places: np.ndarray) -> AttentionRecord:
    """One head whose tokens spread their attention over some places, or give it to [CLS] where there are none."""
    scores = np.where(places, 0, -1e4).astype(np.float32)
    scores[~places.any(axis=1), 0] = 0
    return record_from_scores(scores[None, None], tokens)


def wanted(name: str, tokens: tuple[Token, ...]) -> np.ndarray:
    """Which token each token would look at, by the definition of a measure, token by token."""
    n = len(tokens)
    found = np.zeros((n, n), np.bool_)
    for query in range(n):
        for key in range(n):
            if query == key or tokens[query].is_special or tokens[key].is_special:
                continue
            beside = {"elsewhere": key, "induction": key - 1, "induction_backwards": key + 1}.get(name)
            if name == "punctuation":
                found[query, key] = tokens[key].text in {",", "."}
            elif beside is not None and 0 <= beside < n and beside != query:
                found[query, key] = tokens[beside].text == tokens[query].text and not tokens[beside].is_special
    return found


@pytest.mark.parametrize("texts", [TEXTS[:1], TEXTS[1:2], TEXTS])
@pytest.mark.parametrize("name", ["elsewhere", "induction", "induction_backwards"])
def test_a_head_made_for_a_measure_has_all_of_it(name: str, texts: tuple[str, ...]) -> None:
    all_tokens = [tokens_of(text) for text in texts]
    sums = reduce(
        HeadSums.__add__,
        (sums_of(looking(tokens, wanted(name, tokens)), needs="a corpus") for tokens in all_tokens),
    )
    row = [measure.name for measure in sums.measures].index(name)
    assert sums.counts[row] == sum(int(wanted(name, tokens).any(axis=1).sum()) for tokens in all_tokens) > 0
    assert_close(sums.totals[row, 0, 0] / sums.counts[row], 1)


def test_punctuation_is_what_is_nothing_else_and_no_special_token() -> None:
    marks_of = {
        "[CLS] a , b ... don't ##' x [SEP]": [",", "...", "##'"],
        "▁a ▁. ▁b x": ["▁."],
        "a ĠâĢĶ Ġb x": ["ĠâĢĶ"],
    }
    for text, marks in marks_of.items():
        tokens = tokens_of(text)
        assert [token.text for token, is_mark in zip(tokens, is_punctuation(tokens), strict=True) if is_mark] == marks
    first = tokens_of(TEXTS[0])
    sums = sums_of(looking(first, wanted("punctuation", first)), needs="a corpus")
    row = [measure.name for measure in sums.measures].index("punctuation")
    assert_close(sums.totals[row, 0, 0] / sums.counts[row], 1)


@pytest.mark.parametrize("name", ["elsewhere", "induction", "induction_backwards"])
def test_where_nobody_looks_ahead_only_what_stood_there_before_is_counted(name: str) -> None:
    tokens = tokens_of("a b c a b c a")
    causal = wanted(name, tokens) & np.tri(len(tokens), k=-1, dtype=np.bool_)
    record = random_record(tokens=tokens, n_layers=1, n_heads=1, causal=True)
    sums = sums_of(record, needs="a corpus")
    row = [measure.name for measure in sums.measures].index(name)
    assert sums.counts[row] == int(causal.any(axis=1).sum())
    assert_close(sums.totals[row, 0, 0], float(record.weights(0, 0)[causal].sum()))


def test_measures_of_a_corpus_are_not_asked_of_one_text() -> None:
    of_corpus = {measure.name for measure in head_measures() if measure.needs == "a corpus"}
    assert of_corpus == {"elsewhere", "induction", "induction_backwards", "punctuation"}
    asked = {measure.name for measure in sums_of(random_record()).measures}
    assert not asked & of_corpus
    assert find_measure("induction") is not None


# -- sums -------------------------------------------------------------------------------------------------------------


def same(one: HeadAtlas, other: HeadAtlas) -> None:
    for first, second in zip((*one.measures, *one.circuits), (*other.measures, *other.circuits), strict=True):
        assert (first.measure, first.count) == (second.measure, second.count)
        assert_close(first.values, second.values, step=10.0**-DIGITS)
    for name in ("offsets", "apart"):
        assert_close(getattr(one, name), getattr(other, name), step=10.0**-DIGITS)
    assert [(role.layer, role.head, role.name) for role in one.roles] == [
        (role.layer, role.head, role.name) for role in other.roles
    ]


def test_the_sums_of_parts_of_a_corpus_merge_in_any_order() -> None:
    parts = [atlas_sums(random_record(tokens=tokens_of(text), seed=seed), text) for seed, text in enumerate(TEXTS)]
    whole = atlas_of(reduce(AtlasSums.__add__, parts), model="made")
    assert (whole.n_texts, whole.n_pieces) == (3, sum(part.n_pieces for part in parts))
    for first, second, third in permutations(parts):
        found = atlas_of(first + (second + third), model="made")
        same(whole, found)
        assert found.pieces == whole.pieces
    with pytest.raises(ValueError, match="different models"):
        parts[0] + atlas_sums(random_record(n_layers=1), "x")
    with pytest.raises(ValueError, match="cross-attention"):
        atlas_sums(random_record(key_tokens=tokens_of(TEXTS[0])), TEXTS[0])


def test_means_of_all_texts_are_those_of_their_rows() -> None:
    records = [random_record(tokens=tokens_of(text), seed=seed) for seed, text in enumerate(TEXTS)]
    found = atlas_of(reduce(AtlasSums.__add__, (atlas_sums(record, "x") for record in records)), model="made")
    rows, offsets, near = [], np.zeros(2 * FURTHEST + 1), []
    for record in records:
        weights = record.weights(1, 2)
        pieces = [at for at, token in enumerate(record.key_tokens) if not token.is_special]
        for query in pieces:
            rows.append(weights[query])
            far = np.array([abs(key - query) for key in pieces])
            near.append(float((weights[query, pieces] * far).sum() / weights[query, pieces].sum()))
            for key in pieces:
                offsets[int(np.clip(key - query, -FURTHEST, FURTHEST)) + FURTHEST] += weights[query, key]
    assert found.n_pieces == len(rows)
    entropy = np.mean([-(row * np.log2(row)).sum() for row in rows])
    assert_close(found.of("entropy").values[1, 2], entropy)
    assert_close(found.of("confidence").values[1, 2], np.mean([row.max() for row in rows]))
    assert_close(found.of("distance").values[1, 2], np.mean(near))
    assert_close(found.offsets[1, 2], offsets / len(rows))
    assert_close(found.offsets[1, 2].sum() + found.of("special").values[1, 2], 1)
    assert_at_most(found.of("previous").values[1, 2], found.offsets[1, 2, FURTHEST - 1])
    with pytest.raises(SelectionError, match="'colour' was not measured"):
        found.of("colour")


def test_attention_that_is_spread_evenly_has_the_entropy_of_its_length() -> None:
    tokens = tokens_of("[CLS] a b c d e f [SEP]")
    even = atlas_of(atlas_sums(record_from_scores(np.zeros((1, 1, 8, 8), np.float32), tokens), "a"), model="even")
    assert_close(even.of("entropy").values[0, 0], 3)
    assert_close(even.of("confidence").values[0, 0], 1 / 8)
    assert_close(even.of("same").values[0, 0], even.of("same").baseline)
    assert np.isnan(even.of("elsewhere").values).all()  # nothing stands there again
    assert not even.roles


def test_the_pieces_that_a_head_looks_at_are_named_if_they_stood_there_often() -> None:
    tokens = tokens_of("[CLS] a x b x c x d x e x once [SEP]")
    at_x = np.array([[key.text == "x" for key in tokens] for _ in tokens])
    at_x[tokens.index(next(token for token in tokens if token.text == "once"))] = False
    found = atlas_of(atlas_sums(looking(tokens, at_x), "x"), model="made").pieces[0]
    assert found.keys[0].text == "x"
    assert found.keys[0].n == 5
    assert {piece.text for piece in (*found.keys, *found.queries)} == {"x"}  # the others stood there once


# -- likeness ---------------------------------------------------------------------------------------------------------


def test_heads_are_as_far_apart_as_their_rows_are_on_average() -> None:
    record = random_record(n_layers=2, n_heads=2, tokens=tokens_of("[CLS] a b c [SEP]"))
    layers = [record.layer_weights(layer) for layer in range(2)]
    heads = np.concatenate(layers)
    sums = likeness_sums(heads[:, rows_to_compare(record.key_tokens)])
    assert sums.count == 3
    for one, other in np.ndindex(4, 4):
        expected = distances(heads[one, 1:4], heads[other, 1:4]).mean() if one != other else 0
        assert_close(sums.apart[one, other], expected)
    long = random_record(n_layers=1, n_heads=2, tokens=tokens_of("[CLS] " + "a b " * 50 + "[SEP]"))
    assert len(rows_to_compare(long.key_tokens)) == 8


def test_a_long_text_is_read_head_by_head_to_the_same_atlas(monkeypatch: pytest.MonkeyPatch) -> None:
    record = random_record(n_layers=2, n_heads=3, tokens=tokens_of("[CLS] " + "a b , c " * 6 + "[SEP]"))
    together = atlas_of(atlas_sums(record, "x"), model="made")
    monkeypatch.setattr(sums_of_a_text, "CELLS_AT_ONCE", record.n_key**2)
    apart = atlas_of(atlas_sums(record, "x"), model="made")
    for one, other in zip(together.measures, apart.measures, strict=True):
        assert_close(one.values, other.values)
    assert_close(together.offsets, apart.offsets)
    assert_close(together.apart, apart.apart)
    assert [[each.text for each in of.keys] for of in together.pieces] == [
        [each.text for each in of.keys] for of in apart.pieces
    ]


def test_places_in_a_plane_are_found_again() -> None:
    places = np.random.default_rng(0).normal(size=(12, 2))
    apart = np.linalg.norm(places[:, None] - places, axis=-1).astype(np.float32)
    found = in_a_plane(apart)
    assert_close(np.linalg.norm(found[:, None] - found, axis=-1), apart)
    assert_close(in_a_plane(np.zeros((1, 1), np.float32)), [[0, 0]])
    line = np.abs(np.arange(4)[:, None] - np.arange(4)).astype(np.float32)
    assert_close(np.abs(np.diff(in_a_plane(line)[:, 0])), 1)


# -- models -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "kinds"), [("mini-bert", 1), ("mini-gpt", 1), ("translator-es", 2)])
def test_scratch_and_hugging_face_have_the_same_atlas(name: str, kinds: int) -> None:
    theirs = load(f"{PRETRAINED.as_posix()}/{name}", device="cpu")
    ours = load(name, device="cpu")
    for one, other in zip(atlas(ours, CORPUS), atlas(theirs, CORPUS), strict=True):
        same(one, other)
        assert {found.measure.name for found in one.circuits} == {"copying", "matching"}
    assert len(atlas(ours, CORPUS)) == kinds


def test_the_atlas_knows_the_heads_that_are_known() -> None:
    """What heads.json says of mini-bert over a treebank, three sentences show already, for the strongest."""
    model = load("mini-bert", device="cpu")
    (found,) = atlas(model, CORPUS)
    known = {(role.layer, role.head) for role in model.info.head_roles if role.name == "previous" and role.share > 0.9}
    assert known
    assert known <= {(role.layer, role.head) for role in found.roles if role.name == "previous"}
    (layer, head, share), *_ = found.strongest("special", 3)
    assert (layer, head) == (0, 2)
    assert share > 0.9
    assert found.of("confidence").values[0, 2] > 0.9


def test_texts_without_anything_are_passed_over_and_none_is_an_error() -> None:
    model = load("sentiment", device="cpu")
    told: list[int] = []
    (found,) = atlas(model, ["", "good", "\n", "bad film"], progress=told.append)
    assert (found.n_texts, told) == (2, [1, 2])
    assert found.circuits == ()  # it says no words
    with pytest.raises(TextError, match="No text of the corpus"):
        atlas(model, ["", " "])


# -- files ------------------------------------------------------------------------------------------------------------


def test_an_atlas_comes_back_from_its_file() -> None:
    for found in (atlas(load(name, device="cpu"), CORPUS) for name in ("mini-bert", "translator-es")):
        again = read_atlas(atlas_json(found))
        for one, other in zip(found, again, strict=True):
            same(one, other)
            assert (one.model, one.kind, one.n_texts) == (other.model, other.kind, other.n_texts)
            assert [piece.text for head in one.pieces for piece in head.keys] == [
                piece.text for head in other.pieces for piece in head.keys
            ]


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"form": "else", "atlases": []}', '{"form": "headlight-atlas-1", "atlases": [{}]}', "null"],
)
def test_a_file_that_holds_none_is_refused(text: str) -> None:
    with pytest.raises(RecordError):
        read_atlas(text)


def test_what_is_wrong_in_a_file_is_said() -> None:
    (found,) = atlas(load("sentiment", device="cpu"), CORPUS)
    changed = json.loads(atlas_json([found]))
    changed["atlases"][0]["places"] = [[0, 0]]
    with pytest.raises(RecordError, match="places has shape"):
        read_atlas(json.dumps(changed))


def test_the_command_writes_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus, out = tmp_path / "corpus.txt", tmp_path / "atlas.json"
    corpus.write_text("\n".join(CORPUS), encoding="utf-8")

    def run(*arguments: str) -> None:
        monkeypatch.setattr(sys, "argv", ["analysis", *arguments])
        runpy.run_module("models.analysis", run_name="__main__", alter_sys=True)

    command = ("atlas", "--model", "sentiment", "--out", str(out))
    run(*command, "--text", str(corpus), "--texts", "2")
    (found,) = read_atlas(out.read_text(encoding="utf-8"))
    assert (found.model, found.n_texts) == ("sentiment", 2)
    with pytest.raises(SystemExit):
        run(*command, "--text", str(tmp_path / "missing.txt"))
    assert "missing.txt" in capsys.readouterr().err
    run()
    listed = capsys.readouterr().out
    assert "\natlas: " in listed
    assert "\nablation: " in listed
    assert "formula  m without the head - m" in listed


def test_a_sink_is_an_outcome_for_the_entropy_and_for_the_likeness_of_heads() -> None:
    """Beside scores that are all 0, a logit of ln n makes the sink as likely as all n tokens together."""
    tokens = tokens_of("a b c d e f g h")
    n = len(tokens)
    even = record_from_scores(np.zeros((1, 2, n, n), np.float32), tokens)
    record = replace(even, sinks=np.array([[[-np.inf], [np.log(n)]]], np.float32))
    found = atlas_sums(record, "a b c d e f g h")
    entropy, confidence, distance = found.moments[:, 0] / found.n_pieces  # [n_heads]
    assert_close(entropy, [np.log2(n), 1 + np.log2(n) / 2])
    assert_close(confidence, [1 / n, 0.5 / n])
    assert_close(distance[0], distance[1])  # where it looks, if it does
    rows = np.array([[1 / n] * n + [0], [0.5 / n] * n + [0.5]], np.float32)
    assert_close(found.likeness.apart[0, 1], distances(rows[:1], rows[1:])[0])
