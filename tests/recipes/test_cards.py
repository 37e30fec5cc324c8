"""The numbers on the cards of the embedded models that the files beside them can confirm."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from safetensors import safe_open

from models.analysis import read_lens
from models.checkpoints.heads_file import read_by_hand, read_heads
from models.checkpoints.llama import load_llama
from models.checkpoints.on_body import body_of
from models.opening.registry import REGISTRY, load
from models.scratch_models.encoder import ScratchModel
from recipes.evaluation.heads.nouns_by_hand import nouns_by_hand, nouns_by_hand_table
from recipes.evaluation.heads.roles_by_hand import refuted_table
from recipes.evaluation.repeated_pieces import measure_repeated, repeated_table
from tests.closeness import CloseTo, assert_close
from ui.widgets.asking.inputs import LONG_ON_CARDS

PRETRAINED = Path("models/pretrained")
CARDS = sorted(PRETRAINED.glob("*/README.md"))
FIELDS = {
    "bert": ("num_hidden_layers", "num_attention_heads", "hidden_size", "intermediate_size", "max_position_embeddings"),
    "gpt2": ("n_layer", "n_head", "n_embd", "n_inner", "n_positions"),
    "llama": (
        "num_hidden_layers",
        "num_attention_heads",
        "hidden_size",
        "intermediate_size",
        "max_position_embeddings",
    ),
    "bart": ("encoder_layers", "encoder_attention_heads", "d_model", "encoder_ffn_dim", "max_position_embeddings"),
}
"""Layers, heads, d_model, d_ff and the longest text, as a configuration of each layout calls them."""
UNITS = {"kB": 1e3, "MB": 1e6}


def checkpoints(card: Path) -> list[Path]:
    """The folders that a card speaks of: its own, or those below it."""
    return sorted(path.parent for path in card.parent.rglob("model.safetensors"))


def rows(card: Path) -> dict[str, str]:
    """The table at the top of a card: what a line is about -> what it says."""
    top = card.read_text(encoding="utf-8").split("\n## ")[0]
    return dict(re.findall(r"^\| ([^|]+?) \| ([^|]+?) \|$", top, flags=re.MULTILINE))


def numbers(text: str) -> list[float]:
    return [float(found.replace(",", "")) for found in re.findall(r"\d[\d,]*(?:\.\d+)?", text)]


def tensors(folder: Path) -> Iterator[tuple[str, int]]:
    """(type, how many numbers) of each weight."""
    with safe_open(folder / "model.safetensors", framework="pt") as weights:
        names: list[str] = weights.offset_keys()
        for part in map(weights.get_slice, names):
            yield part.get_dtype(), math.prod(part.get_shape())


def test_every_embedded_model_has_a_card() -> None:
    assert {card.parent.name for card in CARDS} == {path.name for path in PRETRAINED.iterdir() if path.is_dir()}
    assert all(checkpoints(card) for card in CARDS)


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.parent.name)
def test_a_card_says_the_sizes_of_its_files(card: Path) -> None:
    said = rows(card)
    for folder in checkpoints(card):
        config: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        n_layers, n_heads, d_model, d_ff, max_tokens = (config[name] for name in FIELDS[config["model_type"]])
        layers = [n_layers, config["decoder_layers"]] if config["model_type"] == "bart" else [n_layers]
        shape = numbers(said["layers × heads × d_model"])
        assert shape == [*layers, n_heads, d_model, d_ff]
        assert numbers(said["longest text"])[0] == max_tokens
        assert numbers(said["vocabulary"])[0] == config["vocab_size"]
        types, sizes = zip(*tensors(folder), strict=True)
        assert numbers(said["parameters"])[0] == sum(sizes)
        assert ("half precision" in said["parameters"]) == (set(types) == {"F16"})
        size, unit = re.search(r"([\d.]+) (kB|MB)", said["parameters"]).groups()
        decimals = len(size.partition(".")[2])
        assert float(size) == round((folder / "model.safetensors").stat().st_size / UNITS[unit], decimals)


def test_a_vocabulary_has_as_many_pieces_as_its_model_has_rows() -> None:
    for card in CARDS:
        for folder in checkpoints(card):
            file = (body_of(folder) or folder) / "tokenizer.json"
            vocabulary = json.loads(file.read_text(encoding="utf-8"))["model"]["vocab"]
            config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            assert len(vocabulary) == config["vocab_size"]


def test_mini_gpt_has_read_the_part_of_mini_bert_s_text_that_its_card_says() -> None:
    said = " ".join((PRETRAINED / "mini-gpt" / "README.md").read_text(encoding="utf-8").split())
    read, of = map(float, re.search(r"([\d.]+) million tokens, an eleventh of the ([\d.]+) million", said).groups())
    assert f"{of} million pieces of text" in (PRETRAINED / "mini-bert" / "README.md").read_text(encoding="utf-8")
    assert round(of / read) == 11
    iterations, tokens = map(int, re.search(r"([\d,]+) iterations of ([\d,]+) tokens", said.replace(",", "")).groups())
    assert round(iterations * tokens / 1e6, 1) == read


def test_mini_llama_has_read_what_its_card_says_and_more_than_mini_gpt() -> None:
    said, others = (
        " ".join((PRETRAINED / name / "README.md").read_text(encoding="utf-8").split())
        for name in ("mini-llama", "mini-gpt")
    )
    read = float(re.search(r"([\d.]+) million tokens", said)[1])
    iterations, tokens = map(int, re.search(r"([\d,]+) iterations of ([\d,]+) tokens", said.replace(",", "")).groups())
    assert round(iterations * tokens / 1e6, 1) == read
    assert read > float(re.search(r"([\d.]+) million tokens", others)[1])


def test_the_chapter_of_mini_llama_is_long_and_read_whole() -> None:
    label, text = REGISTRY["mini-llama"].long_example
    recording = load("mini-llama", device="cpu").record(text)
    assert len(recording.tokens) > 3_000
    assert not recording.note
    assert label in LONG_ON_CARDS
    assert "\n" not in text


@pytest.mark.parametrize(("piece", "followed_by", "share"), [("hat", "##ter", "0.96"), ("dor", "##mo", "0.95")])
def test_a_head_of_mini_llama_finds_the_names_of_its_chapter_again(piece: str, followed_by: str, share: str) -> None:
    _, text = REGISTRY["mini-llama"].long_example
    record = load("mini-llama", device="cpu").record(text).of("decoder")
    weights, texts = record.weights(4, 3), [token.text for token in record.key_tokens]
    places = [at for at, token in enumerate(texts) if token == piece and texts[at + 1] == followed_by]
    found = [weights[at, [before + 1 for before in places[:nth]]].sum() for nth, at in enumerate(places) if nth]
    assert_close(sum(found) / len(found), float(share), step=0.01, tolerance=1e-3)
    if piece == "dor":
        gaps = [at - before for before, at in itertools.pairwise(places)]
        far = {gap: float(each) for gap, each in zip(gaps, found, strict=True) if gap > 512}  # two pages of a book
        assert far == CloseTo({522: 0.61, 583: 0.80}, tolerance=6e-3, magnitude=1)
    assert share in (PRETRAINED / "mini-llama" / "README.md").read_text(encoding="utf-8")


def test_the_card_of_mini_llama_says_how_it_finds_random_pieces_again() -> None:
    model = load_llama(PRETRAINED / "mini-llama")
    card = (PRETRAINED / "mini-llama" / "README.md").read_text(encoding="utf-8")
    table = repeated_table(measure_repeated(model), 4, 3)
    assert_table(card, table, tolerance=0.02)


def test_the_card_of_headlight_bert_says_how_it_finds_the_noun_in_pairs_written_by_hand() -> None:
    found = nouns_by_hand(cast("ScratchModel", load("headlight-bert", device="cpu")))
    card = (PRETRAINED / "headlight-bert" / "README.md").read_text(encoding="utf-8")
    assert_table(card, nouns_by_hand_table(found), tolerance=0.02)
    assert not found["earned"]  # else a head could have the name again


@pytest.mark.parametrize("name", ["headlight-bert", "mini-bert"])
def test_a_card_counts_the_roles_of_heads_and_names_those_that_did_not_hold(name: str) -> None:
    card = " ".join((PRETRAINED / name / "README.md").read_text(encoding="utf-8").split())
    known, written = read_heads(PRETRAINED / name), read_by_hand(PRETRAINED / name)
    n_heads = len({(role.layer, role.head) for role in known.roles})
    assert f"{len(known.roles)} roles of {n_heads} heads" in card
    assert f"other {len(known.nearest)} come nearest to" in card
    assert " ".join(refuted_table(written)) in card


def test_the_card_of_headlight_ko_counts_the_roles_of_its_heads() -> None:
    folder = PRETRAINED / "headlight-ko"
    card, known = " ".join((folder / "README.md").read_text(encoding="utf-8").split()), read_heads(folder)
    of_special = {(role.layer, role.head) for role in known.roles if role.name == "special"}
    assert f"{len(known.roles)} roles of {len({(role.layer, role.head) for role in known.roles})} heads" in card
    assert f"the other {len(known.nearest)} come nearest to" in card
    assert f"{len(of_special)} heads give more than" in card
    assert " ".join(refuted_table(read_by_hand(folder))) in card
    for role in known.roles:
        if role.name == "obj from the dependent":
            assert f"(obj) | Layer {role.layer} · Head {role.head} | from the dependent | {role.share:.3f}" in card


def assert_table(card: str, table: list[str], tolerance: float) -> None:
    """A table that a command writes stands on a card, with the same words and nearly the same numbers."""
    lines = card.splitlines()
    at = lines.index(table[0])
    for line, said in zip(table[2:], lines[at + 2 :], strict=False):
        assert [cell for cell in said.split(" | ") if not numbers(cell)] == [
            cell for cell in line.split(" | ") if not numbers(cell)
        ]
        assert_close(numbers(said), numbers(line), tolerance=tolerance, magnitude=1.0)


def test_the_table_of_tiny_bert_is_that_of_its_checkpoints() -> None:
    folder = PRETRAINED / "tiny-bert"
    snapshots = json.loads((folder / "trajectory.json").read_text(encoding="utf-8"))
    lines = re.findall(r"^\| [\d,]+ \|.*$", (folder / "README.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert len(lines) == len(snapshots)
    for line, snapshot in zip(lines, snapshots, strict=True):
        shares = [max(max(head) for head in snapshot[measure]) for measure in ("previous", "next", "same")]
        cells = [re.sub(r" \(.*", "", cell.strip()) for cell in line.strip("|").split("|")]
        expected = [
            f"{snapshot['step']:,}",
            f"{snapshot['pieces'] / 1e6:.2f}",
            f"{snapshot['loss']:.3f}",
            f"{snapshot['top_1']:.3f}",
            f"{snapshot['top_5']:.3f}",
            f"{snapshot['next_sentence']:.3f}",
            *(f"{share:.2f}" for share in shares),
        ]
        assert [float(cell.replace(",", "")) for cell in cells] == pytest.approx(
            [float(cell.replace(",", "")) for cell in expected], abs=0.0101
        )
        assert (folder / snapshot["folder"] / "model.safetensors").is_file()


def test_what_the_list_of_models_says_of_shapes_is_true() -> None:
    for entry in REGISTRY.values():
        found = re.search(r"(\d+) layers of (\d+) heads", entry.about)
        if found and entry.is_embedded:
            config = json.loads((Path(entry.name) / "config.json").read_text(encoding="utf-8"))
            assert [int(number) for number in found.groups()] == [
                config["num_hidden_layers"],
                config["num_attention_heads"],
            ]


@pytest.mark.parametrize("file", sorted(PRETRAINED.glob("*/lens.safetensors")), ids=lambda file: file.parent.name)
def test_the_shares_of_the_lenses_are_those_of_the_file(file: Path) -> None:
    lens, card = read_lens(file), (file.parent / "README.md").read_text(encoding="utf-8")
    section = card.split("## What each layer has of the answer")[1].split("\n## ")[0]
    assert f"mean of {lens.n_texts} texts" in section
    assert f"in {lens.n_answers} other texts" in section
    found = re.findall(r"^\| (?:the embeddings|layer \d+) \| ([\d.]+) \| ([\d.]+) \|$", section, flags=re.MULTILINE)
    expected = zip(lens.as_they_are, lens.carried, strict=True)
    assert found == [(f"{one:.2f}", f"{other:.2f}") for one, other in expected]
