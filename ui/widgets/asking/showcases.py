"""Sentences that show something, in English and in Korean, each with the head and the word that show it."""

from __future__ import annotations

from dataclasses import dataclass

from models.values.record import Kind, Recording
from ui.state.choices import DEFAULTS
from ui.state.first_visit import FIRST_VISITS
from ui.state.selection import choose, leave_head_to_us, selection
from ui.widgets.asking.opening import brought_by_reader
from viz.kit.language import to_say


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A sentence, or a pair, with the head and the word whose attention is worth a look."""

    text: str
    layer: int
    head: int
    query: str
    """The token that looks, the first of its word; its last occurrence."""
    name: str = ""
    """The word by which it differs from the other side."""
    text_b: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Showcase:
    """A sentence, or two that are exchanged for each other, and half a line of what there is to see."""

    label: str
    sees: str
    sides: tuple[Side, ...]
    model: str = DEFAULTS["model"]
    kind: Kind = "encoder"


SHOWCASES = (
    Showcase(
        label="tired ↔ wide",
        sees=to_say("one word changes, and the arc moves"),
        sides=(
            Side(name="tired", text=DEFAULTS["text"], layer=3, head=1, query="it"),
            Side(
                name="wide",
                text="The animal didn't cross the street because it was too wide.",
                layer=3,
                head=1,
                query="it",
            ),
        ),
    ),
    Showcase(
        label=to_say("pizza"),
        sees=to_say("“it” looks at “pizza”, past the cat"),
        sides=(Side(text="My dog loves pizza but my cat hates it.", layer=3, head=1, query="it"),),
    ),
    Showcase(
        label=to_say("keys and cabinet"),
        sees=to_say("“are” looks at “keys”, past “cabinet”"),
        sides=(Side(text="The keys to the cabinet are on the table.", layer=3, head=1, query="are"),),
    ),
    Showcase(
        label=to_say("two banks"),
        sees=to_say("one word, two meanings"),
        sides=(
            Side(name="river", text="She sat on the bank of the river.", layer=0, head=4, query="bank"),
            Side(name="robbed", text="He robbed the bank at noon.", layer=0, head=5, query="bank"),
        ),
    ),
    Showcase(
        label=to_say("question and answer"),
        sees=to_say("“she” looks into the question"),
        sides=(Side(text="Why is Anna so happy?", text_b="She won the race.", layer=5, head=8, query="she"),),
    ),
    Showcase(
        label=to_say("not bad at all"),
        sees=to_say("a classifier looks at “not”"),
        sides=(Side(text="I love this film, it is not bad at all.", layer=0, head=0, query="[CLS]"),),
        model="sentiment",
    ),
    Showcase(
        label=to_say("into Korean"),
        sees=to_say("each word looks at its translation"),
        sides=(Side(text="The girl has a red skirt.", layer=0, head=0, query="빨간"),),
        model="translator-ko",
        kind="cross",
    ),
    Showcase(
        label="big ↔ small",
        sees=to_say("it fails: the arc stays where it was"),
        sides=(
            Side(
                name="big",
                text="The trophy didn't fit in the suitcase because it was too big.",
                layer=5,
                head=4,
                query="it",
            ),
            Side(
                name="small",
                text="The trophy didn't fit in the suitcase because it was too small.",
                layer=5,
                head=4,
                query="it",
            ),
        ),
    ),
)

KOREAN = FIRST_VISITS["ko"]
KOREAN_SHOWCASES = (
    Showcase(
        label="-이/가 ↔ -을/를",
        sees=to_say("two particles are exchanged, and the arc moves"),
        model=KOREAN.model,
        sides=(
            Side(name="강아지가 고양이를", text=KOREAN.text, layer=3, head=2, query="쫓"),
            Side(
                name="강아지를 고양이가",
                text="강아지를 고양이가 어제 마당에서 쫓았다.",
                layer=3,
                head=2,
                query="쫓",
            ),
        ),
    ),
    Showcase(
        label="-께서 ↔ -을/를",
        sees=to_say("the honorific verb looks at whoever is honoured"),
        model=KOREAN.model,
        sides=(
            Side(name="아버지께서", text="아버지께서 어머니를 부르신다.", layer=0, head=0, query="부르"),
            Side(name="어머니께서", text="아버지를 어머니께서 부르신다.", layer=0, head=0, query="부르"),
        ),
    ),
    Showcase(
        label=to_say("a far subject"),
        sees=to_say("the end of the sentence looks at its beginning"),
        model=KOREAN.model,
        sides=(Side(text="아버지는 하루 종일 방에 혼자 있다.", layer=2, head=4, query="있"),),
    ),
    Showcase(
        label="배",
        sees=to_say("one word, two meanings"),
        model=KOREAN.model,
        sides=(
            Side(name="아팠다", text="나는 배가 아팠다.", layer=0, head=4, query="배"),
            Side(name="탔다", text="나는 배를 탔다.", layer=1, head=4, query="배"),
        ),
    ),
    Showcase(
        label="눈",
        sees=to_say("one word, two meanings"),
        model=KOREAN.model,
        sides=(
            Side(name="아프다", text="너무 울어서 눈이 아프다.", layer=1, head=7, query="눈"),
            Side(name="내린다", text="하늘에서 눈이 내린다.", layer=2, head=3, query="눈"),
        ),
    ),
    Showcase(
        label="말",
        sees=to_say("one word, two meanings"),
        model=KOREAN.model,
        sides=(
            Side(name="타고", text="말을 타고 달렸다.", layer=0, head=4, query="말"),
            Side(name="듣고", text="말을 듣고 웃었다.", layer=1, head=4, query="말"),
        ),
    ),
    Showcase(
        label="안 ↔ 못",
        sees=to_say("the negation looks at what it negates"),
        model=KOREAN.model,
        sides=(
            Side(name="안", text="나는 숙제를 안 했다.", layer=0, head=4, query="안"),
            Side(name="못", text="나는 숙제를 못 했다.", layer=0, head=4, query="못"),
        ),
    ),
    Showcase(
        label="재미있다 ↔ 재미없다",
        sees=to_say("a classifier looks at the verdict"),
        model=KOREAN.classifier,
        sides=(
            Side(name="재미있었다", text="이 영화는 정말 재미있었다.", layer=5, head=4, query="[CLS]"),
            Side(name="재미없었다", text="이 영화는 정말 재미없었다.", layer=5, head=4, query="[CLS]"),
        ),
    ),
)
"""Chosen by measurement over all heads of the Korean models, of the first four layers where they show it."""
OF_LANGUAGES = (SHOWCASES, KOREAN_SHOWCASES)


def showcases() -> tuple[Showcase, ...]:
    """Return the showcases that are offered with the chosen model; none for a model that none were chosen for."""
    model = selection().model
    return next((offered for offered in OF_LANGUAGES if any(one.model == model for one in offered)), ())


def has_showcases() -> bool:
    """Return whether the chosen model is one that some were chosen for."""
    return bool(showcases())


def other_side(text: str) -> str:
    """Return the sentence that a sentence of the showcases is exchanged for; empty if there is none."""
    for showcase in (*SHOWCASES, *KOREAN_SHOWCASES):
        sides = [side.text for side in showcase.sides]
        if text in sides and len(sides) > 1:
            return sides[sides.index(text) - 1]
    return ""


def showcase_texts() -> tuple[tuple[str, str], ...]:
    """Return sentences A and B of all sides that the chosen model reads."""
    model = selection().model
    return tuple((side.text, side.text_b) for one in showcases() if one.model == model for side in one.sides)


def on_show() -> tuple[Showcase, Side] | None:
    """Return the showcase that is chosen, with its side; None for any other sentence or model."""
    chosen = selection()
    return showcase_of(chosen.model, chosen.kind, chosen.text, chosen.text_b)


def showcase_of(model: str, kind: Kind, text: str, text_b: str = "") -> tuple[Showcase, Side] | None:
    """Return the showcase of a model with these sentences, with its side; None if there is none."""
    return next(
        (
            (showcase, side)
            for offered in OF_LANGUAGES
            for showcase in offered
            for side in showcase.sides
            if (showcase.model, showcase.kind, side.text, side.text_b) == (model, kind, text, text_b)
        ),
        None,
    )


def place_on_show(recording: Recording) -> tuple[int, int, int] | None:
    """Return layer, head and query of the showcase on show; None if there is none, or if its word is not there."""
    shown = on_show()
    if shown is None:
        return None
    showcase, side = shown
    query = query_of(recording, showcase, side)
    return None if query is None else (side.layer, side.head, query)


def query_of(recording: Recording, showcase: Showcase, side: Side) -> int | None:
    """Return the position of the word that a side is about; None if a recording has none."""
    tokens = recording.of(showcase.kind).query_tokens
    return next((place for place in reversed(range(len(tokens))) if tokens[place].text == side.query), None)


def take_showcase(showcase: Showcase, side: Side) -> None:
    """Show one side of a showcase, with the model that it was chosen for."""
    choose(text=side.text, text_b=side.text_b, model=showcase.model, kind=showcase.kind)
    leave_head_to_us()
    brought_by_reader()
