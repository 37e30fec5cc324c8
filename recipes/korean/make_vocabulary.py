"""Make the vocabulary of headlight-ko from the text and the treebanks.

    python -m recipes.korean.make_vocabulary --korean ../shared/korean --parallel ../shared/parallel --out FILE

It takes some ten minutes of one core. The same text gives the same pieces.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from tokenizers import pre_tokenizers

from recipes.korean.texts import PARALLEL, PROSE, SENTENCES, read_lines, read_parallel, read_reviews
from recipes.korean.vocabulary import Text, choose_pieces, make_tokenizer, normalizer
from recipes.korean.words.hangul import is_hangul
from recipes.korean.words.splitting import Splitter
from recipes.korean.words.treebanks import count_parts

TREEBANKS = ("ko_gsd-dev", "ko_gsd-test", "ko_kaist-dev")
"""Their words, and never their trees, are learned from."""
READ_AGAIN = 4
"""How much more a line of prose or a sentence counts than a review, about as often as it is read in training."""
LEAST_LEARNED, LEAST_CHOSEN = 15, 3
"""How often a word stands in the text to be learned from, and to count when pieces are chosen."""
ROUNDS = 3
_RUNS = re.compile(r"[가-힣]+|[0-9]+|[a-z]+|[ㄱ-ㆎ]+|.")


def count_words(korean: Path, parallel: Path) -> Counter[str]:
    """Count the words of what is learned from, as the tokenizer sees them before it cuts them."""
    normalize, pre = normalizer(), pre_tokenizers.BertPreTokenizer()
    words: Counter[str] = Counter()
    for text, weight in _weighted_lines(korean, parallel):
        for word, _ in pre.pre_tokenize_str(normalize.normalize_str(text)):
            words[word] += weight
    return words


def _weighted_lines(korean: Path, parallel: Path) -> Iterator[tuple[str, int]]:
    yield from ((text, 1) for _, text in read_reviews(korean))
    for name in (PROSE, SENTENCES):
        yield from ((line.text, READ_AGAIN) for line in read_lines(korean / f"{name}.tsv.xz") if not line.is_held_out)
    pairs = read_parallel(parallel / f"{PARALLEL}.tsv.xz")
    yield from ((line.text, READ_AGAIN) for line in pairs if not line.is_held_out)


def count_hangul(words: Mapping[str, int]) -> Counter[str]:
    """Count the stretches of Hangul in words, but for those behind a digit."""
    counts: Counter[str] = Counter()
    for word, count in words.items():
        before = ""
        for run in _RUNS.findall(word):
            if is_hangul(run) and not before.isdigit():
                counts[run] += count
            before = run
    return counts


def cut_words(words: Mapping[str, int], splitter: Splitter) -> Text:
    """Cut the words into their parts."""
    splits: dict[str, tuple[str, ...]] = {}
    cut: Counter[tuple[str, ...]] = Counter()
    for word, count in words.items():
        if count >= LEAST_CHOSEN:
            cut[tuple(_parts(word, splitter, splits))] += count
    return Text(words=cut, splits=splits)


def _parts(word: str, splitter: Splitter, splits: dict[str, tuple[str, ...]]) -> Iterator[str]:
    for run in _RUNS.findall(word):
        if not is_hangul(run):
            yield run
            continue
        if run not in splits:
            splits[run] = tuple(part.text for part in splitter.split(run))
        yield from splits[run]


def main() -> None:
    """Read the command line and make the vocabulary."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--korean", type=Path, required=True, help="folder with reviews, prose, sentences, treebanks")
    parser.add_argument("--parallel", type=Path, required=True, help="folder with eng-kor.tsv.xz")
    parser.add_argument("--out", type=Path, required=True, help="tokenizer.json to be written")
    arguments = parser.parse_args()
    words = count_words(arguments.korean, arguments.parallel)
    splitter = Splitter()
    treebank = list(count_parts([arguments.korean / f"{name}.conllu.xz" for name in TREEBANKS]))
    frequent = {word: count for word, count in count_hangul(words).items() if count >= LEAST_LEARNED}
    splitter.learn(treebank, frequent, ROUNDS)
    pieces = choose_pieces(cut_words(words, splitter))
    make_tokenizer(pieces).save(str(arguments.out))


if __name__ == "__main__":
    main()
