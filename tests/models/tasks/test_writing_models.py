"""What the models write: the scratch ones from a folder, and Hugging Face's beside their own `generate`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from models.huggingface.model import HuggingFaceModel, load_huggingface
from models.recording.recorder import recording
from models.values.errors import MissingCapabilityError
from models.values.writing import Writing
from tests.closeness import PARITY, assert_at_most, assert_close
from tests.models.huggingface.families import FAMILIES, build, marian, save
from tests.models.tasks.tiny_writers import change

TEXT = "The animal didn't cross the street."
TRANSLATING, CONTINUING = ("bart", "marian", "t5"), ("gpt2", "llama", "qwen3", "gemma2", "gemma3_text", "gpt_oss")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {name: save(FAMILIES[name], tmp_path_factory.mktemp(name)) for name in (*TRANSLATING, *CONTINUING)}


@pytest.fixture(scope="module")
def opened(folders: dict[str, Path]) -> dict[str, HuggingFaceModel]:
    return {name: load_huggingface(str(folder), name=name) for name, folder in folders.items()}


def generated(name: str, folder: Path, ids: tuple[int, ...], **options: Any) -> tuple[int, ...]:
    """What transformers' own `generate` writes, with its own attention."""
    model = FAMILIES[name].model_class.from_pretrained(folder, attn_implementation="eager").eval()
    given = torch.tensor([ids])
    options |= {"do_sample": False, "use_cache": name != "t5"}  # its cache has too few layers for a deeper decoder
    with torch.inference_mode():
        written = model.generate(given, attention_mask=torch.ones_like(given), **options)
    return tuple(written[0].tolist())


def ids(writing: Writing) -> tuple[int, ...]:
    return tuple(token.token_id for token in writing.written)


@pytest.mark.parametrize("name", TRANSLATING)
def test_greedy_translation_is_that_of_generate(
    opened: dict[str, HuggingFaceModel], folders: dict[str, Path], name: str
) -> None:
    model = opened[name]
    writing = model.translate(TEXT)
    read = model.prepare(TEXT).input_ids
    assert ids(writing) == generated(name, folders[name], read, num_beams=1, max_new_tokens=len(writing.written))[1:]
    assert writing.recording.kinds == ("encoder", "decoder", "cross")


@pytest.mark.parametrize("name", CONTINUING)
def test_greedy_continuation_is_that_of_generate(
    opened: dict[str, HuggingFaceModel], folders: dict[str, Path], name: str
) -> None:
    model = opened[name]
    writing = model.continue_text(TEXT, n_new=12, temperature=0)
    prompt = writing.recording.tokens[: writing.written[0].position + 1]
    assert not prompt[-1].is_special, "nothing is written after an end"
    read = model.prepare(TEXT).input_ids[: len(prompt)]
    expected = generated(name, folders[name], read, num_beams=1, max_new_tokens=len(writing.written))
    assert ids(writing) == expected[len(read) :]


ENDS = {"bart": (2, 515), "marian": (0, 477), "t5": (443, 599)}
"""Tokens that random models write sooner or later, as ends: a configuration may name several."""


@pytest.mark.parametrize("name", TRANSLATING)
def test_the_best_of_four_beams_is_that_of_generate(name: str, tmp_path: Path) -> None:
    folder = save(FAMILIES[name], tmp_path)
    change(folder / "generation_config.json", eos_token_id=ENDS[name])
    model = load_huggingface(str(folder), name=name)
    one, four = model.translate(TEXT), model.translate(TEXT, width=4, length_penalty=0.0)
    assert four.is_finished
    expected = generated(
        name,
        folder,
        model.prepare(TEXT).input_ids,
        num_beams=4,
        length_penalty=0.0,
        early_stopping=False,
        max_new_tokens=60,
    )
    assert ids(four) == expected[1 : len(four.written) + 1]
    assert four.written[-1].token_id in ENDS[name]
    best = four.branches[-1][0].log_probability
    if one.is_finished:
        assert_at_most(sum(np.log(token.chosen.probability) for token in one.written), best)


@pytest.mark.parametrize(
    "rule",
    [
        {"bad_words_ids": [[44], [483], [54, 54], [479]]},
        {"suppress_tokens": [44, 483, 54, 479]},
        {"begin_suppress_tokens": [44, 54, 479]},
        {"forced_bos_token_id": 9},
        {"no_repeat_ngram_size": 2},
    ],
    ids=lambda rule: next(iter(rule)),
)
def test_what_a_checkpoint_forbids_or_forces_is_kept_to(rule: dict[str, Any], tmp_path: Path) -> None:
    name = "bart"  # rules are read and kept to outside the families
    folder = save(FAMILIES[name], tmp_path)
    change(folder / "generation_config.json", **rule)
    model = load_huggingface(str(folder), name=name)
    writing = model.translate(TEXT)
    read = model.prepare(TEXT).input_ids
    expected = generated(name, folder, read, num_beams=1, max_new_tokens=len(writing.written))
    assert ids(writing) == expected[1:]
    own = model.translate(TEXT, width=2)
    assert own.branches[-1][0].token_ids == ids(own)
    if "forced_bos_token_id" in rule:
        first = writing.written[0]
        assert first.token_id == 9
        assert first.chosen.probability < first.candidates[0].probability, "what it would have written stays visible"


