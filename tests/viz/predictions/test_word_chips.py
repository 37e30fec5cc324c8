"""Words in boxes: the colours of their labels, and the shades of what looks at them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from models.values.answers import TokenLabels
from models.values.errors import SelectionError
from models.values.record import Token
from viz.kit.demos.answers import labelled_tokens
from viz.kit.demos.records import demo_info, plausible_record
from viz.kit.figures.chips import shade
from viz.kit.theme import PALETTES
from viz.predictions.judgements import LabelledWords, labelled_words
from viz.predictions.word_chips import FAINT, GROUPS, MOST, describe_labels, label_chips, weight_chips

TAGGED = (("it", "PRON"), ("is", "AUX"), ("not", "PART"), ("bad", "ADJ"), ("cats", "NOUN"), (".", "PUNCT"))


def tagged(words: tuple[tuple[str, str], ...] = TAGGED) -> LabelledWords:
    labels = tuple(sorted({label for _, label in words}))
    chances = np.eye(len(labels), dtype=np.float32)[[labels.index(label) for _, label in words]]
    tokens = tuple(Token(text=text, word=place) for place, (text, _) in enumerate(words))
    return labelled_words(TokenLabels(info=demo_info(), tokens=tokens, labels=labels, probabilities=chances))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_parts_of_speech_of_one_group_have_one_colour_and_a_line_in_the_legend(theme) -> None:
    figure = label_chips(tagged(), theme=theme)
    fills = [shape.fillcolor for shape in figure.layout.shapes]
    lines = PALETTES[theme].lines
    assert fills == [lines[place] for place in (0, 1, 3, 2, 0, 4)]
    legend = figure.data[2]
    assert [text.strip("\u2068\u2069") for text in legend.text] == [f"■ {group}" for group in GROUPS]
    assert list(legend.textfont.color) == list(lines)
    assert list(figure.data[1].text) == ["pronoun", "helping verb", "particle", "adjective", "noun", "sign"]
    assert list(figure.data[-1].customdata) == list(range(len(TAGGED)))


def test_the_chosen_word_has_a_frame_and_no_other() -> None:
    shapes = label_chips(tagged(), selected=3).layout.shapes
    assert [shape.line.width for shape in shapes] == [2 if place == 3 else 0 for place in range(len(TAGGED))]


def test_other_labels_are_coloured_by_how_common_they_are() -> None:
    words = tagged((("a", "O"), ("b", "O"), ("c", "PER"), ("d", "O"), ("e", "PER"), ("f", "LOC")))
    lines = PALETTES["light"].lines
    fills = [shape.fillcolor for shape in label_chips(words).layout.shapes]
    assert fills == [lines[place] for place in (0, 0, 1, 0, 1, 2)]
    assert describe_labels(words) == "a: O, b: O, c: PER, d: O, e: PER, f: LOC"
    many = labelled_words(labelled_tokens([f"LABEL_{number}" for number in range(40)]))
    assert {shape.fillcolor for shape in label_chips(many).layout.shapes} <= set(lines)


def test_small_lines_below_words_never_touch() -> None:
    placed = label_chips(tagged((("a", "DET"), ("of", "ADP"), ("as", "SCONJ"), ("I", "PRON")))).layout.shapes
    assert all(one.x1 < other.x0 for one, other in pairwise(placed))
    assert min(shape.x1 - shape.x0 for shape in placed) > 50


def test_the_shades_are_the_weights() -> None:
    record = plausible_record()
    figure = weight_chips(record, positions=[0], layer=0, head=3)
    weights = record.weights(0, 3)[0]
    palette = PALETTES["light"]
    assert [shape.fillcolor for shape in figure.layout.shapes] == [shade(float(w), palette)[0] for w in weights]
    assert len(figure.data[1].text) == np.count_nonzero(weights >= FAINT)
    assert figure.layout.shapes[0].line.color == palette.accent
    with pytest.raises(SelectionError):
        weight_chips(record, positions=[99], layer=0, head=0)


def test_a_long_text_is_drawn_in_part_and_says_so() -> None:
    words = tagged(tuple((f"w{number}", "NOUN") for number in range(MOST + 5)))
    figure = label_chips(words, width=390)
    assert len(figure.layout.shapes) == MOST
    assert f"first {MOST} of {MOST + 5}" in " ".join(figure.layout.annotations[0].text.replace("<br>", " ").split())
