"""The page "What attention costs": the cache as it grows, memory by length, FlashAttention on a real row, sampling."""

from ui.answers.costs.page import costs_explorer
from ui.state.choices import CAUSAL_MODEL
from ui.widgets.asking.ask_bar import ask_bar
from ui.widgets.asking.inputs import CONTINUED_EXAMPLES
from ui.widgets.asking.opening import open_with
from ui.widgets.frame import page
from ui.widgets.heading import heading
from ui.widgets.stand_in import say_stand_in, stand_in
from viz.kit.language import tr

with page("What attention costs"):
    heading(
        tr("What attention costs"),
        tr(
            "A model that writes keeps the [keys](#word-key) and [values](#word-value) of all it has read. "
            "**That costs memory, and saves time.**"
        ),
    )
    stand_in(CAUSAL_MODEL)
    open_with(CONTINUED_EXAMPLES)
    ask_bar(CONTINUED_EXAMPLES, texts="one")
    say_stand_in()
    costs_explorer()
