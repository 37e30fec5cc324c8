"""Turn pasted or uploaded data into rows to train on and rows held out, and report irregularities.

A text becomes documents of sentences; a table of texts and labels, and one of sources and targets, become pairs. A
tenth is held out, chosen by a hash of the content: in whatever order the rows come, it is the same tenth.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lab.data.cleaning import TableRow, clean_text, quote_labels, shuffle_rows, split_rows
from lab.data.exports import texts_of_json
from lab.data.kept_rows import whole_rows
from lab.data.nsmc import name_labels
from lab.data.tables import LEAST_A_LABEL, MOST_LABELS, read_table
from models.values.errors import LabError
from models.values.text.scripts import has_spaceless_script
from models.values.wording import Message, to_say, worded, worded_n

LEAST_SENTENCES, LEAST_DIFFERENT, LEAST_DOCUMENTS = 10, 10, 4
SHORT_TEXT = 2000
"""In words; a shorter text is learned by heart."""
LONGEST_LABEL = 60
LONGEST_SENTENCE = 80
"""In words; a longer one is cut there, as happens to texts without full stops."""
SENTENCES_A_DOCUMENT = 8
"""The number of sentences of the documents into which a text without empty lines is cut; fewer for a short one."""
_SENTENCE_END = re.compile(r"([.!?…]+[\"'”’»)\]]*)\s+(?=\S)|([。！？।॥؟۔።։။។།]+[”」』]*)\s*(?=\S)")
_WORD = re.compile(r"[^\W_]+")
_PARAGRAPH = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """Rows to train on, rows held out, and notes for the reader, in sentences."""

    learned: tuple[TableRow, ...]
    held_out: tuple[TableRow, ...]
    notes: tuple[str, ...] = ()

    def save(self, path: Path) -> None:
        """Write it down, for `read_given`."""
        content = {"learned": self.learned, "held_out": self.held_out, "notes": self.notes}
        path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")


def read_given(path: Path) -> Given:
    """Read the file that `Given.save` wrote. Raises LabError if the file is damaged."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        learned, held_out = (tuple(tuple(map(str, row)) for row in content[name]) for name in ("learned", "held_out"))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LabError(
            worded("The data of this run can no longer be read ({why}). Start a new run.", why=str(error))
        ) from error
    return Given(learned=learned, held_out=held_out, notes=tuple(map(str, content.get("notes", ()))))


def take_text(text: str) -> Given:
    """Documents of sentences, from a text in which an empty line ends a document. Raises LabError for too little."""
    plain, notes = clean_text(text)
    documents = _documents(texts_of_json(plain))
    kept = tuple(dict.fromkeys(documents))
    words = [word for row in kept for sentence in row for word in words_of(sentence)]
    different = len({word.lower() for word in words})
    n_sentences = sum(map(len, kept))
    _expect_enough(n_sentences, different, len(kept))
    if twice := len(documents) - len(kept):
        notes.append(
            worded_n(
                "{count} part appeared twice, counted once.",
                "{count} parts appeared twice, counted once.",
                twice,
                count=f"{twice:,}",
            )
        )
    learned, held_out = split_rows(kept, key="\n".join)
    if len(words) < SHORT_TEXT:
        notes.append(
            to_say(
                "A text this short is learned by heart: in the end, the model gets nearly everything right on what it "
                "learned, and hardly anything on what was held out. Watch the two curves drift apart."
            )
        )
    notes.insert(
        0,
        worded(
            "{words} words, {different} different; {sentences} sentences in {parts} parts.",
            words=f"{len(words):,}",
            different=f"{different:,}",
            sentences=f"{n_sentences:,}",
            parts=f"{len(kept):,}",
        ),
    )
    return Given(learned=learned, held_out=held_out, notes=tuple(notes))


