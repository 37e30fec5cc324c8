"""Inside one head: a query token, the keys that it meets, the weights, and the values that it takes home."""

from ui.layers.queries.page import query_explorer
from ui.widgets.asking.ask_bar import ask_bar
from ui.widgets.asking.inputs import with_a_long_one
from ui.widgets.asking.opening import open_with_own
from ui.widgets.frame import page
from ui.widgets.heading import heading
from viz.kit.language import tr

with page("Queries, keys, values"):
    heading(
        tr("Queries, keys, values"),
        tr(
            "Every [token](#word-token) asks with its **[query](#word-query)**, is found by its **[key](#word-key)**, "
            "and passes on its **[value](#word-value)**. **Click a token** and follow its query through one head."
        ),
    )
    open_with_own()
    ask_bar(with_a_long_one())
    query_explorer()
