"""A sentence as words in boxes: coloured by their labels, or shaded by how much a label's tokens look at them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import plotly.graph_objects as go

from models.values.arguments.check import check_arguments
from models.values.record import AttentionRecord
from viz.attention.transform import rows_of_weights
from viz.kit import theme as style
from viz.kit.figures.chips import CHIP, Chip, Placed, canvas, draw, flow, hover_text, shade
from viz.kit.language import said, to_say, tr
from viz.kit.layout import click_marks
from viz.kit.theme import Palette, Theme, percentage, whole_percent
from viz.kit.tokens import SHORT, plain_label, shorten, token_texts
from viz.predictions.judgements import LabelledWords

NOUNS, VERBS, DESCRIBES, SMALL_WORDS, SIGNS = (
    to_say("nouns, pronouns"),
    to_say("verbs"),
    to_say("adjectives, adverbs"),
    to_say("small words"),
    to_say("numbers, signs"),
)
GROUPS = (NOUNS, VERBS, DESCRIBES, SMALL_WORDS, SIGNS)
"""Groups of parts of speech, in the order of the colours of lines."""
PARTS_OF_SPEECH = {
    "NOUN": (to_say("noun"), NOUNS),
    "PROPN": (to_say("name"), NOUNS),
    "PRON": (to_say("pronoun"), NOUNS),
    "VERB": (to_say("verb"), VERBS),
    "AUX": (to_say("helping verb"), VERBS),
    "ADJ": (to_say("adjective"), DESCRIBES),
    "ADV": (to_say("adverb"), DESCRIBES),
    "DET": (to_say("determiner"), SMALL_WORDS),
    "ADP": (to_say("preposition"), SMALL_WORDS),
    "CCONJ": (to_say("conjunction"), SMALL_WORDS),
    "SCONJ": (to_say("conjunction"), SMALL_WORDS),
    "PART": (to_say("particle"), SMALL_WORDS),
    "INTJ": (to_say("exclamation"), SMALL_WORDS),
    "NUM": (to_say("number"), SIGNS),
    "PUNCT": (to_say("sign"), SIGNS),
    "SYM": (to_say("symbol"), SIGNS),
    "X": (to_say("other"), SIGNS),
}
"""The tags of Universal Dependencies (Nivre et al. 2020, section 3.1): the name and the group of each."""
MOST = 160
"""Words that are drawn; the tables hold all."""
FAINT = 0.02
"""A weight below this has no number."""
SQUARE = "■"
LARGE = 24
"""The font size of the words, in pixels, in a picture wider than all other figures."""


@check_arguments
def label_chips(
    words: LabelledWords, *, selected: int | None = None, theme: Theme = "light", width: int = style.WIDEST
) -> go.Figure:
    """Draw every word in the colour of its label, which stands below it, and a legend of the colours.

    Parts of speech have a colour for each group, other labels the commonest ones. A click on a word returns its
    position; the word at position `selected` has a frame.
    """
    palette, shown = style.PALETTES[theme], range(min(len(words.texts), MOST))
    colours = _colours_of_labels(words, palette.lines)
    chips = [
        _label_chip(words, place, colours, palette, has_frame=words.positions[place] == selected) for place in shown
    ]
    groups = {_group_of(label): colours[label] for label in words.best[: len(shown)]}
    legend = [
        Chip(text=f"{SQUARE} {said(group)}", hover=(), ink=groups[group])
        for group in sorted(groups, key=lambda group: palette.lines.index(groups[group]))
    ]
    note = tr("Click a word to see what its label rests on.")
    figure, placed = _chip_lines(chips, legend, note=note + _left_out(len(words.texts)), theme=theme, width=width)
    marks = click_marks(
        [box.x for box in placed],
        [box.y for box in placed],
        data=list(words.positions[: len(shown)]),
        texts=[hover_text(chip.hover) for chip in chips],
        hover="%{text}",
        side=26,
    )
    return figure.add_trace(marks)


@check_arguments
def weight_chips(
    record: AttentionRecord,
    *,
    positions: Sequence[int],
    layer: int,
    head: int,
    theme: Theme = "light",
    width: int = style.WIDEST,
) -> go.Figure:
    """Draw every token shaded by the mean weight from the tokens at `positions`, which are framed where they are few.

    Raises SelectionError for a position, layer or head out of range.
    """
    palette = style.PALETTES[theme]
    weights = rows_of_weights(record, positions, layer=layer, head=head).mean(axis=0)
    texts = token_texts(record.key_tokens)
    chips = []
    for place, (text, weight) in enumerate(zip(texts[:MOST], weights, strict=False)):
        fill, ink = shade(float(weight), palette)
        chips.append(
            Chip(
                text=shorten(text, SHORT),
                hover=(text, tr("weight {number}", number=percentage(float(weight)))),
                ink=ink,
                fill=fill,
                outline=palette.accent if [place] == list(positions) else "",
                foot=whole_percent(float(weight)) if weight >= FAINT else "",
            )
        )
    note = tr("The stronger the colour, the more attention, in Layer {layer} · Head {head}.", layer=layer, head=head)
    return _chip_lines(chips, (), note=note + _left_out(len(texts)), theme=theme, width=width)[0]


def name_label(label: str) -> str:
    """Return the name of a part of speech in the current language; any other label unchanged."""
    return said(PARTS_OF_SPEECH[label][0]) if label in PARTS_OF_SPEECH else label


def describe_labels(words: LabelledWords) -> str:
    """Return the words with their labels as plain text: "I: pronoun, love: verb"."""
    return ", ".join(f"{text}: {name_label(label)}" for text, label in zip(words.texts, words.best, strict=True))


def _label_chip(
    words: LabelledWords, place: int, colours: Mapping[str, str], palette: Palette, *, has_frame: bool
) -> Chip:
    label = words.best[place]
    name, chance = name_label(label), float(words.probabilities[place].max())
    return Chip(
        text=shorten(words.texts[place], SHORT),
        hover=(words.texts[place], f"{name} · {label}" if name != label else label, whole_percent(chance)),
        ink=palette.ground,
        fill=colours[label],
        outline=palette.ink if has_frame else "",
        foot=shorten(name, SHORT),
    )


def _group_of(label: str) -> str:
    return PARTS_OF_SPEECH[label][1] if label in PARTS_OF_SPEECH else label


def _colours_of_labels(words: LabelledWords, lines: Sequence[str]) -> dict[str, str]:
    """Return the colour of each label; those that are rarer than the colours last share the last one."""
    if set(words.best) <= set(PARTS_OF_SPEECH):
        ranked: list[str] = list(GROUPS)
    else:
        ranked = [label for label, _ in Counter(map(_group_of, words.best)).most_common()]
    return {label: lines[min(ranked.index(_group_of(label)), len(lines) - 1)] for label in words.best}


def _left_out(n_words: int) -> str:
    if n_words <= MOST:
        return ""
    return " " + tr("The first {n} of {all} words are shown.", n=MOST, all=n_words)


def _chip_lines(
    chips: Sequence[Chip], legend: Sequence[Chip], *, note: str, theme: Theme, width: int
) -> tuple[go.Figure, list[Placed]]:
    """Draw chips from left to right in as many lines as needed, and a legend below; return also their places."""
    size = style.sizes(width)
    if width > style.WIDEST:
        size = replace(size, word=LARGE, page=width)
    room = size.page - 2 * size.gap
    gap, foot = size.gap / 2, float(size.caption)
    pitch = CHIP * size.word + 1.9 * size.caption
    placed = flow(
        chips, left=size.gap / 2, top=size.gap, room=room, font=size.word, line=pitch, gap=gap, foot_font=foot
    )
    below = placed[-1].bottom + 1.9 * size.caption if placed else float(size.gap)
    names = flow(legend, left=size.gap / 2, top=below, room=room, font=size.caption, line=CHIP * size.caption, gap=0)
    bottom = names[-1].bottom if names else below
    figure = canvas(title="", note=note, wide=size.page, tall=bottom, size=size, theme=theme)
    draw(figure, placed, font=size.word, size=size, theme=theme)
    if names:
        figure.add_trace(
            go.Scatter(
                x=[box.x - box.wide / 2 for box in names],
                y=[box.y for box in names],
                mode="text",
                text=[plain_label(box.chip.text, limit=None) for box in names],
                textposition="middle right",
                textfont={"size": size.caption, "color": [box.chip.ink for box in names]},
                hoverinfo="skip",
                cliponaxis=False,
            )
        )
    return figure, placed


if __name__ == "__main__":
    from viz.kit.demos.answers import labelled_tokens
    from viz.predictions.judgements import labelled_words

    label_chips(labelled_words(labelled_tokens())).show()