def _expect_enough(n_sentences: int, n_different: int, n_parts: int) -> None:
    """Raise LabError for a text of too few sentences, different words, or parts."""
    if n_sentences < LEAST_SENTENCES or n_different < LEAST_DIFFERENT:
        sentences = worded_n("{count} sentence", "{count} sentences", n_sentences, count=f"{n_sentences:,}")
        words = worded_n("{count} different word", "{count} different words", n_different, count=f"{n_different:,}")
        raise LabError(
            worded(
                "The text has {sentences} and {words}, expected at least {least_sentences} and {least_words}. Paste "
                "more text, or use the sample.",
                sentences=sentences,
                words=words,
                least_sentences=LEAST_SENTENCES,
                least_words=LEAST_DIFFERENT,
            )
        )
    if n_parts < LEAST_DOCUMENTS:
        raise LabError(
            worded_n(
                "The text has {n} part of at most {most} sentences, expected at least {least}, so that some can be "
                "held out. Paste more text, or separate its parts with empty lines.",
                "The text has {n} parts of at most {most} sentences, expected at least {least}, so that some can be "
                "held out. Paste more text, or separate its parts with empty lines.",
                n_parts,
                most=SENTENCES_A_DOCUMENT,
                least=LEAST_DOCUMENTS,
            )
        )


def take_labels(text: str) -> Given:
    """Return texts with labels, from a CSV. Raises LabError for one label, too many of them, or too few rows."""
    plain, notes = clean_text(text)
    table = read_table(plain, wanted=("text", "label"))
    notes += table.notes
    rows, named = name_labels(plain, whole_rows(table, notes, wanted=to_say("a text and a label")))
    notes += named
    counts = Counter(label for _, label in rows)
    rare = rare_labels(counts)
    if rare:
        notes.append(
            worded("Few texts labelled {labels}: hard to learn, and none held out.", labels=quote_labels(rare))
        )
    contrary = len(rows) - len({words for words, _ in rows})
    if contrary:
        notes.append(
            worded_n(
                "{count} text appeared with two labels; both are kept.",
                "{count} texts appeared with two labels; both are kept.",
                contrary,
                count=f"{contrary:,}",
            )
        )
    told = ", ".join(f"{n:,} {label}" for label, n in counts.most_common(8))
    notes.insert(0, worded("{rows} rows: {told}.", rows=f"{len(rows):,}", told=told))
    parts = [
        split_rows([row for row in rows if row[1] == label], key=lambda row: row[0])
        for label in counts
        if counts[label] >= LEAST_A_LABEL
    ]
    held_out = shuffle_rows(row for _, held in parts for row in held)
    texts = {text for text, _ in held_out}
    learned = tuple(row for row in rows if row[0] not in texts)
    return Given(learned=learned, held_out=held_out, notes=tuple(notes))


LabelUnit = Literal["texts", "words"]
_COLUMNS: dict[LabelUnit, Message] = {
    "texts": to_say("Is the text in the first column and the label in the second?"),
    "words": to_say("Is the word in the first column and the label in the second?"),
}
_ONE_LABEL: dict[LabelUnit, Message] = {
    "texts": to_say(
        "All {all} texts have the label “{label}”, expected at least two different labels. With only one, there is "
        "nothing to tell apart."
    ),
    "words": to_say(
        "All {all} words have the label “{label}”, expected at least two different labels. With only one, there is "
        "nothing to tell apart."
    ),
}
_MANY_LABELS: dict[LabelUnit, Message] = {
    "texts": to_say("{labels} different labels were found on {all} texts, expected at most {most}. {columns}"),
    "words": to_say("{labels} different labels were found on {all} words, expected at most {most}. {columns}"),
}
_FEW_OF_EACH: dict[LabelUnit, Message] = {
    "texts": to_say(
        "Of {labels} labels, {rare} have fewer than {least} different texts, expected at least two labels with more. "
        "Add more texts for each label."
    ),
    "words": to_say(
        "Of {labels} labels, {rare} have fewer than {least} different words, expected at least two labels with more. "
        "Add more words for each label."
    ),
}


