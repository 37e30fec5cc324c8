"""Hide words of a sentence, and see the model's guesses, how they form, and what another word changes."""

from ui.answers.masked_words.page import masked_word_explorer
from ui.widgets.asking.ask_bar import ask_bar
from ui.widgets.asking.inputs import WORD_EXAMPLES
from ui.widgets.asking.opening import open_with
from ui.widgets.frame import page
from ui.widgets.heading import heading
from viz.kit.language import tr

with page("Masked words"):
    heading(tr("Masked words"), tr("BERT learns by guessing hidden words. **Hide one, and see what it guesses.**"))
    open_with(WORD_EXAMPLES)
    ask_bar(WORD_EXAMPLES)
    masked_word_explorer()
