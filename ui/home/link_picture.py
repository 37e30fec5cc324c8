"""The picture of the sentence in a link, for chats: painted when it is first asked for, and then cached.

Its cost is bounded: short sentences, embedded models, a core in turn, and MOST_A_MINUTE new pictures of all links
together; past that a link has Home's picture.
"""

from __future__ import annotations

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from models.analysis.one_text.row import strongest_in_row
from models.analysis.one_text.standing_out import stands_out
from models.model import Model
from models.opening.registry import embedded_folder
from models.tasks.places import in_text
from models.values.errors import HeadlightError
from models.values.record import AttentionRecord, Recording
from models.values.results.atlas import HeadAtlas
from models.values.results.finding import Finding
from models.values.text.english import is_english
from ui.desk.ask import ask_quietly
from ui.desk.cache import Kept
from ui.serving.link_cards import CARD, NAME, PICTURE, AskedPicture, asked_picture
from ui.state.routes import address, language_of
from ui.widgets.asking.inputs import TAGGER
from ui.widgets.asking.showcases import query_of, showcase_of
from ui.widgets.atlases import embedded_atlas
from viz.heads.words import finding_in_words
from viz.kit.language import read_in, tr
from viz.kit.tokens import visible
from viz.painter.cards import draw_card
from viz.painter.png import png_of

MOST_A_MINUTE = 30
A_DAY = {"Cache-Control": "public, max-age=86400"}
_PICTURES: Kept[tuple[AskedPicture, str], bytes] = Kept("pictures of links", len)
_RATE = SlidingWindowCounterRateLimiter(MemoryStorage())


def picture_routes() -> list[Route]:
    """Return the route of the pictures, for `st.App`."""
    return [Route(address(PICTURE), _answer)]


def _answer(request: Request) -> Response:
    asked, spoken = asked_picture(request.query_params), language_of(request)
    content = None if asked is None else _PICTURES.peek((asked, spoken))
    if asked is not None and content is None and _RATE.hit(RateLimitItemPerMinute(MOST_A_MINUTE)):
        try:
            with read_in(spoken):
                content = _PICTURES.get((asked, spoken), lambda: paint_link(asked))
        except HeadlightError:
            content = None
    if content is None:
        return RedirectResponse(address(f"icons/{CARD}"), status_code=302)
    return Response(content, media_type="image/png", headers=A_DAY)


def paint_link(asked: AskedPicture) -> bytes:
    """Return the picture as the content of a PNG file. Raises ModelError, and SelectionError for a head or a word that
    is not there."""
    recording = ask_quietly(asked.model, Model.record, asked.text, asked.text_b or None)
    kind = asked.kind if asked.kind in recording.kinds else recording.kinds[0]
    record = recording.of(kind)
    atlas = embedded_atlas(recording.info.name, record.kind)
    finding = _finding(asked, recording, record, atlas)
    if finding is None:
        layer, head, tells = asked.layer or 0, asked.head or 0, asked.title
    else:
        layer, head, tells = finding.layer, finding.head, finding_in_words(finding, record)[0]
    place = tr("Layer {layer} · Head {head}", layer=layer, head=head)
    drawing = draw_card(
        record,
        layer=layer,
        head=head,
        query=None if finding is None else finding.query,
        tells=tells,
        source=" · ".join((visible(recording.info.name), place, NAME)),
    )
    return png_of(drawing, dots=1)


def _finding(
    asked: AskedPicture, recording: Recording, record: AttentionRecord, atlas: HeadAtlas | None
) -> Finding | None:
    """Return where the held word looks in the chosen head, or else what pages open on: what a showcase shows, or what
    stands out."""
    shown = showcase_of(asked.model, record.kind, asked.text, asked.text_b)
    query = None if shown is None else query_of(recording, *shown)
    if asked.layer is not None and asked.head is not None:
        is_shown = shown is not None and (shown[1].layer, shown[1].head) == (asked.layer, asked.head)
        held = query if is_shown else None
        if asked.query is not None:
            held = in_text(asked.query, len(record.query_tokens))
        return _strongest(record, atlas, layer=asked.layer, head=asked.head, query=held)
    if shown is not None and query is not None:
        return strongest_in_row(record, atlas, layer=shown[1].layer, head=shown[1].head, query=query)
    labels = None
    if embedded_folder(TAGGER) is not None:
        labels = ask_quietly(TAGGER, Model.label_tokens, asked.text, asked.text_b or None)
    return stands_out(record, atlas, labels if labels is not None and is_english(labels.tokens) else None)


def _strongest(
    record: AttentionRecord, atlas: HeadAtlas | None, *, layer: int, head: int, query: int | None
) -> Finding | None:
    """Return where a word looks most in a head; of all words the one that looks most, if `query` is None."""
    words = [place for place, token in enumerate(record.query_tokens) if not token.is_special]
    looks = [
        strongest_in_row(record, atlas, layer=layer, head=head, query=place)
        for place in (words if query is None else [query])
    ]
    return max(filter(None, looks), key=lambda finding: finding.weight, default=None)
