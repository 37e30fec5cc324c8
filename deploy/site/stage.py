"""The folder that Zensical reads: the documents where they stand in the repository, so that their links hold, and the
pages that are made."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

from deploy.site.gallery import WORDS as GALLERY
from deploy.site.gallery import write_gallery
from deploy.site.lessons import lessons_page
from deploy.site.live import MODELS as LIVE_MODELS
from deploy.site.live import WORDS as LIVE
from deploy.site.live import served_lessons, write_live
from deploy.site.notebooks import write_notebooks
from deploy.site.reference import reference_pages
from ui.lessons.library import own_lessons
from viz.kit.language import read_in

COPIED = (
    "README.md",
    "README.ko.md",
    "CHANGELOG.md",
    "LICENSE",
    "docs/**/*",
    "models/pretrained/*/README*.md",
    "notebooks/*",
)
COPIED_TOO = (
    "recipes/*/README.md",
    "models/pretrained/*/NOTICE",
    "models/pretrained/*/heads.json",
    "models/pretrained/*/lens.safetensors",
    "models/pretrained/*/*.svg",
    "models/pretrained/*/*.png",
)
STYLE = """\
.gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem; }
.gallery .tile { display: flex; flex-direction: column; border: 1px solid #8884; border-radius: 8px; padding: 0.6rem; }
.gallery img { width: 100%; aspect-ratio: 4 / 3; object-fit: contain; background: #fff; }
iframe.cell { width: 100%; border: 0; background: #fff; }
iframe.live { width: 100%; height: 60rem; border: 0; }
"""
GUIDE = ("docs/pages.md", "docs/library.md", "docs/glossary.md", "docs/translators.md", "docs/performance.md")
EXTEND = (
    *(f"docs/add-a-{thing}.md" for thing in ("model", "page", "measure", "capability")),
    *("docs/write-a-lesson.md", "docs/translate.md", "docs/architecture.md", "docs/style.md"),
)
MODELS = ("docs/headlight-bert.md", "docs/mini-llama.md", "docs/sentiment.md")
KOREAN = tuple(f"docs/{name}.ko.md" for name in ("start", "pages", "teach", "glossary"))
SERVE = (
    *("docs/serve-a-class.md", "docs/serve-a-university.md", "docs/parallel.md"),
    *("docs/classroom.md", "docs/other-proxies.md"),
)


def stage(root: Path, folder: Path, *, runs_notebooks: bool) -> None:
    """Write everything that the site is made of into `folder`, with the settings of Zensical."""
    pages = folder / "pages"
    for pattern in (*COPIED, *COPIED_TOO):
        for path in sorted(root.glob(pattern)):
            if path.is_file():
                target = pages / path.relative_to(root)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
    (pages / "site.css").write_text(STYLE, encoding="utf-8")
    for language, name in (("en", "gallery"), ("ko", "gallery-ko")):
        _write(pages / name / "index.md", write_gallery(pages / name, language))
        with read_in(language):
            of_language = {key: named.lesson for key, named in own_lessons().items()}
            _write(
                pages / name.replace("gallery", "lessons") / "index.md",
                lessons_page(of_language, language, served_lessons(language), LIVE[language].models),
            )
    for language, page in (("en", "try"), ("ko", "try-ko")):
        _write(
            pages / f"{page}.md",
            write_live(pages / page.replace("try", "live"), pages / "live" / LIVE_MODELS, language),
        )
    for file, text in reference_pages():
        _write(pages / "reference" / file, text)
    notebooks = write_notebooks(pages / "notebooks", root=root) if runs_notebooks else []
    _write(pages / "llms.txt", _for_language_models(root, pages))
    (folder / "zensical.toml").write_text(_settings(pages, notebooks), encoding="utf-8")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _titled(pages: Path, name: str) -> dict[str, str]:
    return {_heading(pages / name): name}


def _heading(path: Path) -> str:
    """Return the first heading of a document."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return next(line[2:].strip() for line in lines if line.startswith("# "))


def _navigation(pages: Path, notebooks: list[tuple[str, str]]) -> list[dict[str, Any]]:
    """Return the tree of the pages, by their titles."""
    decisions = sorted((pages / "docs" / "decisions").glob("*.md"))
    others = [f"docs/decisions/{path.name}" for path in decisions if path.name != "README.md"]
    ran = [{title: f"notebooks/{name}"} for title, name in notebooks]
    return [
        {"Start": ["README.md", *(_titled(pages, name) for name in ("docs/start.md",))]},
        {LIVE["en"].title: "try.md"},
        {GALLERY["en"].title: "gallery/index.md"},
        {"Guide": [_titled(pages, name) for name in GUIDE]},
        {"Notebooks": ["notebooks/README.md", *ran]},
        {"Lessons": "lessons/index.md"},
        {"API": [f"reference/{name}" for name, _ in reference_pages()]},
        {"Teach": [_titled(pages, "docs/teach.md")]},
        {"Serve": [_titled(pages, name) for name in SERVE]},
        {"Extend": [_titled(pages, name) for name in EXTEND]},
        {"Models": [_titled(pages, name) for name in MODELS]},
        {"Decisions": ["docs/decisions/README.md", *(_titled(pages, name) for name in others)]},
        {"Changes": "CHANGELOG.md"},
        {
            "한국어": [
                {"시작": "README.ko.md"},
                {LIVE["ko"].title: "try-ko.md"},
                {GALLERY["ko"].title: "gallery-ko/index.md"},
                {"레슨": "lessons-ko/index.md"},
                *(_titled(pages, name) for name in KOREAN),
            ]
        },
    ]


def _settings(pages: Path, notebooks: list[tuple[str, str]]) -> str:
    """Return zensical.toml: a theme without fonts from elsewhere, and the tree of the pages."""
    navigation = ",\n  ".join(_inline(entry) for entry in _navigation(pages, notebooks))
    about = json.dumps("See what the attention heads of a transformer look at", ensure_ascii=False)
    settings = f"""\
[project]
site_name = "Headlight"
site_description = {about}
docs_dir = "pages"
site_dir = "site"
use_directory_urls = false
extra_css = ["site.css"]
nav = [
  {navigation}
]

[project.theme]
language = "en"
font = false
features = ["navigation.tabs", "navigation.sections", "navigation.top", "content.code.copy", "search.highlight"]

[[project.theme.palette]]
media = "(prefers-color-scheme: light)"
scheme = "default"

[[project.theme.palette]]
media = "(prefers-color-scheme: dark)"
scheme = "slate"

[project.markdown_extensions]
attr_list = {{}}
md_in_html = {{}}
tables = {{}}
toc.permalink = true
pymdownx.highlight = {{}}
pymdownx.superfences = {{}}
pymdownx.inlinehilite = {{}}
"""
    tomllib.loads(settings)
    return settings


def _inline(value: Any) -> str:
    """Return a value as TOML in one line."""
    if isinstance(value, dict):
        return (
            "{ "
            + ", ".join(f"{json.dumps(key, ensure_ascii=False)} = {_inline(one)}" for key, one in value.items())
            + " }"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _for_language_models(root: Path, pages: Path) -> str:
    """Return llms.txt (https://llmstxt.org): what this is, and where its documents are."""
    about = (root / "README.md").read_text(encoding="utf-8").split("\n\n")[1]
    names = [*GUIDE, "docs/start.md", "docs/teach.md", *SERVE, *EXTEND, "notebooks/README.md", "README.ko.md", *KOREAN]
    listed = "\n".join(f"- [{_heading(pages / name)}]({name})" for name in names)
    summary = about.partition(" [")[0]
    return f"# Headlight\n\n> {summary}\n\n## Documents\n\n{listed}\n\n## Optional\n\n- [Changes](CHANGELOG.md)\n"
