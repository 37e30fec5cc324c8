"""Layout of the two panels of the shares over time, in pixels."""

from __future__ import annotations

from dataclasses import dataclass

from models.values.history import History
from viz.kit.figures.bar_legends import LETTER
from viz.kit.theme import Sizes
from viz.training.over_time.axis import IterationAxis


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoPanels:
    """The positions of the two panels, in pixels: left, top, their axis and their heights."""

    left: float
    right: float
    top: float
    axis: IterationAxis
    shares: float
    gap: float
    loss: float
    foot: float

    @property
    def panels(self) -> float:
        """The height of both, with the gap between them."""
        return self.shares + self.gap + self.loss


def frame_of(history: History, size: Sizes) -> TwoPanels:
    """Return the panels for a page of this width; without a loss there is only one."""
    left, right = 3.6 * size.label, (LETTER * size.label * (6 if size.compact else 17)) + size.gap
    shares = 240 if size.compact else 330
    has_loss = bool(known_losses(history))
    return TwoPanels(
        left=left,
        right=right,
        top=2.2 * size.title + (1.4 if size.compact else 2.8) * size.label,
        axis=IterationAxis(iterations=history.iterations, wide=size.page - left - right),
        shares=shares,
        gap=2.6 * size.label if has_loss else 0,
        loss=(90 if size.compact else 120) if has_loss else 0,
        foot=3.6 * size.label,
    )


def known_losses(history: History) -> tuple[str, ...]:
    """Return the losses that the run recorded: "training", on its batches, and "unseen", on held-out text."""
    curve = history.trajectory.curve
    known = {
        "training": any(point.training is not None for point in curve),
        "unseen": any(point.unseen is not None for point in curve),
    }
    return tuple(name for name, is_known in known.items() if is_known)
