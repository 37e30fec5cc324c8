"""Labels for words: what a person may give, which piece answers for a word, and that the labels are learned."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from lab import runs
from lab.assemble import assemble, number_of_labels
from lab.data.samples import sample, take
from lab.data.words import take_words
from lab.questions import read_results
from lab.recipe import Recipe
from lab.work import carry_out
from models.analysis.grammar.conllu import read_treebank
from models.training.corpora.labelled_words import (
    UNIVERSAL,
    LabelledSentence,
    UsualLabels,
    first_pieces,
    from_row,
    of_treebank,
    of_words,
)
from models.training.tasks.word_labels import WordLabelTask, encode_words
from models.values.errors import LabError
from recipes.sentences.parts_of_speech import NOUN_OR_VERB, plural, tagged_sentences

TREEBANK = """# text = Don't go to the cafés (now).
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tDo\tdo\tAUX\t_\t_\t3\taux\t_\t_
2\tn't\tnot\tPART\t_\t_\t3\tadvmod\t_\t_
3\tgo\tgo\tVERB\t_\t_\t0\troot\t_\t_
4\tto\tto\tADP\t_\t_\t6\tcase\t_\t_
5\tthe\tthe\tDET\t_\t_\t6\tdet\t_\t_
6\tcafés\tcafé\tNOUN\t_\t_\t3\tobl\t_\t_
7\t(\t(\tPUNCT\t_\t_\t8\tpunct\t_\tSpaceAfter=No
8\tnow\tnow\tADV\t_\t_\t3\tadvmod\t_\tSpaceAfter=No
8.1\tgone\tgo\tVERB\t_\t_\t_\t_\t_\t_
9\t)\t)\tPUNCT\t_\t_\t8\tpunct\t_\tSpaceAfter=No
10\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\t_

