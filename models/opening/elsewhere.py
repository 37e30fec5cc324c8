"""Models that compute in another process than the one that asks them."""

from __future__ import annotations

from models.tasks.capabilities import Model


class ModelElsewhere(Model, hands_on=True):
    """A model whose questions take no core of this process, so whoever asks waits for its answer alone.

    Every question comes to `otherwise`, which sends it to where the model is.
    """
