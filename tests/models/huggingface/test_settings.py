"""Every setting of a configuration that changes attention is read by the class that opens it, or refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import transformers as hf

from models.huggingface.checkpoint.family import open_config
from models.huggingface.checkpoint.settings import expect_honoured
from models.huggingface.classes import auto_class_of, class_of
from models.huggingface.model import load_huggingface
from models.values.errors import ModelLoadError
from tests.models.huggingface.families import COMMON, FAMILIES, GROUPED, save
from tests.models.huggingface.real_configurations import REAL, configuration

pytestmark = pytest.mark.filterwarnings("ignore:.*rope_scaling. is deprecated:FutureWarning")
LINEAR = {"type": "linear", "factor": 2.0}
Config = Callable[[], hf.PreTrainedConfig]


def bert() -> hf.PreTrainedConfig:
    return hf.BertConfig(architectures=["BertForMaskedLM"], **COMMON)


def llama() -> hf.PreTrainedConfig:
    return hf.LlamaConfig(**GROUPED)


def expect(config: hf.PreTrainedConfig, folder: Path, **fields: object) -> None:
    """Hold a configuration with these fields against the class that opens it."""
    config.save_pretrained(folder)
    said = json.loads((folder / "config.json").read_text()) | fields
    (folder / "config.json").write_text(json.dumps(said))
    read = open_config(str(folder), "main", "my-model")
    expect_honoured(read, class_of(auto_class_of(read), read), folder, "my-model")


REFUSED: list[tuple[Config, str, Any]] = [
    (bert, "position_embedding_type", "relative_key_query"),
    (hf.ElectraConfig, "position_embedding_type", "relative_key"),
    (hf.RobertaConfig, "position_embedding_type", "rotary"),
    (hf.EsmConfig, "position_embedding_type", "relative_key"),
    (bert, "alibi", True),
    (bert, "rope_scaling", LINEAR),
    (bert, "attention_type", "block_sparse"),
    (bert, "relative_attention", True),
    (bert, "add_cross_attention", True),
    (bert, "pruned_heads", {"0": [1]}),
    (hf.GPT2Config, "add_cross_attention", True),
    (hf.GPT2Config, "alibi", True),
    (hf.GPT2Config, "sliding_window", 64),
    (hf.GPTJConfig, "rope_scaling", LINEAR),
    (hf.MptConfig, "attn_config", {"alibi": False}),
    (hf.MptConfig, "attn_config", {"prefix_lm": True}),
    (llama, "sliding_window", 16),
    (llama, "layer_types", ["full_attention", "sliding_attention", "full_attention"]),
    (llama, "attn_logit_softcapping", 30.0),
    (llama, "partial_rotary_factor", 0.5),
    (llama, "query_pre_attn_scalar", 4),
]


@pytest.mark.parametrize(("config", "field", "value"), REFUSED)
def test_a_setting_that_the_class_does_not_read_is_refused(
    config: Config, field: str, value: Any, tmp_path: Path
) -> None:
    with pytest.raises(ModelLoadError) as refused:
        expect(config(), tmp_path, **{field: value})
    named = "rope_type 'linear'" if value is LINEAR else next(iter(value)) if field == "attn_config" else field
    assert named in str(refused.value)


HONOURED: list[tuple[Config, str, Any]] = [
    (bert, "position_embedding_type", "absolute"),
    (hf.BigBirdConfig, "attention_type", "block_sparse"),
    (hf.EsmConfig, "position_embedding_type", "rotary"),
    (hf.FalconConfig, "alibi", True),
    (hf.MptConfig, "attn_config", {"alibi": True}),
    (hf.GPT2Config, "scale_attn_by_inverse_layer_idx", True),
    (hf.GPT2Config, "add_cross_attention", False),
    (hf.GPTJConfig, "rotary_dim", 4),
    (hf.GPTNeoXConfig, "rotary_pct", 0.5),
    (hf.MistralConfig, "sliding_window", 16),
    (hf.Qwen2Config, "sliding_window", 16),
    (hf.Gemma2Config, "attn_logit_softcapping", 30.0),
    (hf.PhiConfig, "partial_rotary_factor", 0.5),
    (llama, "rope_scaling", LINEAR),
    (llama, "is_causal", False),
    (llama, "sliding_window", None),
    (llama, "sliding_window", 4096),
]


@pytest.mark.parametrize(("config", "field", "value"), HONOURED)
def test_a_setting_that_it_reads_or_that_changes_nothing_passes(
    config: Config, field: str, value: Any, tmp_path: Path
) -> None:
    expect(config(), tmp_path, **{field: value})


@pytest.mark.parametrize("name", REAL)
def test_no_model_of_the_list_is_refused(name: str, tmp_path: Path) -> None:
    expect(configuration(REAL[name]), tmp_path)


def test_a_relative_bert_is_told_so_when_it_is_opened(tmp_path: Path) -> None:
    folder = save(FAMILIES["bert"], tmp_path)
    said = json.loads((folder / "config.json").read_text()) | {"position_embedding_type": "relative_key_query"}
    (folder / "config.json").write_text(json.dumps(said))
    with pytest.raises(ModelLoadError, match="position_embedding_type 'relative_key_query'"):
        load_huggingface(str(folder), name="my-model")


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ({"AutoConfig": "own.Config", "AutoModel": "own.BothSides"}, "own.BothSides"),
        ({"AutoModelForMaskedLM": "someone/code--own.Words"}, "own.Words"),
        ({"AutoModel": ["own.BothSides", None]}, None),
        ({"AutoConfig": "own.Config", "AutoTokenizer": ["own.Tokenizer", None]}, None),
        ("nonsense", None),
    ],
)
def test_code_that_a_model_brings_is_not_run_and_the_model_says_so(
    named: object, expected: str | None, tmp_path: Path
) -> None:
    folder = save(FAMILIES["bert"], tmp_path)
    said = json.loads((folder / "config.json").read_text()) | {"auto_map": named}
    (folder / "config.json").write_text(json.dumps(said))
    notes = load_huggingface(str(folder), name="my-model").info.notes
    assert bool(notes) == bool(expected)
    assert all(str(expected) in note and "transformers' class Bert" in note for note in notes)


NO_ROUNDING: tuple[object, ...] = (None, {}, "", False, 0, [])


@pytest.mark.parametrize("said", NO_ROUNDING)
def test_a_table_of_rounding_that_says_nothing_is_none(said: object, tmp_path: Path) -> None:
    folder = save(FAMILIES["bert"], tmp_path)
    config = json.loads((folder / "config.json").read_text()) | {"quantization_config": said}
    (folder / "config.json").write_text(json.dumps(config))
    assert load_huggingface(str(folder), name="my-model").info.can_fill_mask


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("int8", r"quantised \(int8\)"),
        ({"quant_method": None}, r"quantised \(4 bit\)"),
        ([1, 2], r"says quantization_config \[1, 2\], and a model of the family 'bert' cannot have that"),
        (8, r"says quantization_config 8, and"),
        (True, r"says quantization_config True, and"),
    ],
)
def test_rounding_is_named_however_it_is_said(said: object, expected: str, tmp_path: Path) -> None:
    folder = save(FAMILIES["bert"], tmp_path)
    config = json.loads((folder / "config.json").read_text()) | {"quantization_config": said}
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(ModelLoadError, match=expected):
        load_huggingface(str(folder), name="my-model")


@pytest.mark.parametrize("field", ["num_labels", "num_hidden_layers", "num_attention_heads", "num_key_value_heads"])
@pytest.mark.parametrize("number", [10**12, 1e30, float("inf")])
def test_a_count_that_no_model_has_is_refused_before_a_list_is_as_long(
    field: str, number: float, tmp_path: Path
) -> None:
    for inside in (False, True):
        config = llama().to_dict()
        config |= {"text_config": {field: number}} if inside else {field: number}
        (tmp_path / "config.json").write_text(json.dumps(config))
        with pytest.raises(ModelLoadError, match=rf"says {field} .*cannot have that. Correct it"):
            open_config(str(tmp_path), "main", "my-model")
