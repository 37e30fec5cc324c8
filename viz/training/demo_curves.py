"""Made-up curves of a run, for the demo and the tests: nothing was trained for them."""

from __future__ import annotations

import numpy as np
import pandas as pd


def made_up_curves(*, reached: int = 300, seed: int = 0) -> pd.DataFrame:
    """Return the curves of a made-up run: its loss falls with noise, and is measured on held-out text every 20
    iterations."""
    random = np.random.default_rng(seed)
    iteration = np.arange(1, reached + 1)
    loss = 0.3 + 3.5 * np.exp(-iteration / 90) + 0.12 * random.normal(size=reached)
    accuracy = np.clip(1 - loss / 4 + 0.02 * random.normal(size=reached), 0, 1)
    measured = iteration % 20 == 0
    return pd.DataFrame(
        {
            "step": iteration,
            "tokens": 512 * iteration,
            "seconds": 0.04 * iteration,
            "rate": 1e-3,
            "loss": loss,
            "accuracy": accuracy,
            "held_out_loss": np.where(measured, loss + 0.1, np.nan),
            "held_out_accuracy": np.where(measured, np.clip(accuracy - 0.04, 0, 1), np.nan),
        }
    )
