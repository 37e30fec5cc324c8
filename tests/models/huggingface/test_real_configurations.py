"""The models that the list offers, as far as no weights are needed: their real configurations, sizes and tokenizers.

The whole models are built without memory; what has to be computed is computed with the real widths and few layers.
"""

from __future__ import annotations

import json
import struct
import warnings
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers as hf

from models.checkpoints.sizes import expect_sizes
from models.huggingface.classes import auto_class_of, capabilities_of_class, class_of, is_causal
from models.huggingface.config import d_ff, first_position, layers_of_kinds, max_tokens, takes_segments
from models.huggingface.model import HuggingFaceModel, load_huggingface
from models.huggingface.refusals import expect_reader_of_text
from models.model import MASKED_WORDS, NEXT_SENTENCE, NEXT_TOKENS, REPLACED_TOKENS, TRANSLATION
from models.opening.registry import REGISTRY
from models.values.errors import MissingCapabilityError, ModelLoadError
from tests.closeness import assert_close
from tests.models.huggingface.eager import expect_own_weights
from tests.models.huggingface.real_configurations import REAL, Real, configuration, small
from tests.models.huggingface.tiny_sizes import Values

TEXT = "The capital of France is [MASK]."
CAN = {
    "can_fill_mask": MASKED_WORDS,
    "can_judge_next_sentence": NEXT_SENTENCE,
    "can_find_replaced": REPLACED_TOKENS,
    "can_continue": NEXT_TOKENS,
    "can_translate": TRANSLATION,
}
MEGABYTE = 1e6
INDEXER: Values = {
    "indexer_n_heads": 16,
    "indexer_kv_heads": 1,
    "indexer_head_dim": 256,
    "indexer_budget": 2048,
    "indexer_compress_ratio": 16,
}
"""What the configuration of Qwen4-Exp leaves open."""
names = pytest.mark.parametrize("name", REAL)


@cache
def whole(name: str) -> hf.PreTrainedModel:
    """The model in its real size, without memory."""
    config = configuration(REAL[name])
    with torch.device("meta"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made: hf.PreTrainedModel = auto_class_of(config).from_config(config)
    return made


def parameters(model: hf.PreTrainedModel) -> int:
    return sum(weight.numel() for weight in model.parameters())


def test_every_model_of_the_list_is_here() -> None:
    assert set(REAL) == {name for name, entry in REGISTRY.items() if not entry.is_embedded}


@names
def test_it_is_as_large_as_published_and_as_the_list_says(name: str) -> None:
    found, entry = parameters(whole(name)), REGISTRY[name]
    assert found / 1e6 == pytest.approx(REAL[name].millions, rel=0.01)
    bytes_a_number = 2 if name.startswith("Qwen/") else 4  # its file is in bfloat16, the others are in float32
    assert entry.megabytes == pytest.approx(bytes_a_number * found / MEGABYTE, rel=0.05)
    if "million" in entry.about:
        assert f"{found / 1e6:.0f} million" in entry.about


@names
def test_what_is_asked_of_it_follows_from_its_configuration(name: str) -> None:
    real, config = REAL[name], configuration(REAL[name])
    auto_class = auto_class_of(config)
    expect_reader_of_text(auto_class, config, name)
    assert class_of(auto_class, config) is not None
    assert set(capabilities_of_class(auto_class, config)) == {CAN[each] for each in real.can}


@names
def test_its_measures_are_those_of_the_whole_model(name: str, tmp_path: Path) -> None:
    real, model = REAL[name], whole(name)
    config = model.config
    causal = is_causal(config) and not config.is_encoder_decoder
    kinds = layers_of_kinds(config, is_causal=causal)
    assert set(kinds.values()) == {real.n_layers}
    assert set(kinds) == (
        {"encoder", "decoder", "cross"} if config.is_encoder_decoder else {"decoder"} if causal else {"encoder"}
    )
    assert d_ff(config) == real.d_ff
    assert max_tokens(model, real.tokenizer(tmp_path)) == real.max_tokens
    assert first_position(model) == (2 if real.family in {"roberta", "xlm-roberta"} else 0)
    assert takes_segments(model) == (real.family in {"bert", "albert", "electra", "roberta", "xlm-roberta"})


@names
def test_its_real_sizes_pass_what_a_stranger_s_must_pass_and_a_billion_layers_do_not(name: str, tmp_path: Path) -> None:
    config, model = configuration(REAL[name]), whole(name)
    _header_of(model, tmp_path / "model.safetensors")
    config.save_pretrained(tmp_path)
    expect_sizes(tmp_path, name)
    said = json.loads((tmp_path / "config.json").read_text())
    (layers,) = [
        field for field in ("num_hidden_layers", "n_layer", "n_layers", "num_layers", "encoder_layers") if field in said
    ][:1]
    (tmp_path / "config.json").write_text(json.dumps(said | {layers: 10**9}))
    with pytest.raises(ModelLoadError, match=f"says {layers} 1,000,000,000"):
        expect_sizes(tmp_path, name)


@pytest.mark.parametrize(
    ("family", "told", "field", "with_tables"),
    [
        ("vibevoice_asr", {}, "acoustic_tokenizer_chunk_size", {}),
        ("qwen4_exp_text", INDEXER, "ngram_vocab_size_base", {"ple_layer_ids": [1]}),
    ],
)
def test_a_number_that_is_no_side_of_a_weight_passes_and_a_billion_of_it_does_not(
    family: str, told: Values, field: str, with_tables: Values, tmp_path: Path
) -> None:
    config = hf.CONFIG_MAPPING[family](**told)
    with torch.device("meta"):
        _header_of(auto_class_of(config).from_config(config), tmp_path / "model.safetensors")
    config.save_pretrained(tmp_path)
    expect_sizes(tmp_path, family)
    said = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(said | with_tables | {field: 10**9}))
    with pytest.raises(ModelLoadError, match=f"says {field} 1,000,000,000"):
        expect_sizes(tmp_path, family)


