"""`heads.json`: written and read again, absent where nothing was measured, and its numbers those of the model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from models.analysis import head_measures
from models.analysis.over_texts import atlas_file
from models.analysis.over_texts.roles import is_role
from models.checkpoints.heads_file import ATLAS, FILE, KnownHeads, heads_json, read_by_hand, read_heads
from models.checkpoints.on_body import body_of
from models.opening.entries import PRETRAINED, ROOT
from models.opening.registry import REGISTRY, load
from models.values.head_roles import HeadRole, RoleByHand

MEASURED = [name for name in REGISTRY if "/" not in name and (ROOT / PRETRAINED / name / FILE).is_file()]
BY_ATLAS = [
    name
    for name in REGISTRY
    if "/" not in name
    and name not in MEASURED
    and (ROOT / PRETRAINED / name / ATLAS).is_file()
    and body_of(ROOT / PRETRAINED / name) is None
]
LEEWAY = 0.02
"""Where two words get nearly the same, another processor may find the other one larger."""
TEXTS = [measure for measure in head_measures() if measure.needs == "texts"]

ROLE = HeadRole(
    layer=1,
    head=5,
    name="previous",
    title="the previous token",
    unit="weight",
    share=0.961,
    baseline=0.0625,
    baseline_of="attention spread evenly",
    n=12340,
    counted_as="word pieces",
)
NEAREST = replace(ROLE, head=6, share=0.31)
BY_HAND = RoleByHand(layer=1, head=5, name="previous", share=0.9, baseline=0.1, n=50, holds=True)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    written = heads_json([ROLE, ROLE], [NEAREST], [BY_HAND], {"measured_on": ["a “text”"]})
    (tmp_path / FILE).write_text(written, encoding="utf-8")
    found = read_heads(tmp_path)
    assert found == KnownHeads((ROLE, ROLE), (NEAREST,))
    assert read_by_hand(tmp_path) == (BY_HAND,)
    assert found.below(2) == found
    assert found.below(1) == KnownHeads()


def test_the_language_of_a_role_is_that_of_the_card_and_in_no_file(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("---\nlanguage: [ko, en]\n---\n", encoding="utf-8")
    written = heads_json([ROLE], [NEAREST], [BY_HAND], {"measured_on": ["a text"]})
    (tmp_path / FILE).write_text(written, encoding="utf-8")
    assert read_heads(tmp_path).roles == (replace(ROLE, language="ko"),)
    assert "language" not in written


def test_a_folder_without_the_file_has_no_roles(tmp_path: Path) -> None:
    assert read_heads(tmp_path) == KnownHeads()
    assert read_by_hand(tmp_path) == ()


@pytest.mark.parametrize("name", MEASURED)
def test_no_head_is_named_for_finding_what_it_means(name: str) -> None:
    """None has earned that: see recipes/evaluation/heads/nouns_by_hand.py."""
    titles = " ".join(role.title for role in load(name).info.head_roles)
    assert "“it”" not in titles
    assert "meant" not in titles


@pytest.mark.parametrize("name", ["headlight-bert", "mini-bert"])
def test_the_embedded_berts_were_measured(name: str) -> None:
    """Every head of theirs: what it is known for, or else what it comes nearest to."""
    info, again = load(name).info, load(f"models/pretrained/{name}").info
    assert info.head_roles
    assert (again.head_roles, again.nearest_roles) == (info.head_roles, info.nearest_roles)
    known, nearest = ({(role.layer, role.head) for role in roles} for roles in (info.head_roles, info.nearest_roles))
    assert len(nearest) == len(info.nearest_roles)
    assert not known & nearest
    assert known | nearest == {(layer, head) for layer in range(info.n_layers) for head in range(info.n_heads)}
    assert not any(is_role(role.share, role.baseline) for role in info.nearest_roles)


def test_a_model_whose_heads_were_not_measured_by_themselves_has_the_names_of_its_atlas() -> None:
    """Of every kind of attention; each passes the threshold and its baseline."""
    assert ATLAS == atlas_file.FILE
    assert BY_ATLAS
    for name in BY_ATLAS:
        found = atlas_file.read_atlas((ROOT / PRETRAINED / name / ATLAS).read_text(encoding="utf-8"))
        roles = load(name).info.head_roles
        assert roles == tuple(role for atlas in found for role in atlas.roles)
        assert all(is_role(role.share, role.baseline) for role in roles)
