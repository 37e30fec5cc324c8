"""bertviz's views as documents: what stands in them, and what cannot get out of its place. No browser."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from models.values.errors import HeadlightError, SelectionError
from models.values.record import AttentionRecord, Token
from tests.closeness import assert_close
from viz.bertviz import scripts, views
from viz.bertviz.limits import view_height, view_limit
from viz.bertviz.scripts import BertvizError
from viz.bertviz.views import ViewTooLargeError, head_view, model_view, neuron_view
from viz.kit.demos.records import random_record, tokens_of

HOSTILE = ("</script><script>window.pwned=1</script>", "<!--<script>", "&lt;", "\u2028", "'\"\\", "${pwned}")
VENDOR = Path(views.__file__).parent / "vendor"


class Elements(HTMLParser):
    """Every element with its attributes, and the text of every script and style."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.inside = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        self.inside = tag in {"script", "style"}
        if self.inside:
            self.texts.append("")

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.texts[-1] += data


def hostile_record() -> AttentionRecord:
    return random_record(tokens=[Token(text=text) for text in HOSTILE])


def first_neurons(record: AttentionRecord) -> str:
    return neuron_view(record, layer=0, head=0)


def data_text(html: str) -> str:
    return html.partition('id="headlight-data">')[2].partition("</script>")[0]


def data_of(html: str) -> dict[str, object]:
    return json.loads(data_text(html))


@pytest.mark.parametrize("view", [head_view, model_view, first_neurons])
def test_tokens_stay_inside_their_element(view):
    harmless = random_record(tokens=[Token(text="word")] * len(HOSTILE))
    html = view(hostile_record())
    assert Elements(html).tags == Elements(view(harmless)).tags
    assert data_of(html)["left_text"][0] == HOSTILE[0]
    assert not {"\u2028", "\u2029"} & set(html)
    assert not set("<>&") & set(data_text(html))


@pytest.mark.parametrize("view", [head_view, model_view, first_neurons])
def test_nothing_is_loaded_and_only_named_scripts_run(view):
    elements = Elements(view(random_record()))
    attributes = dict(elements.attributes)
    assert not {"src", "href", "style"} & attributes.keys()
    policy = next(value for _, value in elements.attributes if value and value.startswith("default-src 'none'"))
    assert "unsafe" not in policy
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in elements.texts]
    assert [digest in policy for digest in hashes] == [True, False, True, True, True, True]  # the second is the data


def test_weights_arrive_in_order_and_to_four_decimals():
    record = random_record(key_tokens=tokens_of("el animal no cruzó"))
    data = data_of(head_view(record))
    arrived = np.frombuffer(base64.b64decode(data["weights"]), "<u2").reshape(data["shape"]) / data["steps"]
    expected = np.stack([record.layer_weights(layer) for layer in range(record.n_layers)])
    assert_close(arrived, expected, step=1e-4)
    assert (len(data["left_text"]), len(data["right_text"])) == (16, 4)


def test_the_neuron_view_gets_the_vectors_the_mask_and_the_scale_of_one_head():
    record = replace(random_record(causal=True), scale=(1.0, 0.3))
    data = data_of(neuron_view(record, layer=1, head=2, position=5))
    for name, array in (("queries", record.query), ("keys", record.key)):
        arrived = np.frombuffer(base64.b64decode(data[name]), "<f4").reshape(array.shape[2:])
        np.testing.assert_array_equal(arrived, array[1, 2])
    visible = np.frombuffer(base64.b64decode(data["visible"]), np.uint8).reshape(16, 16)
    np.testing.assert_array_equal(visible, np.tri(16))
    weights = np.frombuffer(base64.b64decode(data["weights"]), "<u2").reshape(16, 16) / data["steps"]
    assert_close(weights, record.weights(1, 2), step=1e-4)
    assert (data["scale"], data["position"]) == (0.3, 5)


def test_the_neuron_view_counts_its_dimensions_and_refuses_a_query_that_is_not_there():
    with pytest.raises(SelectionError, match="position 16"):
        neuron_view(random_record(), layer=0, head=0, position=16)
    reason = view_limit(random_record(tokens=tokens_of("word " * 120)), "neuron")
    assert reason is not None
    most = int(re.search(r"up to (\d+) tokens", reason)[1])
    assert view_limit(random_record(tokens=tokens_of("word " * most)), "neuron") is None
    assert view_limit(random_record(tokens=tokens_of("word " * (most + 1))), "neuron") is not None
    with pytest.raises(ViewTooLargeError, match="bands"):
        neuron_view(random_record(tokens=tokens_of("word " * 120)), layer=0, head=0)


def test_sentence_pair_concerns_encoders_only():
    encoder, cross = random_record(), random_record(key_tokens=tokens_of("a b c"))
    assert data_of(head_view(encoder, segment_b_start=7))["segment_b_start"] == 7
    assert data_of(head_view(cross, segment_b_start=7))["segment_b_start"] is None
    with pytest.raises(SelectionError, match="segment_b_start is 16, expected 1 to 15"):
        model_view(encoder, segment_b_start=16)


@pytest.mark.parametrize(("selection", "message"), [({"layer": 2}, "layer 2"), ({"head": -1}, "head -1")])
def test_selection_outside_the_model_is_named(selection, message):
    with pytest.raises(SelectionError, match=message):
        head_view(random_record(), **selection)


def test_too_large_a_view_is_refused_before_any_weight_is_computed(monkeypatch):
    long = random_record(n_layers=12, n_heads=12, tokens=tokens_of("word " * 60))
    monkeypatch.setattr(AttentionRecord, "layer_weights", lambda *_: pytest.fail("weights were computed"))
    assert view_limit(long, "head") is None
    with pytest.raises(ViewTooLargeError, match=r"60 tokens.*up to 34 tokens.*viewer") as error:
        model_view(long)
    assert isinstance(error.value, HeadlightError)


def test_the_limit_it_names_is_accepted():
    for n_tokens, refused in ((34, False), (35, True)):
        record = random_record(n_layers=12, n_heads=12, tokens=tokens_of("word " * n_tokens))
        assert (view_limit(record, "model") is not None) == refused


def test_few_heads_do_not_stretch_the_model_view():
    assert view_height(random_record(n_layers=4, n_heads=1), "model") == view_height(
        random_record(n_layers=4, n_heads=8), "model"
    )


def test_a_bertviz_that_takes_its_data_otherwise_is_refused(tmp_path, monkeypatch):
    (tmp_path / "bertviz").mkdir()
    (tmp_path / "bertviz" / "__init__.py").touch()
    (tmp_path / "bertviz" / "head_view.js").write_text("const params = await load();")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "bertviz", raising=False)
    scripts.scripts_of.cache_clear()
    with pytest.raises(BertvizError, match=r"bertviz 1\.4 is needed"):
        head_view(random_record())


def test_every_change_meets_the_installed_bertviz():
    for view, changes in scripts._CHANGES.items():
        script = scripts._bertviz_script(view)
        assert not [theirs for theirs in changes if theirs in script]
        assert not [ours for ours in changes.values() if ours not in script]


def test_views_need_no_torch():
    code = (
        "import sys; from viz.bertviz.views import model_view; from viz.kit.demos.records import random_record; "
        "model_view(random_record()); sys.exit('torch' in sys.modules or 'bertviz' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_vendored_files_are_those_of_the_readme():
    readme = (VENDOR / "README.md").read_text(encoding="utf-8")
    for path in VENDOR.iterdir():
        if path.name != "README.md":
            assert f"`{path.name}`" in readme
            assert hashlib.sha256(path.read_bytes()).hexdigest() in readme
