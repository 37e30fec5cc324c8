"""The comparisons of the chosen head, with another text, head or model, and their titles.

The widgets are in `compare.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import zip_longest

from models.analysis import compare, find_shifts
from models.opening.registry import Model
from models.opening.relatives import iteration_of, snapshots_beside
from models.values.answers import MASK
from models.values.errors import HeadlightError
from models.values.record import AttentionRecord, Recording, Token, word_ranges
from models.values.results.comparison import AttentionComparison, HeadShift
from models.values.wording import Message, to_say, worded
from ui.desk.ask import ask
from ui.desk.cache import Kept
from ui.state.choices import Selection
from ui.state.sources import short_name
from viz.heads.compared import comparison_finding
from viz.kit.language import shown
from viz.kit.parsing import MEAN
from viz.kit.tokens import spelled, texts_of_words, visible
from viz.viewer.comparison import MOST_TOKENS, ComparedWords

MOST_KEPT = 3
_SHIFTS: Kept[tuple[object, ...], tuple[HeadShift, ...]] = Kept("shifts")


class NotComparedError(HeadlightError, ValueError):
    """The two sides cannot be compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedSide:
    """One side of a comparison: its recording, layer and head (None is the mean), the title of its map, and its name in
    a sentence."""

    title: str
    name: str
    recording: Recording
    layer: int
    head: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskableWord:
    """A word of sentence A that can be masked, with its range of characters."""

    text: str
    start: int
    end: int


def words_to_mask(recording: Recording) -> tuple[MaskableWord, ...]:
    """Return the words of the first text in order, without punctuation."""
    tokens = recording.tokens
    pieces_of_words = (tokens[word.start : word.stop] for word in word_ranges(tokens))
    words = (_word(pieces) for pieces in pieces_of_words if pieces[0].word is not None and pieces[0].segment == 0)
    return tuple(word for word in words if word is not None)


def _word(pieces: tuple[Token, ...]) -> MaskableWord | None:
    start, end = pieces[0].start, pieces[-1].end
    if start is None or end is None or any(piece.is_special for piece in pieces):
        return None
    text = texts_of_words(pieces, [range(len(pieces))])[0]
    return MaskableWord(text=text, start=start, end=end) if any(map(str.isalnum, text)) else None


def two_sides(recording: Recording, chosen: Selection) -> tuple[ComparedSide, ComparedSide]:
    """Return the chosen head and the other side. Raises HeadlightError if the other side does not exist."""
    return SIDES[chosen.compared](recording, chosen)


def compare_sides(one: ComparedSide, other: ComparedSide, chosen: Selection) -> AttentionComparison:
    """Compare both sides on their shared tokens. Raises HeadlightError if a side lacks the layer, the head or the kind
    of attention, and for texts that are too long."""
    records = [_fitting(side, chosen) for side in (one, other)]
    return compare(
        records[0], records[1], one_layer=one.layer, other_layer=other.layer, one_head=one.head, other_head=other.head
    )


def shifts_of(recording: Recording, chosen: Selection) -> tuple[HeadShift, ...]:
    """Return the heads that differ most from the same head of the other side, the largest shift first; empty where two
    heads are compared, and for models of different shapes. Raises HeadlightError as `two_sides` and `compare_sides`
    do."""
    if chosen.compared == "head":
        return ()
    one, other = two_sides(recording, chosen)
    shown, beside = (_fitting(replace(side, layer=0, head=0), chosen) for side in (one, other))
    if shown.query.shape[:2] != beside.query.shape[:2]:
        return ()
    texts = ((side.recording.info.identity, *(token.text for token in side.recording.tokens)) for side in (one, other))
    return _SHIFTS.get((chosen.kind, *texts), lambda: find_shifts(shown, beside)[:MOST_KEPT])


def head_in_words(one: ComparedSide, other: ComparedSide, chosen: Selection) -> str:
    """Return a head with its largest shift: "Layer 3 · Head 1 · “it”: from “animal” (20%) to “street” (38%)."."""
    finding = comparison_finding(compare_sides(one, other, chosen), shown(one.name), shown(other.name))
    return f"L{one.layer}·H{one.head} · {finding}"


