"""Models that somebody uploads: the round trip of one of ours, and every attack that is refused."""

from __future__ import annotations

import io
import json
import stat
import struct
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load as load_tensors
from safetensors.numpy import save as save_tensors

from lab import runs
from lab.data.own_text import body_of
from lab.limits import MEGABYTE, Limits
from lab.recipe import Recipe
from lab.uploads.checkpoints import folder_of, is_lab_name, model_name, short_name, zip_model
from lab.uploads.tokenizer_forms import rebuilt
from lab.uploads.uploads import check_files, look_through, take_upload
from lab.work import carry_out
from models import load
from models.opening.entries import PRETRAINED as EMBEDDED
from models.opening.entries import ROOT
from models.opening.folders import load_folder
from models.opening.guest import GuestModel
from models.opening.registry import check_allowed
from models.opening.restriction import CURATED_ONLY
from models.training.trainer.metric_lines import read_metrics
from models.values.errors import LabError, ModelNotAllowedError, ModelNotFoundError

PRETRAINED = ROOT / EMBEDDED
LIMITS = Limits(folder=Path("/nowhere"), parameters=100_000)
TINY = Recipe(
    task="copy", name="tiny", n_layers=1, n_heads=2, d_model=8, d_ff=8, n_tokens=8, d_vocab=64, iterations=10, rows=2
)
TEN_OF_ONE = {"type": "Replace", "pattern": {"String": "q"}, "content": "q" * 10}
Files = dict[str, bytes]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> runs.Run:
    made = runs.create(tmp_path_factory.mktemp("lab"), TINY, None)
    carry_out(made.folder, device="cpu", why_stop=lambda: "")
    return runs.find(made.folder.parent, made.id)


@pytest.fixture
def files(run: runs.Run) -> Files:
    return {path.name: path.read_bytes() for path in (run.folder / runs.MODEL).iterdir()}


def zipped(files: Files, change: Callable[[zipfile.ZipInfo], None] | None = None) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            if change is not None:
                change(entry)
            archive.writestr(entry, data)
    return content.getvalue()


def seen(files: Files, limits: Limits = LIMITS) -> Files:
    return look_through([("model.zip", zipped(files))], limits)


def changed(files: Files, name: str, **values: object) -> Files:
    content = json.loads(files[name]) | values
    return files | {name: json.dumps(content).encode()}


