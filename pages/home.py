"""Home: a description of the app, one live picture, and links to the other pages."""

from ui.home.next_pages import explain_picture, offer_pages
from ui.home.page import living_picture
from ui.widgets.asking.ask_bar import ask_bar
from ui.widgets.asking.inputs import EXAMPLES
from ui.widgets.asking.opening import open_with_own
from ui.widgets.asking.showcases import has_showcases
from ui.widgets.frame import page
from ui.widgets.heading import heading
from viz.kit.language import tr

with page("Home"):
    heading(
        "Headlight",
        tr(
            "**See what the attention [heads](#word-head) of a transformer look at.** Type a sentence, and a model on "
            "this machine reads it."
        ),
    )
    open_with_own()
    ask_bar({} if has_showcases() else EXAMPLES)
    living_picture()
    explain_picture()
    offer_pages()