def words_of(one: ComparedSide, other: ComparedSide, chosen: Selection) -> ComparedWords:
    """Return the texts of the comparison: the titles of the two sides, of both, and the models."""
    names = [short_name(side.recording.info.public_name) for side in (one, other)]
    models = (
        worded("Model: {model}", model=names[0])
        if names[0] == names[1]
        else worded("Model: {one} and {other}", one=names[0], other=names[1])
    )
    head, title = _head_name(one.layer, one.head), TITLES[chosen.compared]
    if chosen.compared == "head":
        head = worded("{one} and {other}", one=head, other=_head_name(other.layer, other.head))
    return ComparedWords(
        one_title=one.title,
        other_title=other.title,
        one=one.name,
        other=other.name,
        title=worded("{head} · {title}", head=head, title=title),
        models=models,
        are_texts=chosen.compared in ("text", "mask"),
    )


def _fitting(side: ComparedSide, chosen: Selection) -> AttentionRecord:
    info = side.recording.info
    shown = side.recording.of(chosen.kind)
    if side.layer >= shown.n_layers:
        no_layer = worded(
            "{model} has layers 0 to {last}, and layer {layer} was asked for. Choose a lower layer.",
            model=short_name(info.public_name),
            last=shown.n_layers - 1,
            layer=side.layer,
        )
        raise NotComparedError(no_layer)
    if (side.head or 0) >= shown.n_heads:
        no_head = worded(
            "{model} has heads 0 to {last}, and head {head} was asked for. Choose a lower head.",
            model=short_name(info.public_name),
            last=shown.n_heads - 1,
            head=side.head,
        )
        raise NotComparedError(no_head)
    longest = max(shown.n_query, shown.n_key)
    if longest > MOST_TOKENS:
        too_long = worded(
            "This text has {n} tokens, and texts of up to {most} can be set side by side. Shorten it.",
            n=longest,
            most=MOST_TOKENS,
        )
        raise NotComparedError(too_long)
    return shown


def _own(recording: Recording, chosen: Selection, title: str, name: str) -> ComparedSide:
    return ComparedSide(title=title, name=name, recording=recording, layer=chosen.layer, head=chosen.head_index)


def _of_texts(recording: Recording, chosen: Selection) -> tuple[ComparedSide, ComparedSide]:
    if not chosen.other_text.strip():
        raise NotComparedError(to_say("The other sentence is empty. Type one to compare with."))
    other = ask(chosen.model, chosen.device, Model.record, chosen.other_text, chosen.texts[1])
    return (
        _own(recording, chosen, f"“{visible(chosen.text)}”", to_say("this sentence")),
        _own(other, chosen, f"“{visible(chosen.other_text)}”", to_say("the other sentence")),
    )


def _of_masks(recording: Recording, chosen: Selection) -> tuple[ComparedSide, ComparedSide]:
    words, name = words_to_mask(recording), short_name(chosen.model)
    if not recording.info.can_fill_mask:
        unlearned = worded(
            "{model} has not learned to read {mask}. Choose a model with an MLM head.", model=name, mask=MASK
        )
        raise NotComparedError(unlearned)
    if not words:
        raise NotComparedError(to_say("There is no word in this sentence to mask. Type one with words."))
    word = words[min(chosen.masked_word, len(words) - 1)]
    text = f"{chosen.text[: word.start]}{MASK}{chosen.text[word.end :]}"
    other = ask(chosen.model, chosen.device, Model.record, text, chosen.texts[1])
    return (
        _own(recording, chosen, f"“{visible(chosen.text)}”", to_say("the whole sentence")),
        _own(other, chosen, f"“{visible(text)}”", worded("the sentence without “{word}”", word=word.text)),
    )


def _of_heads(recording: Recording, chosen: Selection) -> tuple[ComparedSide, ComparedSide]:
    head = None if chosen.other_head == MEAN else int(chosen.other_head)
    own, other = _head_name(chosen.layer, chosen.head_index), _head_name(chosen.other_layer, head)
    second = ComparedSide(title=other, name=other, recording=recording, layer=chosen.other_layer, head=head)
    return _own(recording, chosen, own, own), second


