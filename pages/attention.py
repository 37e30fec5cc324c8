"""The main page: a sentence, a model, a layer and a head, and what that head looks at."""

from ui.attention.page import attention_explorer
from ui.state.selection import selection
from ui.widgets.asking.ask_bar import ask_bar
from ui.widgets.asking.inputs import with_a_long_one
from ui.widgets.asking.opening import open_with_own
from ui.widgets.frame import page
from ui.widgets.heading import heading
from viz.kit.language import tr

with page("Attention"):
    heading(
        tr("Attention"),
        tr(
            "Each [token](#word-token) looks at the others. A thick arc, or a dark cell of the map, means: **this one "
            "looks at that one.**"
        ),
    )
    open_with_own()
    if selection().view != "file":
        ask_bar(with_a_long_one())
    attention_explorer()
