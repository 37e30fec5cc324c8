"""What a person pastes or uploads, made into rows to learn from and rows held out; whatever is odd is said.

A text becomes documents of sentences; a table of texts and labels, and one of sources and targets, become pairs. A
tenth is held out, chosen by a hash of the content: in whatever order the rows come, it is the same tenth.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from models.training.lab.data.cleaning import TableRow, cleaned, counted, mixed, named, split_rows
from models.training.lab.data.tables import read_table
from models.values.errors import LabError

LEAST_SENTENCES, LEAST_DIFFERENT, LEAST_DOCUMENTS = 10, 10, 4
SHORT_TEXT = 2000
"""In words; a shorter text is learned by heart."""
LEAST_ROWS, LEAST_A_LABEL, MOST_LABELS, LONGEST_LABEL = 20, 5, 50, 60
LONGEST_SENTENCE = 80
"""In words; a longer one is cut there, as happens to texts without full stops."""
SENTENCES_A_DOCUMENT = 8
"""A text without empty lines is cut into documents of so many sentences, a short one of fewer."""
MOST_ODD = 0.2
"""Above this share of rows that cannot be read, the table is not what it was taken for."""
_SENTENCE_END = re.compile(r"([.!?…]+[\"'”’»)\]]*)\s+(?=\S)|([。！？]+[”」』]*)\s*(?=\S)")
_WORD = re.compile(r"[^\W_]+")
_PARAGRAPH = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """Rows to learn from, rows held out, and what a person should know about them, in sentences."""

    learned: tuple[TableRow, ...]
    held_out: tuple[TableRow, ...]
    notes: tuple[str, ...] = ()

    def save(self, path: Path) -> None:
        """Write it down, for `read_given`."""
        content = {"learned": self.learned, "held_out": self.held_out, "notes": self.notes}
        path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")


def read_given(path: Path) -> Given:
    """What `Given.save` wrote. Raises LabError if the file is damaged."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        learned, held_out = (tuple(tuple(map(str, row)) for row in content[name]) for name in ("learned", "held_out"))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LabError(f"The data of this run can no longer be read ({error}). Start a new run.") from error
    return Given(learned=learned, held_out=held_out, notes=tuple(map(str, content.get("notes", ()))))


def take_text(text: str) -> Given:
    """Documents of sentences, from a text in which an empty line ends a document. Raises LabError for too little."""
    plain, notes = cleaned(text)
    documents = _documents(plain)
    kept = tuple(dict.fromkeys(documents))
    words = [word for row in kept for sentence in row for word in words_of(sentence)]
    different = len({word.lower() for word in words})
    n_sentences = sum(map(len, kept))
    if n_sentences < LEAST_SENTENCES or different < LEAST_DIFFERENT:
        raise LabError(
            f"The text has {counted(n_sentences, 'sentence')} and {counted(different, 'different word')}, expected at "
            f"least {LEAST_SENTENCES} and {LEAST_DIFFERENT}. Paste more text, or use the sample."
        )
    if len(kept) < LEAST_DOCUMENTS:
        raise LabError(
            f"The text has {counted(len(kept), 'part')} of at most {SENTENCES_A_DOCUMENT} sentences, expected at least "
            f"{LEAST_DOCUMENTS}, so that some can be held out. Paste more text, or separate its parts with empty lines."
        )
    if len(kept) < len(documents):
        notes.append(f"{counted(len(documents) - len(kept), 'part')} appeared twice, counted once.")
    learned, held_out = split_rows(kept, key="\n".join)
    if len(words) < SHORT_TEXT:
        notes.append(
            "A text this short is learned by heart: in the end, the model gets nearly everything right on what it "
            "learned, and hardly anything on what was held out. Watch the two curves drift apart."
        )
    notes.insert(0, f"{len(words):,} words, {different:,} different; {n_sentences:,} sentences in {len(kept):,} parts.")
    return Given(learned=learned, held_out=held_out, notes=tuple(notes))


def take_labels(text: str) -> Given:
    """Texts with labels, from a CSV. Raises LabError for one label, too many of them, or too few rows."""
    plain, notes = cleaned(text)
    table = read_table(plain, wanted=("text", "label"))
    notes += table.notes
    rows = _whole_rows(table.rows, table.n_odd, notes, first_odd=table.first_odd, wanted="a text and a label")
    counts = Counter(label for _, label in rows)
    rare = rare_labels(counts)
    if rare:
        notes.append(f"Few texts labelled {named(rare)}: hard to learn, and none held out.")
    contrary = len(rows) - len({words for words, _ in rows})
    if contrary:
        notes.append(f"{counted(contrary, 'text')} appeared with two labels; both are kept.")
    told = ", ".join(f"{n:,} {label}" for label, n in counts.most_common(8))
    notes.insert(0, f"{counted(len(rows), 'row')}: {told}.")
    parts = [split_rows([row for row in rows if row[1] == label], key=lambda row: row[0]) for label in counts
             if counts[label] >= LEAST_A_LABEL]  # fmt: skip
    held_out = mixed(row for _, held in parts for row in held)
    texts = {text for text, _ in held_out}
    learned = tuple(row for row in rows if row[0] not in texts)
    return Given(learned=learned, held_out=held_out, notes=tuple(notes))


