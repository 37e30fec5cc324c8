"""`python run.py test --machines`: which machines there are, which tests are run on them, what is said at the end."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from tests import machines
from tests.machines import Machine, Used
from tests.numeric import is_numeric

TESTS = Path(__file__).parent
NUMERIC = TESTS / "viz" / "positions" / "test_formulas.py"


def report(**shares: list[float]) -> list[str]:
    """The lines that comparisons leave behind, of tests with the shares of their tolerances."""
    return [
        json.dumps({"test": test, "where": f"{test}.py:{place}", "used": used})
        for test, each in shares.items()
        for place, used in enumerate(each)
    ]


@pytest.mark.parametrize(
    ("capability", "families"),
    [("DEFAULT", {"default"}), ("AVX2", {"default", "avx2"}), ("AVX512", {"default", "avx2", "avx512"})],
)
def test_each_family_of_kernels_runs_on_one_and_on_two_threads(capability: str, families: set[str]) -> None:
    found = machines.machines(capability)
    kernels = [each.environment for each in found if "ATEN_CPU_CAPABILITY" in each.environment]
    for threads in ("1", "2"):
        assert {of["ATEN_CPU_CAPABILITY"] for of in kernels if of[machines.THREADS] == threads} == families
    lowered = {each.environment.get("ONEDNN_MAX_CPU_ISA") for each in found} - {None}
    assert lowered == ({"SSE41", "AVX2"} if "avx2" in families else {"SSE41"})
    assert len({each.name for each in found}) == len(found)


@pytest.mark.skipif(platform.machine() not in {"x86_64", "AMD64"}, reason="another kind of processor runs as it is")
@pytest.mark.parametrize("family", ["DEFAULT", "AVX2"])
def test_numpy_starts_with_the_loops_of_an_old_processor_and_warns_of_nothing(family: str) -> None:
    """It warns, which is an error in the tests, where it is told to leave out what it does not know by that name."""
    environment = os.environ | machines.PROCESSORS[family]
    subprocess.run([sys.executable, "-W", "error", "-c", "import numpy"], env=environment, check=True, timeout=300)


def test_a_processor_of_another_kind_runs_as_it_is() -> None:
    for machine in machines.machines("SVE256"):
        assert set(machine.environment) <= {machines.THREADS, *machines.WAITING}


def test_this_processor_is_one_of_those_that_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATEN_CPU_CAPABILITY", "default")
    assert machines.own_capability() != "DEFAULT" or torch.backends.cpu.get_cpu_capability() == "DEFAULT"


def test_modules_that_compare_numbers_are_chosen_also_where_a_helper_does_it() -> None:
    assert is_numeric(NUMERIC)
    assert is_numeric(TESTS / "models" / "huggingface" / "test_hub.py")  # by way of eager.py
    assert not is_numeric(TESTS / "test_run.py")


def test_the_nearest_comparison_of_a_test_counts_and_the_nearest_test_comes_first() -> None:
    found = machines.read_report(report(calm=[0.0, 0.1], near=[0.2, 0.9, 0.4], edge=[0.34]))
    assert [(used.test, used.share, used.where) for used in found] == [
        ("near", 0.9, "near.py:1"),
        ("edge", 0.34, "edge.py:0"),
        ("calm", 0.1, "calm.py:1"),
    ]
    assert [used.test for used in machines.near_bound(found)] == ["near", "edge"]


def test_ten_are_named_and_all_that_are_near_are_counted() -> None:
    used = [Used(share=1 / (2 + at), test=f"test {at}", where="here:1") for at in range(20)]
    said = machines.in_words("a machine", used, passed=True)
    assert said.startswith("a machine: passed; near their bound: 1 of 20\n")
    assert [line.split()[-1] for line in said.splitlines()[1:]] == [str(at) for at in range(machines.WORST)]


def test_a_machine_runs_what_is_numeric_and_leaves_its_report(tmp_path: Path) -> None:
    machine = Machine(name="two threads", environment={machines.THREADS: "2"}, plugins=("tests.other_sums",))
    arguments = [
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        "-k",
        "test_formulas or further",
        str(NUMERIC),
        str(TESTS / "test_run.py"),
    ]
    chosen = tmp_path / "chosen.txt"
    assert machines.run_as(machine, arguments, tmp_path / "report.jsonl", chosen) == 0
    found = machines.read_report((tmp_path / "report.jsonl").read_text("utf-8").splitlines())
    assert {used.test.split("::")[0] for used in found} == {"tests/viz/positions/test_formulas.py"}
    chosen.write_text(found[0].test, "utf-8")
    assert machines.run_as(machine, arguments, tmp_path / "again.jsonl", chosen) == 0
    again = machines.read_report((tmp_path / "again.jsonl").read_text("utf-8").splitlines())
    assert [used.test for used in again] == [found[0].test]


def test_a_test_that_fails_on_a_machine_fails_the_run(monkeypatch: pytest.MonkeyPatch, capfd) -> None:
    monkeypatch.setattr(machines, "own_capability", lambda: "DEFAULT")
    monkeypatch.setattr(machines, "machines", lambda _: [Machine(name=name, environment={}) for name in ("one", "two")])
    monkeypatch.setattr(machines, "run_as", lambda machine, *_: int(machine.name == "one"))
    assert machines.main([]) == 1
    said = capfd.readouterr().out
    assert "one: FAILED" in said
    assert "two: passed" in said
    assert "all of them: FAILED" in said
    monkeypatch.setattr(machines, "run_as", lambda *_: machines.NONE_SELECTED)
    assert machines.main([]) == 0
