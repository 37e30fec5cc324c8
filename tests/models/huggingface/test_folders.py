"""Folders as people have them: each opens, or what was found in it and what to do is said in words of ours."""

from __future__ import annotations

import json
import os
import re
import shutil
import zipfile
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from models.checkpoints.faults.folder import expect_checkpoint
from models.checkpoints.faults.formats import FORMATS
from models.checkpoints.faults.names import fault_of_names
from models.huggingface.model import HuggingFaceModel, load_huggingface
from models.opening.registry import load
from models.values.errors import HeadlightError, ModelLoadError, UnsupportedModelError
from models.values.record import Recording
from tests.closeness import assert_close
from tests.models.huggingface.families import FAMILIES, save

Change = Callable[[Path], object]
TEXT = "The animal was tired."
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 133466304\n"
NOT_OURS = re.compile(
    r"AutoModel|AutoConfig|PretrainedConfig|ignore_mismatched|trust_remote|Traceback|size mismatch|Error no file|"
    r"does not appear|Can't load|Unrecognized|huggingface\.co/.*tree|torch\.Size|Expecting value|HeaderTooLarge|"
    r"Error while deserializing|state_dict|JSONDecode|\w+Error:"
)
"""What stands in the messages of transformers, safetensors and Python."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(FAMILIES["bert"], tmp_path_factory.mktemp("bert"))


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    """A copy of a model, to be spoiled."""
    return shutil.copytree(whole, tmp_path / "mine")


def said_of(folder: Path) -> str:
    """What is said of a folder that does not open: one or two sentences, and none of transformers'."""
    with pytest.raises(HeadlightError) as caught:
        load_huggingface(str(folder), name="my-model")
    said = str(caught.value)
    assert not NOT_OURS.search(said), said
    assert "\n" not in said
    assert 40 < len(said) < 600, said
    return said


def moved_into(name: str) -> Change:
    """Put all files one level down."""

    def move(folder: Path) -> None:
        inner = folder / name
        files = list(folder.iterdir())
        inner.mkdir(parents=True)
        for file in files:
            file.rename(inner / file.name)

    return move


def linked_to_nothing(folder: Path) -> None:
    """Put a link in the place of the weights, as a copy of a snapshot of the hub's cache without its blobs has it."""
    (folder / "model.safetensors").unlink()
    (folder / "model.safetensors").symlink_to("../../blobs/4d7a")


def written(name: str, content: str | bytes) -> Change:
    def write(folder: Path) -> None:
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)

    return write


def without(*names: str) -> Change:
    def remove(folder: Path) -> None:
        for name in names:
            (folder / name).unlink()

    return remove


def renamed(old: str, new: str) -> Change:
    return lambda folder: (folder / old).rename(folder / new)


def configured(**values: object) -> Change:
    """Change fields of the configuration; None takes one out."""

    def change(folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8")) | values
        kept = {name: value for name, value in config.items() if value is not None}
        (folder / "config.json").write_text(json.dumps(kept), encoding="utf-8")

    return change


def emptied(folder: Path) -> None:
    for file in folder.iterdir():
        file.unlink()


def marked(name: str) -> Change:
    """Put a byte order mark before a file."""
    return lambda folder: (folder / name).write_bytes(BOM_UTF8 + (folder / name).read_bytes())


def in_whole_numbers(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    rounded = {name: (32 * weight).to(torch.int8) if weight.dim() > 1 else weight for name, weight in weights.items()}
    save_file(rounded, folder / "model.safetensors", metadata={"format": "pt"})


def cut(folder: Path) -> None:
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1000])


def in_shards(folder: Path, n: int = 3) -> None:
    """The weights in three files with an index."""
    weights = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    names = sorted(weights)
    where = {name: f"model-{at % n + 1:05}-of-{n:05}.safetensors" for at, name in enumerate(names)}
    for file in set(where.values()):
        kept = {name: weights[name] for name in names if where[name] == file}
        save_file(kept, folder / file, metadata={"format": "pt"})
    (folder / "model.safetensors.index.json").write_text(
        json.dumps({"metadata": {"total_size": 1}, "weight_map": where}), encoding="utf-8"
    )


