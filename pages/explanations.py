"""Words that an answer depends on: many methods side by side, judged by the answer without the words they name."""

from ui.heads.explanations.page import explanations
from ui.state.first_visit import first_visit
from ui.widgets.asking.ask_bar import ask_bar
from ui.widgets.asking.inputs import answer_examples
from ui.widgets.asking.opening import open_with
from ui.widgets.frame import page
from ui.widgets.heading import heading
from ui.widgets.stand_in import stand_in
from viz.kit.language import tr

with page("Explanations"):
    heading(
        tr("Explanations"),
        tr("Which words is an answer made of? **Ask many methods, then leave words out to see which to believe.**"),
    )
    stand_in(first_visit().explained)
    open_with(answer_examples())
    ask_bar(answer_examples())
    explanations()
