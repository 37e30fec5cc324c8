"""A thousand sentences of the books, drawn by a hash: the sample of public text that the atlas is made from.

    python -m recipes.corpora.sample --text ../shared/corpus/gutenberg.txt.xz

All books give about as many. A sentence that the hash has chosen stays chosen, whatever else a book holds.
"""

from __future__ import annotations

import argparse
import hashlib
import re
from collections.abc import Iterable, Iterator
from heapq import nsmallest
from itertools import zip_longest
from pathlib import Path

from models.analysis.over_texts.corpus import SAMPLE
from models.training.corpora.corpus import Document, read_documents

N_SENTENCES = 1000
FEWEST_WORDS, MOST_WORDS = 6, 30
LEFT_OUT = re.compile(r"negro|\bjews?\b|savage|g[iy]ps|nigg|squaw|\brape", re.IGNORECASE)
"""What books from before 1930 say and a class need not read."""
ENDS = (".", "?", "!", '."', '?"', '!"')


def sample(documents: Iterable[Document], n_sentences: int = N_SENTENCES) -> tuple[str, ...]:
    """So many sentences, one book after the other; fewer if the books have no more."""
    drawn = [nsmallest(n_sentences, _whole(document), key=_by_chance) for document in documents]
    in_turn = (sentence for round_ in zip_longest(*drawn) for sentence in round_ if sentence is not None)
    return tuple(dict.fromkeys(in_turn))[:n_sentences]


def _whole(document: Document) -> Iterator[str]:
    """The sentences that can stand by themselves: neither headings nor what a comma or a dash cuts off."""
    for sentence in document.sentences:
        is_whole = sentence[:1].isupper() and sentence.endswith(ENDS) and sentence.count('"') % 2 == 0
        if is_whole and not LEFT_OUT.search(sentence) and FEWEST_WORDS <= len(sentence.split()) <= MOST_WORDS:
            yield sentence


def _by_chance(sentence: str) -> bytes:
    return hashlib.sha256(sentence.encode()).digest()


def main() -> None:
    """Draw the sample and write it where the atlas reads it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=Path, required=True, help="the books, as in ../shared/corpus")
    found = sample(read_documents([parser.parse_args().text]))
    SAMPLE.write_text("".join(f"{sentence}\n" for sentence in found), encoding="utf-8")


if __name__ == "__main__":
    main()