def both(*changes: Change) -> Change:
    def change(folder: Path) -> None:
        for each in changes:
            each(folder)

    return change


def as_adapter(folder: Path) -> None:
    """An adapter alone, as peft saves it."""
    emptied(folder)
    (folder / "adapter_config.json").write_text('{"base_model_name_or_path": "org/base", "peft_type": "LORA"}')
    (folder / "adapter_model.safetensors").write_bytes(b"")
    (folder / "README.md").write_text("An adapter")


def only(*names: str) -> Change:
    """Leave nothing but files of these names, and the tokenizer."""
    return both(without("model.safetensors"), *(written(name, b"PK\x03\x04") for name in names))


FAULTS: dict[str, tuple[Change, str]] = {
    "a download of Chrome that goes on": (
        renamed("model.safetensors", "model.safetensors.crdownload"),
        r"download of .* has not finished: it has model\.safetensors\.crdownload",
    ),
    "a download of the hub that broke off": (
        renamed("model.safetensors", "model.safetensors.incomplete"),
        r"has not finished",
    ),
    "the state of a training alone": (renamed("model.safetensors", "optimizer.pt"), r"has no model\.safetensors, the"),
    "a setting that is no number": (configured(layer_norm_eps=float("nan")), r"config\.json of .* is damaged"),
    "one level down": (moved_into("inner"), r"holds no model itself, but the folder inner .*/mine/inner"),
    "two levels down": (moved_into("runs/inner"), r"the folder runs/inner .*/mine/runs/inner"),
    "one of several": (
        both(moved_into("a"), lambda folder: shutil.copytree(folder / "a", folder / "b")),
        r"2 folders in it do: a, b\. .*/mine/a",
    ),
    "a snapshot of a Trainer": (moved_into("checkpoint-500"), r"the folder checkpoint-500 .*/mine/checkpoint-500"),
    "snapshots of a Trainer": (
        both(
            moved_into("checkpoint-1000"),
            lambda folder: shutil.copytree(folder / "checkpoint-1000", folder / "checkpoint-500"),
        ),
        r"checkpoint-1000, checkpoint-500\. .*newest is .*/mine/checkpoint-1000",
    ),
    "a configuration above the snapshots of a Trainer": (
        both(
            moved_into("checkpoint-500"), lambda folder: shutil.copy(folder / "checkpoint-500" / "config.json", folder)
        ),
        r"/mine/checkpoint-500",
    ),
    "sentence-transformers of old": (
        both(moved_into("0_Transformer"), written("modules.json", "[]")),
        r"/mine/0_Transformer",
    ),
    "an adapter": (as_adapter, r"is an adapter \(LoRA\).*made for org/base.*merge_and_unload"),
    "an adapter beside the weights": (
        both(
            written("adapter_config.json", '{"base_model_name_or_path": "org/base"}'),
            written("adapter_model.safetensors", b""),
        ),
        r"beside them an adapter \(LoRA; adapter_config\.json\).*made for org/base.*merge_and_unload",
    ),
    "weights of an adapter beside the others": (
        written("adapter_model.bin", b"PK"),
        r"beside them an adapter \(LoRA; adapter_model\.bin\)",
    ),
    "an adapter one level down": (both(as_adapter, moved_into("checkpoint-500")), r"/mine/checkpoint-500"),
    "a pointer for weights": (written("model.safetensors", POINTER), r"^model\.safetensors .*pointer.*git lfs pull"),
    "a pointer for the tokenizer": (written("tokenizer.json", POINTER), r"^tokenizer\.json .*pointer.*git lfs pull"),
    "a pointer for the configuration": (written("config.json", POINTER), r"^config\.json .*pointer.*git lfs pull"),
    "a pointer for a shard": (
        both(in_shards, written("model-00002-of-00003.safetensors", POINTER)),
        r"model-00002-of-00003.*pointer",
    ),
    "a web page for weights": (written("model.safetensors", "<!doctype html><html>"), r"model\.safetensors .*web page"),
    "a web page for the configuration": (written("config.json", "\n<!DOCTYPE html>"), r"config\.json .*web page"),
    "a configuration that is no JSON": (
        written("config.json", '{"model_type": "bert",\n "a" 1}'),
        r"config\.json .*line 2",
    ),
    "a configuration that is a list": (written("config.json", "[]"), r"config\.json .*not a table"),
    "an empty configuration": (written("config.json", ""), r"config\.json .*is empty"),
    "a configuration without letters": (written("config.json", b"\xff\xfe\x00"), r"config\.json .*damaged"),
    "a configuration with a byte order mark": (marked("config.json"), r"config\.json .*byte order mark"),
    "a tokenizer with a byte order mark": (marked("tokenizer.json"), r"tokenizer\.json .*byte order mark"),
    "weights in whole numbers": (in_whole_numbers, r"quantised \(.*\.weight: I8\)"),
    "no family": (configured(model_type=None, architectures=None), r"has no model_type"),
    "a family that is no word": (configured(model_type=7, architectures=None), r"has no model_type"),
    "a family in a list": (configured(model_type=["bert"]), r"says model_type \['bert'\]"),
    "a family in capitals": (configured(model_type="XLM_RoBERTa"), r"does not know.*Did you mean 'xlm-roberta'\?"),
    "a family of the future": (configured(model_type="bert9"), r"'bert9', which the installed transformers"),
    "a family with code of its own": (
        configured(model_type="bert9", auto_map={"AutoConfig": "a.B"}),
        r"'bert9'.*runs no code of a model",
    ),
    "a size that is a word": (configured(hidden_size="wide"), r"says hidden_size 'wide'"),
    "sizes that contradict each other": (
        configured(num_attention_heads=5),
        r"No model of the family 'bert' can be built",
    ),
    "an activation that does not exist": (configured(hidden_act="nope"), r"No model of the family 'bert' can be built"),
    "another vocabulary": (
        configured(vocab_size=500),
        r"\[600(, 32)?\] in the file, and config\.json says vocab_size 500.*\[500(, 32)?\]",
    ),
    "another width": (configured(intermediate_size=40), r"\[48(, 32)?\].*intermediate_size 40.*\[40(, 32)?\]"),
    "shorter texts": (configured(max_position_embeddings=64), r"\[130, 32\].*max_position_embeddings 64.*\[64, 32\]"),
    "cut short": (cut, r"model\.safetensors .*cut short: it has [\d,]+ bytes, and should have [\d,]+"),
    "cut in the header": (written("model.safetensors", b"\x00\x10\x00\x00\x00\x00\x00\x00{"), r"cut short"),
    "empty weights": (written("model.safetensors", b""), r"model\.safetensors .*is empty"),
    "weights that are none": (written("model.safetensors", b"\x05\x00\x00\x00\x00\x00\x00\x00hello"), r"damaged"),
    "a pickle by another name": (written("model.safetensors", b"PK\x03\x04 archive"), r"another name"),
    "a GGUF by another name": (written("model.safetensors", b"GGUF\x03\x00\x00\x00"), r"another name"),
    "no weights": (without("model.safetensors"), r"has no model\.safetensors"),
    "no configuration": (without("config.json"), r"has weights and no config\.json"),
    "nothing": (emptied, r"is empty"),
    "nothing but a README": (both(emptied, written("README.md", "# A model")), r"is empty"),
    "other things": (
        both(emptied, written("notes.txt", "Hello"), written("a.csv", "a,b")),
        r"holds no model.*a\.csv, notes",
    ),
    "no shard": (
        both(in_shards, without("model-00002-of-00003.safetensors")),
        r"lacks 1 of the 3 files.*00002-of-00003",
    ),
    "no index": (both(in_shards, without("model.safetensors.index.json")), r"lacks model\.safetensors\.index\.json"),
    "a broken index": (both(in_shards, written("model.safetensors.index.json", "{")), r"index\.json .*line 1"),
    "an index without a table": (
        both(in_shards, written("model.safetensors.index.json", "{}")),
        r"index\.json .*damaged",
    ),
    "no tokenizer": (without("tokenizer.json", "tokenizer_config.json"), r"has no tokenizer that can be opened"),
    "a broken tokenizer": (written("tokenizer.json", '{"version": '), r"tokenizer\.json .*line 1"),
    "a tokenizer of something else": (written("tokenizer.json", "{}"), r"has no tokenizer that can be opened"),
    "broken settings of the tokenizer": (
        written("tokenizer_config.json", "{'a': 1}"),
        r"tokenizer_config\.json .*line 1",
    ),
    "another name for weights": (
        renamed("model.safetensors", "bert.safetensors"),
        r"but bert\.safetensors.*the name model",
    ),
    "weights in capitals": (renamed("model.safetensors", "MODEL.SAFETENSORS"), r"MODEL\.SAFETENSORS.*called model\."),
    "a configuration in capitals": (renamed("config.json", "Config.json"), r"has Config\.json.*called config\.json"),
    "a second download": (renamed("config.json", "config (1).json"), r"has config \(1\)\.json.*called config\.json"),
    "an ending that Windows hides": (renamed("config.json", "config.json.txt"), r"json\.txt.*called config\.json"),
    "a link to nothing": (linked_to_nothing, r"model\.safetensors of my-model is a link to .*blobs/4d7a, and there is"),
    "another precision in the name": (renamed("model.safetensors", "model.fp16.safetensors"), r"but model\.fp16"),
    "a pickle": (
        renamed("model.safetensors", "pytorch_model.bin"),
        r"pytorch_model\.bin.*pickle, which can run code.*convert",
    ),
    "pickles in shards": (only("pytorch_model-00001-of-00002.bin"), r"pickle, which can run code"),
    "a checkpoint of Lightning": (only("epoch=3-step=100.ckpt"), r"epoch=3.*pickle of PyTorch.*save_pretrained"),
    "a file of PyTorch": (only("model.pt"), r"model\.pt.*pickle of PyTorch"),
    "TensorFlow": (only("tf_model.h5"), r"TensorFlow.*from_tf=True"),
    "the first BERT": (only("bert_model.ckpt.index", "bert_model.ckpt.data-00000-of-00001"), r"TensorFlow"),
    "Flax": (only("flax_model.msgpack"), r"Flax.*from_flax=True"),
    "llama.cpp": (both(emptied, written("model.Q4_K_M.gguf", b"GGUF")), r"Q4_K_M\.gguf.*llama\.cpp"),
    "ONNX": (only("model.onnx"), r"model\.onnx.*exported"),
    "OpenVINO": (only("openvino_model.xml"), r"exported"),
    "NeMo": (both(emptied, written("model.nemo", b"")), r"NVIDIA NeMo"),
    "the first Llama": (
        both(emptied, written("consolidated.00.pth", b""), written("params.json", "{}")),
        r"makers' own",
    ),
    "an archive in the folder": (both(emptied, written("model.zip", b"PK")), r"model\.zip is an archive"),
    "a data set": (both(emptied, written("data-00000-of-00001.arrow", b""), written("state.json", "{}")), r"data set"),
    "pictures": (both(emptied, written("model_index.json", "{}")), r"diffusers"),
    "bitsandbytes": (
        configured(quantization_config={"quant_method": "bitsandbytes", "load_in_4bit": True}),
        r"quantised \(bits",
    ),
    "GPTQ": (configured(quantization_config={"quant_method": "gptq", "bits": 4}), r"quantised \(gptq\)"),
    "AWQ": (configured(quantization_config={"quant_method": "awq"}), r"quantised \(awq\)"),
    "GPTQ of old": (
        lambda folder: save_names(folder, lambda name: name.replace(".weight", ".qweight")),
        r"quantised \(.*qweight\)",
    ),
    "weights that no sum holds": (
        lambda folder: save_weights(folder, lambda weight: weight * 1e30),
        r"grows too large to be a number",
    ),
    "a LoRA of MLX beside a model": (written("adapters.safetensors", b""), r"adapter \(LoRA; adapters\.safetensors\)"),
    "names of another program": (
        lambda folder: save_names(folder, lambda name: f"{name.rsplit('.', 1)[0][::-1]}.weight.{len(name)}"),
        r"No weight of my-model has a name",
    ),
}


