"""Files of attention: what is read from them, and what a broken or a stranger's file says."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import save as safetensors
from safetensors.torch import save as torch_safetensors

from models.values.errors import HeadlightError, RecordError
from tests.closeness import assert_close
from tests.viz.given.weights import TOKENS, softmaxed, token_names
from viz import show
from viz.given.files import read_attention_bytes

N = len(TOKENS)
LAYERS = softmaxed(2, 3, N, N)


def npz(**arrays: Any) -> bytes:
    content = io.BytesIO()
    np.savez(content, **arrays)
    return content.getvalue()


GIVEN: dict[str, Callable[[], bytes]] = {
    "attention and tokens": lambda: npz(attention=LAYERS, tokens=TOKENS),
    "the only array": lambda: npz(of_my_model=LAYERS, tokens=TOKENS),
    "layers by number": lambda: npz(**{f"layer.{layer}": LAYERS[layer][None] for layer in range(2)}),
    "in columns": lambda: npz(attention=np.asfortranarray(LAYERS)),
    "TransformerLens": lambda: npz(**{f"blocks.{n}.attn.hook_pattern": LAYERS[n] for n in range(2)}),
    "safetensors": lambda: safetensors({"attention": LAYERS}, metadata={"tokens": json.dumps(TOKENS)}),
    "safetensors, layers": lambda: safetensors({f"{layer}": LAYERS[layer] for layer in range(2)}),
    "safetensors, float64": lambda: safetensors({"x": LAYERS.astype(np.float64)}),
}


@pytest.mark.parametrize("name", GIVEN)
def test_a_file_has_its_numbers_and_its_tokens(name: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.bin"
    path.write_bytes(GIVEN[name]())
    shown = show(path)
    for layer in range(2):
        assert_close(shown.recording.attention[0].layer_weights(layer), LAYERS[layer])
    assert shown.recording.info.name == "mine.bin"
    assert show(str(path), TOKENS, name="BERT").recording.info.name == "BERT"


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_half_precision_in_a_file(dtype: torch.dtype, tmp_path: Path) -> None:
    rounded = torch.tensor(LAYERS).to(dtype)
    (tmp_path / "a.safetensors").write_bytes(torch_safetensors({"attention": rounded}, {"tokens": json.dumps(TOKENS)}))
    shown = show(tmp_path / "a.safetensors")
    assert_close(shown.recording.attention[0].layer_weights(1), rounded[1].float())
    assert [token.text for token in shown.recording.tokens] == TOKENS


def test_what_was_saved_opens_again(tmp_path: Path) -> None:
    weights = softmaxed(2, 3, 4, 5) * 0.9
    shown = show(weights, query_tokens=token_names(4), key_tokens=token_names(5), name="mine")
    again = show(shown.save(tmp_path / "saved.npz"))
    assert again.recording.info.name == "mine"
    assert again.recording.kinds == ("cross",)
    assert_close(again.recording.attention[0].layer_weights(1), weights[1])
    assert [token.text for token in again.recording.attention[0].key_tokens] == token_names(5)


def test_a_dictionary_has_tokens_as_a_file_has_them(tmp_path: Path) -> None:
    given = {"attention": LAYERS, "tokens": np.array(TOKENS)}
    np.savez(tmp_path / "mine.npz", **given)
    for opened in (given, np.load(tmp_path / "mine.npz"), tmp_path / "mine.npz"):
        assert [token.text for token in show(opened).recording.tokens] == TOKENS
    assert show(given, token_names(N)).recording.tokens[0].text == "t0"


class Evil:
    """An object that would run code when it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return pytest.fail, ("code of a file was run",)


def test_objects_that_numpy_opened_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "mine.npz", attention=np.array([Evil()], dtype=object))
    with pytest.raises(RecordError, match="objects, which could run code"):
        show(np.load(tmp_path / "mine.npz"))


def patched(content: bytes, old: bytes, new: bytes) -> bytes:
    assert old in content
    return content.replace(old, new)


