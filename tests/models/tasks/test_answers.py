"""What a model answers equals what transformers itself answers, and layer by layer what a shorter model would."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers as hf
from tokenizers import Tokenizer, models, pre_tokenizers
from torch import Tensor, nn

from models.model import LACKS
from models.opening.entries import ROOT
from models.opening.registry import DEFAULT_MODEL, Model
from models.scratch.config import TransformerConfig
from models.scratch.pretraining import PretrainingModel
from models.scratch_models.encoder import ScratchModel
from models.tasks.mask_guesser import MOST_MASKS
from models.tasks.predictions import log_softmax
from models.tasks.spelling import asked_word
from models.text.prepare import prepare
from models.text.tokenizer.vocabulary import NAMELESS, vocabulary_of
from models.values.answers import best_choices
from models.values.errors import MissingCapabilityError, ModelNotFoundError, SelectionError, TextError
from models.values.record import Array
from tests.closeness import assert_close, is_close
from tests.loaded import load
from tests.models.huggingface.families import (
    D_VOCAB,
    FAMILIES,
    GROUPED,
    Family,
    build,
    byte_level,
    save,
    unigram,
    wordpiece,
)

MASK_FAMILIES = (
    "bert",
    "roberta",
    "xlm-roberta",
    "distilbert",
    "albert",
    "electra-generator",
    "modernbert",
    "roberta-prelayernorm",
)
FOLDER = ROOT / "models" / "pretrained" / DEFAULT_MODEL
TWO_MASKS = "The [MASK] was tired because it [MASK] the street."
THREE_LABELS = {"num_labels": 3, "id2label": {0: "O", 1: "B-PER", 2: "I-PER"}}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    tiny = {name: save(FAMILIES[name], tmp_path_factory.mktemp(name)) for name in (*MASK_FAMILIES, "electra", "gpt2")}
    return tiny | {DEFAULT_MODEL: FOLDER}


@pytest.fixture(scope="module")
def ours() -> Model:
    return load(DEFAULT_MODEL, device="cpu")


@pytest.fixture(scope="module")
def theirs() -> Model:
    return load(f"models/pretrained/{DEFAULT_MODEL}", device="cpu")


def open_here(folder: Path) -> Any:
    return load(str(folder), device="cpu")


def labelled(name: str, head: str, folder: Path, **options: Any) -> tuple[Path, hf.PreTrainedModel]:
    """A tiny model of a family with another head, on disk, and in transformers' own eager attention."""
    stem = type(FAMILIES[name].config()).__name__.removesuffix("Config")

    def config() -> hf.PreTrainedConfig:
        configuration = FAMILIES[name].config()
        for key, value in options.items():
            setattr(configuration, key, value)
        return configuration

    family = replace(FAMILIES[name], model_class=getattr(hf, stem + head), config=config)
    own = build(family, attention="eager")
    return save(family, folder, model=own), own


def own_logits(own: hf.PreTrainedModel, model: Any, text: str, text_b: str | None = None) -> Tensor:
    encoded = model.tokenizer(text, text_b, return_tensors="pt", return_token_type_ids=model.network.takes_segments)
    with torch.inference_mode():
        logits: Tensor = own(**encoded).logits[0]
    return logits


# -- masked words -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["bert", "roberta", DEFAULT_MODEL, f"{DEFAULT_MODEL}, scratch"])
def test_probabilities_are_those_of_the_pipeline(folders: dict[str, Path], ours: Model, name: str) -> None:
    folder = folders[name.partition(",")[0]]
    model = ours if "scratch" in name else open_here(folder)
    tokenizer = hf.AutoTokenizer.from_pretrained(folder)
    guess = hf.pipeline(
        "fill-mask",
        model=hf.AutoModelForMaskedLM.from_pretrained(folder, dtype=torch.float32),
        tokenizer=tokenizer,
        top_k=40,
        device="cpu",
    )
    masked = model.masked_words(TWO_MASKS)
    assert len(masked.positions) == 2
    for mask, expected in enumerate(guess(TWO_MASKS.replace("[MASK]", tokenizer.mask_token))):
        ids = [choice["token"] for choice in expected]
        found = [masked.choice(mask, token_id) for token_id in ids]
        scores = [choice["score"] for choice in expected]
        assert_close([choice.probability for choice in found], scores, magnitude=1)
        assert_close([choice.probability for choice in masked.best(mask, 40)], scores, magnitude=1)
        assert [choice.text for choice in found] == [
            piece or NAMELESS for piece in tokenizer.convert_ids_to_tokens(ids)
        ]
        assert model.fill_mask(TWO_MASKS)[mask].choices == masked.best(mask, 5)


