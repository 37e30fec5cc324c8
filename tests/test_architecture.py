"""The imports that DESIGN.md, section 1 allows: app -> pages -> ui -> {models, viz} -> models.values, and between the
rooms of a folder; and forbidden code."""

from __future__ import annotations

import ast
import importlib.metadata
import importlib.util
import re
import subprocess
import sys
import tomllib
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.structure import Module, look, read_module

ROOT = Path(__file__).resolve().parents[1]
OURS = (
    "app",
    "pages",
    "ui",
    "lab",
    "lessons",
    "viz",
    "models",
    "run",
    "serving",
    "headlights",
    "recipes",
    "tests",
    "benchmarks",
)
MAY_IMPORT = {
    "models": ("models",),
    "viz": ("viz", "models.values"),
    "lab": ("lab", "models"),
    "lessons": ("lessons", "models"),
    "ui": ("ui", "lab", "lessons", "viz", "models"),
    "pages": ("ui", "lab", "lessons", "viz", "models"),
    "app.py": ("ui", "lab", "lessons", "viz", "models"),
    "serving": ("serving",),
    "headlights": ("models", "viz", "serving"),
    "recipes": ("recipes", "models"),
}
MUST_DO_WITHOUT = {
    "models/values": ("torch", "transformers", "streamlit", "plotly", "pandas", "pickle"),
    "models": ("streamlit", "plotly", "bertviz", "pickle"),
    "viz": ("torch", "transformers", "streamlit", "pickle"),
    "lab": ("streamlit", "plotly", "bertviz", "pickle"),
    "lessons": ("streamlit", "plotly", "bertviz", "torch", "pickle"),
    "ui": ("pickle",),
    "pages": ("pickle",),
    "app.py": ("pickle",),
    "serving": ("torch", "transformers", "streamlit", "starlette", "plotly", "pandas", "pickle"),
    "headlights": ("torch", "transformers", "streamlit", "plotly", "pandas", "pickle"),
    "recipes": ("streamlit", "plotly", "pickle"),
}
ROOMS: dict[str, dict[str, str]] = {
    "models": {
        "values": "",
        "scratch": "",
        "model": "values",
        "recording": "scratch values",
        "checkpoints": "scratch values",
        "text": "values",
        "inspection": "recording scratch values",
        "tasks": "inspection model text values",
        "huggingface": "checkpoints inspection model recording tasks text values",
        "scratch_models": "checkpoints inspection model recording scratch tasks text values",
        "opening": "checkpoints huggingface model scratch_models text values",
        "analysis": "model values",
        "training": "analysis checkpoints opening scratch text values",
        "engine": "analysis checkpoints model opening scratch tasks text training values",
    },
    "viz": {
        "kit": "",
        "attention": "kit",
        "heads": "kit",
        "bertviz": "kit",
        "class_room": "kit",
        "positions": "attention kit",
        "predictions": "attention kit",
        "steps": "attention kit",
        "training": "attention kit",
        "two_models": "attention kit",
        "vectors": "attention kit",
        "viewer": "attention heads kit painter",
        "painter": "attention kit",
        "given": "kit painter viewer",
        "writing": "attention kit",
    },
    "ui": {
        "shared": "",
        "state": "shared",
        "desk": "state",
        "class_room": "desk shared state widgets",
        "serving": "desk state",
        "widgets": "desk state",
        "script": "state",
        "attention": "desk state widgets",
        "home": "desk serving state widgets",
        "lessons": "class_room desk state widgets",
        "training_lab": "desk state widgets",
        "heads": "desk state widgets",
        "layers": "desk state widgets",
        "answers": "desk state widgets",
    },
    "ui/heads": {"explanations": "", "head_atlas": "", "switchboard": ""},
    "ui/layers": {"by_hand": "", "positions": "", "queries": "", "step_by_step": ""},
    "ui/answers": {
        "bert_and_gpt": "",
        "costs": "",
        "labels": "",
        "masked_words": "",
        "next_sentence": "",
        "translation": "",
    },
}
"""The rooms that each room, a folder or module directly in one of these, may import from the same folder."""
MOST_ARROWS = {"models": 51}
BY_NAME = {
    "models/__init__.py": set(),
    "models/analysis/registry.py": set(),
    "models/huggingface/__init__.py": {"models.huggingface.model"},
    "models/values/record/recording.py": {"viz.viewer.notebook"},
    "viz/__init__.py": {"viz.attention.heatmap", "viz.bertviz.views", "viz.given.shown", "viz.viewer.html"},
    "viz/given/shown.py": {"viz.painter.png", "viz.viewer.widget"},
    "viz/kit/figures/still.py": {"viz.painter.output", "viz.painter.plots.figure"},
    "viz/painter/output.py": {"viz.painter.png"},
}
"""Imports by a name in a string: of heavy modules on demand, of the notebook by a recording; the registry of analyses
imports its own room."""
SAID_TWICE = {
    "Array": "the arrays of `record`, which imports the other file as well",
    "Kind": "`models/scratch/` is self-contained; tests/models/scratch/test_attention.py compares the two",
}
"""Names of types that are defined in two files, and why."""
FORBIDDEN = {
    "code from a model's repository": r"trust_remote_code\s*=\s*(?!False)",
    "weights that run code when opened": r"torch\.load\(|allow_pickle\s*=\s*True",
    "HTML past Streamlit's filter": r"unsafe_allow_html",
    "a file from another host": r"//(cdn|cdnjs|unpkg|esm|code\.jquery|(ajax|fonts)\.(googleapis|gstatic))\.",
}
EXTRAS = {
    "ray": (("ray",), r"models/engine/ray/\w+\.py"),
    "widget": (("anywidget", "traitlets"), r"viz/viewer/widget\.py"),
}
"""Optional packages by the name of their extra, and the modules that import them."""
PARTS = ("app.py", "pages", "ui", "lab", "lessons", "viz", "models", "serving", "headlights", "recipes")
SOURCES = sorted(path for part in PARTS for path in [ROOT / part, *(ROOT / part).rglob("*")] if path.suffix == ".py")
BROWSER_SOURCES = [
    path
    for part in ("ui", "viz")
    for path in (ROOT / part).rglob("*")
    if path.suffix in {".js", ".css"} and path.parent.name != "vendor"
]
"""Without vendored scripts: bertviz's name hosts, and fetch nothing from them
(tests/browser/test_bertviz_offline.py)."""
PAGES = sorted((ROOT / "pages").iterdir())


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def module_of(path: Path) -> Module:
    return read_module(text_of(path), path.relative_to(ROOT).parts[:-1])