def rare_labels(counts: Counter[str], *, of: str = "texts") -> list[str]:
    """The labels of which too few texts, or words, are there to hold any out. Raises LabError for labels that nothing
    can be learned of."""
    columns = f"Is the {of.removesuffix('s')} in the first column and the label in the second?"
    too_long = next((label for label in counts if len(label) > LONGEST_LABEL), None)
    if too_long is not None:
        raise LabError(
            f"A label is {len(too_long)} characters long (“{too_long[:30]}…”), expected at most {LONGEST_LABEL}. "
            f"{columns}"
        )
    if len(counts) < 2:
        raise LabError(
            f"All {counts.total():,} {of} have the label “{next(iter(counts))}”, expected at least two different "
            "labels. With only one, there is nothing to tell apart."
        )
    if len(counts) > MOST_LABELS:
        raise LabError(
            f"{len(counts):,} different labels were found on {counts.total():,} {of}, expected at most {MOST_LABELS}. "
            f"{columns}"
        )
    rare = [label for label, count in counts.items() if count < LEAST_A_LABEL]
    if len(counts) - len(rare) < 2:
        raise LabError(
            f"Of {len(counts):,} labels, {len(rare):,} have fewer than {LEAST_A_LABEL} different {of}, expected "
            f"at least two labels with more. Add more {of} for each label."
        )
    return rare


def take_pairs(text: str) -> Given:
    """Sources with targets, from a TSV. Raises LabError for too few rows, or for a file without tabs."""
    plain, notes = cleaned(text)
    table = read_table(plain, wanted=("source", "target"), delimiter="\t")
    notes += table.notes
    rows = _whole_rows(table.rows, table.n_odd, notes, first_odd=table.first_odd, wanted="a source and a target")
    several = len(rows) - len({source for source, _ in rows})
    if several:
        notes.append(f"{counted(several, 'source')} appeared with a second target; both are kept.")
    _, held = split_rows(tuple(dict.fromkeys((source,) for source, _ in rows)), key=lambda row: row[0])
    sources = {source for (source,) in held}
    notes.insert(0, f"{counted(len(rows), 'pair')}.")
    return Given(
        learned=tuple(row for row in rows if row[0] not in sources),
        held_out=mixed(row for row in rows if row[0] in sources),
        notes=tuple(notes),
    )


def words_of(text: str) -> list[str]:
    """The words of a text; in scripts without spaces every character is one."""
    words = _WORD.findall(text)
    return [part for word in words for part in (word if _without_spaces(word) else (word,))]


def _whole_rows(
    rows: Sequence[TableRow], n_odd: int, notes: list[str], *, first_odd: int, wanted: str
) -> tuple[TableRow, ...]:
    """Each row once, with something in both cells; what was left out is said. Raises LabError if too little is left."""
    filled = [row for row in rows if all(row)]
    kept = tuple(dict.fromkeys(filled))
    total = len(rows) + n_odd
    if n_odd > MOST_ODD * max(total, 1):
        raise LabError(
            f"{n_odd:,} of {counted(total, 'row')} do not have two columns (the first is line {first_odd:,}), expected "
            f"{wanted} in each. Put double quotes around a text with a comma in it."
        )
    if len(kept) < LEAST_ROWS:
        raise LabError(
            f"{counted(len(kept), 'different row')} could be read, expected at least {LEAST_ROWS} with {wanted}. Add "
            "more, or use the sample."
        )
    for number, what in (
        (n_odd, f"without two columns was left out (the first in line {first_odd:,})"),
        (len(rows) - len(filled), "with an empty cell was left out"),
        (len(filled) - len(kept), "appeared twice and counted once"),
    ):
        if number:
            notes.append(f"{counted(number, 'row')} {what if number == 1 else what.replace('was', 'were')}.")
    return kept


def _documents(text: str) -> list[TableRow]:
    paragraphs = [_sentences(paragraph) for paragraph in _PARAGRAPH.split(text) if paragraph.strip()]
    if len(paragraphs) < LEAST_DOCUMENTS:
        sentences = [sentence for paragraph in paragraphs for sentence in paragraph]
        length = max(2, min(SENTENCES_A_DOCUMENT, len(sentences) // LEAST_DOCUMENTS))
        paragraphs = [sentences[at : at + length] for at in range(0, len(sentences), length)]
    return [tuple(paragraph) for paragraph in paragraphs if paragraph]


def _sentences(paragraph: str) -> list[str]:
    lines = _SENTENCE_END.sub(lambda end: f"{end.group(1) or end.group(2)}\n", paragraph).split("\n")
    return [part for line in lines for part in _of_bearable_length(" ".join(line.split())) if part]


def _of_bearable_length(sentence: str) -> Iterable[str]:
    words = sentence.split(" ")
    for at in range(0, len(words), LONGEST_SENTENCE):
        part = " ".join(words[at : at + LONGEST_SENTENCE])
        yield from (part[start : start + 10 * LONGEST_SENTENCE] for start in range(0, len(part), 10 * LONGEST_SENTENCE))


def _without_spaces(word: str) -> bool:
    return any("\u3040" <= character <= "\u30ff" or "\u4e00" <= character <= "\u9fff" for character in word)
