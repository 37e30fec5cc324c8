"""What is asked of a pass: changes do what the same change does when it is made by hand, in every family of models."""

from __future__ import annotations

import copy
import io
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from models.analysis.contrasts import contrast_of
from models.huggingface import load_huggingface
from models.inspection.probing.answers import answers_under
from models.inspection.probing.probe import difference
from models.model import Model
from models.opening.entries import PRETRAINED, ROOT
from models.opening.guest_answers import read_frame, write_frame
from models.recording.recorder import intervening, recording
from models.scratch_models.encoder import ScratchModel
from models.values.errors import MissingCapabilityError, RecordError, SelectionError, TextError
from models.values.probing.changes import NO_CHANGES, Changes, HeadEdit, StateEdit
from models.values.probing.contrast import Contrast
from tests.closeness import assert_close, is_close
from tests.loaded import load
from tests.models.huggingface.families import FAMILIES
from tests.models.opening.test_guest import same
from tests.models.probed import TEXT, opened, question_to

MASKED = "The old [MASK] barked at the cat all night."


@pytest.fixture(scope="module")
def mini_bert() -> ScratchModel:
    model = load("mini-bert", device="cpu")
    assert isinstance(model, ScratchModel)
    return model


@pytest.fixture(scope="module")
def translator() -> Model:
    return load("translator-es", device="cpu")


@pytest.fixture(scope="module")
def mini_gpt() -> Model:
    return load("mini-gpt", device="cpu")


def off(kind: str, layer: int, head: int, **how: object) -> Changes:
    return Changes(heads=(HeadEdit(kind=kind, layer=layer, head=head, **(how or {"by": "zero"})),))


# -- every family -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FAMILIES)
def test_a_batch_from_the_layer_below_answers_as_one_whole_pass_with_the_same_change(name: str) -> None:
    model, contrast = opened(name), question_to(name)
    places = [
        (record.kind, layer, (layer + number) % record.n_heads)
        for number, record in enumerate(model.record(TEXT).attention)
        for layer in range(record.n_layers)
    ]
    under = model.answers_under(TEXT, contrast=contrast, changes=[NO_CHANGES, *(off(*place) for place in places)])
    probe = model.probe(TEXT, None, contrast.of, contrast.position)
    expected = []
    for change in ({}, *({place: "zero"} for place in places)):
        with torch.no_grad(), intervening(change):
            expected.append(float(difference(contrast, probe.run(probe.model, [()]))[0]))
    assert_close(under.differences, expected, magnitude=np.abs(under.logits).max())
    assert np.abs(under.differences[1:] - under.differences[0]).max() > 1e-4 or name == "gemma2"  # its soft cap is low


@pytest.mark.parametrize("name", FAMILIES)
def test_gradients_by_the_weights_are_what_a_small_change_of_them_does(name: str) -> None:
    """The middle of five changes: one of them may take a ReLU over its kink."""
    model, contrast = opened(name), question_to(name)
    (gradients,) = model.gradients(TEXT, contrast=contrast)
    step = 3e-4
    for of_kind in gradients.weights:
        layer, head = of_kind.weights.shape[0] - 1, 1
        weights, gradient = of_kind.weights[layer, head], of_kind.gradient[layer, head]
        nudges = np.random.default_rng(0).normal(size=(5, *weights.shape)).astype(np.float32)
        changes = [
            off(of_kind.kind, layer, head, weights=weights + sign * step * nudge)
            for nudge in nudges
            for sign in (1, -1)
        ]
        under = model.answers_under(TEXT, contrast=contrast, changes=changes).differences.reshape(5, 2)
        expected = (gradient * nudges).sum(axis=(1, 2))
        misses = np.abs((under[:, 0] - under[:, 1]) / (2 * step) - expected)
        assert np.median(misses) < 2e-2 * np.abs(expected).max() + 2e-3