def test_a_model_goes_out_and_comes_back_and_opens_under_its_name(
    run: runs.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = replace(LIMITS, folder=tmp_path)
    back = take_upload([("my-copy.zip", zip_model(run))], "Came <b>back", limits)
    assert (back.state, back.name, back.recipe) == ("uploaded", "came-b-back", replace(TINY, name="came-b-back"))
    assert list(read_metrics(back.folder / runs.METRICS)) == list(read_metrics(run.folder / runs.METRICS)) != []
    monkeypatch.setenv("HEADLIGHT_LAB_RUNS", str(tmp_path))
    name = model_name(back)
    assert name == f"lab/came-b-back-{back.id}"
    assert short_name(name) == "lab/came-b-back"
    uploaded = load(name, device="cpu")
    assert isinstance(uploaded, GuestModel)  # a stranger's, in a process of its own
    assert uploaded.info.name == name
    assert uploaded.info.device == "cpu"
    monkeypatch.setenv("HEADLIGHT_LAB_RUNS", str(run.folder.parent))
    own = load(str(model_name(run)), device="cpu")
    one, other = (model.translate("a b c").recording.of("cross").weights(0, 0) for model in (own, uploaded))
    np.testing.assert_array_equal(one, other)
    assert [path.name for path in tmp_path.iterdir()] == [back.id]  # nothing half-done is left


def test_a_training_that_comes_along_is_not_believed(files: Files, tmp_path: Path) -> None:
    limits = replace(LIMITS, folder=tmp_path)
    recipe = TINY.to_json().encode()
    lines = b'{"step": 1, "loss": 2.5, "<b>": 1}\n{"step": 2, "loss": "x"}\nnonsense\n\xff\n'
    back = take_upload([("a.zip", zipped(files | {"recipe.json": recipe, "metrics.jsonl": lines}))], "", limits)
    assert back.name == "tiny", "of its recipe, as no other was given"
    assert (back.folder / runs.METRICS).read_text("utf-8") == '{"step": 1, "loss": 2.5}\n'
    assert body_of(back.id) == ""
    for wrong in (b"[]", b"\xff", b'{"task": "copy", "code": 1}', recipe.replace(b'"copy"', b'"none"')):
        with pytest.raises(LabError):
            take_upload([("a.zip", zipped(files | {"recipe.json": wrong}))], "", limits)
    assert [path.name for path in tmp_path.iterdir()] == [back.id]


def test_single_files_do_as_well_as_a_zip(files: Files) -> None:
    kept = look_through([*files.items()], LIMITS)
    assert kept == seen({f"folder/{name}": content for name, content in files.items()})
    assert {"config.json", "model.safetensors", "tokenizer.json"} <= set(kept)


def test_files_are_known_in_any_letter_case(files: Files) -> None:
    capitals = {name.upper(): content for name, content in files.items()}
    assert look_through([*capitals.items()], LIMITS) == look_through([*files.items()], LIMITS)
    assert look_through([("MODEL.ZIP", zipped(capitals))], LIMITS) == seen(files)


@pytest.mark.parametrize(
    "name", ["../evil.json", "/etc/cron.d/evil", "a/../../b.json", "..\\evil.json", "C:/evil.json"]
)
def test_a_path_that_leads_out_is_refused(files: Files, name: str) -> None:
    with pytest.raises(LabError, match="leads out of it"):
        seen(files | {name: b"{}"})


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pkl", "folder/weights.PT"])
def test_a_pickle_is_refused(files: Files, name: str) -> None:
    with pytest.raises(LabError, match="run code when it is opened"):
        seen(files | {name: b"\x80\x04K\x01."})


def test_links_passwords_and_bombs_are_refused(files: Files) -> None:
    def link(entry: zipfile.ZipInfo) -> None:
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16

    with pytest.raises(LabError, match="a link to another file"):
        look_through([("m.zip", zipped(files, link))], LIMITS)
    bomb = zipped(files | {"vocab.txt": bytes(40 * MEGABYTE)})
    assert len(bomb) < MEGABYTE
    with pytest.raises(LabError, match="Unpacked, the archive is"):
        look_through([("m.zip", bomb)], replace(LIMITS, parameters=1000))
    with pytest.raises(LabError, match="contains 201 files"):
        look_through([("m.zip", zipped({f"{n}.json": b"" for n in range(201)}))], LIMITS)


def test_a_zip_that_lies_about_its_sizes_is_refused(files: Files) -> None:
    content = bytearray(zipped({"vocab.txt": bytes(100_000)} | files))
    for mark, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = content.index(mark) + place
        content[at : at + 4] = struct.pack("<I", 10)
    with pytest.raises(LabError):
        look_through([("m.zip", bytes(content))], LIMITS)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 not really", b"<html>"])
def test_what_is_no_zip_is_said(content: bytes) -> None:
    with pytest.raises(LabError, match="cannot be read as one"):
        look_through([("model.zip", content)], LIMITS)


def test_too_large_an_upload_is_refused_before_it_is_looked_at() -> None:
    with pytest.raises(LabError, match="this server takes models of at most"):
        look_through([("model.zip", bytes(40 * MEGABYTE))], LIMITS)


def test_what_is_missing_is_named(files: Files) -> None:
    with pytest.raises(LabError, match=r"lacks model\.safetensors, tokenizer\.json"):
        look_through([("config.json", files["config.json"])], LIMITS)


def header(content: object, *, length: int | None = None, body: bytes = b"") -> bytes:
    text = content if isinstance(content, bytes) else json.dumps(content).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + body


OLD_BUFFERS = {
    "mini-bert": {
        "bert.embeddings.position_ids": np.arange(512)[None],
        "bert.embeddings.token_type_ids": np.zeros((1, 512), int),
    },
    "mini-gpt": {
        "transformer.h.0.attn.bias": np.tril(np.ones((1, 1, 64, 64), bool)),
        "transformer.h.0.attn.masked_bias": np.array(-1e4, np.float32),
        "h.1.attn.bias": np.ones((1, 1, 64, 64), np.uint8),
    },
    "translator-es": {"model.encoder.embed_positions.position_ids": np.arange(64, dtype=np.int32)},
}
"""What older versions of transformers saved beside the weights."""


@pytest.mark.parametrize("name", OLD_BUFFERS)
def test_what_older_versions_saved_beside_the_weights_is_no_reason_to_refuse_them(name: str, tmp_path: Path) -> None:
    given = {file.name: file.read_bytes() for file in (PRETRAINED / name).iterdir() if file.is_file()}
    weights = load_tensors(given["model.safetensors"])
    n_parameters = sum(weight.size for weight in weights.values())
    given["model.safetensors"] = save_tensors(weights | OLD_BUFFERS[name])
    kept = check_files(given, replace(LIMITS, parameters=int(n_parameters / 1.049)))
    for file, content in kept.items():
        (tmp_path / file).write_bytes(content)
    found, expected = (load_folder(folder, name="model", device="cpu") for folder in (tmp_path, PRETRAINED / name))
    np.testing.assert_array_equal(found.record("It rains.").hidden_states, expected.record("It rains.").hidden_states)


@pytest.mark.parametrize("name", ["embeddings.weight", "position_ids.weight", "my_position_ids", "attn.bias.x"])
def test_whole_numbers_are_refused_as_weights(files: Files, name: str) -> None:
    with pytest.raises(LabError, match="floating-point"):
        seen(files | {"model.safetensors": save_tensors({name: np.zeros(4, np.int64)})})


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        (b"", "empty or cut short"),
        (header(b"{}", length=2**40), "its header has 1,099,511,627,776 bytes"),
        (header(b"[" * 1000 + b"]" * 1000), "deep"),
        (header(b"\xff\xfe"), "damaged"),
        (header({}), "contains 0 tensors"),
        (header({"a": {"dtype": "F32", "shape": [2**20], "data_offsets": [0, 8]}}, body=bytes(8)), "size of its"),
        (header({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 800]}}, body=bytes(8)), "outside the file"),
        (header({"a": {"dtype": "I64", "shape": [1], "data_offsets": [0, 8]}}, body=bytes(8)), "floating"),
        (header({"a": {"dtype": "F32", "shape": [-1], "data_offsets": [0, 8]}}, body=bytes(8)), "floating"),
        (header({"a": 3}), "floating-point"),
        (save_tensors({"a": np.zeros(120_000, np.float32)}), "are 120,000 numbers"),
        (b"PK\x03\x04" + bytes(100), "header has"),
    ],
)
def test_weights_are_judged_by_their_header(files: Files, weights: bytes, said: str) -> None:
    with pytest.raises(LabError, match=said):
        seen(files | {"model.safetensors": weights})


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"model_type": "llama"}, "model_type 'llama'"),
        ({"model_type": ["bart"]}, "model_type"),
        ({"d_model": 10**9}, "d_model"),
        ({"encoder_layers": True}, "encoder_layers"),
        ({"vocab_size": "31"}, "vocab_size"),
        ({"id2label": {str(n): "x" for n in range(5000)}}, "id2label"),
    ],
)
def test_a_configuration_out_of_bounds_is_refused(files: Files, values: dict, said: str) -> None:
    with pytest.raises(LabError, match=said):
        seen(changed(files, "config.json", **values))


