"""`heads.json`: written and read again, absent where nothing was measured, and its numbers those of the model."""

from __future__ import annotations

from pathlib import Path

from models.checkpoints.heads_file import FILE, heads_json, read_heads
from models.values.head_roles import HeadRole

ROLE = HeadRole(
    layer=1, head=5, name="previous", title="the previous token", unit="weight", share=0.961, baseline=0.0625,
    baseline_of="attention spread evenly", n=12340, counted_as="word pieces",
)  # fmt: skip


def test_what_is_written_is_read(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(heads_json([ROLE, ROLE], {"measured_on": ["a “text”"]}), encoding="utf-8")
    assert read_heads(tmp_path) == (ROLE, ROLE)


def test_a_folder_without_the_file_has_no_roles(tmp_path: Path) -> None:
    assert read_heads(tmp_path) == ()