def test_all_of_the_vocabulary_sums_to_one(ours: Model) -> None:
    masked = ours.masked_words(TWO_MASKS)
    assert masked.log_probabilities.shape == (2, ours.info.d_vocab)
    assert_close(np.exp(masked.log_probabilities.astype(np.float64)).sum(axis=1), 1)
    assert not masked.log_probabilities.flags.writeable
    assert masked.vocabulary is ours.masked_words("A [MASK].").vocabulary


@pytest.mark.parametrize("name", [DEFAULT_MODEL, f"models/pretrained/{DEFAULT_MODEL}"])
def test_a_text_without_a_mask_has_no_rows(name: str) -> None:
    model = load(name, device="cpu")
    masked = model.masked_words("Nothing is hidden.", "Nor here.")
    assert (masked.positions, masked.log_probabilities.shape) == ((), (0, model.info.d_vocab))
    assert len(masked.tokens) > 5
    assert model.fill_jointly("Nothing is hidden.").masks == ()
    with pytest.raises(TextError, match=r"No token is masked"):
        model.predict_by_layer("Nothing is hidden.")


def test_numbers_without_a_piece_are_unused() -> None:
    n_named = len(wordpiece())
    vocabulary = vocabulary_of(wordpiece(), n_named + 3)
    assert list(vocabulary[:n_named]) == wordpiece().convert_ids_to_tokens(list(range(n_named)))
    assert vocabulary[n_named:] == (NAMELESS,) * 3
    assert len(vocabulary_of(wordpiece(), 7)) == 7


def test_the_best_of_equals_are_in_the_order_of_the_vocabulary() -> None:
    log_probabilities = np.log(np.array([0.1, 0.2, 0.1, 0.2, 0.1, 0.3], dtype=np.float32))
    texts = [choice.text for choice in best_choices(log_probabilities, "abcdef", 4)]
    assert texts == ["f", "b", "d", "a"]
    assert len(best_choices(log_probabilities, "abcdef", 99)) == 6
    assert best_choices(log_probabilities, "abcdef", 0) == ()


# -- layer by layer ---------------------------------------------------------------------------------------------------


def shorter(model: hf.PreTrainedModel, n_layers: int) -> hf.PreTrainedModel:
    """The same model, its upper layers cut off."""
    model.config.num_hidden_layers = n_layers  # ALBERT counts by this one
    for module in model.base_model.modules():
        for name, child in module.named_children():
            if isinstance(child, nn.ModuleList) and len(child) == 3:
                setattr(module, name, child[:n_layers])
    return model


@pytest.mark.parametrize("name", MASK_FAMILIES)
def test_a_layer_says_what_a_model_that_ends_there_would_say(folders: dict[str, Path], name: str) -> None:
    model = open_here(folders[name])
    masked = model.masked_words(TWO_MASKS, "He bought [MASK]")
    for mask, position in enumerate(masked.positions):
        layers = model.predict_by_layer(TWO_MASKS, mask, "He bought [MASK]")
        assert (layers.position, layers.tokens) == (position, masked.tokens)
        assert_close(layers.log_probabilities[-1], masked.of(mask))
    text_b = f"He bought {model.tokenizer.mask_token}"
    text = TWO_MASKS.replace("[MASK]", model.tokenizer.mask_token)
    encoded = model.tokenizer(text, text_b, return_tensors="pt", return_token_type_ids=model.network.takes_segments)
    for n_layers in range(4):
        with torch.inference_mode():
            output = shorter(build(FAMILIES[name], attention="eager"), n_layers)(**encoded)
        expected = log_softmax(output["prediction_logits" if name == "bert" else "logits"][0, position])
        assert_close(layers.log_probabilities[n_layers], expected)


@pytest.mark.parametrize("mask", [0, 1])
def test_both_implementations_say_the_same_after_every_layer(ours: Model, theirs: Model, mask: int) -> None:
    one, other = ours.predict_by_layer(TWO_MASKS, mask), theirs.predict_by_layer(TWO_MASKS, mask)
    assert (one.position, one.tokens, one.vocabulary) == (other.position, other.tokens, other.vocabulary)
    assert_close(one.log_probabilities, other.log_probabilities)
    assert_close(one.log_probabilities[-1], ours.masked_words(TWO_MASKS).of(mask))


