"""Position encodings: five methods in pictures, and the behaviour of a model without any."""

from ui.layers.positions.page import position_explorer
from ui.state.selection import selection
from ui.widgets.asking.ask_bar import ask_bar
from ui.widgets.asking.inputs import BITES, EXAMPLES
from ui.widgets.asking.opening import open_with
from ui.widgets.frame import page
from ui.widgets.heading import heading
from viz.kit.language import tr

with page("Positions"):
    heading(
        tr("Positions"),
        tr(
            "Attention compares every [token](#word-token) with every other, whatever their order. **Word order has to "
            "come from somewhere.**"
        ),
    )
    if selection().scheme == "why":
        open_with(BITES)
        ask_bar(BITES | EXAMPLES)
    else:
        ask_bar({}, texts="none")
    position_explorer()
