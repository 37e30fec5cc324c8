"""Every judgement is drawn with the probability that it has, and the tables hold them all."""

from __future__ import annotations

import numpy as np

from models.values.answers import TokenLabels
from models.values.record import Token
from tests.closeness import assert_close
from viz.kit.demos.answers import demo_replaced_tokens, labelled_text, labelled_tokens
from viz.kit.demos.records import demo_info
from viz.predictions.judgements import (
    MOST_LABELS,
    labelled_words,
    replaced_table,
    replaced_tokens,
    text_label_table,
    text_labels,
    token_label_table,
    token_labels,
)


def test_what_is_beyond_one_half_stands_out() -> None:
    answer = demo_replaced_tokens()
    figure = replaced_tokens(answer)
    (bars,) = figure.data
    assert_close(bars.y, answer.probabilities)
    assert figure.layout.yaxis.range == (0, 1)
    called = {colour for colour, chance in zip(bars.marker.color, answer.probabilities, strict=True) if chance >= 0.5}
    others = {colour for colour, chance in zip(bars.marker.color, answer.probabilities, strict=True) if chance < 0.5}
    assert len(called) == 1
    assert not called & others
    assert (figure.layout.shapes[0].y0, figure.layout.shapes[0].y1) == (0.5, 0.5)


def test_few_labels_are_a_map_and_many_are_the_best_of_each_word() -> None:
    few, many = labelled_tokens(), labelled_tokens([f"LABEL_{number}" for number in range(40)])
    (cells,) = token_labels(few).data
    np.testing.assert_array_equal(cells.z, labelled_words(few).probabilities)
    assert (cells.zmin, cells.zmax) == (0, 1)
    (bars,) = token_labels(many).data
    chances = labelled_words(many).probabilities
    assert_close(bars.x, chances.max(axis=1))
    for text, best in zip(bars.text, chances.argmax(axis=1), strict=True):
        assert text.startswith(f"LABEL_{best} ")


def test_the_first_piece_answers_for_its_word_and_special_tokens_are_no_words() -> None:
    pieces = (("[CLS]", None), ("un", 0), ("##sure", 0), ("cats", 1), ("[SEP]", None))
    tokens = tuple(Token(text=text, word=word, is_special=word is None) for text, word in pieces)
    chances = np.array([[1, 0], [0.4, 0.6], [0.9, 0.1], [0.8, 0.2], [1, 0]], dtype=np.float32)
    words = labelled_words(TokenLabels(info=demo_info(), tokens=tokens, labels=("A", "B"), probabilities=chances))
    assert (words.texts, words.positions, words.best) == (("unsure", "cats"), (1, 3), ("B", "A"))
    np.testing.assert_array_equal(words.probabilities, chances[[1, 3]])
    assert words.least_sure == 1


def test_the_labels_of_a_text_come_likeliest_first_and_the_rest_is_counted() -> None:
    answer = labelled_text([f"topic {number}" for number in range(MOST_LABELS + 5)])
    figure = text_labels(answer)
    assert_close(figure.data[0].x, np.sort(answer.probabilities)[::-1][:MOST_LABELS])
    assert "5 less likely labels" in figure.layout.annotations[0].text.replace("<br>", " ")
    table = text_label_table(answer)
    assert len(table) == MOST_LABELS + 5
    assert table["label"][0] == answer.labels[answer.probabilities.argmax()]


def test_tables_hold_every_token() -> None:
    answer = labelled_tokens()
    table = token_label_table(answer)
    assert_close(table[[f"label {label}" for label in answer.labels]], answer.probabilities)
    assert list(table["best_label"]) == [answer.labels[one] for one in answer.probabilities.argmax(axis=1)]
    assert_close(replaced_table(demo_replaced_tokens())["probability"], demo_replaced_tokens().probabilities)


def test_labels_of_a_strangers_configuration_may_be_equal() -> None:
    table = token_label_table(labelled_tokens(["x", "x"]))
    assert table.shape[1] == 5 + 2