def save_weights(folder: Path, change: Callable[[torch.Tensor], torch.Tensor]) -> None:
    """Save other weights under the same names."""
    weights = {name: change(value) for name, value in load_file(folder / "model.safetensors").items()}
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def save_names(folder: Path, change: Callable[[str], str]) -> None:
    """Save the weights under other names."""
    weights = load_file(folder / "model.safetensors")
    save_file(
        {change(name): value for name, value in weights.items()},
        folder / "model.safetensors",
        metadata={"format": "pt"},
    )


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_wrong_with_a_folder_is_said(folder: Path, fault: str) -> None:
    spoil, expected = FAULTS[fault]
    spoil(folder)
    said = said_of(folder)
    assert re.search(expected, said), said


def test_every_form_of_weights_is_known_by_a_file(folder: Path) -> None:
    for each in FORMATS:
        for pattern in each.files:
            file = pattern.replace("*", "x")
            assert str(each.what) in str(fault_of_names(["config.json", file], "my-model")) or any(
                str(other.what) in str(fault_of_names(["config.json", file], "my-model")) for other in FORMATS
            )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("model.zip", "is an archive"),
        ("model.tar.gz", "is an archive"),
        ("model.gguf", "llama.cpp"),
        ("model.pt", "pickle"),
        ("model.onnx", "exported"),
        ("notes.txt", "is a file"),
    ],
)
def test_a_file_in_the_place_of_a_folder_is_said(tmp_path: Path, name: str, expected: str) -> None:
    with zipfile.ZipFile(tmp_path / name, "w") as archive:
        archive.writestr("config.json", "{}")
    with pytest.raises(ModelLoadError, match=expected):
        load(str(tmp_path / name), device="cpu")