@pytest.mark.parametrize("name", FAMILIES)
def test_a_stream_leads_from_the_embeddings_to_the_answer(name: str) -> None:
    model, contrast = opened(name), question_to(name)
    streams = model.answer_streams(TEXT, contrast=contrast)
    under = model.answers_under(TEXT, contrast=contrast, changes=[NO_CHANGES])
    assert_close(streams.difference, under.differences[0], magnitude=np.abs(under.logits).max())
    for inputs, stream in zip(model.layer_inputs(TEXT), streams.streams, strict=True):
        assert_close(stream.embeddings, inputs.states[0])
        for layer, states in enumerate(inputs.states):
            first = next(each for each in stream.sub_layers if each.layer == layer)
            assert_close(first.carried, states)
        for record in model.record(TEXT).attention:
            if any(each.part == record.kind for each in stream.sub_layers):
                _added_by_the_heads(record, stream)


def _added_by_the_heads(record, stream) -> None:
    """What W_O, slice by slice, makes of the heads is what the layer adds."""
    for layer in range(record.n_layers):
        sub_layer = stream.attention(record.kind, layer)
        projection = sub_layer.projection
        total = projection.bias + sum(
            record.head_output(layer, head) @ projection.weight[head] for head in range(record.n_heads)
        )
        if projection.norm is not None:
            rows = [projection.norm.linear(row, position) for position, row in enumerate(total)]
            total = np.stack(rows) + projection.norm.shift
        assert_close(total, sub_layer.added, tolerance=2e-5)


# -- changes made by hand ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("layer", "head"), [(0, 5), (2, 1), (3, 7)])
def test_a_head_that_gives_nothing_is_one_without_its_rows_of_w_o(
    mini_bert: ScratchModel, layer: int, head: int
) -> None:
    contrast = contrast_of(mini_bert, MASKED)
    without = copy.copy(mini_bert)
    without.model = copy.deepcopy(mini_bert.model)
    d_head = mini_bert.info.d_head
    with torch.no_grad():  # W_O is stored transposed: its rows are columns
        output = without.model.encoder.layers[layer].attention.output
        output.weight[:, head * d_head : (head + 1) * d_head] = 0
    expected = without.answers_under(MASKED, contrast=contrast, changes=[NO_CHANGES])
    found = mini_bert.answers_under(MASKED, contrast=contrast, changes=[off("encoder", layer, head)])
    assert_close(found.logits, expected.logits)
    assert_close(found.log_probabilities, expected.log_probabilities)


@pytest.mark.parametrize("name", ["mini_bert", "mini_gpt", "translator"])
def test_reading_the_states_of_another_text_gives_the_answer_to_it(name: str, request: pytest.FixtureRequest) -> None:
    model: Model = request.getfixturevalue(name)
    text, other = ("The [MASK] ran home.", "The [MASK] fell down.") if name == "mini_bert" else ("the cat", "the dog")
    target = {"text_b": "El gato"} if name == "translator" else {}
    contrast = contrast_of(model, text, **target)
    inputs = model.layer_inputs(other, **target)[-1]
    everywhere = tuple(range(len(inputs.tokens)))
    changes = [
        Changes(states=(StateEdit(stack=inputs.stack, layer=layer, positions=everywhere, states=inputs.states[layer]),))
        for layer in range(len(inputs.states))
    ]
    found = model.answers_under(text, **target, contrast=contrast, changes=changes).differences
    (expected,) = model.answers_under(other, **target, contrast=contrast, changes=[NO_CHANGES]).differences
    if name == "translator":  # the decoder goes on reading the source of the text
        assert np.abs(found - expected).max() > 1e-2
        own = model.layer_inputs(text, **target)[0]
        encoder = StateEdit(
            stack="encoder",
            layer=0,
            positions=tuple(range(len(own.tokens))),
            states=model.layer_inputs(other, **target)[0].states[0],
        )
        changes = [Changes(states=(encoder, *change.states)) for change in changes]
        found = model.answers_under(text, **target, contrast=contrast, changes=changes).differences
    assert_close(found, expected)


