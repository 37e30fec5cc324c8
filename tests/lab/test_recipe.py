"""Recipes and their arithmetic, the limits of a server, and what a person may give to learn from."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
import torch

from lab.assemble import assemble
from lab.blueprint import configuration, count_parameters, estimate
from lab.data.cleaning import decode
from lab.data.given import read_given, take_labels, take_pairs, take_text
from lab.data.samples import CONVERSATION, everyday, sample
from lab.limits import MEGABYTE, read_limits
from lab.presets import BERT_EXERCISE, PRESETS, QUICK, SMALL, presets_for, usual_preset
from lab.recipe import (
    TASKS,
    Recipe,
    check_allowed_here,
    clean_name,
    cost_of,
    read_recipe,
)
from models.opening.restriction import CURATED_ONLY, is_restricted
from models.scratch.encoder_decoder import EncoderDecoder
from models.scratch.gpt import LanguageModel
from models.scratch.pretraining import PretrainingModel
from models.values.errors import LabError
from recipes.corpora.pairs import HELD_OUT
from recipes.sentences.everyday import is_held_out

TEXT = "\n\n".join(
    f"The {animal} sees the {place}. It walks to the {place} and finds {n} stones, and then it sleeps."
    for n, (animal, place) in enumerate((a, p) for a in ("dog", "cat", "fox") for p in ("hill", "lake", "wood", "road"))
)
JUDGEMENTS = (("good", "like", "up"), ("bad", "hate", "down"))
CSV = "text,label\n" + "".join(
    f'"It was {word}, I {verb} it {n} times.",{label}\n' for n in range(14) for word, verb, label in JUDGEMENTS
)
TSV = "".join(f"the house {n}\tla casa {n}\n" for n in range(40))


# -- recipes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", TASKS)
def test_every_task_has_presets_from_seconds_to_the_size_of_the_bert_exercise(task: str) -> None:
    presets = PRESETS[task]
    exercise = presets[BERT_EXERCISE]
    assert (exercise.n_layers, exercise.n_heads, exercise.d_model, exercise.d_ff) == (6, 12, 768, 3072)
    assert all(recipe.task == task for recipe in presets.values())
    operations = [
        count_parameters(recipe, recipe.d_vocab) * recipe.tokens_per_iteration * recipe.iterations
        for recipe in presets.values()
    ]
    assert operations == sorted(operations)


@pytest.mark.parametrize(
    ("task", "model"), [("masked", PretrainingModel), ("next", LanguageModel), ("copy", EncoderDecoder)]
)
def test_parameters_are_those_of_the_model_and_cost_nothing_to_count(task: str, model: type) -> None:
    recipe = replace(PRESETS[task][QUICK], n_layers=2)
    built = model(configuration(recipe, d_vocab=70))
    assert count_parameters(recipe, 70) == sum(weight.numel() for weight in built.parameters())


def test_the_arithmetic() -> None:
    recipe = Recipe(task="next", rows=8, n_tokens=16, iterations=100)
    cost = cost_of(recipe, parameters=1000, seconds_per_iteration=0.5, seconds_to_start=3)
    assert (cost.tokens_per_iteration, cost.tokens) == (128, 12_800)
    assert cost.operations == 6 * 1000 * 12_800
    assert cost.memory == 16_000
    assert cost.seconds == 53
    assert replace(recipe, task="copy").tokens_per_iteration == 256  # a source and a target


def test_more_of_everything_takes_longer() -> None:
    small = PRESETS["next"][QUICK]
    quick = estimate(small, small.d_vocab).seconds
    assert quick > 0
    assert estimate(replace(small, iterations=30 * small.iterations), small.d_vocab).seconds > 2 * quick


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"iterations": 0}, "iterations is 0, expected a whole number from 10"),
        ({"learning_rate": float("nan")}, "learning rate"),
        ({"learning_rate": 7.0}, "learning rate is 7"),
        ({"d_model": 66, "n_heads": 4}, "multiple of 4"),
        ({"d_model": 9, "n_heads": 3}, "even"),
        ({"rows": 1024, "n_tokens": 512}, "in one iteration"),
        ({"task": "juggle"}, "juggle"),
        ({"task": "labels", "pooling": "max"}, "pooling is 'max', expected one of cls, mean"),
        ({"n_layers": 2.5}, "whole number"),
    ],
)
def test_a_recipe_that_cannot_be_is_said(wrong: dict, said: str) -> None:
    with pytest.raises(LabError, match=said):
        Recipe(**({"task": "masked"} | wrong))


def test_a_recipe_survives_being_written_down() -> None:
    for recipe in (PRESETS["reverse"][QUICK], replace(PRESETS["labels"][QUICK], pooling="mean")):
        assert read_recipe(recipe.to_json()) == recipe


def test_a_recipe_written_by_an_earlier_version_is_read() -> None:
    assert read_recipe('{"task": "copy", "steps": 12}').iterations == 12
    assert read_recipe('{"task": "labels"}').pooling == "cls"


@pytest.mark.parametrize(
    "text", ["", "[]", '{"task": "copy", "surprise": 1}', '{"task": "copy", "steps": "many"}', "[" * 100_000]
)
def test_a_damaged_recipe_is_an_error_of_ours(text: str) -> None:
    with pytest.raises(LabError):
        read_recipe(text)


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [
        ("My Model", "my-model"),
        ("../../etc/passwd", "etc-passwd"),
        ("<b>x</b>", "b-x-b"),
        ("한국어", "model"),
        ("", "model"),
        ("a" * 90, "a" * 30),
    ],
)
def test_a_name_is_safe_in_a_path_and_an_address(name: str, cleaned: str) -> None:
    assert clean_name(name) == cleaned
    assert clean_name(cleaned) == cleaned


# -- limits ------------------------------------------------------------------------------------------------------------


def test_a_public_server_is_stricter_by_itself() -> None:
    assert is_restricted({CURATED_ONLY: "1"})
    assert not is_restricted({})
    own, public = read_limits({}), read_limits({CURATED_ONLY: "1"})
    assert own.seconds == float("inf")
    assert own.is_private
    assert public.is_private
    assert public.seconds < float("inf")
    assert (public.parameters, public.megabytes) < (own.parameters, own.megabytes)


def test_limits_come_from_the_environment() -> None:
    found = read_limits(
        {
            "HEADLIGHT_LAB": "off",
            "HEADLIGHT_LAB_JOBS": "3",
            "HEADLIGHT_LAB_MINUTES": "0.5",
            "HEADLIGHT_LAB_PARAMETERS": "1e6",
            "HEADLIGHT_LAB_RUNS": "/tmp/some-runs",
        }
    )
    assert not found.is_on
    assert (found.jobs, found.seconds, found.parameters) == (3, 30, 1_000_000)
    assert found.folder.name == "some-runs"
    with pytest.raises(LabError, match="switched off"):
        check_allowed_here(10, found)
    with pytest.raises(LabError, match=r"2,000,000 parameters.*at most 1,000,000"):
        check_allowed_here(2_000_000, replace(found, is_on=True))


@pytest.mark.parametrize("variable", ["HEADLIGHT_LAB_JOBS", "HEADLIGHT_LAB_MINUTES", "HEADLIGHT_LAB"])
def test_a_wrong_setting_is_named(variable: str) -> None:
    with pytest.raises(LabError, match=variable):
        read_limits({variable: "many"})


# -- text --------------------------------------------------------------------------------------------------------------


def test_a_tenth_is_held_out_whatever_the_order() -> None:
    given = take_text(TEXT)
    assert len(given.held_out) == 1
    assert len(given.learned) == 11
    assert not set(given.learned) & set(given.held_out)
    turned = take_text("\n\n".join(reversed(TEXT.split("\n\n"))))
    assert set(turned.held_out) == set(given.held_out)


def test_sentences_are_cut_at_their_ends_and_keep_every_letter() -> None:
    given = take_text('He said: "Go!" Then he left. 오늘은 좋다. 다음 문장이다。 没有空格。第二句。\n\n' + TEXT)
    rows = [*given.learned, *given.held_out]
    assert ('He said: "Go!"', "Then he left.", "오늘은 좋다.", "다음 문장이다。", "没有空格。", "第二句。") in rows


def test_a_text_without_empty_lines_is_cut_into_documents() -> None:
    given = take_text(" ".join(f"Sentence number {n} speaks of thing {n % 13} here." for n in range(100)))
    assert sum(map(len, (*given.learned, *given.held_out))) == 100
    assert given.held_out


def test_text_without_any_full_stop_is_cut_too() -> None:
    given = take_text(" ".join(f"word{n}" for n in range(4000)))
    assert max(len(sentence.split()) for row in given.learned for sentence in row) <= 80


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "only spaces"),
        (" \n\t ", "only spaces"),
        ("word", "1 sentence and 1 different word"),
        ("word " * 5000, "and 1 different word,"),
        ("a few different words only", "1 sentence and 5 different words"),
        ("\x00\x01\x02" * 500 + TEXT, "control characters"),
        ("One two three four five six seven eight nine ten eleven " * 20, "3 sentences"),
        ("\n\n".join([" ".join(f"Here is thing {n}." for n in range(12))] * 5), "1 part"),
    ],
)
def test_too_little_text_is_said(text: str, said: str) -> None:
    with pytest.raises(LabError, match=said):
        take_text(text)


def test_a_conversation_of_a_dozen_sentences_can_be_learned_from_and_says_what_to_expect() -> None:
    given = take_text(CONVERSATION)
    assert sum(map(len, (*given.learned, *given.held_out))) == CONVERSATION.count(".") + CONVERSATION.count("?")
    assert given.held_out
    assert any("by heart" in note for note in given.notes)
    assert not any("by heart" in note for note in take_text(sample("masked")).notes)
    for task in ("masked", "next"):
        recipe = next(iter(PRESETS[task].values()))
        learned = assemble(recipe, given)
        assert torch.isfinite(learned.loss(0, rows=4, seed=0, device=torch.device("cpu")).total)
        with torch.inference_mode():
            assert learned.measure(torch.device("cpu"))["loss"] > 0


def test_hidden_characters_and_repetitions_are_taken_out_and_said() -> None:
    given = take_text("\ufeff" + TEXT.replace("dog", "d\u202eo\u200bg", 1) + "\n\n" + TEXT.split("\n\n")[3])
    plain = take_text(TEXT)
    assert {*given.learned, *given.held_out} == {*plain.learned, *plain.held_out}
    assert "2 hidden characters removed." in given.notes
    assert any("appeared twice" in note for note in given.notes)


def test_only_so_much_text_is_taken_in_encodings_that_bytes_tell() -> None:
    for encoding in ("utf-8-sig", "utf-16", "utf-32"):
        assert decode("é\n".encode(encoding), most_bytes=100) == "é\n"
    assert decode("비가 왔다\n".encode("cp949"), most_bytes=100) == "비가 왔다\n"
    with pytest.raises(LabError, match="byte 3"):
        decode("caf\u00e9".encode("latin-1"), most_bytes=100)
    with pytest.raises(LabError, match=r"gave 50\.0 MB.*at most 20\.0 MB"):
        decode(b"x" * (50 * MEGABYTE), most_bytes=20 * MEGABYTE)


def test_rows_survive_being_written_down(tmp_path) -> None:
    given = take_text(TEXT)
    given.save(tmp_path / "given.json")
    assert read_given(tmp_path / "given.json") == given
    (tmp_path / "given.json").write_text('{"learned": 3', encoding="utf-8")
    with pytest.raises(LabError, match="can no longer be read"):
        read_given(tmp_path / "given.json")


# -- labels ------------------------------------------------------------------------------------------------------------


def test_labels_with_and_without_a_header_with_commas_semicolons_and_tabs() -> None:
    expected = take_labels(CSV)
    assert {label for _, label in expected.learned} == {"up", "down"}
    assert {label for _, label in expected.held_out} == {"up", "down"}
    assert not {text for text, _ in expected.learned} & {text for text, _ in expected.held_out}
    rows = set(expected.learned + expected.held_out)
    headless = take_labels(CSV.removeprefix("text,label\n"))
    assert set(headless.learned + headless.held_out) == rows
    semicolons = take_labels("\r\n".join(f'"{text}";{label}' for text, label in rows))
    assert set(semicolons.learned + semicolons.held_out) == rows
    named = "id\tsentiment\treview\n" + "".join(f"{n}\t{label}\t{text}\n" for n, (text, label) in enumerate(rows))
    turned = take_labels(named)
    assert set(turned.learned + turned.held_out) == rows
    assert any("header" in note for note in turned.notes)


def test_quotes_and_new_lines_inside_a_text() -> None:
    given = take_labels(CSV + '"He said ""no"",\nand left.",up\n')
    assert any(text == 'He said "no",\nand left.' for text, _ in given.learned + given.held_out)


def test_what_is_left_out_is_counted_and_said() -> None:
    given = take_labels(CSV + ",up\nonly one column\nIt was odd,rare\n" + CSV.splitlines()[1] + "\n")
    said = " ".join(given.notes)
    assert "1 row without two columns was left out" in said
    assert "1 row with an empty cell was left out" in said
    assert "1 row appeared twice and counted once" in said
    assert "“rare”" in said
    assert "rare" not in {label for _, label in given.held_out}


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("text,label\n" + "".join(f"text {n},same\n" for n in range(50)), "two different labels"),
        ("".join(f"text {n},label {n}\n" for n in range(90)), "90 different labels"),
        ("".join(f"text {n}\n" for n in range(50)), "No line of the table has two columns"),
        (CSV[:120], "expected at least 20"),
        ("".join(f"a, b, c {n},x\n" for n in range(40)), "do not have two columns"),
        (CSV + '"an open quote,up\n' + CSV, "line"),
        ("".join(f"x{n},{'l' * 80}\n" for n in range(30)) + CSV, "80 characters"),
        ("", "only spaces"),
    ],
)
def test_a_table_that_cannot_be_learned_from_is_said(table: str, said: str) -> None:
    with pytest.raises(LabError, match=said):
        take_labels(table)


# -- pairs -------------------------------------------------------------------------------------------------------------


def test_pairs_of_one_source_stay_on_one_side() -> None:
    given = take_pairs("source\ttarget\n" + TSV + TSV.replace("casa", "vivienda"))
    assert len(given.learned) + len(given.held_out) == 80
    assert not {source for source, _ in given.learned} & {source for source, _ in given.held_out}
    assert len(given.held_out) == 8
    assert any("second target" in note for note in given.notes)


def test_everyday_pairs_use_few_words_again_and_again_and_none_is_held_out_of_the_translators() -> None:
    given = take_pairs(everyday())
    rows = (*given.learned, *given.held_out)
    assert 500 < len(rows) < 1000
    words = Counter(word for source, _ in rows for word in source.lower().replace("'", " ").strip("?.!").split())
    assert len(words) < 250
    assert not [source for source, _ in rows if is_held_out(source, max(HELD_OUT.values()))]


def test_a_quote_is_a_letter_in_a_tsv() -> None:
    given = take_pairs(TSV + 'he said "yes\tdijo "sí\n')
    assert ('he said "yes', 'dijo "sí') in given.learned + given.held_out


@pytest.mark.parametrize(("table", "said"), [("a,b\n" * 30, "There is no tab"), ("a\tb\n", "1 different row")])
def test_pairs_that_cannot_be_learned_from_are_said(table: str, said: str) -> None:
    with pytest.raises(LabError, match=said):
        take_pairs(table)


def test_the_first_held_out_rows_are_of_all_labels() -> None:
    lines = [f"text {number} is {label},{label}" for label in ("good", "bad") for number in range(400)]
    held_out = take_labels("\n".join(["text,label", *lines])).held_out
    assert {label for _, label in held_out[:20]} == {"good", "bad"}


def test_a_task_opens_with_a_time_in_which_it_can_be_learned() -> None:
    assert [task for task in PRESETS if usual_preset(task) == SMALL] == ["masked", "translate"]
    assert all(usual_preset(task) in presets_for(task) for task in PRESETS)
    assert usual_preset("labels", "headlight-ko") == next(iter(presets_for("labels", "headlight-ko")))
