"""Run everything numeric as on other machines, and say which tests are near their bound.

    python run.py test --machines                        # every machine, everything that compares numbers
    python run.py test --machines tests/models/scratch   # what follows goes to pytest

A machine is a family of kernels that this processor has, in every library, and a number of threads. The first one runs
every test of the modules that compare numbers; the others run those of them that did compare some. Tests that fail on
none of them but use more than a third of a tolerance may fail on a processor that is not here: the ten nearest to their
bound are named for each machine, and at the end for all of them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.closeness import REPORT
from tests.numeric import CHOSEN

ROOT = Path(__file__).resolve().parents[1]
NEAR = 1 / 3
"""The share of its tolerance that a comparison may use: another processor may need three times as much."""
WORST = 10
THREADS = "HEADLIGHT_TEST_THREADS"
"""Of PyTorch in a process of the tests; `tests/conftest.py` takes 1 where nobody asks for more."""
WAITING = {"OMP_WAIT_POLICY": "PASSIVE"}
"""Threads that wait for each other leave the processor to the other processes of the tests."""
PROCESSORS = {
    "DEFAULT": {
        "ONEDNN_MAX_CPU_ISA": "SSE41",
        "MKL_CBWR": "COMPATIBLE",
        "OPENBLAS_CORETYPE": "Prescott",
        "NPY_DISABLE_CPU_FEATURES": "X86_V3,X86_V4,AVX512_ICL,AVX512_SPR",
    },
    "AVX2": {
        "ONEDNN_MAX_CPU_ISA": "AVX2",
        "MKL_CBWR": "AVX2",
        "OPENBLAS_CORETYPE": "Haswell",
        "NPY_DISABLE_CPU_FEATURES": "X86_V4,AVX512_ICL,AVX512_SPR",
    },
    "AVX512": {},
}
"""The kernels of PyTorch on x86, oldest first, and what tells oneDNN, MKL, and the OpenBLAS and the loops of NumPy that
the processor ends there. One that has a family has those before it."""
NONE_SELECTED = 5
"""The exit status of pytest when it was given no test, here because none of a chosen file compares numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """A processor to compute as: by the environment of the tests and by plugins of pytest."""

    name: str
    environment: Mapping[str, str]
    plugins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """The largest share of a tolerance that a test used, and the line of that comparison."""

    share: float
    test: str
    where: str


def machines(capability: str) -> list[Machine]:
    """Return the machines that a processor can stand for, which names itself as PyTorch does: DEFAULT, AVX2, …"""
    families = list(PROCESSORS)
    kernels = (
        {
            f"{family.lower()} kernels": {"ATEN_CPU_CAPABILITY": family.lower(), **PROCESSORS[family]}
            for family in families[: families.index(capability) + 1]
        }
        if capability in families
        else {"as it is": {}}  # an ARM, say: its kernels are those that it has
    )
    return [
        Machine(name="sums from the other end", environment={}, plugins=("tests.other_sums",)),
        *(
            Machine(name=f"{name}, threads: {threads}", environment=WAITING | environment | {THREADS: threads})
            for name, environment in kernels.items()
            for threads in "12"
        ),
    ]


def own_capability() -> str:
    """Return the newest kernels of PyTorch that this processor has, whatever the environment asks for."""
    question = "import torch, sys; sys.stdout.write(torch.backends.cpu.get_cpu_capability())"
    environment = {name: value for name, value in os.environ.items() if name != "ATEN_CPU_CAPABILITY"}
    return subprocess.run(
        [sys.executable, "-c", question], env=environment, capture_output=True, encoding="utf-8", check=True
    ).stdout


def run_as(machine: Machine, arguments: Sequence[str], report: Path, chosen: Path) -> int:
    """Run the numeric tests as one machine, whose comparisons are added to `report`; return pytest's exit status.

    `chosen` is a file with the tests to run, one a line; where there is none, they are all that may compare numbers.
    """
    plugins = [part for plugin in ("tests.numeric", *machine.plugins) for part in ("-p", plugin)]
    given = [] if any(each in ("-n", "--numprocesses") for each in arguments) else ["-n", "auto", "--dist", "loadfile"]
    command = [sys.executable, "-m", "pytest", *plugins, *given, *arguments]
    environment = os.environ | dict(machine.environment) | {REPORT: str(report), CHOSEN: str(chosen)}
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


def read_report(lines: Iterable[str]) -> list[Used]:
    """Return each test with the comparison in which it came nearest to its bound, nearest first."""
    nearest: dict[str, Used] = {}
    for line in lines:
        read = json.loads(line)
        used = Used(share=read["used"], test=read["test"], where=read["where"])
        if used.test not in nearest or used.share > nearest[used.test].share:
            nearest[used.test] = used
    return sorted(nearest.values(), key=lambda used: used.share, reverse=True)


def near_bound(used: Sequence[Used]) -> list[Used]:
    """Return the tests that use more than a third of a tolerance."""
    return [each for each in used if each.share > NEAR]


def in_words(name: str, used: Sequence[Used], *, passed: bool) -> str:
    """Say how a machine, or all of them, fared: a line, and one for each of the tests nearest to their bound."""
    n_near = len(near_bound(used))
    head = f"{name}: {'passed' if passed else 'FAILED'}; near their bound: {n_near} of {len(used)}"
    lines = [
        f"  {'!' if each.share > NEAR else ' '} {each.share:6.1%}  {each.where}  {each.test}" for each in used[:WORST]
    ]
    return "\n".join([head, *lines])


def main(arguments: Sequence[str]) -> int:
    """Run the numeric tests as every machine; return 1 if one of them failed."""
    failed = []
    all_lines: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        chosen = Path(folder) / "chosen.txt"
        for number, machine in enumerate(machines(own_capability())):
            report = Path(folder) / f"{number}.jsonl"
            sys.stdout.write(f"\n{machine.name}\n")
            sys.stdout.flush()
            status = run_as(machine, arguments, report, chosen)
            lines = report.read_text(encoding="utf-8").splitlines() if report.exists() else []
            used = read_report(lines)
            all_lines += lines
            if not chosen.exists():
                chosen.write_text("\n".join(each.test for each in used), encoding="utf-8")
            passed = status in (0, NONE_SELECTED)
            failed += [] if passed else [machine.name]
            sys.stdout.write(f"{in_words(machine.name, used, passed=passed)}\n")
    sys.stdout.write(f"\n{in_words('all of them', read_report(all_lines), passed=not failed)}\n")
    sys.stdout.write(f"\nFailed on: {', '.join(failed) or 'none'}\n")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
