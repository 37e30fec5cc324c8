"""Answers of a model without some of its heads: switches, effects of all heads, patches, and the logit as a sum."""

from ui.heads.switchboard.examples import switch_examples
from ui.heads.switchboard.page import switchboard
from ui.widgets.asking.ask_bar import ask_bar
from ui.widgets.asking.opening import open_with
from ui.widgets.frame import page
from ui.widgets.heading import heading
from viz.kit.language import tr

with page("Switchboard"):
    heading(
        tr("Switchboard"),
        tr(
            "Where a [head](#word-head) looks is one thing, whether it matters another: **switch heads off, and read "
            "the answer.**"
        ),
    )
    open_with(switch_examples())
    ask_bar(switch_examples())
    switchboard()
