"""A head whose matrices the reader writes: the token before, the same letter again, an induction head."""

from ui.layers.by_hand.page import hand_explorer
from ui.widgets.frame import page
from ui.widgets.heading import heading
from viz.kit.language import tr

with page("By hand"):
    heading(
        tr("By hand"),
        tr(
            "A [head](#word-head) is three matrices of numbers. **Write them yourself until it looks where it should.**"
        ),
    )
    hand_explorer()