def _header_of(model: hf.PreTrainedModel, file: Path) -> None:
    """A file of weights with the shapes of a model, and a hole where its numbers would be: it takes no room."""
    header, end = {}, 0
    for key, tensor in model.state_dict().items():
        header[key] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [end, end + 4 * tensor.numel()]}
        end += 4 * tensor.numel()
    content = json.dumps(header).encode()
    with file.open("wb") as opened:
        opened.write(struct.pack("<Q", len(content)) + content)
        opened.truncate(8 + len(content) + end)


# -- with the real widths ----------------------------------------------------------------------------------------------


OPENED = tuple(
    {(real.family, real.architecture, real.tokenizer): name for name, real in reversed(REAL.items())}.values()
)
"""One name of those that share a class and a tokenizer: the others differ in the words that they know."""


def narrow(name: str, folder: Path) -> HuggingFaceModel:
    """A random model of the real widths, with few layers, as Headlight opens it from a folder."""
    real, config = REAL[name], None
    tokenizer = real.tokenizer(folder)
    config = small(real, tokenizer)
    model = auto_class_of(config).from_config(config)
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for weight in model.parameters():
            if weight.dim() > 1:
                weight.normal_(0, 0.02 if real.family == "t5" else 0.05, generator=generator)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
    said = json.loads((folder / "config.json").read_text()) | {"architectures": [real.architecture]}
    (folder / "config.json").write_text(json.dumps(said))
    return load_huggingface(str(folder), name=name, device="cpu")


@pytest.mark.parametrize("name", OPENED)
def test_with_the_real_widths_it_opens_and_its_records_and_answers_are_its_own(name: str, tmp_path: Path) -> None:
    real, model = REAL[name], narrow(name, tmp_path)
    info = model.info
    assert (info.family, info.n_heads, info.n_kv_heads) == (real.family, real.n_heads, real.n_kv_heads)
    assert (info.d_model, info.d_head, info.d_ff) == (real.d_model, 64, real.d_ff)
    assert info.max_tokens == real.max_tokens
    assert {each for each in CAN if getattr(info, each)} == set(real.can)
    recording = model.record(TEXT, TEXT if "can_translate" in real.can else None)
    expect_own_weights(model, tmp_path, recording)
    _expect_marks(real, [token.text for token in recording.tokens])
    if "can_fill_mask" in real.can:
        _expect_own_probabilities(model, tmp_path)
    if "can_find_replaced" in real.can:
        _expect_own_judgements(model, tmp_path)


def _expect_marks(real: Real, tokens: list[str]) -> None:
    """The special tokens around the text, and its mask as one token."""
    assert tokens[0] == real.begins or not real.begins
    assert tokens[-1] == real.ends or not real.ends
    if real.mask:
        assert tokens.count(real.mask) == 1
    else:
        assert "[MASK]" not in tokens


def _expect_own_probabilities(model: HuggingFaceModel, folder: Path) -> None:
    """The words for a mask have the probabilities that transformers gives them."""
    masked = model.masked_words(TEXT)
    tokenizer = hf.AutoTokenizer.from_pretrained(folder)
    own = auto_class_of(model.model.config).from_pretrained(folder, attn_implementation="eager").eval()
    ids = tokenizer(TEXT.replace("[MASK]", tokenizer.mask_token), return_tensors="pt")
    if "token_type_ids" not in ids and hasattr(own.config, "type_vocab_size"):
        ids.pop("token_type_ids", None)
    with torch.inference_mode():
        output = own(**ids)
    logits = output["prediction_logits" if "prediction_logits" in output else "logits"][0]
    (place,) = (ids["input_ids"][0] == tokenizer.mask_token_id).nonzero()[:, 0].tolist()
    expected = logits[place].softmax(-1).numpy()
    best = masked.best(0, 3)
    assert_close([choice.probability for choice in best], np.sort(expected)[::-1][:3], tolerance=1e-4)


def _expect_own_judgements(model: HuggingFaceModel, folder: Path) -> None:
    """A discriminator judges every token as transformers does, and fills no mask."""
    found = model.find_replaced(TEXT)
    own = hf.ElectraForPreTraining.from_pretrained(folder, attn_implementation="eager").eval()
    with torch.inference_mode():
        logits = own(**hf.AutoTokenizer.from_pretrained(folder)(TEXT, return_tensors="pt")).logits[0]
    assert_close(found.probabilities, logits.sigmoid().numpy())
    assert [token.text for token in found.tokens].count("[MASK]") == 1
    with pytest.raises(MissingCapabilityError, match="has no LM head for masked words"):
        model.masked_words(TEXT)