@torch.inference_mode()
@pytest.mark.parametrize("name", [*TRANSLATING, *CONTINUING])
def test_the_one_recorded_pass_holds_the_attention_of_every_step(
    opened: dict[str, HuggingFaceModel], name: str
) -> None:
    model = opened[name]
    writing = model.translate(TEXT) if name in TRANSLATING else model.continue_text(TEXT, n_new=9)
    with model.open_prompt(model.prepare(TEXT)) as begun:
        cache = begun.decoder.new_cache()
    prompt = begun.ids[: writing.written[0].position + 1]
    for token, given in zip(writing.written, ([*prompt], *([token] for token in ids(writing)[:-1])), strict=True):
        with recording() as calls:
            begun.decoder.next_logits(torch.tensor([given]), cache)
        for kind in (kind for kind in ("decoder", "cross") if kind in model.info.kinds):
            call = [call for call in calls if call.kind == kind][1]
            scores = call.query[0, :, -1:] @ call.key[0].transpose(-2, -1) * call.scale  # [n_heads, 1, n_key]
            if call.soft_cap is not None:
                scores = torch.tanh(scores / call.soft_cap) * call.soft_cap
            if call.bias is not None:
                scores = scores + call.bias[0, :, -1:]
            n_key = scores.shape[-1]
            if call.sinks is not None:
                scores = torch.cat([scores, call.sinks[0]], dim=-1)  # [n_heads, 1, n_key + 1]
            seen = scores.softmax(dim=-1)[:, 0, :n_key].numpy()  # [n_heads, n_key]
            row = writing.recording.of(kind).layer_weights(1)[:, token.position]
            assert_close(row[:, : seen.shape[1]], seen, tolerance=PARITY, magnitude=1)
            assert not row[:, seen.shape[1] :].any()


@torch.inference_mode()
@pytest.mark.parametrize("name", CONTINUING)
def test_a_text_is_guessed_from_the_left_in_parts_too(
    opened: dict[str, HuggingFaceModel], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = opened[name]
    own = build(FAMILIES[name], attention="eager")
    guesses = model.guess_tokens(TEXT)
    read = torch.tensor([model.prepare(TEXT).input_ids[: len(guesses.tokens)]])
    said = own(read).logits[0].softmax(dim=-1)  # [n_tokens, d_vocab]
    monkeypatch.setattr("models.tasks.writing.MOST_NUMBERS", 3 * model.info.d_vocab)
    for found in (guesses, model.guess_tokens(TEXT)):
        for guess in found.guesses:
            assert_close(guess.probability, float(said[guess.position - 1, read[0, guess.position]]), magnitude=1)
        expected = said[-1].topk(20)
        assert_close([each.probability for each in found.next_choices], expected.values, magnitude=1)
        assert not found.tokens[-1].is_special


@pytest.mark.parametrize("name", ["bert", "roberta", "electra", "electra-generator"])
def test_an_encoder_says_what_it_has_no_head_for(name: str, tmp_path: Path) -> None:
    model = load_huggingface(str(save(FAMILIES[name], tmp_path)), name=name)
    with pytest.raises(MissingCapabilityError, match="it is an encoder"):
        model.translate(TEXT)
    with pytest.raises(MissingCapabilityError, match="it is an encoder"):
        model.continue_text(TEXT)
    if name == "electra":
        with pytest.raises(MissingCapabilityError, match="masked words"):
            model.guess_tokens(TEXT)
        return
    guesses = model.guess_tokens(TEXT)
    assert [guess.position for guess in guesses.guesses] == [
        at for at, token in enumerate(guesses.tokens) if not token.is_special
    ]
    position = guesses.guesses[3].position
    token = guesses.tokens[position]
    (masked,) = model.fill_mask(f"{TEXT[: token.start]}[MASK]{TEXT[token.end :]}", top_k=10)
    if masked.position == position and name != "roberta":  # a mask takes the space before it, and so changes its text
        found, expected = ([each.probability for each in made.choices] for made in (guesses.guesses[3], masked))
        assert_close(found, expected, magnitude=1)


@pytest.mark.parametrize("width", [1, 4])
def test_marian_s_tokenizer_without_offsets_is_written_with(width: int, tmp_path: Path) -> None:
    tokenizer = marian(tmp_path)
    folder = save(replace(FAMILIES["marian"], tokenizer=lambda: tokenizer), tmp_path / "checkpoint")
    writing = load_huggingface(str(folder)).translate("The animal was tired 漢.", width=width)
    assert writing.recording.of("decoder").n_query == len(writing.written) + 1
    spelled = [token.text for token in writing.recording.of("decoder").query_tokens[1:]]
    named = set(tokenizer.get_vocab())
    assert any(piece not in named for piece in spelled) == (width == 4), "some of what is written has no piece"
    assert all(piece in named or piece.startswith("<") for piece in spelled)


def test_an_encoder_decoder_without_its_head_does_not_write(tmp_path: Path) -> None:
    family = FAMILIES["t5"]
    folder = save(family, tmp_path, model=build(family, attention="eager"))
    assert load_huggingface(str(folder), name="whole").info.can_translate
    assert not load_huggingface(str(folder), name="whole").info.can_continue