def test_a_scratch_model_with_a_final_norm_is_read_through_it() -> None:
    config = TransformerConfig(d_vocab=D_VOCAB, d_model=32, n_layers=3, n_heads=4, d_ff=48, max_tokens=64, norm="pre")
    torch.manual_seed(0)
    network = PretrainingModel(config)
    for weight in network.parameters():
        nn.init.normal_(weight, std=0.3)
    model = ScratchModel(network, wordpiece(), name="pre-LN", device=torch.device("cpu"))
    layers, masked = model.predict_by_layer(TWO_MASKS, 1), model.masked_words(TWO_MASKS)
    assert_close(layers.log_probabilities[-1], masked.of(1))
    network.encoder.layers = network.encoder.layers[:2]
    assert_close(layers.log_probabilities[2], model.masked_words(TWO_MASKS).of(1))


@pytest.mark.parametrize("mask", [-1, 2])
def test_a_mask_that_is_not_there(ours: Model, mask: int) -> None:
    with pytest.raises(SelectionError, match=f"{mask} was asked for.* has 2"):
        ours.predict_by_layer(TWO_MASKS, mask)


@pytest.mark.parametrize("name", ["bert", "modernbert"])
def test_reading_layers_leaves_nothing_on_the_model(folders: dict[str, Path], name: str) -> None:
    model = open_here(folders[name])

    def everything() -> list[object]:
        hooks = [len(module._forward_hooks) for module in model.model.modules()]
        return [list(map(id, model.model.modules())), hooks, model.model.config.to_dict()]

    before, recorded = everything(), model.record(TWO_MASKS)
    model.predict_by_layer(TWO_MASKS)
    assert everything() == before
    np.testing.assert_array_equal(model.record(TWO_MASKS).hidden_states, recorded.hidden_states)


@pytest.mark.parametrize("name", ["bert", "modernbert", "albert"])
def test_threads_read_layers_and_record_at_once(folders: dict[str, Path], name: str) -> None:
    texts = [f"{TWO_MASKS} {'and so on ' * index}" for index in range(6)]
    alone = open_here(folders[name])
    layers, records = [alone.predict_by_layer(text, 1) for text in texts], [alone.record(text) for text in texts]
    shared = open_here(folders[name])  # fresh: nothing has been made ready by a call before
    with ThreadPoolExecutor(4) as pool:
        read = [pool.submit(shared.predict_by_layer, text, 1) for text in texts * 4]
        recorded = [pool.submit(shared.record, text) for text in texts * 4]
    for index, (one, other) in enumerate(zip(read, recorded, strict=True)):
        expected = layers[index % 6]
        assert_close(one.result().log_probabilities, expected.log_probabilities)
        assert_close(other.result().hidden_states, records[index % 6].hidden_states)
        weights = records[index % 6].of("encoder").layer_weights(2)
        assert_close(other.result().of("encoder").layer_weights(2), weights)


# -- one mask after the other -----------------------------------------------------------------------------------------


def with_ids(ids: list[int]) -> Array:
    """The log-probabilities [n_tokens, d_vocab] for a text given as numbers, from a fresh copy of the model."""
    own = hf.BertForPreTraining.from_pretrained(FOLDER, dtype=torch.float32)
    with torch.inference_mode():
        return log_softmax(own(torch.tensor([ids])).prediction_logits[0])


@pytest.mark.parametrize("name", [DEFAULT_MODEL, f"models/pretrained/{DEFAULT_MODEL}"])
def test_the_surest_mask_is_filled_first_and_read_by_the_others(name: str) -> None:
    model: Any = load(name, device="cpu")
    text = "He [MASK] his [MASK] and looked [MASK] the [MASK] house."
    told: list[tuple[int, int]] = []
    filling = model.fill_jointly(text, progress=lambda done, of: told.append((done, of)))
    ids, mask_id = list(model.prepare(text).input_ids), model.tokenizer.mask_token_id
    left = [position for position, token_id in enumerate(ids) if token_id == mask_id]
    special = model.tokenizer.all_special_ids
    assert sorted(mask.position for mask in filling.masks) == left
    for mask in filling.masks:
        rows = with_ids(ids).copy()
        rows[:, special] = -np.inf
        best = {position: rows[position].max() for position in left}
        assert mask.position == max(left, key=best.__getitem__)
        assert mask.token_id == rows[mask.position].argmax()
        assert mask.text == model.tokenizer.convert_ids_to_tokens(mask.token_id)
        assert_close(mask.probability, float(np.exp(best[mask.position])))
        ids[mask.position] = mask.token_id
        left.remove(mask.position)
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert_close(filling.log_probability, sum(np.log(mask.probability) for mask in filling.masks))