# -- what opens -------------------------------------------------------------------------------------------------------


@cache
def recording_of(whole: Path) -> Recording:
    return load_huggingface(str(whole), name="whole").record(TEXT)


def expect_same_numbers(found: HuggingFaceModel, whole: Path) -> None:
    expected, recorded = recording_of(whole), found.record(TEXT)
    assert_close(recorded.hidden_states, expected.hidden_states)
    assert [token.text for token in recorded.tokens] == [token.text for token in expected.tokens]
    assert found.info.can_fill_mask


@pytest.mark.parametrize(
    ("prefix", "named"),
    [
        ("_orig_mod.", "torch.compile"),
        ("module.", "several devices"),
        ("model.", "Lightning"),
        ("net.", "net."),
        ("model._orig_mod.", "Lightning"),
        ("_orig_mod.module.", "several devices"),
        ("_forward_module.model.", "Fabric"),
    ],
)
def test_what_a_training_puts_before_all_names_is_left_out_and_said(
    folder: Path, whole: Path, prefix: str, named: str
) -> None:
    save_names(folder, lambda name: prefix + name)
    model = load_huggingface(str(folder), name="my-model")
    assert len(model.info.notes) == 1
    assert named in model.info.notes[0]
    expect_same_numbers(model, whole)


def test_compiled_layers_are_opened_too(folder: Path, whole: Path) -> None:
    save_names(folder, lambda name: name.replace(".layer.0.", ".layer.0._orig_mod."))
    expect_same_numbers(load_huggingface(str(folder), name="my-model"), whole)


