"""The rows that the app ships are those that our generators draw."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from itertools import islice

from lab.data.samples import sample
from lab.data.words import WANTED
from recipes.sentences.classroom.passages import Classroom
from recipes.sentences.parallel import pairs
from recipes.sentences.parts_of_speech import tagged_sentences
from recipes.sentences.sentiment.reviews import labelled
from recipes.sentences.which_noun.pairs import pairs as pairs_of_nouns
from ui.heads.switchboard.small_task import EXAMPLES, N_EXAMPLES

SEED, SEED_OF_EXAMPLES = 11, 1
PASSAGES, PASSAGES_A_PART = 60, 5
PAIRS, REVIEWS, TAGGED = 4000, 8000, 3000


def as_csv(rows: Iterable[Iterable[str]]) -> str:
    table = io.StringIO()
    csv.writer(table, lineterminator="\n").writerows(rows)
    return table.getvalue()


def test_reviews() -> None:
    drawn = ((review.text, review.label) for review in islice(labelled(seed=SEED), REVIEWS))
    assert sample("labels") == as_csv([("text", "label"), *drawn])


def test_parts_of_speech() -> None:
    sentences = islice(tagged_sentences(SEED), TAGGED)
    assert sample("words") == as_csv([WANTED]) + "".join(as_csv(sentence) + "\n" for sentence in sentences)


def test_english_and_spanish() -> None:
    lines = dict.fromkeys(f"{pair.source}\t{pair.target}" for pair in islice(pairs("es", seed=SEED), PAIRS))
    assert sample("translate") == "\n".join(lines) + "\n"


def test_classroom_passages_of_one_family_stand_together() -> None:
    families: dict[str, list[str]] = {}
    for passage in Classroom(SEED).passages(PASSAGES, held_out=False):
        families.setdefault(passage.family, []).append(" ".join(passage.sentences))

    def parts() -> Iterator[str]:
        for texts in families.values():
            for start in range(0, len(texts), PASSAGES_A_PART):
                yield " ".join(texts[start : start + PASSAGES_A_PART])

    assert sample("masked") == sample("next") == "\n\n".join(parts()) + "\n"


def test_examples_of_the_switchboard() -> None:
    nouns = [
        f"{text}\t{right}\t{wrong}\n"
        for pair in pairs_of_nouns(N_EXAMPLES // 2)
        for text, right, wrong in zip(pair.masked, pair.nouns, pair.nouns[::-1], strict=True)
    ]
    assert (EXAMPLES / "nouns.tsv").read_text(encoding="utf-8") == "".join(nouns)
    reviews = islice(labelled(SEED_OF_EXAMPLES, held_out=True), N_EXAMPLES)
    assert (EXAMPLES / "reviews.tsv").read_text(encoding="utf-8") == "".join(
        f"{review.text}\t{review.label}\n" for review in reviews
    )