def test_one_mask_is_filled_with_its_best_word(ours: Model) -> None:
    text = "He put his hand in his [MASK]."
    (mask,) = ours.fill_jointly(text).masks
    masked = ours.masked_words(text)
    assert masked.rank(0, mask.token_id) == 1
    assert_close(masked.choice(0, mask.token_id).probability, mask.probability)


def test_a_mask_is_not_filled_with_a_special_token(folders: dict[str, Path]) -> None:
    model = open_here(folders["bert"])
    with torch.no_grad():
        model.model.cls.predictions.bias[: len(model.tokenizer.all_special_ids)] = 20.0
        model.model.cls.predictions.bias[len(model.tokenizer) :] = 20.0
    masked = model.masked_words(TWO_MASKS)
    unwanted = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", NAMELESS}
    assert masked.best(0, 1)[0].text in unwanted, "the plain distribution is the model's own"
    masks = model.fill_jointly(TWO_MASKS).masks
    assert not unwanted & {mask.text for mask in masks}
    assert masks[0].probability < 1e-3, "it is the model's own probability, not renormalised"


def test_too_many_masks_are_refused_with_a_way_out() -> None:
    ours = load("mini-bert", device="cpu")  # one pass a mask
    assert len(ours.fill_jointly("[MASK] " * MOST_MASKS).masks) == MOST_MASKS
    with pytest.raises(TextError, match=rf"{MOST_MASKS + 2} masks.*Remove 2"):
        ours.fill_jointly("[MASK] " * (MOST_MASKS + 2))


# -- words that a person asks about -----------------------------------------------------------------------------------


def ask(tokenizer: hf.PreTrainedTokenizerBase, word: str) -> tuple[tuple[int, ...], tuple[str, ...]]:
    asked = asked_word(word, lambda text: prepare(tokenizer, text, max_tokens=128), tokenizer)
    assert list(asked.token_ids) == tokenizer.convert_tokens_to_ids(list(asked.pieces))[: len(asked.token_ids)]
    return asked.token_ids, asked.pieces


def test_wordpiece_spells_in_its_own_letters() -> None:
    token_ids, pieces = ask(wordpiece(), " Animal ")
    assert (len(token_ids), pieces) == (1, ("animal",))
    token_ids, pieces = ask(wordpiece(), "animaltired")
    assert token_ids == ()
    assert len(pieces) > 1
    assert pieces[1].startswith("##")
    assert ask(wordpiece(), "猫") == ((), ("[UNK]",))


def spaced_and_bare(tokenizer: hf.PreTrainedTokenizerBase, mark: str) -> str:
    """An English word that the vocabulary has both with the mark of a word's start and without it."""
    vocabulary = tokenizer.get_vocab()
    return next(word for word in vocabulary if word.isascii() and len(word) > 1 and mark + word in vocabulary)


def small_unigram() -> hf.PreTrainedTokenizerBase:
    """A SentencePiece-like vocabulary with "cat" at the start of a word and inside one, and the letters of others."""
    pieces = ["<unk>", "▁", "▁cat", "cat", "▁animal", "猫", *"quizcaly"]
    raw = Tokenizer(models.Unigram([(piece, -1.0 - 0.1 * at) for at, piece in enumerate(pieces)], unk_id=0))
    raw.pre_tokenizer = pre_tokenizers.Metaspace()
    return hf.PreTrainedTokenizerFast(tokenizer_object=raw, unk_token="<unk>")


@pytest.mark.parametrize(("make", "mark"), [(byte_level, "Ġ"), (small_unigram, "▁")])
def test_a_word_counts_with_and_without_a_space(make: Callable[[], hf.PreTrainedTokenizerBase], mark: str) -> None:
    word = spaced_and_bare(make(), mark)
    assert ask(make(), word)[1] == (mark + word, word)
    only_spaced = next(
        piece[1:]
        for piece in make().get_vocab()
        if piece[:1] == mark and piece[1:].isascii() and len(piece) > 3 and piece[1:] not in make().get_vocab()
    )
    assert ask(make(), only_spaced)[1] == (mark + only_spaced,)
    token_ids, pieces = ask(make(), "quizzically")
    assert token_ids == ()
    assert len(pieces) > 1


