"""Train a small model, watch it learn, and open it on every other page."""

from ui.training_lab.page import training_lab
from ui.widgets.frame import page
from ui.widgets.heading import heading
from viz.kit.language import tr

with page("Training lab"):
    heading(
        tr("Training lab"),
        tr("**Train a small transformer on this machine and watch it learn.** Then open it on every other page."),
    )
    training_lab()
