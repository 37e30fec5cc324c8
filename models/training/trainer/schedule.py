"""When a run learns fast, and which of its iterations are kept to be looked at."""

from __future__ import annotations


def learning_rate(iteration: int, *, iterations: int, peak: float, warmup_iterations: int, decay: float) -> float:
    """The rate of an iteration: up over `warmup_iterations`, level, down to 0 over the last part `decay` of the run.

    Trapezoid rather than the paper's inverse square root (Vaswani et al. 2017, section 5.3): Haegele et al. 2024.
    """
    left = (iterations - iteration) / (decay * iterations) if decay else 1.0
    return peak * min(1.0, (iteration + 1) / max(1, warmup_iterations), left)


def snapshot_iterations(iterations: int, n: int) -> tuple[int, ...]:
    """Where `n` snapshots are: 0, then from a 64th of the run on, ever farther apart: most is learned early."""
    last = n - 2
    grown = (iterations * 64 ** (number / last - 1) if last else iterations for number in range(last + 1))
    return tuple(dict.fromkeys([0, *map(round, grown)])) if last >= 0 else ()
