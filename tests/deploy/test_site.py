"""The site is whole: every link leads somewhere, nothing loads from elsewhere; and what checks it finds faults."""

from __future__ import annotations

from pathlib import Path

import pytest

import viz
from deploy.site.__main__ import build
from deploy.site.links import faults
from deploy.site.reference import reference_pages
from models import analysis
from ui.widgets.asking.showcases import KOREAN_SHOWCASES, SHOWCASES


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    out = tmp_path_factory.mktemp("built") / "site"
    return out, build(out, runs_notebooks=False)


def test_every_link_leads_somewhere_and_nothing_loads_from_elsewhere(site: tuple[Path, list[str]]) -> None:
    _, wrong = site
    assert wrong == []


def test_it_has_every_part_in_both_languages(site: tuple[Path, list[str]]) -> None:
    out, _ = site
    files = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    assert {"index.html", "README.ko.html", "CHANGELOG.html", "llms.txt", "docs/teach.html"} <= files
    assert {f"docs/{name}.ko.html" for name in ("start", "pages", "teach", "glossary")} <= files
    assert {"lessons/index.html", "lessons-ko/index.html", "docs/decisions/index.html"} <= files
    assert {"try.html", "try-ko.html", "live/index.html", "live-ko/index.html", "live/offline.js"} <= files
    assert {"live/lessons.html", "live-ko/lessons.html"} <= files
    for name, of_language in (("gallery", SHOWCASES), ("gallery-ko", KOREAN_SHOWCASES)):
        viewers = [file for file in files if file.startswith(f"{name}/") and file != f"{name}/index.html"]
        n_sides = sum(len(showcase.sides) for showcase in of_language)
        assert (
            sum(file.endswith(".html") for file in viewers) == sum(file.endswith(".svg") for file in viewers) == n_sides
        )
    assert "뷰어" in (out / "gallery-ko" / "index.html").read_text("utf-8")


def test_what_llms_txt_names_is_there(site: tuple[Path, list[str]]) -> None:
    out, _ = site
    text = (out / "llms.txt").read_text("utf-8")
    assert text.startswith("# Headlight\n\n> See what")
    root = Path(__file__).resolve().parents[2]
    named = [line.split("](")[1].split(")")[0] for line in text.splitlines() if line.startswith("- [")]
    assert len(named) > 10
    assert [name for name in named if not (root / name).is_file()] == []


def test_the_reference_has_every_public_name() -> None:
    pages = dict(reference_pages())
    for name, module in (("headlights-viz.md", viz), ("headlights-analysis.md", analysis)):
        assert [public for public in module.__all__ if f"## `{public}`" not in pages[name]] == []


@pytest.mark.parametrize(
    ("markup", "says"),
    [
        ('<a href="b.html">', "no such file"),
        ('<a href="#there">', "no such place"),
        ('<a href="../../etc/passwd">', "no such file"),
        ('<script src="https://cdn.example/x.js"></script>', "loads https"),
        ('<link rel="stylesheet" href="//fonts.example/x.css">', "loads //fonts"),
        ('<img src="missing.png">', "no such file"),
    ],
)
def test_a_fault_is_found(markup: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(markup, "utf-8")
    (found,) = faults(tmp_path)
    assert says in found


def test_what_is_whole_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "index.html").write_text('<h1 id="über">x</h1><a href="../a.html#top">', "utf-8")
    whole = '<p id="top"><a href="sub/#%C3%BCber"><a href="https://example.org"><link rel="canonical" href="https://x">'
    (tmp_path / "a.html").write_text(whole, "utf-8")
    assert list(faults(tmp_path)) == []
