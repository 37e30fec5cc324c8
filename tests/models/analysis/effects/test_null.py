"""A null beside every effect: what chance gives, read from the same passes, covers what is drawn anew."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from models.analysis import contrast_of, head_paths, logit_parts, patch
from models.analysis.effects.logit_parts import parts_of
from models.analysis.effects.null import N_NULL, draw_words, whole_words, with_null
from models.inspection.probing.answers import logits_under
from models.inspection.probing.random_labels import draw_rows
from models.recording.watched_copy import with_hooks
from models.values.errors import RecordError
from models.values.probing.changes import NO_CHANGES, Changes, HeadEdit
from models.values.record import Array
from models.values.results.null import COVERED, null_range
from models.values.text.spelling import attach_spelling, text_of
from tests.closeness import assert_close
from tests.loaded import load

MASKED = "The old [MASK] barked at the cat."
CONTINUED = "The old dog barked at the"
ANNA, JOHN = (f"{who} key, and now [MASK] is looking for it." for who in ("Anna lost her", "John lost his"))
PRAISE, COMPLAINT = "the film was really good", "the film was really bad"
LAST = "classifier.classifier"
HEAD_OFF = Changes(heads=(HeadEdit(kind="encoder", layer=0, head=3, by="zero"),))
OFF = Changes(heads=(HeadEdit(kind="encoder", layer=1, head=3, by="zero"),))


def test_random_answers_are_read_from_the_same_pass() -> None:
    """As if each pair had been asked about by itself."""
    model = load("mini-bert")
    contrast = contrast_of(model, MASKED)
    asked = with_null(model, MASKED, None, contrast)
    assert len(asked.others) == 2 * N_NULL
    under = model.answers_under(MASKED, contrast=asked, changes=[NO_CHANGES, OFF])
    plain = model.answers_under(MASKED, contrast=contrast, changes=[NO_CHANGES, OFF])
    assert_close(under.differences, plain.differences, magnitude=np.abs(plain.logits).max())
    for number in (0, 7, N_NULL - 1):
        pair = asked.others[2 * number : 2 * number + 2]
        alone = replace(contrast, answer=pair[0], rival=pair[1])
        by_itself = model.answers_under(MASKED, contrast=alone, changes=[NO_CHANGES, OFF])
        assert_close(under.null_differences[:, number], by_itself.differences, magnitude=np.abs(by_itself.logits).max())


@pytest.mark.parametrize(
    ("name", "text"), [("mini-bert", MASKED), ("mini-gpt", CONTINUED), ("translator-es", "the cat")]
)
def test_the_directions_of_random_answers_are_those_of_each_by_itself(name: str, text: str) -> None:
    model = load(name)
    contrast = contrast_of(model, text)
    asked = with_null(model, text, None, contrast)
    null = model.answer_streams(text, contrast=asked).null_directions
    assert null.shape == (N_NULL, 1, model.info.d_model)
    for number in (0, 120):
        pair = asked.others[2 * number : 2 * number + 2]
        alone = model.answer_streams(text, contrast=replace(contrast, answer=pair[0], rival=pair[1])).direction
        assert_close(null[number, 0], alone.sum(axis=0))


def test_the_words_are_whole_and_neither_the_answer_nor_its_rival() -> None:
    model = load("headlight-ko")
    said = model.answer_logits("나는 학교에서 [MASK] 읽었다.")
    contrast = said.contrast(*said.best(2))
    drawn = draw_words(said.choices, contrast)
    assert all(text_of(said.choices[number]).isalpha() for number in drawn)
    assert not any(said.choices[number].startswith("##") for number in drawn)
    assert not set(drawn) & set(contrast.own)
    assert drawn == draw_words(said.choices, contrast)
    assert drawn != draw_words(said.choices, contrast, seed=1)
    assert all(one != other for one, other in zip(drawn[::2], drawn[1::2], strict=True))
    with_spaces = attach_spelling(["Ġdog", "ing", "Ġcat", "Ġ12", "Ġa", "cat", "Ġ", "!"])
    assert [str(with_spaces[number]) for number in whole_words(with_spaces)] == ["Ġdog", "Ġcat"]


def test_a_head_that_adds_nothing_lies_inside() -> None:
    model = load("mini-bert")
    contrast = with_null(model, MASKED, None, contrast_of(model, MASKED))
    record = model.record(MASKED).of("encoder")
    value = record.value.copy()
    value[2, 5] = 0
    found = parts_of(model.answer_streams(MASKED, contrast=contrast), {"encoder": replace(record, value=value)})
    (null,) = found.null
    assert found.heads[0].values[2, 5] == null.low[2, 5] == null.high[2, 5] == 0
    assert null.holds(found.heads[0].values)[2, 5]
    assert (null.high - null.low)[2, 4] > 0


def test_the_range_covers_what_is_drawn_anew() -> None:
    """Within four standard errors of a share over 200 new answers beside a range from 200 old ones."""
    model = load("mini-bert")
    contrast = contrast_of(model, MASKED)
    effects = []
    for seed in (0, 1):
        asked = with_null(model, MASKED, None, contrast, seed=seed)
        under = model.answers_under(MASKED, contrast=asked, changes=[NO_CHANGES, OFF]).null_differences
        effects.append(under[1:] - under[0])  # [1, n_null]
    null = null_range(effects[0])
    share = null.holds(effects[1][0]).mean()
    p = COVERED / 100
    assert abs(share - p) < 4 * np.sqrt(p * (1 - p) * 2 / N_NULL)
    twice = null.holds(2 * effects[1][0] + np.float32(3 * (null.high[0] - null.low[0])))
    assert twice.mean() < p / 2


def test_patches_and_paths_have_it_in_the_units_of_their_effects() -> None:
    model = load("headlight-bert")
    found = patch(model, ANNA, JOHN)
    assert found.null.low.shape == found.effects.shape
    assert found.null.n == N_NULL
    assert not found.null.holds(found.effects).all()  # what "she" is carried by is no chance
    assert found.contrast.others == ()
    paths = head_paths(model, MASKED, ("encoder", 2, 1), senders=[("encoder", 0, 3)])
    assert paths.null.low.shape == paths.effects.shape
    assert (paths.null.low <= paths.null.high).all()


def last_vectors(name: str) -> tuple[Array, Array]:
    """Return the vectors that the last matrix of a scratch classifier reads, with all heads and without one
    [2, d_model], and the matrix [n_labels, d_model]."""
    model, read = load(name), []
    copy = with_hooks(model.model, {LAST: lambda _, given, __: read.append(given[0].detach().numpy()[0])})
    probe = replace(model.probe(PRAISE, None, "label", None), model=copy)
    for changes in (NO_CHANGES, HEAD_OFF):
        logits_under(probe, changes)
    without_changes, _, with_head_off = read  # before a change stands its plain pass
    return np.stack([without_changes, with_head_off]), model.model.get_submodule(LAST).weight.detach().numpy()


@pytest.mark.parametrize("name", ["sentiment", "sentiment-mean", "models/pretrained/sentiment"])
def test_random_labels_are_read_from_the_same_pass_along_directions_as_long_as_that_of_the_answer(name: str) -> None:
    model = load(name)
    contrast = contrast_of(model, PRAISE)
    asked = with_null(model, PRAISE, None, contrast)
    under = model.answers_under(PRAISE, contrast=asked, changes=[NO_CHANGES, HEAD_OFF])
    plain = model.answers_under(PRAISE, contrast=contrast, changes=[NO_CHANGES, HEAD_OFF])
    assert_close(under.differences, plain.differences)
    assert_close(under.log_probabilities, plain.log_probabilities)
    vectors, matrix = last_vectors(name.rpartition("/")[2])
    rows = draw_rows(torch.from_numpy(matrix), asked, 2 * N_NULL).numpy()
    directions = rows[::2] - rows[1::2]  # [n_null, d_model]
    apart = np.linalg.norm(matrix[contrast.answer] - matrix[contrast.rival])
    assert_close(np.linalg.norm(directions, axis=1), np.full(N_NULL, apart))
    assert_close(under.null_differences, vectors @ directions.T)


@pytest.mark.parametrize("name", ["sentiment", "sentiment-mean", "models/pretrained/sentiment", "tagger"])
def test_random_labels_are_read_from_the_tokens_that_the_label_is_read_from(name: str) -> None:
    model = load(name)
    contrast = contrast_of(model, PRAISE)
    asked = with_null(model, PRAISE, None, contrast)
    streams = model.answer_streams(PRAISE, contrast=asked)
    read = np.flatnonzero(streams.direction.any(axis=1))
    assert streams.null_directions.shape == (N_NULL, len(read), model.info.d_model)
    assert (len(read) > 1) == (name == "sentiment-mean")
    found = logit_parts(model, PRAISE)
    (null,), (heads,) = found.null, found.heads
    assert null.drawn == found.feed_forward_null.drawn == "labels"
    assert null.low.shape == heads.values.shape
    assert not null.holds(heads.values).all()


def test_a_change_that_changes_nothing_is_no_effect_on_a_label() -> None:
    found = patch(load("sentiment"), PRAISE, COMPLAINT)
    differs = [one.text != other.text for one, other in zip(found.clean_tokens, found.corrupted_tokens, strict=True)]
    assert found.null.drawn == "labels"
    assert found.null.holds(found.effects).tolist() == [[not different for different in differs]]


def test_judgements_have_no_null() -> None:
    model = load("mini-bert")
    contrast = contrast_of(model, "He went to the shop.", "He bought bread.", of="sentence")
    assert with_null(model, "He went to the shop.", "He bought bread.", contrast) == contrast


def test_half_a_pair_is_refused() -> None:
    contrast = contrast_of(load("mini-bert"), MASKED)
    with pytest.raises(RecordError, match="pairs"):
        replace(contrast, others=(1, 2, 3))