def test_settings_that_would_run_code_are_taken_out(files: Files) -> None:
    poisoned = changed(files, "config.json", auto_map={"AutoModel": "evil.Model"})
    poisoned = changed(poisoned, "tokenizer_config.json", auto_map={"AutoTokenizer": "evil.T"}, chat_template="{{ x }}")
    kept = seen(poisoned | {"evil.py": b"print('hello')"})
    assert "evil.py" not in kept
    assert b"auto_map" not in kept["config.json"] + kept["tokenizer_config.json"]
    assert b"chat_template" not in kept["tokenizer_config.json"]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"normalizer": {"type": "Replace", "pattern": {"Regex": "(a+)+$"}, "content": ""}}, "regular expression"),
        ({"added_tokens": [{"id": 10**9, "content": "x"}]}, "entries beyond"),
        ({"normalizer": {"type": "Sequence", "normalizers": [TEN_OF_ONE] * 10}}, "longer with a Replace"),
        ({"normalizer": {"type": "Sequence", "normalizers": [{"type": "NFKD"}] * 10}}, "NFKD twice"),
        ({"normalizer": {"type": "Sequence", "normalizers": [{"type": "Sequence", "normalizers": []}]}}, "'Sequence'"),
        ({"normalizer": {"type": "Precompiled", "precompiled_charsmap": "AAAA"}}, "'Precompiled', expected one of"),
        ({"normalizer": {"type": "Prepend", "prepend": "q" * 10**6}}, "Prepend, says prepend"),
        ({"normalizer": ["Lowercase"]}, "expected one of"),
        ({"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "(a+)+$"}}}, "regular expression"),
        ({"post_processor": {"type": "TemplateProcessing", "single": [{"Sequence": {"id": "A"}}] * 9}}, "says single"),
        ({"post_processor": {"type": "Sequence", "processors": [{"type": "ByteLevel"}] * 99}}, "at most 32"),
        ({"decoder": {"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 99}}, "longer with a Replace"),
        ({"decoder": {"type": "Strip", "content": " ", "start": 10**12, "stop": 0}}, "Strip, says start"),
        ({"added_tokens": [{"id": 1, "content": ""}]}, "added token says content"),
        ({"model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "b"}}, "unk_token 'b'"),
        ({"model": {"type": "Unigram", "vocab": [["a", 0.0]], "unk_id": 7}}, "unk_id 7"),
        ({"model": {"type": "WordPiece", "vocab": {"a": 0}, "max_input_chars_per_word": 10**9}}, "max_input_chars"),
        ({"model": {"type": "Magic", "vocab": {}}}, "kind 'Magic'"),
        ({"model": None}, "kind"),
    ],
)
def test_a_tokenizer_that_could_harm_is_refused(files: Files, values: dict, said: str) -> None:
    with pytest.raises(LabError, match=said):
        seen(changed(files, "tokenizer.json", **values))


def test_a_tokenizer_of_ours_comes_back_as_it_was_without_what_would_cut_or_fill(files: Files) -> None:
    filling = {"strategy": {"Fixed": 10**12}, "direction": "Right", "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"}
    given = json.loads(files["tokenizer.json"]) | {"truncation": None, "padding": None}
    kept = seen(changed(files, "tokenizer.json", padding=filling))
    assert json.loads(kept["tokenizer.json"]) == given
    assert json.loads(kept["tokenizer_config.json"]) == json.loads(files["tokenizer_config.json"])


@pytest.mark.parametrize("folder", sorted(PRETRAINED.glob("*/")), ids=lambda folder: folder.name)
def test_every_embedded_tokenizer_is_of_the_forms_that_are_opened(folder: Path) -> None:
    for file in list(folder.glob("**/tokenizer.json"))[:1]:
        given = json.loads(file.read_bytes())
        assert rebuilt(given, d_vocab=2**20) == given | {"truncation": None, "padding": None}


def test_what_a_generation_config_may_forbid_is_left_out(files: Files) -> None:
    poisoned = changed(files, "generation_config.json", bad_words_ids=[[1, 2]] * 10_000)
    kept = json.loads(seen(poisoned)["generation_config.json"])
    assert "bad_words_ids" not in kept
    assert kept["eos_token_id"] == json.loads(files["generation_config.json"])["eos_token_id"]


def test_json_that_is_made_to_break_readers_is_refused(files: Files) -> None:
    with pytest.raises(LabError, match="deep"):
        seen(files | {"config.json": b'{"a":' * 100_000 + b"1" + b"}" * 100_000})
    with pytest.raises(LabError, match="expected at most 1 MB"):
        seen(files | {"config.json": b" " * (2 * MEGABYTE) + files["config.json"]})
    with pytest.raises(LabError, match="damaged"):
        seen(files | {"tokenizer.json": files["tokenizer.json"][:-20]})


def test_shapes_that_contradict_the_configuration_are_said_and_nothing_is_left(files: Files, tmp_path: Path) -> None:
    other = changed(files, "config.json", d_model=16)
    with pytest.raises(LabError, match=r"shape|contradict"):
        take_upload([("model.zip", zipped(other))], "broken", replace(LIMITS, folder=tmp_path))
    assert not list(tmp_path.iterdir())


def test_names_of_runs_are_no_paths_and_pass_a_restricted_server(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HEADLIGHT_LAB_RUNS", str(tmp_path))
    monkeypatch.setenv(CURATED_ONLY, "1")
    gone = f"lab/x-{'0' * 20}"
    assert is_lab_name(gone)
    check_allowed(gone)
    with pytest.raises(ModelNotFoundError, match="no such run"):
        load(gone)
    for name in (f"lab/../../etc-{'0' * 20}", f"{gone}/../../..", f"{gone}/step-1/..", f"lab/X-{'0' * 20}", "lab/x"):
        assert not is_lab_name(name)
        with pytest.raises(ModelNotAllowedError):
            check_allowed(name)
        with pytest.raises(ModelNotFoundError):
            folder_of(name)