def imports(path: Path) -> tuple[str, ...]:
    """Return every module and name that a file imports, with dots."""
    return module_of(path).imports


def starts_with(name: str, prefixes: tuple[str, ...]) -> bool:
    return any(name == prefix or name.startswith(f"{prefix}.") for prefix in prefixes)


def test_arrows_point_down():
    wrong = []
    for path in SOURCES:
        name = name_of(path)
        part = name.split("/")[0]
        without = MUST_DO_WITHOUT["models/values" if name.startswith("models/values/") else part]
        wrong += [
            (name, module)
            for module in set(imports(path))
            if starts_with(module, without) or (starts_with(module, OURS) and not starts_with(module, MAY_IMPORT[part]))
        ]
    assert wrong == []


@pytest.mark.parametrize("top", ROOMS)
def test_rooms_know_only_the_rooms_below_them(top: str):
    allowed = {(room, other) for room, others in ROOMS[top].items() for other in others.split()}
    found = look(ROOT, top).arrows
    assert not found - allowed
    assert len(found) <= MOST_ARROWS.get(top, len(allowed))


@pytest.mark.parametrize("top", ROOMS)
def test_the_table_of_rooms_has_no_circle_and_names_every_room(top: str):
    TopologicalSorter({room: others.split() for room, others in ROOMS[top].items()}).prepare()
    assert look(ROOT, top).rooms == set(ROOMS[top])


def test_a_name_in_a_string_is_imported_where_the_table_says():
    by_name = {name_of(path) for path in SOURCES if "import_module(" in text_of(path)}
    assert by_name == set(BY_NAME)
    for file, modules in BY_NAME.items():
        text = (ROOT / file).read_text(encoding="utf-8")
        assert all(f'"{module}"' in text and importlib.util.find_spec(module) is not None for module in modules)


def test_a_name_of_a_type_says_one_thing():
    """Public classes, aliases and type variables of one name are the same object."""
    homes: dict[str, set[str]] = {}
    for path in SOURCES:
        for name in module_of(path).types:
            homes.setdefault(name, set()).add(name_of(path))
    assert {name for name, files in homes.items() if len(files) > 1} == set(SAID_TWICE)


def test_what_is_imported_is_required():
    """Every third-party package that the app imports is a dependency in pyproject.toml; an extra is imported by its own
    modules alone."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    app = project["project"]["optional-dependencies"]["app"]
    required = names_of([*project["project"]["dependencies"], *app])
    packages = {name.split(".")[0] for path in SOURCES for name in imports(path)} - {*OURS, *sys.stdlib_module_names}
    for extra, (optional, modules) in EXTRAS.items():
        assert optional[0] in names_of(project["project"]["optional-dependencies"][extra])
        assert not {*optional} & required
        users = {name_of(path) for path in SOURCES if any(starts_with(name, optional) for name in imports(path))}
        assert users
        assert all(re.fullmatch(modules, user) for user in users)
        packages -= {*optional}
    assert not packages - {package for name in required for package in packages_in(name)}


def test_ray_is_asked_for_alike_by_the_extra_and_by_the_group() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["optional-dependencies"]["ray"] == project["dependency-groups"]["ray"]


def names_of(requirements: list[str]) -> set[str]:
    return {canonicalize_name(Requirement(each).name) for each in requirements}


def packages_in(name: str) -> set[str]:
    """Return the packages and modules of an installed distribution; empty if it is not installed."""
    try:
        files = importlib.metadata.distribution(name).files or []
    except importlib.metadata.PackageNotFoundError:
        return set()
    return {file.parts[0].split(".")[0] for file in files}


def test_a_source_holds_nothing_forbidden():
    texts = {path: text_of(path) for path in [*SOURCES, *BROWSER_SOURCES]}
    assert [
        (name_of(path), reason)
        for path, text in texts.items()
        for reason, pattern in FORBIDDEN.items()
        if re.search(pattern, text)
    ] == []


def test_records_and_figures_are_had_without_torch():
    figures = [name_of(path).removesuffix(".py").replace("/", ".") for path in (ROOT / "viz").rglob("*.py")]
    question = f"import sys, models.values.record, {', '.join(figures)}; sys.exit('torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", question], cwd=ROOT, check=True)


@pytest.mark.parametrize("path", [path for path in PAGES if path.name != "__pycache__"], ids=name_of)
def test_a_page_is_a_flat_script_that_the_app_lists(path: Path):
    assert any(f'"{name_of(path)}"' in text_of(source) for source in SOURCES if source.parent.name != "pages")
    structure = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.For, ast.While)
    assert not [ast.unparse(node) for node in ast.walk(ast.parse(text_of(path))) if isinstance(node, structure)]
