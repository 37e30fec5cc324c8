"""A translation word by word: what the decoder attends to, its alternatives, and the alignment."""

from ui.answers.translation.page import translation_explorer
from ui.state.first_visit import first_visit
from ui.widgets.asking.ask_bar import ask_bar
from ui.widgets.asking.inputs import translation_examples
from ui.widgets.asking.opening import open_with
from ui.widgets.frame import page
from ui.widgets.heading import heading
from ui.widgets.stand_in import stand_in
from viz.kit.language import tr

with page("Translation"):
    heading(
        tr("Translation"),
        tr(
            "An encoder reads the sentence. A decoder writes another one, **one [token](#word-token) at a time**, and "
            "looks at both as it writes."
        ),
    )
    stand_in(first_visit().translator)
    open_with(translation_examples())
    ask_bar(translation_examples(), texts="one")
    translation_explorer()