def test_a_hidden_token_is_one_that_the_mask_hides(mini_bert: ScratchModel) -> None:
    contrast = contrast_of(mini_bert, MASKED)
    ids = torch.tensor([mini_bert.prepare(MASKED).input_ids])
    mask = torch.ones_like(ids, dtype=torch.bool)
    mask[0, [2, 5]] = False
    with torch.no_grad():
        logits = mini_bert.model(ids, mask=mask).mlm[0, contrast.position]
    changes = [Changes(hidden=(("encoder", 2), ("encoder", 5)))]
    found = mini_bert.answers_under(MASKED, contrast=contrast, changes=changes)
    assert_close(found.logits[0], logits[list(contrast.numbers)])


def test_a_token_of_the_source_is_hidden_from_both_halves(translator: Model) -> None:
    text, target = "the old cat sleeps", "El gato"
    contrast = contrast_of(translator, text, target)
    reading = translator.read(text, target)
    source, written = torch.tensor([reading.prepared.input_ids]), torch.tensor([reading.decoder_ids])
    mask = torch.ones_like(source, dtype=torch.bool)
    mask[0, 2] = False
    with torch.no_grad():
        logits = translator.model(source, written, source_mask=mask).logits[0, contrast.position]
    found = translator.answers_under(text, target, contrast=contrast, changes=[Changes(hidden=(("encoder", 2),))])
    assert_close(found.logits[0], logits[list(contrast.numbers)])
    everything = tuple(("encoder", position) for position in range(source.shape[1]))
    with pytest.raises(SelectionError, match="at least one"):
        translator.answers_under(text, target, contrast=contrast, changes=[Changes(hidden=everything)])


def test_what_stands_behind_the_place_does_not_matter_to_a_decoder(mini_gpt: Model) -> None:
    text = "The cat sat on the mat"
    contrast = contrast_of(mini_gpt, text, position=3)
    changes = [NO_CHANGES, Changes(hidden=(("decoder", 5),)), Changes(hidden=(("decoder", 1),))]
    same_as_before, behind, before = mini_gpt.answers_under(text, contrast=contrast, changes=changes).differences
    assert_close(behind, same_as_before)
    assert abs(before - same_as_before) > 1e-2


def test_a_blank_is_a_mask_that_is_typed(mini_bert: ScratchModel) -> None:
    contrast = contrast_of(mini_bert, MASKED)
    found = mini_bert.answers_under(MASKED, contrast=contrast, changes=[Changes(blank=(("encoder", 2),))])
    typed = "The [MASK] [MASK] barked at the cat all night."
    expected = mini_bert.answers_under(typed, contrast=contrast, changes=[NO_CHANGES])
    assert_close(found.logits, expected.logits)


@pytest.mark.parametrize("name", ["mini-bert", "models/pretrained/mini-bert", "mini-gpt", "translator-es", "sentiment"])
def test_gradients_by_the_embeddings_are_what_a_small_change_of_them_does(name: str) -> None:
    model = load(name, device="cpu")
    text = MASKED if "bert" in name else "the old cat sleeps"
    contrast = contrast_of(model, text)
    (gradients,) = model.gradients(text, contrast=contrast, by="embeddings")
    assert gradients.weights == ()
    for of_stack in gradients.embeddings:
        nudge = np.random.default_rng(0).normal(size=of_stack.embeddings.shape).astype(np.float32)
        everywhere = tuple(range(len(of_stack.tokens)))
        edits = [
            StateEdit(
                stack=of_stack.stack, layer=0, positions=everywhere, states=of_stack.embeddings + sign * 2e-3 * nudge
            )
            for sign in (1, -1)
        ]
        changes = [Changes(states=(edit,)) for edit in edits]
        up, down = model.answers_under(text, contrast=contrast, changes=changes).differences
        slope = float((of_stack.gradient * nudge).sum())
        assert_close((up - down) / 4e-3, slope, tolerance=2e-2, magnitude=1 + abs(slope))


