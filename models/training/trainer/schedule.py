"""When a run learns fast, and which of its steps are kept to be looked at."""

from __future__ import annotations


def learning_rate(step: int, *, steps: int, peak: float, warmup_steps: int, decay: float) -> float:
    """The rate of a step: up over `warmup_steps`, level, and down to 0 over the last part `decay` of the run.

    Trapezoid rather than the paper's inverse square root (Vaswani et al. 2017, section 5.3): Haegele et al. 2024.
    """
    left = (steps - step) / (decay * steps) if decay else 1.0
    return peak * min(1.0, (step + 1) / max(1, warmup_steps), left)


def snapshot_steps(steps: int, n: int) -> tuple[int, ...]:
    """Where `n` snapshots are: 0, then from a 64th of the run on, ever farther apart: most is learned early."""
    last = n - 2
    grown = (steps * 64 ** (number / last - 1) if last else steps for number in range(last + 1))
    return tuple(dict.fromkeys([0, *map(round, grown)])) if last >= 0 else ()
