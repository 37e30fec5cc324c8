"""One sentence in a bidirectional and in a causal model: what they look at, guess and write."""

from ui.answers.bert_and_gpt.models import EXAMPLES, two_models
from ui.answers.bert_and_gpt.page import both_models_explorer
from ui.state.first_visit import ENGLISH_MODEL
from ui.widgets.asking.ask_bar import ask_bar
from ui.widgets.asking.opening import open_with
from ui.widgets.frame import page
from ui.widgets.heading import heading
from ui.widgets.stand_in import say_stand_in, stand_in
from viz.kit.language import tr

with page("BERT and GPT"):
    heading(
        tr("BERT and GPT"),
        tr("BERT sees both sides of a word and fills gaps. **GPT sees only the left, and continues the text.**"),
    )
    stand_in(ENGLISH_MODEL)
    open_with(EXAMPLES, models=("model", "causal_model"))
    ask_bar(EXAMPLES, texts="one", models=two_models)
    say_stand_in()
    both_models_explorer()