def test_names_that_belong_to_a_model_stay(tmp_path: Path) -> None:
    """Llama's own names begin with "model."; they are no prefix of a training."""
    folder = save(FAMILIES["llama"], tmp_path)
    assert load_huggingface(str(folder), name="llama").info.notes == ()


@pytest.mark.parametrize("family", ["bert", "gpt2", "t5", "roberta"])
def test_a_family_is_guessed_from_the_classes(tmp_path: Path, family: str) -> None:
    folder = save(FAMILIES[family], tmp_path)
    configured(model_type=None)(folder)
    assert load_huggingface(str(folder), name="guessed").info.family == family


def test_the_hub_s_cache_is_opened_at_its_snapshot(whole: Path, tmp_path: Path) -> None:
    place = tmp_path / "hub" / "models--org--name"
    for commit in ("1" * 40, "2" * 40):
        shutil.copytree(whole, place / "snapshots" / commit)
    configured(hidden_size="old")(place / "snapshots" / ("2" * 40))
    (place / "refs").mkdir()
    (place / "refs" / "main").write_text("1" * 40, encoding="utf-8")
    for path in (place, place / "snapshots", place / "snapshots" / ("1" * 40)):
        assert load(path, device="cpu").info.n_layers == 3
    with pytest.raises(ModelLoadError, match=r"cache of huggingface\.co.*org/name"):
        load(tmp_path / "hub", device="cpu")