# text = del
1-2\tdel\t_\t_\t_\t_\t_\t_\t_\t_
1\tde\tde\tADP\t_\t_\t2\tcase\t_\t_
2\tel\tel\tDET\t_\t_\t0\troot\t_\t_
"""
TABLE = "".join(f"The,DET\ndog,NOUN\nsees,VERB\n{n},NUM\ncats,NOUN\n\n" for n in range(30))


def test_a_treebank_is_read_as_it_is_written() -> None:
    first, second = map(of_treebank, read_treebank(TREEBANK.splitlines()))
    assert first.text == "Don't go to the cafés (now)."
    assert list(zip(first.words, first.labels, strict=True)) == [
        ("Do", "AUX"),
        ("n't", "PART"),
        ("go", "VERB"),
        ("to", "ADP"),
        ("the", "DET"),
        ("cafés", "NOUN"),
        ("(", "PUNCT"),
        ("now", "ADV"),
        (")", "PUNCT"),
        (".", "PUNCT"),
    ]
    assert (second.words, second.labels) == (("del",), ("ADP+DET",))


def test_a_sentence_survives_being_a_row() -> None:
    treebank = map(of_treebank, read_treebank(TREEBANK.splitlines()))
    for sentence in (of_words([("a:b", "X:Y"), ("1 000", "NUM one")]), *treebank):
        assert from_row(sentence.as_row()) == sentence


def test_the_first_piece_that_begins_in_a_word_answers_for_it() -> None:
    spans = [(0, 2), (2, 5), (6, 8), (9, 12)]  # Do n't go far
    offsets = [(0, 0), (0, 3), (3, 4), (4, 5), (6, 8), (0, 0)]
    assert first_pieces(spans, offsets) == [1, 2, 4, None]  # "Don" is of "Do"; "far" was cut off


def test_usual_labels_are_those_that_a_word_had_most_often() -> None:
    sentences = [of_words([("play", label), ("the", "DET"), ("The", "DET")]) for label in ("NOUN", "VERB", "NOUN")]
    usual = UsualLabels(sentences)
    assert [usual.of(word) for word in ("Play", "the", "zebra")] == ["NOUN", "DET", "DET"]


@pytest.mark.parametrize(
    "table",
    [
        TABLE,
        TABLE.replace(",", "\t"),
        "word,label\n" + TABLE,
        "label,word\n" + "".join(",".join(line.split(",")[::-1]) + "\n" for line in TABLE.split("\n")),
        "token;tag\n" + TABLE.replace(",", ";"),
        "".join(
            "".join(
                f"{at}\t{word}\t_\t{label}\t_\t_\t0\t_\t_\t_\n"
                for at, (word, label) in enumerate((line.split(",") for line in sentence.split("\n")), start=1)
            )
            + "\n"
            for sentence in TABLE.strip().split("\n\n")
        ),
    ],
)
def test_a_table_or_a_treebank_is_understood(table: str) -> None:
    given = take_words(table)
    assert len(given.learned) == 27
    assert len(given.held_out) == 3
    sentence = from_row(given.learned[0])
    assert sentence.labels == ("DET", "NOUN", "VERB", "NUM", "NOUN")
    assert sentence.text.startswith("The dog sees ")
    assert given.notes[0].startswith("150 words in 30 sentences: 60 NOUN")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (" \n", "There is no text"),
        ("The,DET\ndog,NOUN\n" * 40, "1 different sentence could be read"),
        ("The dog\nsleeps\n\n" * 30, "two columns"),
        ("".join(f"w{n},A\n\n" for n in range(30)), "All 30 words have the label “A”"),
        ("".join(f"w{n},L{n}\n\n" for n in range(60)), "60 different labels were found on 60 words"),
        (TABLE.replace("sees,VERB", "sees").replace("cats,NOUN", "cats"), "are not a word and its label"),
        (TREEBANK.replace("2\tel\tel\tDET", "2\tel\tDET"), "line 18 has 9 columns"),
        (TABLE + '",PUNCT\n', "cannot be read at line"),
    ],
)
def test_what_cannot_be_learned_from_is_said(text: str, said: str) -> None:
    with pytest.raises(LabError, match=said):
        take_words(text)


def test_the_sample_has_words_that_are_now_this_and_now_that() -> None:
    sentences = list(islice(tagged_sentences(3), 600))
    labels = {label for sentence in sentences for _, label in sentence}
    assert labels < set(UNIVERSAL)
    both = {plural(word) for word in NOUN_OR_VERB} | set(NOUN_OR_VERB)
    seen = {(word.lower(), label) for sentence in sentences for word, label in sentence if word.lower() in both}
    assert sum((word, "NOUN") in seen and (word, "VERB") in seen for word in both) > len(both) / 2
    given = take("words", sample("words"))
    assert number_of_labels("words", given) == len(labels)


def test_labels_stand_at_the_first_pieces_and_nowhere_else() -> None:
    given = take_words(TABLE)
    task = assemble(Recipe(task="words", n_tokens=8), given)
    assert isinstance(task, WordLabelTask)
    long = LabelledSentence(text="dog " * 20, spans=tuple((4 * n, 4 * n + 3) for n in range(20)), labels=("NOUN",) * 20)
    encoded = encode_words(task.tokenizer, [long], task.model.labels, max_tokens=8)
    number = task.model.labels.index("NOUN")
    assert encoded.labels.tolist() == [[-100, *[number] * 6, -100]]
    assert encoded.n_words == 20


def test_a_run_learns_what_the_neighbours_tell(tmp_path: Path) -> None:
    """Better than the label that each word had most often: only attention can tell."""
    recipe = Recipe(
        task="words",
        n_layers=1,
        n_heads=4,
        d_model=32,
        d_ff=64,
        n_tokens=32,
        d_vocab=600,
        iterations=140,
        rows=32,
        learning_rate=1e-2,
        snapshots=2,
    )
    run = runs.create(tmp_path, recipe, take("words", sample("words")))
    carry_out(run.folder, device="cpu", why_stop=lambda: "")
    assert runs.read_status(run.folder).state == "done"
    words = read_results(run.folder / runs.RESULTS).words
    wrong, wrong_of_usual = (sum(not each.is_right for each in words), sum(each.usual != each.label for each in words))
    assert wrong_of_usual > 0.05 * len(words)
    assert wrong < 0.7 * wrong_of_usual
