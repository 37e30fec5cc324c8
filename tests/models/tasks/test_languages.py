"""Translators of many languages are told which to read and to write, as their own `generate` is; what is taken is
said."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import torch
import transformers as hf

from models.huggingface.model import HuggingFaceModel, load_huggingface
from models.values.errors import MissingCapabilityError, SelectionError, TextError
from models.values.text.languages import Languages, nearest
from models.values.writing import Writing
from tests.closeness import assert_close
from tests.loaded import load
from tests.models.tasks.tiny_translators import KINDS, TASKS

TEXT = "the street"
BY_TOKENS = [name for name, kind in KINDS.items() if kind.tokens[0]]
BEFORE = [name for name, kind in KINDS.items() if kind.before]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], HuggingFaceModel]:
    @cache
    def _opened(name: str) -> HuggingFaceModel:
        return load_huggingface(str(KINDS[name].save(tmp_path_factory.mktemp(name))), name=name)

    return _opened


def tokens(writing: Writing) -> tuple[list[str], list[str]]:
    """What the encoder and the decoder have read."""
    cross = writing.recording.of("cross")
    return [token.text for token in cross.key_tokens], [token.text for token in cross.query_tokens]


@pytest.mark.parametrize("name", KINDS)
def test_what_is_taken_without_a_choice_is_said(name: str, opened: Callable[[str], HuggingFaceModel]) -> None:
    model, (source, target) = opened(name), KINDS[name].begins_with
    assert model.info.languages is not None
    assert (model.info.languages.source, model.info.languages.target) == (source, target)
    note = model.translate(TEXT).recording.note
    if name == "t5":  # it is told a task only by who asks
        assert note == ""
    else:
        assert note.startswith(f"Read as {source}, translated into {target}" if source else f"Translated into {target}")


@pytest.mark.parametrize("name", KINDS)
def test_chosen_languages_are_told_and_said(name: str, opened: Callable[[str], HuggingFaceModel]) -> None:
    kind, model = KINDS[name], opened(name)
    source, target = kind.others
    told = model.in_languages(source=source, target=target)
    writing = told.translate(TEXT)
    read, written = tokens(writing)
    assert target in writing.recording.note
    assert source in writing.recording.note
    if kind.before:
        assert "".join(read).replace("▁", "").startswith(kind.before.replace(" ", "").split("G")[0])
    else:
        assert kind.tokens[0] in (read[0], read[-1])
        assert kind.tokens[1] == written[0 if kind.starts else 1]
    direct = model.translate(TEXT, source_language=source, target_language=target)
    assert [each.token_id for each in direct.written] == [each.token_id for each in writing.written]
    assert tokens(model.translate(TEXT)) != (read, written)  # the model itself is told what it was told before
    assert "__" not in writing.text
    assert model.in_languages() is model


@pytest.mark.parametrize("name", KINDS)
def test_what_is_written_is_what_transformers_generates(
    name: str, opened: Callable[[str], HuggingFaceModel], tmp_path: Path
) -> None:
    kind, model = KINDS[name], opened(name)
    source, target = kind.others
    writing = model.translate(TEXT, source_language=source, target_language=target)
    theirs = hf.AutoModelForSeq2SeqLM.from_pretrained(kind.save(tmp_path)).eval()
    tokenizer = model.tokenizer
    if kind.tokens[0]:
        tokenizer.src_lang = source
    ids = tokenizer(kind.before + TEXT, return_tensors="pt")["input_ids"]
    language = tokenizer.convert_tokens_to_ids(kind.tokens[1]) if kind.tokens[1] else None
    told = {} if language is None else {"decoder_start_token_id" if kind.starts else "forced_bos_token_id": language}
    if name == "seamless":  # whose own generate is told the language otherwise
        theirs.generation_config.text_decoder_lang_to_code_id = {target: language}
        told = {"tgt_lang": target}
    n_new = len(writing.written)
    theirs.generation_config.max_length = None
    generated = theirs.generate(ids, max_new_tokens=n_new, num_beams=1, do_sample=False, **told)[0].tolist()
    assert generated[1 : n_new + 1] == [each.token_id for each in writing.written]


@pytest.mark.parametrize("name", KINDS)
def test_a_target_that_is_given_stands_behind_its_language(
    name: str, opened: Callable[[str], HuggingFaceModel]
) -> None:
    kind = KINDS[name]
    recording = opened(name).in_languages(source=kind.others[0], target=kind.others[1]).record(TEXT, "the animal")
    decoder = recording.of("decoder").query_tokens
    text = "".join(token.text for token in decoder if not token.is_special)
    assert text.replace("▁", "") == "theanimal"
    assert [token.is_special for token in decoder].count(True) == (2 if kind.tokens[1] and not kind.starts else 1)
    assert not decoder[-1].is_special
    assert all(token.start is not None for token in decoder if not token.is_special)


@pytest.mark.parametrize("name", BEFORE)
def test_what_is_put_before_a_text_is_read_as_if_it_was_typed(
    name: str, opened: Callable[[str], HuggingFaceModel]
) -> None:
    kind, model = KINDS[name], opened(name)
    told, typed = model.translate(TEXT, target_language=kind.others[1]), model.translate(kind.before + TEXT)
    assert [each.token_id for each in told.written] == [each.token_id for each in typed.written]
    assert_close(told.recording.hidden_states, typed.recording.hidden_states)
    assert told.recording.note == typed.recording.note
    assert kind.others[1] in typed.recording.note
    source = told.recording.tokens
    spelled = "".join(TEXT[token.start : token.end] for token in source if token.start is not None)
    assert spelled.replace(" ", "") == TEXT.replace(" ", "")
    assert next(token.word for token in source if token.word is not None) == 0


@pytest.mark.parametrize("name", BEFORE)
def test_what_was_typed_before_a_text_is_not_put_there_twice(
    name: str, opened: Callable[[str], HuggingFaceModel]
) -> None:
    kind, model = KINDS[name], opened(name)
    other = next(before for before in _before(model) if before != kind.before)
    told = model.translate(other + TEXT, target_language=kind.others[1])
    plain = model.translate(other + TEXT)
    assert [each.token_id for each in told.written] == [each.token_id for each in plain.written]
    assert told.recording.note == plain.recording.note
    if name != "t5":  # whose task is text
        spaced = model.translate(f"  {other}{TEXT}")
        assert [each.token_id for each in spaced.written] == [each.token_id for each in plain.written]
        first = next(token for token in spaced.recording.tokens if token.start is not None)
        assert first.start == 2


def _before(model: HuggingFaceModel) -> list[str]:
    assert model.codes is not None
    return list(model.codes.before.values())


def test_a_long_text_keeps_what_is_put_before_it(opened: Callable[[str], HuggingFaceModel]) -> None:
    for name in BEFORE:
        model = opened(name)
        told = model.in_languages(target=KINDS[name].others[1])
        recording = told.record("street " * 400, "the")
        assert len(recording.tokens) <= model.info.max_tokens
        assert recording.tokens[0].is_special
        assert "was cut" in recording.note


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("nllb", "German", "deu_Latn"),
        ("nllb", "de", "deu_Latn"),
        ("nllb", "eng_Cyrl", "eng_Latn"),
        ("nllb", "zh", "zho_Hans, zho_Hant"),
        ("m2m100", "fra", "fr"),
        ("m2m100", "xx_YY", ""),
        ("mbart", "ko", "ko_KR"),
        ("mbart50", "Chinese", "zh_CN"),
        ("seamless", "de", "deu"),
        ("plbart", "pythn", "python"),
        ("marian", "ko", "kor_Hang"),
        ("madlad", "Chinese", "zh_Hant"),
        ("t5", "French", "fr"),
    ],
)
def test_a_language_that_is_not_known_is_refused_with_the_nearest(
    name: str, given: str, expected: str, opened: Callable[[str], HuggingFaceModel]
) -> None:
    model = opened(name)
    with pytest.raises(SelectionError, match=rf"does not write '{given}'.*{expected}.*by its code") as caught:
        model.translate(TEXT, target_language=given)
    assert model.info.languages is not None
    if expected:
        assert nearest(given, model.info.languages.targets)[0] in str(caught.value)
    if model.info.languages.sources and name != "t5":
        with pytest.raises(SelectionError, match=rf"does not read '{given}'.*{expected}"):
            model.in_languages(source=given)


@pytest.mark.parametrize(
    ("name", "written", "code"),
    [
        ("nllb", "FRA_LATN", "fra_Latn"),
        ("nllb", " fra-Latn ", "fra_Latn"),
        ("m2m100", "__fr__", "fr"),
        ("marian", ">>deu<<", "deu"),
        ("madlad", "<2DE>", "de"),
        ("mbart", "ko_kr", "ko_KR"),
    ],
)
def test_codes_are_known_as_they_are_written(
    name: str, written: str, code: str, opened: Callable[[str], HuggingFaceModel]
) -> None:
    told = opened(name).in_languages(target=written).info.languages
    assert told is not None
    assert told.target == code


def test_a_tag_of_a_language_that_is_not_there_is_refused(opened: Callable[[str], HuggingFaceModel]) -> None:
    for name, tag in (("marian", ">>fre<<"), ("madlad", "<2fra>")):
        with pytest.raises(TextError, match=rf"{re.escape(tag)}.*does not write.*nearest.*fr"):
            opened(name).translate(f"{tag} {TEXT}")
    with pytest.raises(TextError, match="nothing but >>fra<<"):
        opened("marian").translate(">>fra<< ")


def test_a_model_of_one_pair_has_no_choice() -> None:
    model = load("translator-es", device="cpu")
    assert model.info.languages is None
    with pytest.raises(MissingCapabilityError, match="translator-es is not told which languages"):
        model.translate("The girl has a red skirt.", target_language="es")
    with pytest.raises(MissingCapabilityError, match="Leave the languages out"):
        load("mini-bert", device="cpu", source_language="en")


def test_a_pair_without_a_task_is_refused(opened: Callable[[str], HuggingFaceModel]) -> None:
    model = opened("t5")
    with pytest.raises(SelectionError, match="does not read 'de'"):
        model.in_languages(source="de", target="fr")
    assert model.info.task_prefixes == tuple(each["prefix"] for each in TASKS.values())


def test_a_model_is_opened_in_languages(tmp_path: Path) -> None:
    model = load(KINDS["m2m100"].save(tmp_path), device="cpu", source_language="ko", target_language="de")
    assert model.info.languages is not None
    assert (model.info.languages.source, model.info.languages.target) == ("ko", "de")
    assert model.translate(TEXT).recording.note == "Read as ko, translated into de."


def test_the_configured_target_is_what_a_model_begins_with(tmp_path: Path) -> None:
    folder = KINDS["mbart50"].save(tmp_path)
    tokenizer = hf.AutoTokenizer.from_pretrained(folder)
    generation = hf.GenerationConfig.from_pretrained(folder)
    generation.forced_bos_token_id = tokenizer.convert_tokens_to_ids("ro_RO")
    generation.save_pretrained(folder)
    model = load_huggingface(str(folder))
    assert model.info.languages is not None
    assert model.info.languages.target == "ro_RO"


def test_the_first_word_is_asked_for_behind_the_language(opened: Callable[[str], HuggingFaceModel]) -> None:
    model = opened("nllb")
    asked = model.answer_logits(TEXT)
    writing = model.translate(TEXT)
    assert asked.position == 1
    assert asked.tokens[1].text == "fra_Latn"
    assert torch.tensor(asked.logits).argmax() == writing.written[1].token_id
    assert opened("mbart").answer_logits(TEXT).position == 0


def test_threads_share_a_tokenizer_in_several_languages(opened: Callable[[str], HuggingFaceModel]) -> None:
    from concurrent.futures import ThreadPoolExecutor

    model = opened("nllb")
    codes = ["deu_Latn", "kor_Hang", "spa_Latn", "jpn_Jpan"] * 5
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda code: model.in_languages(source=code).record(TEXT, "the").tokens[0].text, codes))
    assert found == codes


def test_languages_that_do_not_fit_are_left() -> None:
    languages = Languages(sources=("en", "de"), targets=("fr", "es"), source="en", target="fr")
    assert languages.choose_known(source="xx", target="es") == Languages(
        sources=("en", "de"), targets=("fr", "es"), source="en", target="es"
    )


@pytest.mark.parametrize("name", BY_TOKENS)
def test_a_tag_of_other_models_is_said_to_be_text_and_a_copy_to_be_one(
    name: str, opened: Callable[[str], HuggingFaceModel]
) -> None:
    model = opened(name)
    for tag in (">>fra<<", "<2fr>"):
        assert f"{tag} at the beginning is read as ordinary text" in model.record(f"{tag} {TEXT}", TEXT).note
    assert "ordinary text" not in model.record(TEXT, TEXT).note
    own = model.info.languages
    assert own is not None
    copied = model.in_languages(source=own.targets[0], target=own.targets[0]) if own.sources else model
    assert ("Both are the same language: expect a copy." in copied.record(TEXT, TEXT).note) is bool(own.sources)


@pytest.mark.parametrize(("given", "code"), [("영어", "en"), ("français", "fr"), ("중국어", "zh"), ("日本語", "ja")])
def test_the_nearest_language_is_found_by_its_name_in_other_languages(given: str, code: str) -> None:
    assert nearest(given, ("af", "en", "fr", "ja", "zh")) == (code,)