def test_shards_and_a_vocabulary_alone_open(folder: Path, whole: Path) -> None:
    tokenizer = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    vocabulary = sorted(tokenizer["model"]["vocab"], key=tokenizer["model"]["vocab"].__getitem__)
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    without("tokenizer.json", "tokenizer_config.json")(folder)
    in_shards(folder)
    expect_same_numbers(load_huggingface(str(folder), name="my-model"), whole)


@pytest.mark.parametrize("family", FAMILIES)
def test_no_ordinary_folder_is_refused(family: str, tmp_path: Path) -> None:
    expect_checkpoint(save(FAMILIES[family], tmp_path), family)


def test_what_lies_beside_a_model_does_no_harm(folder: Path, whole: Path) -> None:
    for name in ("pytorch_model.bin", "model.onnx", "adapter_config.json.bak", "training_args.bin", "optimizer.pt"):
        (folder / name).write_bytes(b"PK\x03\x04")
    (folder / "trainer_state.json").write_text("", encoding="utf-8")
    shutil.copytree(whole, folder / "checkpoint-500")
    expect_same_numbers(load_huggingface(str(folder), name="my-model"), whole)


# -- permissions ------------------------------------------------------------------------------------------------------


@contextmanager
def as_nobody() -> Iterator[None]:
    """Without the rights of an administrator, who may read everything."""
    if os.name == "nt":
        pytest.skip("Windows has no such permissions")
    before = os.geteuid()
    if before == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(before)


def test_what_may_not_be_read_is_said(folder: Path, tmp_path: Path) -> None:
    made_by_pytest = [parent for parent in tmp_path.parents if "pytest-of-" in parent.as_posix()]
    for place in (folder, tmp_path, *made_by_pytest):
        place.chmod(0o755)
    for closed in (folder / "model.safetensors", folder / "config.json", folder):
        closed.chmod(0o000)
        with as_nobody(), pytest.raises(ModelLoadError, match=r"may not be read by the account") as caught:
            expect_checkpoint(folder, "my-model")
        assert closed.name in str(caught.value)
        closed.chmod(0o755)


# -- the hub ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (["README.md", "model.Q4.gguf"], "llama.cpp"),
        (["adapter_config.json", "adapter_model.safetensors"], "LoRA"),
        (["model_index.json", "unet/model.safetensors", "unet/config.json"], "diffusers"),
        (["config.json", "tf_model.h5"], "TensorFlow"),
        (["README.md", ".gitattributes"], "is empty"),
        (["config.json", "model-00001-of-00002.safetensors"], "lacks model.safetensors.index.json"),
        (["model.safetensors"], "no config.json"),
        (["a/config.json", "a/model.safetensors"], "holds no model at its top, but in folders: a"),
        (["data/train.parquet", "README.md"], "data set"),
    ],
)
def test_a_repository_is_judged_by_the_names_of_its_files(files: list[str], expected: str) -> None:
    said = fault_of_names(files, "org/name")
    assert expected in str(said)


def test_an_unknown_family_is_an_unsupported_model(folder: Path) -> None:
    configured(model_type="bert9")(folder)
    with pytest.raises(UnsupportedModelError):
        load_huggingface(str(folder))