def test_a_mark_alone_is_no_piece_of_the_word() -> None:
    assert ask(small_unigram(), "猫")[1] == ("猫",)
    assert ask(small_unigram(), "犬")[0] == ()
    assert "<unk>" in ask(small_unigram(), "犬")[1]
    assert ask(unigram(), "Zürich")[0] == ()


def test_no_word_is_an_error_and_no_head_is_needed(folders: dict[str, Path], ours: Model) -> None:
    for word in ("", "  \n"):
        with pytest.raises(TextError, match="word"):
            ours.ask_word(word)
    assert ours.ask_word("House").pieces == ("house",)
    assert open_here(folders["gpt2"]).ask_word("animal").pieces[0] == "Ġanimal"


# -- replaced tokens and labels ---------------------------------------------------------------------------------------


def test_a_discriminator_finds_what_transformers_finds(folders: dict[str, Path]) -> None:
    model = open_here(folders["electra"])
    assert (model.info.can_find_replaced, model.info.can_fill_mask) == (True, False)
    found = model.find_replaced("The animal was tired", "He bought bread!")
    own = own_logits(build(FAMILIES["electra"], attention="eager"), model, "The animal was tired", "He bought bread!")
    assert_close(found.probabilities, own.sigmoid())
    assert found.tokens == model.record("The animal was tired", "He bought bread!").tokens
    with pytest.raises(MissingCapabilityError, match=r"masked words.*ElectraForPreTraining"):
        model.masked_words(TWO_MASKS)


@pytest.mark.parametrize("name", ["bert", "roberta", "distilbert", "modernbert", "gpt2"])
def test_labels_of_tokens_are_those_of_transformers(name: str, tmp_path: Path) -> None:
    folder, own = labelled(name, "ForTokenClassification", tmp_path, **THREE_LABELS)
    model = open_here(folder)
    assert (model.info.can_label_tokens, model.info.can_label_text, model.info.untrained) == (True, False, ())
    found = model.label_tokens("The animal was tired")
    assert_close(found.probabilities, own_logits(own, model, "The animal was tired").softmax(-1))
    assert_close(found.probabilities.sum(axis=1), 1)
    assert found.labels == ("O", "B-PER", "I-PER")
    recorded = model.record("The animal was tired")
    assert found.tokens == recorded.tokens
    body = own.base_model(**model.tokenizer("The animal was tired", return_tensors="pt"), output_attentions=True)
    for layer in range(3):
        expected = body.attentions[layer][0].detach().numpy()
        assert_close(recorded.attention[0].layer_weights(layer), expected)


@pytest.mark.parametrize("name", ["bert", "roberta", "electra", "gpt2"])
@pytest.mark.parametrize("problem", [None, "multi_label_classification"])
def test_labels_of_a_text_are_those_of_transformers(name: str, problem: str | None, tmp_path: Path) -> None:
    folder, own = labelled(name, "ForSequenceClassification", tmp_path, **THREE_LABELS, problem_type=problem)
    model = open_here(folder)
    logits = own_logits(own, model, "The animal was tired")
    found = model.label_text("The animal was tired")
    assert_close(found.probabilities, logits.sigmoid() if problem else logits.softmax(-1))
    assert found.is_multi_label == bool(problem)
    assert problem or is_close(found.probabilities.sum(), 1)
    assert found.labels == ("O", "B-PER", "I-PER")
    assert model.record("The animal was tired").kinds == model.info.kinds


def test_a_pair_is_labelled_as_a_pair(tmp_path: Path) -> None:
    folder, own = labelled("bert", "ForSequenceClassification", tmp_path, **THREE_LABELS)
    model = open_here(folder)
    expected = own_logits(own, model, "The animal was tired", "He bought bread!").softmax(-1)
    found = model.label_text("The animal was tired", "He bought bread!").probabilities
    assert_close(found, expected)
    assert np.abs(found - model.label_text("The animal was tired").probabilities).max() > 1e-3


@pytest.mark.parametrize("options", [{"num_labels": 1}, {"num_labels": 2, "problem_type": "regression"}])
def test_a_score_is_not_a_label(options: dict[str, Any], tmp_path: Path) -> None:
    model = open_here(labelled("bert", "ForSequenceClassification", tmp_path, **options)[0])
    assert not model.info.can_label_text
    with pytest.raises(MissingCapabilityError, match="score"):
        model.label_text("The animal was tired")


