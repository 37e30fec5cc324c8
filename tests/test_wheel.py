"""The wheel: what is in it, and that it works beside a project with folders of the same names."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from deploy.wheel import SMALL, renamed
from serving.window import wait_for_app
from serving.workers import free_ports

ROOT = Path(__file__).resolve().parents[1]
LIMIT = 25_000_000
PRETRAINED = ROOT / "models" / "pretrained"
TOP = ("models", "viz", "ui", "lab", "lessons", "pages", "serving")
"""The names of our folders; a project of somebody's may have them, too."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    asked = ("wheel", ".", "--no-deps", "--no-build-isolation", "--quiet", f"--wheel-dir={folder}")
    subprocess.run([sys.executable, "-m", "pip", *asked], cwd=ROOT, check=True)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment in which the wheel is installed, and the other packages are those of the tests."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    programs = folder / ("Scripts" if sys.platform == "win32" else "bin")
    python = programs / Path(sys.executable).name
    asked = ("--python", str(python), "install", "--no-deps", "--no-index", "--quiet", str(wheel))
    subprocess.run([sys.executable, "-m", "pip", *asked], check=True)
    package = Path(answer(python, "import headlights; print(headlights.__path__[0])", folder))
    (package.parent / "beside.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    weights = package / "models" / "pretrained" / "headlight-bert" / "model.safetensors"
    weights.symlink_to(PRETRAINED / "headlight-bert" / weights.name)
    return python


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project whose folders have the names of ours."""
    for name in TOP:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("MINE = True\n", encoding="utf-8")
    return tmp_path


def answer(python: Path, code: str, cwd: Path) -> str:
    """What a program writes, run in a folder, whose modules it finds first."""
    run = subprocess.run([python, "-c", code], cwd=cwd, capture_output=True, encoding="utf-8", check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def test_it_is_small_and_holds_what_it_needs(wheel: Path) -> None:
    assert wheel.stat().st_size < LIMIT
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"headlights/py.typed", "headlights/app.py", "headlights/.streamlit/config.toml"} <= names
    assert {name.partition("/")[0] for name in names} == {"headlights", f"{wheel.name.rsplit('-', 3)[0]}.dist-info"}


def test_every_weight_is_in_one_of_the_wheels(wheel: Path) -> None:
    inside = [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".safetensors")]
    assert {Path(name).relative_to("headlights/models/pretrained").parts[0] for name in inside} == set(SMALL)
    for project in (ROOT / "deploy" / "weights").glob("*/pyproject.toml"):
        table = tomllib.loads(project.read_text(encoding="utf-8"))
        files = table["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
        for source, target in files.items():
            assert (project.parent / source).resolve() == ROOT / target.partition("/")[2]
            inside.append(target)
    embedded = [f"headlights/{path.relative_to(ROOT).as_posix()}" for path in PRETRAINED.rglob("*.safetensors")]
    assert sorted(inside) == sorted(embedded)


def test_beside_folders_of_our_names_it_reads_names_what_is_not_installed_and_draws_its_pages(
    installed: Path, project: Path
) -> None:
    """In one process, which imports what is heavy once."""
    block = (ROOT / "README.md").read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    mine = ", ".join(f"{name}.MINE" for name in TOP)
    code = [
        f"import {', '.join(TOP)}\n{block.replace('.show()', '')}\nassert all(({mine}))",
        "import headlights\ntry: headlights.load('headlight-ko')",
        "except headlights.ModelNotFoundError as error: print(error)",
        "from headlights.__main__ import main\nmain(['show', 'The cat sat.', '--head', '3', '--out', 'cat.svg'])",
        "from pathlib import Path\nfrom streamlit.testing.v1 import AppTest",
        "home = Path(headlights.__path__[0]) / 'pages' / 'home.py'",
        "app = AppTest.from_file(str(home), default_timeout=300).run()",
        "print(len(app.exception), len(app.error))",
    ]
    said = answer(installed, "\n".join(code), project)
    assert "pip install headlights[weights]" in said
    assert (project / "cat.svg").read_text(encoding="utf-8").startswith("<?xml")
    assert said.splitlines()[-1] == "0 0"


def test_its_import_brings_nothing_heavy(installed: Path, project: Path) -> None:
    heavy = ("torch", "transformers", "numpy", "pandas", "plotly", "streamlit")
    code = f"import sys, headlights; print([name for name in {heavy} if name in sys.modules])"
    assert answer(installed, code, project) == "[]"


@pytest.mark.parametrize("command", ["serve", "atlas"])
def test_the_help_of_a_command_names_it(installed: Path, project: Path, command: str) -> None:
    asked = [installed.parent / "headlights", command, "--help"]
    run = subprocess.run(asked, cwd=project, capture_output=True, encoding="utf-8", check=True)
    assert run.stdout.startswith(f"usage: headlights {command}")


def test_a_text_is_shown_from_the_command_line(installed: Path, project: Path) -> None:
    out = project / "cat.html"
    command = [installed.parent / "headlights", "show", "The cat sat.", "--head", "3", "--out", out]
    subprocess.run(command, cwd=project, check=True)
    assert out.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_the_app_starts(installed: Path, project: Path) -> None:
    with free_ports(1) as (port,):
        pass
    options = ("--server.headless", "true", "--server.port", str(port))
    app = subprocess.Popen([installed.parent / "headlights", "app", *options], cwd=project)
    try:
        assert wait_for_app(app, f"http://localhost:{port}/_stcore/health")
    finally:
        app.terminate()
        app.wait()


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("import models\n", "from headlights import models\n"),
        ("from models.values import x\n", "from headlights.models.values import x\n"),
        ("from modelsx import y\n", "from modelsx import y\n"),
        ('a = "models.opening.registry"\n', 'a = "headlights.models.opening.registry"\n'),
        ('a = "models.nowhere"\n', 'a = "models.nowhere"\n'),
        ('"""é""" ; from viz import z\n', '"""é""" ; from headlights.viz import z\n'),
    ],
)
def test_names_are_rewritten(written: str, expected: str) -> None:
    assert renamed(written, ROOT) == expected


def test_an_import_that_cannot_be_rewritten_is_refused() -> None:
    with pytest.raises(ValueError, match="binds models"):
        renamed("import models.analysis\n", ROOT)