def archive_of(name: str, content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return file.getvalue()


def npy(array: Any) -> bytes:
    content = io.BytesIO()
    np.save(content, array)
    return content.getvalue()


def header(*, shape: tuple[int, ...], kind: str) -> bytes:
    content = io.BytesIO()
    np.lib.format.write_array_header_1_0(content, {"descr": kind, "fortran_order": False, "shape": shape})
    return content.getvalue()


BROKEN: dict[str, tuple[Callable[[], bytes], str]] = {
    "nothing": (lambda: b"", "neither an NPZ nor a safetensors"),
    "a text": (lambda: b"attention, please" * 10, "neither an NPZ nor a safetensors"),
    "a pickle": (lambda: b"\x80\x04\x95" + bytes(40), "neither an NPZ nor a safetensors"),
    "a header alone": (lambda: (2**40).to_bytes(8, "little") + b"{}", "neither an NPZ nor a safetensors"),
    "half a zip": (lambda: npz(attention=LAYERS)[:900], "broken"),
    "flipped bytes": (lambda: patched(npz(attention=LAYERS), LAYERS.tobytes()[64:72], b"\xff" * 8), "broken"),
    "objects": (lambda: npz(attention=np.array([Evil()], dtype=object)), "objects, which could run code"),
    "a shape that lies": (
        lambda: archive_of("attention.npy", patched(npy(LAYERS), str(LAYERS.shape).encode(), b"(9, 9, 10, 10)")),
        "bytes for the shape",
    ),
    "a shape of a petabyte": (
        lambda: archive_of("attention.npy", patched(npy(np.ones((2, 2))), b"(2, 2)", b"(99999999, 9999999)")),
        "broken",
    ),
    "a billion texts of no bytes": (
        lambda: archive_of("tokens.npy", header(shape=(10**9,), kind="<U0")),
        "bytes for the shape",
    ),
    "a billion layers of nothing": (
        lambda: archive_of("attention.npy", header(shape=(10**9, 0, 5, 5), kind="<f4")),
        "holds no attention",
    ),
    "offsets outside": (
        lambda: patched(safetensors({"a": LAYERS}), f"[0,{LAYERS.nbytes}]".encode(), b"[0,9999]"),
        "bytes for the shape",
    ),
    "numbers of 8 bits": (lambda: patched(safetensors({"a": LAYERS}), b'"F32"', b'"F8_E'[:5]), "broken"),
    "deep JSON": (lambda: (20_000).to_bytes(8, "little") + b'{"a":' + b"[" * 19_995 + b"]" * 9, "broken"),
    "no attention": (lambda: npz(tokens=TOKENS), f"holds no attention, but tokens ndarray [{N}]"),
    "complex numbers": (lambda: npz(attention=LAYERS.astype(complex)), f"attention ndarray {[*LAYERS.shape]} complex"),
    "tokens that are no JSON": (
        lambda: safetensors({"a": LAYERS}, metadata={"tokens": "The animal"}),
        "broken: JSONDecodeError",
    ),
    "two maps": (lambda: npz(one=LAYERS, other=LAYERS), "not clear: one, other"),
    "queries and keys": (lambda: npz(queries=LAYERS, keys=LAYERS), "queries and keys and no weights"),
    "tokens of numbers": (lambda: npz(attention=LAYERS, tokens=np.arange(N)), "tokens is no list of texts"),
    "tokens that are none": (
        lambda: safetensors({"a": LAYERS}, metadata={"tokens": json.dumps([1, 2])}),
        "tokens is no list of texts",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_refused_in_a_sentence(name: str) -> None:
    make, said = BROKEN[name]
    with pytest.raises(RecordError) as raised:
        read_attention_bytes(make(), name="theirs.npz", most=10_000_000)
    assert "theirs.npz" in str(raised.value)
    assert said in str(raised.value)


def test_a_file_is_measured_before_it_is_unpacked() -> None:
    bomb = archive_of("attention.npy", bytes(50_000_000))
    assert len(bomb) < 100_000
    with pytest.raises(RecordError, match="50 MB in all, more than can be opened here"):
        read_attention_bytes(bomb, name="bomb.npz", most=10_000_000)


@pytest.mark.parametrize("seed", range(60))
def test_a_file_with_changed_bytes_is_read_or_refused(seed: int) -> None:
    random = np.random.default_rng(seed)
    content = bytearray((npz if seed % 2 else safetensors_of)(attention=LAYERS, other=LAYERS[0]))
    for place in random.integers(0, min(len(content), 400), size=4):
        content[place] = random.integers(0, 256)
    with suppress(HeadlightError):  # any other error fails the test
        show_bytes(bytes(content))


def safetensors_of(**arrays: Any) -> bytes:
    return safetensors(arrays)


def show_bytes(content: bytes) -> None:
    file = read_attention_bytes(content, name="theirs", most=10_000_000)
    show(file.attention)
