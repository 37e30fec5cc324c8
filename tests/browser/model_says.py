"""What the model that the app opens with says, computed and not remembered: other weights say other things."""

from __future__ import annotations

from functools import cache

from models.analysis.one_text.row import strongest_in_row
from models.model import Model
from models.opening.registry import DEFAULT_MODEL
from models.values.record import AttentionRecord
from models.values.results.finding import Finding
from tests.loaded import load
from ui.state.choices import Selection
from ui.widgets.asking.showcases import SHOWCASES


def default_model() -> Model:
    return load(DEFAULT_MODEL, device="cpu")


@cache
def first_record() -> AttentionRecord:
    """That of the sentence which the app opens with."""
    return default_model().record(Selection().text).attention[0]


@cache
def first_finding() -> Finding:
    """The head and the tokens which the app opens with: those of the first sentence that shows something."""
    side = SHOWCASES[0].sides[0]
    query = [token.text for token in first_record().query_tokens].index(side.query)
    found = strongest_in_row(first_record(), None, layer=side.layer, head=side.head, query=query)
    assert found is not None
    return found


def first_head(layer: str = "Layer", head: str = "Head") -> str:
    """The head that the app opens with, as the viewer's title says it."""
    return f"{layer} {first_finding().layer} · {head} {first_finding().head}"


def first_query() -> str:
    """The token that the app opens with."""
    return first_record().query_tokens[first_finding().query].text


def most_looked_at() -> tuple[str, int]:
    """The token that it looks at most in that head, and the share of its attention in percent."""
    row = first_record().weights(first_finding().layer, first_finding().head)[first_finding().query]
    return first_record().key_tokens[int(row.argmax())].text, round(100 * float(row.max()))


@cache
def two_guesses(text: str, model: str = DEFAULT_MODEL) -> tuple[str, str]:
    """The likeliest word for the mask of a text, and the next one."""
    first, second = load(model, device="cpu").fill_mask(text, top_k=2)[0].choices
    return first.text, second.text
