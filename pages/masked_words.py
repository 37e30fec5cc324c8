"""Hide words of a sentence, and see the model's guesses, how they form, and what another word changes."""

from ui.answers.masked_words.page import masked_word_explorer, title_and_lead
from ui.widgets.asking.ask_bar import ask_bar
from ui.widgets.asking.inputs import word_examples
from ui.widgets.asking.opening import open_with
from ui.widgets.frame import page
from ui.widgets.heading import heading

with page("Masked words"):
    heading(*title_and_lead())
    open_with(word_examples())
    ask_bar(word_examples())
    masked_word_explorer()