def _of_models(recording: Recording, chosen: Selection) -> tuple[ComparedSide, ComparedSide]:
    if not chosen.other_model:
        unknown = worded(
            "No other model of the tokenizer of {model} is known here. Type its name, or choose a model such as "
            "headlight-bert or sentiment, which have one.",
            model=short_name(chosen.model),
        )
        raise NotComparedError(unknown)
    own, other = short_name(chosen.model), short_name(chosen.other_model)
    second = _own(_read_alike(recording, chosen), chosen, other, other)
    return _own(recording, chosen, own, own), second


def _of_snapshots(recording: Recording, chosen: Selection) -> tuple[ComparedSide, ComparedSide]:
    """Return the two sides for another snapshot of the training; its iteration says whether it is before or after."""
    known = snapshots_beside(chosen.model)
    iteration = iteration_of(chosen.other_model)
    if not known or iteration is None:
        none_known = worded(
            "{model} has no other snapshots of its training. Choose tiny-bert "
            "(models/pretrained/tiny-bert/step-001708), or a model that was trained in the Training lab.",
            model=short_name(chosen.model),
        )
        raise NotComparedError(none_known)
    return (
        _own(recording, chosen, *_moment(iteration_of(chosen.model))),
        _own(_read_alike(recording, chosen), chosen, *_moment(iteration)),
    )


def _moment(iteration: int | None) -> tuple[Message, Message]:
    """Return the title of a snapshot and its name in a sentence; None is the trained model."""
    if iteration is None:
        return to_say("The trained model"), to_say("the trained model")
    return worded("Iteration {n}", n=f"{iteration:,}"), worded("iteration {n}", n=f"{iteration:,}")


def _read_alike(recording: Recording, chosen: Selection) -> Recording:
    """Record the sentence with the other model. Raises NotComparedError if its tokens differ."""
    other = ask(chosen.other_model, chosen.device, Model.record, *chosen.texts)
    pairs = zip_longest((token.text for token in recording.tokens), (token.text for token in other.tokens))
    unlike = next((pair for pair in pairs if pair[0] != pair[1]), None)
    if unlike is not None:
        raise NotComparedError(_unlike(short_name(chosen.model), short_name(chosen.other_model), *unlike))
    return other


def _unlike(own: str, name: str, first: str | None, second: str | None) -> Message:
    """Say that two models' tokens differ, and where first; one of the texts may have ended there."""
    if not second:
        return worded(
            "{name} does not read with the tokenizer of {own}: it ends where {own} has “{first}”, so their tokens "
            "cannot be set beside each other. Choose a model of the same tokenizer.",
            name=name,
            own=own,
            first=spelled(first or ""),
        )
    if not first:
        return worded(
            "{name} does not read with the tokenizer of {own}: it has “{second}” where {own} ends, so their tokens "
            "cannot be set beside each other. Choose a model of the same tokenizer.",
            name=name,
            own=own,
            second=spelled(second),
        )
    return worded(
        "{name} does not read with the tokenizer of {own}: it has “{second}” where {own} has “{first}”, so their "
        "tokens cannot be set beside each other. Choose a model of the same tokenizer.",
        name=name,
        own=own,
        first=spelled(first),
        second=spelled(second),
    )


def _head_name(layer: int, head: int | None) -> Message:
    if head is None:
        return worded("Layer {layer} · Mean over the heads", layer=layer)
    return worded("Layer {layer} · Head {head}", layer=layer, head=head)


SIDES: dict[str, Callable[[Recording, Selection], tuple[ComparedSide, ComparedSide]]] = {
    "text": _of_texts,
    "mask": _of_masks,
    "head": _of_heads,
    "model": _of_models,
    "snapshot": _of_snapshots,
}
TITLES = {
    "text": to_say("two sentences"),
    "mask": to_say("with a word and without"),
    "head": to_say("side by side"),
    "model": to_say("two models"),
    "snapshot": to_say("two moments of a training"),
}
