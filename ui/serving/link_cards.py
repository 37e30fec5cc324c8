"""The card of a link in a chat: a title, a line and a picture (The Open Graph protocol, https://ogp.me). A link with a
sentence that an embedded model reads has a picture of that sentence, which `ui/home/link_picture.py` paints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any
from urllib.parse import urlencode

from models.opening.registry import is_embedded, task_of
from models.opening.tasks import WRITES
from ui.state.addresses import expand_address, read_address
from ui.state.choices import DEFAULTS
from ui.state.routes import address
from viz.kit.language import read_in, said, to_say, tr
from viz.kit.parsing import MEAN

NAME = "Headlight"
ABOUT = to_say("See what the attention heads of a transformer look at.")
CARD = "card.png"
"""Home's first picture in the size that chats show; `python -m tests.browser.take_pictures card` makes it."""
PICTURE = "link.png"
"""The route of the picture of a sentence."""
LONGEST = 160
"""The most characters of the sentences of a picture; a link with longer ones has Home's."""
READS = to_say("See where {model} looks in this sentence.")
_NAMED = ("text", "text_b", "model", "kind", "layer", "head", "locked")
"""The choices that a picture depends on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedPicture:
    """The picture that a link asks for: a sentence, or two, a model, and the head and word that are chosen, if they
    are."""

    text: str
    text_b: str
    model: str
    kind: str
    layer: int | None
    head: int | None
    query: int | None

    @property
    def title(self) -> str:
        """The sentences as one line."""
        return " · ".join(filter(None, (self.text, self.text_b)))


def asked_picture(asked: Mapping[str, str]) -> AskedPicture | None:
    """Return the picture that the parameters of an address ask for.

    None for a link without a sentence, with a long one, and for a model that is not embedded or that writes: its
    picture would cost more than a moment.
    """
    choices: dict[str, Any] = read_address(expand_address(asked))
    text, text_b = (str(choices.get(name, "")).strip() for name in ("text", "text_b"))
    model = choices.get("model", DEFAULTS["model"])
    if not text or len(text) + len(text_b) > LONGEST or not is_embedded(model) or task_of(model) in WRITES:
        return None
    has_head = choices.get("head", MEAN) != MEAN and "layer" in choices
    held: tuple[int, ...] = choices.get("locked") or ()
    return AskedPicture(
        text=text,
        text_b=text_b,
        model=model,
        kind=choices.get("kind", DEFAULTS["kind"]),
        layer=choices["layer"] if has_head else None,
        head=choices["head"] if has_head else None,
        query=held[0] if has_head and len(held) == 1 else None,
    )


def card_lines(spoken: str, origin: str, asked: Mapping[str, str]) -> str:
    """Return the lines in the head of a page with what chats show of its link, in a language. `asked` are the
    parameters of its address."""
    picture = asked_picture(asked)
    with read_in(spoken):
        about = said(ABOUT) if picture is None else tr(READS, model=picture.model)
    title, path = NAME, address(f"icons/{CARD}")
    if picture is not None:
        title, named = picture.title, expand_address(asked)
        query = {name: named[name] for name in _NAMED if name in named} | {"lang": spoken}
        path = f"{address(PICTURE)}?{urlencode(query)}"
    return (
        '<meta property="og:type" content="website">'
        f'<meta property="og:title" content="{escape(title)}">'
        f'<meta property="og:description" content="{escape(about)}">'
        f'<meta property="og:image" content="{escape(origin + path)}">'
        '<meta name="twitter:card" content="summary_large_image">'
    )
