"""Sample data for every task, in the form of a file that a person may upload: rows of our own generators
(`recipes.sentences`), or sentences that people have said."""

from __future__ import annotations

from pathlib import Path
from string import ascii_lowercase

import numpy as np

from lab.data.given import Given, take_labels, take_pairs, take_text
from lab.data.words import take_words
from lab.recipe import GENERATED, TaskName
from models.values.wording import to_say

FILES = Path(__file__).with_name("sample_files")
SAMPLES: dict[TaskName, str] = {
    "masked": "classroom.txt",
    "next": "classroom.txt",
    "labels": "reviews.csv",
    "words": "parts-of-speech.csv",
    "translate": "english-spanish.tsv",
}
SYMBOLS = tuple(ascii_lowercase)
"""The symbols of the sequences to copy or to reverse."""
CONVERSATION = """Hello, I am Romeo. What is your name?
My name is Juliet. I live behind this garden.
Your garden is full of roses. May I come in?
The gate is closed, Romeo. My mother has the key.
Then I shall climb over the wall. I am not afraid of a wall.
Come tomorrow, when my mother is away. The gate will be open then, Romeo.
"""
"""As short as a text may be: it is learned by heart in seconds."""
ATTRIBUTION = to_say(
    "Sentences of the Tatoeba Project (tatoeba.org), as collected by www.manythings.org/anki; licence: CC BY 2.0 FR."
)
SHORTEST = 3
SEQUENCES, HELD_OUT_SEQUENCES = 8000, 400
_SEED = 11


def sample(task: TaskName) -> str:
    """Return the sample of a task as a file of its form: text, CSV or TSV; empty for a task that makes its own rows."""
    return "" if task in GENERATED else _read_file(SAMPLES[task])


def everyday() -> str:
    """Return pairs of sentences that people have said, for translating; whoever passes them on says ATTRIBUTION."""
    return _read_file("everyday-spanish.tsv")


def korean_reviews() -> str:
    """Return Korean sentences that praise or complain, with their labels, as a CSV."""
    return _read_file("reviews-korean.csv")


def _read_file(name: str) -> str:
    return (FILES / name).read_text(encoding="utf-8")


def take(task: TaskName, text: str) -> Given:
    """Parse the data for a task. Raises LabError for data that cannot be trained on."""
    if task == "labels":
        return take_labels(text)
    if task == "words":
        return take_words(text)
    return take_pairs(text) if task == "translate" else take_text(text)


def sequences(task: TaskName, *, longest: int, seed: int) -> Given:
    """Sequences of letters to copy, or to reverse, each once; none that is held out is learned."""
    random = np.random.default_rng((_SEED, seed))
    wanted = SEQUENCES + HELD_OUT_SEQUENCES
    drawn: dict[str, str] = {}
    for length in random.integers(SHORTEST, max(longest, SHORTEST) + 1, size=4 * wanted):
        letters = [SYMBOLS[index] for index in random.integers(len(SYMBOLS), size=length)]
        written = letters[::-1] if task == "reverse" else letters
        drawn[" ".join(letters)] = " ".join(written)
        if len(drawn) == wanted:
            break
    rows = tuple(drawn.items())
    n_held_out = min(HELD_OUT_SEQUENCES, len(rows) // 10)
    return Given(learned=rows[n_held_out:], held_out=rows[:n_held_out])
