"""How well a translator does on what it never saw: the tables of its card, and the examples that its page offers.

    python -m recipes.evaluation.translation.report es --checkpoint RUN/model --parallel ../shared/parallel

Prints them; with --card, they take the place of what stood in the checkpoint's README.md from MEASURED on, and the
examples that of those in its head. Every sentence is written token by token by the checkpoint as it is shipped.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_args

from huggingface_hub import metadata_load, metadata_save

from models.checkpoints.card import EXAMPLES as EXAMPLES_FIELD
from models.checkpoints.card import FILE
from models.opening.folders import load_folder
from models.opening.registry import Model
from models.training.corpora.learned_sources import FALSE_ALARMS
from recipes.corpora.pairs import PairCollection, collection
from recipes.evaluation.translation.alignment import AlignmentScores, alignment_scores, read_aligned
from recipes.evaluation.translation.everyday import (
    MOST_WORDS,
    WIDTH,
    EverydayAnswer,
    Scored,
    Told,
    answers,
    by_chance,
    hasty,
    kinds,
    people,
    scored,
    short,
    told,
)
from recipes.evaluation.translation.grammar import answers as grammar_answers
from recipes.evaluation.translation.grammar import grammar_table, unseen_pairs
from recipes.sentences.parallel import Language
from recipes.sentences.parallel.examples import EXAMPLES, OfferedExample

MEASURED = "## How well it does on what it never saw"
MOST_EXAMPLES = 6
_ABOUT_SCORES = (
    f"English sentences that were held out of the collection with all translations, of at most {MOST_WORDS} words "
    "where nothing else is said. chrF and BLEU are those of sacrebleu (`chrF2`, `tok:13a`), 0 to 100, with all "
    "references of a sentence."
)
_ABOUT_LIMIT = (
    f"A bigram model of its sources calls those unlike them that need more bits a piece than {1 - FALSE_ALARMS:.0%} of "
    "other unseen sentences of the kind that was learned: of that kind, what is said here is a false alarm."
)
_ABOUT_ALIGNMENT = (
    "Alignment error rate (Och & Ney 2003; 0 is best) on {} pairs aligned by hand "
    "(`recipes/evaluation/translation/aligned/`); layer and head were chosen on as many others."
)


def tables(model: Model, language: Language, split: PairCollection, *, corpus: Path | None) -> Iterator[list[str]]:
    """The parts of the measured section, each as lines."""
    asked = short(split.reported)
    searched = list(answers(model, asked))
    yield [
        "### Everyday sentences",
        "",
        _ABOUT_SCORES,
        "",
        *score_table(_scores(model, split, searched)),
    ]
    yield ["### Twenty of them, drawn by chance", "", *drawn_table(by_chance(searched))]
    yield [
        "### What is said before a translation",
        "",
        _ABOUT_LIMIT,
        "",
        *told_table(told(model, *each) for each in kinds(split, language, corpus)),
        "",
        *announced_table(searched),
    ]
    if language == "es":
        yield ["### Which word stands behind which", "", *alignment_table(alignment_scores(model, read_aligned()))]


def _scores(model: Model, split: PairCollection, searched: Sequence[EverydayAnswer]) -> Iterator[Scored]:
    asked = short(split.reported)
    yield scored(f"{WIDTH} beams, as the page searches", searched)
    yield scored("greedily", list(answers(model, asked, width=1)))
    yield scored("typed in small letters, without the last mark", list(answers(model, asked, hasty)))
    longer = [sentence for sentence in split.reported if sentence.n_words > MOST_WORDS]
    if longer:
        yield scored(f"of more than {MOST_WORDS} words", list(answers(model, longer)))
    yield people(asked)


def score_table(rows: Iterator[Scored]) -> list[str]:
    """The scores as lines of Markdown."""
    lines = ["| | sentences | chrF | BLEU |", "| --- | --- | --- | --- |"]
    return lines + [f"| {row.name} | {row.n:,} | {row.chrf:.1f} | {row.bleu:.1f} |" for row in rows]


def drawn_table(found: Sequence[EverydayAnswer]) -> list[str]:
    """Answers beside their references; "!" marks those that were said to be outside before."""
    lines = ["| English | written | people wrote | |", "| --- | --- | --- | --- |"]
    for answer in found:
        mark = "!" if answer.is_unlike or answer.n_unknown else ""
        cells = (answer.source, answer.written, " / ".join(answer.sentence.targets), mark)
        lines.append(_row(*cells))
    return [*lines, "", "“!”: announced as outside before the translation."]


def told_table(rows: Iterator[Told]) -> list[str]:
    """What is said of which kind of sentences."""
    lines = ["| | sentences | said to be unlike | with an unknown word |", "| --- | --- | --- | --- |"]
    return lines + [f"| {row.name} | {row.n:,} | {row.unlike:.3f} | {row.unknown:.3f} |" for row in rows]


def announced_table(found: Sequence[EverydayAnswer]) -> list[str]:
    """How well those are translated of which something was said before, and the others."""
    outside = [answer for answer in found if answer.is_unlike or answer.n_unknown]
    inside = [answer for answer in found if not (answer.is_unlike or answer.n_unknown)]
    rows = [scored(name, part) for name, part in (("announced as outside", outside), ("not announced", inside)) if part]
    return score_table(iter(rows))


def alignment_table(found: AlignmentScores) -> list[str]:
    """Alignment error rates beside the diagonal."""
    return [
        _ABOUT_ALIGNMENT.format(found.n_pairs),
        "",
        "| the source word that is looked at most | AER |",
        "| --- | --- |",
        f"| {found.best.name} | {found.reported:.3f} (where it was chosen {found.when_chosen:.3f}) |",
        f"| mean of all layers and heads, as the page opens | {found.mean:.3f} |",
        f"| the diagonal, without any attention | {found.diagonal:.3f} |",
    ]


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', '¦') for cell in cells)} |"


def right_examples(model: Model, language: Language) -> list[OfferedExample]:
    """Those of EXAMPLES that the model translates as they should be, with nothing to be said before."""
    found = []
    for example in EXAMPLES:
        writing = model.translate(example.text, width=WIDTH)
        is_inside = not writing.unknown_words and not (writing.familiarity and writing.familiarity.is_unlike)
        if is_inside and writing.is_finished and example.is_right(language, writing.text):
            found.append(example)
    return found[:MOST_EXAMPLES]


def write_card(folder: Path, section: str, examples: Sequence[OfferedExample]) -> None:
    """Put the measured section and the examples into the card of a checkpoint; what else stands there stays."""
    file = folder / FILE
    text = file.read_text(encoding="utf-8") if file.is_file() else f"# {folder.name}\n\n"
    file.write_text(text.split(MEASURED)[0] + section, encoding="utf-8")
    offered = [{"example_title": example.label, "text": example.text} for example in examples]
    metadata_save(file, (metadata_load(file) or {}) | {EXAMPLES_FIELD: offered})


def main() -> None:
    """Read the command line, translate, write the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=get_args(Language))
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--parallel", type=Path, required=True, help="folder with the everyday sentences")
    parser.add_argument("--corpus", type=Path, help="folder with books and web text, for sentences of other kinds")
    parser.add_argument("--pairs", type=int, default=1000, help="of the grammar")
    parser.add_argument("--card", action="store_true", help="write them into the checkpoint's README.md")
    arguments = parser.parse_args()
    language: Language = arguments.language
    model = load_folder(arguments.checkpoint, name=arguments.checkpoint.name)
    parts = list(tables(model, language, collection(arguments.parallel, language), corpus=arguments.corpus))
    of_grammar = grammar_answers(model, unseen_pairs(language, arguments.pairs))
    parts.append(["### Sentences of the grammar", "", *grammar_table(of_grammar)])
    section = "\n\n".join([MEASURED, _command(language, arguments.checkpoint), *("\n".join(part) for part in parts)])
    sys.stdout.write(section + "\n")
    if arguments.card:
        write_card(arguments.checkpoint, section + "\n", right_examples(model, language))


def _command(language: Language, folder: Path) -> str:
    return (
        f"```\npython -m recipes.evaluation.translation.report {language} --checkpoint {folder.as_posix()} \\\n"
        "    --parallel ../shared/parallel --corpus ../shared/corpus --card\n```"
    )


if __name__ == "__main__":
    main()
