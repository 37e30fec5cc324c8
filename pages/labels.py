"""Labels: the verdict on a whole text, the kind of each word, and the tokens that both rest on."""

from ui.answers.labels.page import labels_explorer, pick_labeller
from ui.state.first_visit import first_visit
from ui.widgets.asking.ask_bar import ask_bar
from ui.widgets.asking.inputs import LABEL_EXAMPLES
from ui.widgets.asking.opening import open_with
from ui.widgets.frame import page
from ui.widgets.heading import heading
from ui.widgets.stand_in import stand_in
from viz.kit.language import tr

with page("Labels"):
    heading(
        tr("Labels"),
        tr("What a model says **about the whole text, and about each word**: praise or complaint, noun or verb."),
    )
    stand_in(first_visit().classifier)
    open_with(LABEL_EXAMPLES)
    ask_bar(LABEL_EXAMPLES, models=pick_labeller)
    labels_explorer()
