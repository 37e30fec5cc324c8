"""One layer of attention step by step: the input and output of every step, and what-if changes."""

from ui.layers.step_by_step.page import step_explorer
from ui.widgets.asking.ask_bar import ask_bar
from ui.widgets.asking.opening import open_with_own
from ui.widgets.frame import page
from ui.widgets.heading import heading
from viz.kit.language import tr

with page("Step by step"):
    heading(
        tr("Step by step"),
        tr(
            "How one [layer](#word-layer) works on a sentence: **every number on its way through one "
            "[head](#word-head).**"
        ),
    )
    open_with_own()
    ask_bar()
    step_explorer()