def rare_labels(counts: Counter[str], *, of: LabelUnit = "texts") -> list[str]:
    """Return the labels of which too few texts, or words, are there to hold any out. Raises LabError for labels that
    nothing can be learned of."""
    columns = _COLUMNS[of]
    all_of_them = f"{counts.total():,}"
    too_long = next((label for label in counts if len(label) > LONGEST_LABEL), None)
    if too_long is not None:
        raise LabError(
            worded(
                "A label is {length} characters long (“{label}…”), expected at most {most}. {columns}",
                length=len(too_long),
                label=too_long[:30],
                most=LONGEST_LABEL,
                columns=columns,
            )
        )
    if len(counts) < 2:
        raise LabError(worded(_ONE_LABEL[of], all=all_of_them, label=next(iter(counts))))
    if len(counts) > MOST_LABELS:
        labels = f"{len(counts):,}"
        raise LabError(worded(_MANY_LABELS[of], labels=labels, all=all_of_them, most=MOST_LABELS, columns=columns))
    rare = [label for label, count in counts.items() if count < LEAST_A_LABEL]
    if len(counts) - len(rare) < 2:
        labels, few = f"{len(counts):,}", f"{len(rare):,}"
        raise LabError(worded(_FEW_OF_EACH[of], labels=labels, rare=few, least=LEAST_A_LABEL))
    return rare


def take_pairs(text: str) -> Given:
    """Sources with targets, from a TSV. Raises LabError for too few rows, or for a file without tabs."""
    plain, notes = clean_text(text)
    table = read_table(plain, wanted=(to_say("source"), to_say("target")), delimiter="\t")
    notes += table.notes
    rows = whole_rows(table, notes, wanted=to_say("a source and a target"))
    several = len(rows) - len({source for source, _ in rows})
    if several:
        notes.append(
            worded_n(
                "{count} source appeared with a second target; both are kept.",
                "{count} sources appeared with a second target; both are kept.",
                several,
                count=f"{several:,}",
            )
        )
    _, held = split_rows(tuple(dict.fromkeys((source,) for source, _ in rows)), key=lambda row: row[0])
    sources = {source for (source,) in held}
    notes.insert(0, worded("{pairs} pairs.", pairs=f"{len(rows):,}"))
    return Given(
        learned=tuple(row for row in rows if row[0] not in sources),
        held_out=shuffle_rows(row for row in rows if row[0] in sources),
        notes=tuple(notes),
    )


def words_of(text: str) -> list[str]:
    """Return the words of a text; in scripts without spaces every character is one."""
    words = _WORD.findall(text)
    return [part for word in words for part in (word if has_spaceless_script(word) else (word,))]


def _documents(text: str) -> list[TableRow]:
    paragraphs = [_sentences(paragraph) for paragraph in _PARAGRAPH.split(text) if paragraph.strip()]
    if len(paragraphs) < LEAST_DOCUMENTS:
        sentences = [sentence for paragraph in paragraphs for sentence in paragraph]
        length = max(2, min(SENTENCES_A_DOCUMENT, len(sentences) // LEAST_DOCUMENTS))
        paragraphs = [sentences[start : start + length] for start in range(0, len(sentences), length)]
    return [tuple(paragraph) for paragraph in paragraphs if paragraph]


def _sentences(paragraph: str) -> list[str]:
    lines = _SENTENCE_END.sub(lambda end: f"{end.group(1) or end.group(2)}\n", paragraph).split("\n")
    return [part for line in lines for part in _of_bearable_length(" ".join(line.split())) if part]


def _of_bearable_length(sentence: str) -> Iterable[str]:
    words = sentence.split(" ")
    for first in range(0, len(words), LONGEST_SENTENCE):
        part = " ".join(words[first : first + LONGEST_SENTENCE])
        yield from (part[start : start + 10 * LONGEST_SENTENCE] for start in range(0, len(part), 10 * LONGEST_SENTENCE))