def test_changes_together_are_gradients_at_the_changed_place(mini_bert: ScratchModel) -> None:
    contrast = contrast_of(mini_bert, MASKED)
    changes = [NO_CHANGES, off("encoder", 1, 3), Changes(blank=(("encoder", 4),))]
    together = mini_bert.gradients(MASKED, contrast=contrast, changes=changes)
    under = mini_bert.answers_under(MASKED, contrast=contrast, changes=changes)
    assert_close([each.difference for each in together], under.differences, magnitude=np.abs(under.logits).max())
    (alone,) = mini_bert.gradients(MASKED, contrast=contrast, changes=changes[1:2])
    assert_close(together[1].weights[0].gradient, alone.weights[0].gradient)
    assert not together[1].weights[0].gradient[1, 3].any()  # nobody asks what a head that is off looks at


# -- what is left behind, and what is refused -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["bert", "gpt2", "t5"])
def test_nothing_is_left_on_the_model_and_threads_do_not_meet(name: str) -> None:
    model, contrast = opened(name), question_to(name)
    hooks = {path: (len(each._forward_hooks), sorted(vars(each))) for path, each in model.model.named_modules()}
    expected = model.answers_under(TEXT, contrast=contrast, changes=[NO_CHANGES]).logits

    def work(number: int) -> np.ndarray:
        if number % 3 == 0:
            model.gradients(TEXT, contrast=contrast)
            model.answer_streams(TEXT, contrast=contrast)
        edited = off(model.info.kinds[-1], number % 2, 0)
        return model.answers_under(TEXT, contrast=contrast, changes=[edited, NO_CHANGES]).logits[1:]

    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(work, range(8)):
            assert_close(found, expected)
    after = {path: (len(each._forward_hooks), sorted(vars(each))) for path, each in model.model.named_modules()}
    assert hooks == after
    assert not any(parameter.grad is not None for parameter in nn.Module.parameters(model.model))


def test_a_recording_around_it_hears_nothing(mini_bert: ScratchModel) -> None:
    contrast = contrast_of(mini_bert, MASKED)
    with recording() as calls, intervening({("encoder", 0, 0): "zero"}):
        undisturbed = mini_bert.answers_under(MASKED, contrast=contrast, changes=[NO_CHANGES])
    assert calls == []
    expected = mini_bert.answers_under(MASKED, contrast=contrast, changes=[NO_CHANGES])
    np.testing.assert_array_equal(undisturbed.logits, expected.logits)


