"""Something to begin with for every task, in the form of what a person may bring: made by our own generators, or said
by people."""

from __future__ import annotations

import csv
import io
from functools import lru_cache
from itertools import islice
from pathlib import Path
from string import ascii_lowercase

import numpy as np

from models.training.lab.data.given import Given, take_labels, take_pairs, take_text
from models.training.lab.data.words import WANTED, take_words
from models.training.lab.recipe import GENERATED, TaskName
from models.training.sentences.classroom import Classroom
from models.training.sentences.parallel import pairs
from models.training.sentences.parts_of_speech import tagged_sentences
from models.training.sentences.sentiment import labelled
from models.values.wording import to_say

PASSAGES = 60
"""Classroom passages of every family."""
PASSAGES_A_PART = 5
"""Passages of one family make a part: so a sentence mostly has a next one, of which it is asked if it follows."""
PAIRS = 4000
SENTENCES = 8000
TAGGED = 3000
SYMBOLS = tuple(ascii_lowercase)
"""What sequences to copy or to reverse are made of."""
CONVERSATION = """Hello, I am Romeo. What is your name?
My name is Juliet. I live behind this garden.
Your garden is full of roses. May I come in?
The gate is closed, Romeo. My mother has the key.
Then I shall climb over the wall. I am not afraid of a wall.
Come tomorrow, when my mother is away. The gate will be open then, Romeo.
"""
"""As short as a text may be: it is learned by heart in seconds."""
EVERYDAY = Path(__file__).with_name("everyday-spanish.tsv")
"""Short pairs that people have said; where from, and their licence: everyday-spanish.md."""
ATTRIBUTION = to_say(
    "Sentences of the Tatoeba Project (tatoeba.org), as collected by www.manythings.org/anki; licence: CC BY 2.0 FR."
)
SHORTEST = 3
SEQUENCES, HELD_OUT_SEQUENCES = 8000, 400
_SEED = 11


@lru_cache(maxsize=4)
def sample(task: TaskName) -> str:
    """The sample of a task as a file of its form: text, CSV or TSV; empty for one that makes its own rows."""
    if task in GENERATED:
        return ""
    if task == "labels":
        return _labelled()
    if task == "words":
        return _labelled_words()
    if task == "translate":
        lines = dict.fromkeys(f"{pair.source}\t{pair.target}" for pair in islice(pairs("es", seed=_SEED), PAIRS))
        return "\n".join(lines) + "\n"
    families: dict[str, list[str]] = {}
    for passage in Classroom(_SEED).passages(PASSAGES, held_out=False):
        families.setdefault(passage.family, []).append(" ".join(passage.sentences))
    return (
        "\n\n".join(
            " ".join(texts[at : at + PASSAGES_A_PART])
            for texts in families.values()
            for at in range(0, len(texts), PASSAGES_A_PART)
        )
        + "\n"
    )


def everyday() -> str:
    """Pairs that people have said, for the task of translating; whoever passes them on says ATTRIBUTION."""
    return EVERYDAY.read_text(encoding="utf-8")


def take(task: TaskName, text: str) -> Given:
    """What a person, or the sample, gives for a task. Raises LabError for what cannot be learned from."""
    if task == "labels":
        return take_labels(text)
    if task == "words":
        return take_words(text)
    return take_pairs(text) if task == "translate" else take_text(text)


def _labelled_words() -> str:
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(WANTED)
    for sentence in islice(tagged_sentences(_SEED), TAGGED):
        writer.writerows(sentence)
        table.write("\n")
    return table.getvalue()


def sequences(task: TaskName, *, longest: int, seed: int) -> Given:
    """Sequences of letters to copy, or to reverse, each once; none that is held out is learned."""
    random = np.random.default_rng((_SEED, seed))
    wanted = SEQUENCES + HELD_OUT_SEQUENCES
    drawn: dict[str, str] = {}
    for length in random.integers(SHORTEST, max(longest, SHORTEST) + 1, size=4 * wanted):
        letters = [SYMBOLS[at] for at in random.integers(len(SYMBOLS), size=length)]
        written = letters[::-1] if task == "reverse" else letters
        drawn[" ".join(letters)] = " ".join(written)
        if len(drawn) == wanted:
            break
    rows = tuple(drawn.items())
    n_held_out = min(HELD_OUT_SEQUENCES, len(rows) // 10)
    return Given(learned=rows[n_held_out:], held_out=rows[:n_held_out])


def _labelled() -> str:
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(("text", "label"))
    writer.writerows((made.text, made.label) for made in islice(labelled(seed=_SEED), SENTENCES))
    return table.getvalue()