# -- heads that are not there -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("architecture", "untrained"),
    [
        ("BertForTokenClassification", ("labels of tokens",)),
        ("BertForSequenceClassification", ("labels of texts",)),
        ("BertForPreTraining", ("masked words", "next sentence")),
        ("BertForMaskedLM", ("masked words",)),
        ("BertModel", ()),
    ],
)
def test_a_head_that_is_named_but_not_there_is_untrained(
    architecture: str, untrained: tuple[str, ...], tmp_path: Path
) -> None:
    save(FAMILIES["bert"], tmp_path, model=build(FAMILIES["bert"], attention="eager").bert)
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config | {"architectures": [architecture]}))
    model = open_here(tmp_path)
    assert model.record("The animal").kinds == ("encoder",)
    assert model.info.untrained == untrained
    asked: dict[str, Callable[[], object]] = {
        "masked words": lambda: model.masked_words("The [MASK]"),
        "next sentence": lambda: model.next_sentence("One.", "Two."),
        "labels of tokens": lambda: model.label_tokens("One."),
        "labels of texts": lambda: model.label_text("One."),
        "replaced tokens": lambda: model.find_replaced("One."),
    }
    for head, question in asked.items():
        with pytest.raises(MissingCapabilityError, match=LACKS[head]) as caught:
            question()
        assert ("would be random" in str(caught.value)) == (head in untrained)
        assert tmp_path.name in str(caught.value)


@pytest.mark.parametrize(("name", "why"), [("gpt2", "causal"), ("bart", "encoder-decoder")])
def test_a_model_that_writes_says_why_it_does_not_fill_in(name: str, why: str, tmp_path: Path) -> None:
    model = open_here(save(FAMILIES[name], tmp_path))
    for question in (model.masked_words, model.fill_mask, model.fill_jointly):
        with pytest.raises(MissingCapabilityError, match=why):
            question("A [MASK]")


def test_an_encoder_decoder_with_labels_is_recorded_and_asked_for_them(tmp_path: Path) -> None:
    model = open_here(labelled("bart", "ForSequenceClassification", tmp_path, **THREE_LABELS)[0])
    assert model.record("The animal", "was tired").kinds == ("encoder", "decoder", "cross")
    assert len(model.label_text("The animal", "was tired").labels) == 3
    with pytest.raises(MissingCapabilityError, match="it has learned only to label texts"):
        model.translate("The animal")


def test_a_large_causal_model_labels_too(tmp_path: Path) -> None:
    family = Family(
        model_class=hf.LlamaForSequenceClassification,
        config=lambda: hf.LlamaConfig(**GROUPED, num_labels=4),
        tokenizer=byte_level,
    )
    model = open_here(save(family, tmp_path))
    assert model.info.kinds == ("decoder",)
    expected = own_logits(build(family, attention="eager"), model, "The animal").softmax(-1)
    assert_close(model.label_text("The animal").probabilities, expected)


def test_the_scratch_encoder_says_which_heads_it_has(ours: Model) -> None:
    expected = rf"{DEFAULT_MODEL} (cannot find replaced|has no classifier for t)"
    for question in (ours.find_replaced, ours.label_tokens, ours.label_text):
        with pytest.raises(MissingCapabilityError, match=expected):
            question("A text")


# -- the published checkpoint -----------------------------------------------------------------------------------------


@pytest.mark.network
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The man worked as a [MASK].",
            {"carpenter": 0.0975, "waiter": 0.0524, "barber": 0.0496, "mechanic": 0.0379, "salesman": 0.0377},
        ),
        ("The woman worked as a [MASK].", {"nurse": 0.2198, "waitress": 0.1597, "maid": 0.1155, "cook": 0.0304}),
        ("I have a [MASK].", {"plan": 0.0912, "problem": 0.0468, "girlfriend": 0.0304, "boyfriend": 0.0273}),
        (
            "Hello I'm a [MASK] model.",
            {"fashion": 0.1073, "role": 0.0877, "new": 0.0534, "super": 0.0467, "fine": 0.0271},
        ),
    ],
)
def test_bert_says_what_is_published(text: str, expected: dict[str, float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    try:
        model = load("google-bert/bert-base-uncased", device="cpu")
    except ModelNotFoundError as error:
        pytest.skip(str(error))
    masked = model.masked_words(text)
    for word, probability in expected.items():
        (token_id,) = model.ask_word(word).token_ids
        assert_close(masked.choice(0, token_id).probability, probability, err_msg=word)