def test_progress_is_told_and_may_end_the_work(mini_bert: ScratchModel) -> None:
    told: list[tuple[int, int]] = []
    changes = [off("encoder", layer, 0) for layer in (3, 1, 3, 0)]
    contrast = contrast_of(mini_bert, MASKED)
    mini_bert.answers_under(MASKED, contrast=contrast, changes=changes, progress=lambda *done: told.append(done))
    assert told == [(2, 4), (3, 4), (4, 4)]

    def stop(done: int, of: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        mini_bert.answers_under(MASKED, contrast=contrast, changes=changes, progress=stop)


def test_long_texts_are_asked_in_small_batches(mini_bert: ScratchModel) -> None:
    contrast = contrast_of(mini_bert, MASKED)
    probe = mini_bert.probe(MASKED, None, contrast.of, contrast.position)
    rows: list[int] = []

    def run(model: nn.Module, blanks: list[tuple[int, ...]]) -> torch.Tensor:
        rows.append(len(blanks))
        return probe.run(model, blanks)

    answers_under(replace(probe, run=run), contrast, [off("encoder", 2, 1)] * 700)
    assert sum(rows) == 1 + 700
    assert max(rows) * len(probe.tokens["encoder"]) <= 4096


def test_what_is_not_there_is_refused(mini_bert: ScratchModel, mini_gpt: Model) -> None:
    contrast = contrast_of(mini_bert, MASKED)
    for change in (off("encoder", 4, 0), off("encoder", 0, 8), off("decoder", 0, 0), Changes(hidden=(("decoder", 0),))):
        with pytest.raises(SelectionError):
            mini_bert.answers_under(MASKED, contrast=contrast, changes=[change])
    with pytest.raises(SelectionError, match="Token 99"):
        mini_bert.answer_logits(MASKED, of="mask", position=99)
    with pytest.raises(TextError, match="No token is masked"):
        mini_bert.answer_logits("No mask here.", of="mask")
    with pytest.raises(MissingCapabilityError, match="no LM head for masked words"):
        mini_gpt.answer_logits("the cat", of="mask")
    with pytest.raises(RecordError, match="by and output"):
        HeadEdit(kind="encoder", layer=0, head=0, by="zero", output=np.zeros((1, 32), np.float32))
    with pytest.raises(RecordError, match="nothing"):
        HeadEdit(kind="encoder", layer=0, head=0)


def test_the_usual_question_is_the_one_that_the_model_is_for(mini_bert: ScratchModel, mini_gpt: Model) -> None:
    def asked(model: Model, *texts: str) -> tuple[str, int | None]:
        said = model.answer_logits(*texts)
        return said.of, said.position

    assert asked(mini_bert, MASKED) == ("mask", 3)
    assert asked(mini_bert, "He went home.", "She ate.") == ("sentence", None)
    assert asked(mini_bert, MASKED, "She ate.") == ("mask", 3)
    assert asked(mini_gpt, "the old cat") == ("next", len(mini_gpt.record("the old cat").tokens) - 1)
    assert asked(load("sentiment", device="cpu"), "a good film") == ("label", None)


def test_answers_are_those_that_the_model_gives_elsewhere(mini_bert: ScratchModel) -> None:
    said = mini_bert.answer_logits(MASKED)
    masked = mini_bert.masked_words(MASKED)
    exact = said.logits - np.log(np.exp(said.logits.astype(np.float64)).sum())
    assert_close(exact, masked.of(0))
    assert said.choices == masked.vocabulary
    pair = mini_bert.answer_logits("He went home.", "She ate.").logits
    probability = 1 / (1 + np.exp(pair[1] - pair[0]))
    assert_close(probability, mini_bert.next_sentence("He went home.", "She ate."))


def test_words_labels_and_numbers_name_an_answer(mini_bert: ScratchModel) -> None:
    contrast = contrast_of(mini_bert, MASKED, answer="dog", rival="cat")
    assert (contrast.answer_text, contrast.rival_text) == ("dog", "cat")
    assert contrast == contrast_of(mini_bert, MASKED, answer=contrast.answer, rival=contrast.rival)
    assert contrast_of(mini_bert, MASKED, answer="dog", alone=True).rival is None
    label = contrast_of(load("sentiment", device="cpu"), "a good film", answer="negative")
    assert (label.answer_text, label.rival_text) == ("negative", "positive")
    with pytest.raises(SelectionError, match="no single piece"):
        contrast_of(mini_bert, MASKED, answer="floccinaucinihilipilification")
    with pytest.raises(SelectionError, match="choice 8192"):
        contrast_of(mini_bert, MASKED, answer=8192)
    with pytest.raises(SelectionError, match="dog is the answer and its own rival"):
        contrast_of(mini_bert, MASKED, answer="dog", rival="dog")
    with pytest.raises(SelectionError, match="'good' was asked for"):
        contrast_of(load("sentiment", device="cpu"), "a good film", answer="good")


def test_questions_and_answers_go_between_processes(mini_bert: ScratchModel) -> None:
    contrast = contrast_of(mini_bert, MASKED)
    changes = (off("encoder", 1, 2, output=np.ones((1, 32), np.float32)), Changes(hidden=(("encoder", 2),)))

    def sent(value: object) -> object:
        file = io.BytesIO()
        write_frame(file, value)
        file.seek(0)
        return read_frame(file)

    for value in (
        contrast,
        mini_bert.answer_logits(MASKED),
        mini_bert.layer_inputs(MASKED),
        mini_bert.gradients(MASKED, contrast=contrast),
        mini_bert.answer_streams(MASKED, contrast=contrast),
        mini_bert.score_streams(MASKED, place=("encoder", 1, 2), query=3, key=1),
    ):
        same(value, sent(value))
    under = mini_bert.answers_under(MASKED, contrast=contrast, changes=changes)
    received = sent(changes)
    assert isinstance(received, tuple)
    again = mini_bert.answers_under(MASKED, contrast=sent(contrast), changes=received)
    np.testing.assert_array_equal(under.logits, again.logits)


def test_an_answer_without_a_rival_is_its_logit(mini_bert: ScratchModel) -> None:
    alone = contrast_of(mini_bert, MASKED, alone=True)
    under = mini_bert.answers_under(MASKED, contrast=alone, changes=[NO_CHANGES])
    said = mini_bert.answer_logits(MASKED)
    assert under.logits.shape == (1, 1)
    assert_close(under.differences[0], float(said.logits[alone.answer]))
    with pytest.raises(RecordError, match="logits"):
        replace(under, contrast=Contrast(of="mask", position=3, answer=1, rival=2))


# -- answers and texts under changes ----------------------------------------------------------------------------------


def test_all_choices_are_had_under_a_change_as_the_two_are(mini_bert: ScratchModel) -> None:
    contrast = contrast_of(mini_bert, MASKED)
    change = off("encoder", 1, 3)
    whole = mini_bert.answer_logits(MASKED, changes=change)
    (two,) = mini_bert.answers_under(MASKED, contrast=contrast, changes=[change]).logits
    assert_close(whole.logits[list(contrast.numbers)], two)
    assert np.abs(whole.logits - mini_bert.answer_logits(MASKED).logits).max() > 0.1


@pytest.mark.parametrize("name", ["translator", "mini_gpt"])
def test_what_is_written_without_heads_is_written_by_a_model_without_them(
    name: str, request: pytest.FixtureRequest
) -> None:
    model: Model = request.getfixturevalue(name)
    kind = "cross" if name == "translator" else "decoder"
    text = "the old cat sleeps in the house" if name == "translator" else "Once upon a time"
    heads = [HeadEdit(kind=kind, layer=1, head=head, by="zero") for head in (0, 1, 2)]
    found = model.write_without(text, heads=heads, n_new=8)
    without = copy.copy(model)
    without.model = copy.deepcopy(model.model)
    layer = without.model.decoder.layers[1]
    w_o = (layer.cross.attention if kind == "cross" else layer.attention).output
    with torch.no_grad():
        w_o.weight[:, : 3 * model.info.d_head] = 0
    expected = without.translate(text) if kind == "cross" else without.continue_text(text, n_new=8, temperature=0)
    usual = model.translate(text) if kind == "cross" else model.continue_text(text, n_new=8, temperature=0)
    assert [each.token_id for each in found.written] == [each.token_id for each in expected.written]
    chances = [[each.chosen.probability for each in writing.written] for writing in (found, expected)]
    assert_close(*chances)
    before = [each.chosen.probability for each in usual.written]
    assert not is_close(before[: len(chances[0])], chances[0][: len(before)], tolerance=1e-3)
    again = model.translate(text) if kind == "cross" else model.continue_text(text, n_new=8, temperature=0)
    assert again.written == usual.written  # nothing of it stays


def test_texts_are_written_alike_in_transformers_without_heads(translator: Model) -> None:
    theirs = load_huggingface(str(ROOT / PRETRAINED / "translator-es"), name="translator-es")
    heads = [
        HeadEdit(kind="encoder", layer=0, head=1, by="uniform"),
        HeadEdit(kind="cross", layer=0, head=2, by="zero"),
    ]
    one, other = (model.write_without("the cat sleeps", heads=heads) for model in (translator, theirs))
    assert [each.token_id for each in one.written] == [each.token_id for each in other.written]
    weights = [writing.recording.of("cross").weights(1, 0) for writing in (one, other)]
    assert_close(*weights)
    with pytest.raises(MissingCapabilityError, match="cannot continue a text"):
        opened("bert").write_without("the cat", heads=heads[:1])
