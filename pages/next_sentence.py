"""Two sentences: does the second follow the first, and how do they look at each other?"""

from ui.answers.next_sentence.page import next_sentence_explorer
from ui.state.first_visit import ENGLISH_MODEL
from ui.widgets.asking.ask_bar import ask_bar
from ui.widgets.asking.inputs import PAIR_EXAMPLES
from ui.widgets.asking.opening import open_with
from ui.widgets.frame import page
from ui.widgets.heading import heading
from ui.widgets.stand_in import say_stand_in, stand_in
from viz.kit.language import tr

with page("Next sentence"):
    heading(
        tr("Next sentence"),
        tr("BERT also learns whether **sentence B follows sentence A** or comes from somewhere else."),
    )
    stand_in(ENGLISH_MODEL)
    open_with(PAIR_EXAMPLES)
    ask_bar(PAIR_EXAMPLES, texts="pair")
    say_stand_in()
    next_sentence_explorer()
