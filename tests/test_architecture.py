"""The arrows of DESIGN.md, section 1, app -> pages -> ui -> {models, viz} -> models.values.record, and what is
forbidden."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
OURS = ("app", "pages", "ui", "viz", "models", "run", "tests", "benchmarks")
MAY_IMPORT = {
    "models/values/errors.py": (),
    "models/values/offset_bias.py": (),
    "models/values/record.py": ("models.values.errors", "models.values.offset_bias"),
    "models/values/answers.py": ("models.values.record", "models.values.errors"),
    "models/values/history.py": ("models.values.record", "models.values.answers", "models.values.errors"),
    "models/values/steps.py": ("models.values.record", "models.values.errors"),
    "models/values/positions.py": ("models.values.record", "models.values.errors"),
    "models/values/writing.py": ("models.values.record", "models.values.answers", "models.values.errors"),
    "models": ("models",),
    "viz": (
        "viz",
        "models.values.record",
        "models.values.answers",
        "models.values.history",
        "models.values.steps",
        "models.values.positions",
        "models.values.writing",
        "models.values.errors",
    ),
    "ui": ("ui", "viz", "models"),
    "pages": ("ui", "viz", "models"),
    "app.py": ("ui", "viz", "models"),
}
MUST_DO_WITHOUT = {
    "models/values/errors.py": ("torch", "transformers", "numpy", "streamlit", "plotly"),
    "models/values/offset_bias.py": ("torch", "transformers", "streamlit", "plotly"),
    "models/values/record.py": ("torch", "transformers", "streamlit", "plotly"),
    "models/values/answers.py": ("torch", "transformers", "streamlit", "plotly"),
    "models/values/history.py": ("torch", "transformers", "streamlit", "plotly"),
    "models/values/steps.py": ("torch", "transformers", "streamlit", "plotly"),
    "models/values/positions.py": ("torch", "transformers", "streamlit", "plotly"),
    "models/values/writing.py": ("torch", "transformers", "streamlit", "plotly"),
    "models": ("streamlit", "plotly", "bertviz", "pickle"),
    "viz": ("torch", "transformers", "streamlit", "pickle"),
    "ui": ("pickle",),
    "pages": ("pickle",),
    "app.py": ("pickle",),
}
FORBIDDEN = {
    "code from a model's repository": r"trust_remote_code\s*=\s*(?!False)",
    "weights that run code when opened": r"torch\.load\(|allow_pickle\s*=\s*True",
    "HTML past Streamlit's filter": r"unsafe_allow_html",
    "a file from another host": r"//(cdn|cdnjs|unpkg|esm|code\.jquery|(ajax|fonts)\.(googleapis|gstatic))\.",
}
PARTS = ("app.py", "pages", "ui", "viz", "models")
SOURCES = sorted(path for part in PARTS for path in [ROOT / part, *(ROOT / part).rglob("*")] if path.suffix == ".py")
BROWSER_SOURCES = [
    path for part in ("ui", "viz") for path in (ROOT / part).rglob("*") if path.suffix in {".js", ".css"}
]
PAGES = sorted((ROOT / "pages").iterdir())


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imports(path: Path) -> Iterator[str]:
    """Every module and name that a file imports, with dots; a relative import is made absolute."""
    package = path.relative_to(ROOT).parts[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)


def starts_with(name: str, prefixes: tuple[str, ...]) -> bool:
    return any(name == prefix or name.startswith(f"{prefix}.") for prefix in prefixes)


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_arrows_point_down(path: Path):
    name = name_of(path)
    part = name if name in MAY_IMPORT else name.split("/")[0]
    imported = set(imports(path))
    assert not [
        module for module in imported if starts_with(module, OURS) and not starts_with(module, MAY_IMPORT[part])
    ]
    assert not [module for module in imported if starts_with(module, MUST_DO_WITHOUT[part])]


@pytest.mark.parametrize("path", [*SOURCES, *BROWSER_SOURCES], ids=name_of)
def test_a_source_holds_nothing_forbidden(path: Path):
    text = path.read_text(encoding="utf-8")
    assert not [reason for reason, pattern in FORBIDDEN.items() if re.search(pattern, text)]


def test_records_and_figures_are_had_without_torch():
    figures = [name_of(path).removesuffix(".py").replace("/", ".") for path in (ROOT / "viz").rglob("*.py")]
    question = f"import sys, models.values.record, {', '.join(figures)}; sys.exit('torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", question], cwd=ROOT, check=True)


@pytest.mark.parametrize("path", [path for path in PAGES if path.name != "__pycache__"], ids=name_of)
def test_a_page_is_a_flat_script_that_the_app_lists(path: Path):
    lists = [source.read_text(encoding="utf-8") for source in SOURCES if source.parent.name != "pages"]
    assert any(f'"{name_of(path)}"' in text for text in lists)
    structure = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.For, ast.While)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, structure)]
