"""Choose the word pieces of headlight-ko: stems and suffixes apart, so that no piece holds the end of one and the
beginning of the other.

WordPiece cuts greedily, the longest piece first (Wu et al. 2016): a frequent 어절 must not be a piece, nor may a stem
that swallows a particle. Byte-pair merges (Sennrich et al. 2016) over the stems alone propose pieces; suffixes come
whole. Then the words of the text are cut with all of them, and a piece goes that crosses a border of the splitter too
often.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import PreTrainedTokenizerFast

from models.training.corpora.vocabulary import CLS, MASK, PAD, SEP, SPECIAL_TOKENS, UNKNOWN
from recipes.korean.texts import PLAIN
from recipes.korean.words.suffixes import TABLES

D_VOCAB = 12_000
CONTINUES = "##"
LEAST_LETTER = 24
"""How often a letter stands at the beginning of a word, or inside, to be a piece there; fewer make the word unknown."""
LEAST_SUFFIX = 60
PROPOSED_STEMS = 16_000
CROSSING = 0.5
"""How often a piece may cross a border for each time that it does not."""
ROUNDS, SPARE = 6, 400
"""Rounds of dropping pieces that cross; the last ones also drop the rarest, but for so many a round that is left."""
LONGEST_PIECE, LONGEST_WORD = 12, 60
_PHRASE = re.compile(
    "##(는|은|한|을|를|의|에|도|수|것|거|지|기|이|가)(영화|작품|드라마|있|없|같|않|대|대한|위|위해|남|안)|##까지도"
)
"""What byte pairs make of phrases that are written without spaces."""
CutWords = Mapping[tuple[str, ...], int]
"""CutWords cut in their parts, with how often they are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """What the pieces are chosen by: `words`, and how each stretch of Hangul is split."""

    words: CutWords
    splits: Mapping[str, tuple[str, ...]]


def normalizer() -> normalizers.Sequence:
    """Return the normaliser: composed Hangul, small Latin letters, plain marks."""
    replaced = [normalizers.Replace(*pair) for pair in PLAIN.items()]
    bert = normalizers.BertNormalizer(lowercase=True, strip_accents=False)
    return normalizers.Sequence([normalizers.NFC(), *replaced, bert])


def make_tokenizer(pieces: Sequence[str]) -> Tokenizer:
    """Return the tokenizer of a vocabulary; the special tokens come first."""
    vocabulary = {piece: number for number, piece in enumerate(dict.fromkeys([*SPECIAL_TOKENS, *pieces]))}
    wordpiece = models.WordPiece(vocab=vocabulary, unk_token=UNKNOWN, max_input_chars_per_word=LONGEST_WORD)
    tokenizer = Tokenizer(wordpiece)
    tokenizer.normalizer = normalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{CLS} $A {SEP}",
        pair=f"{CLS} $A {SEP} $B:1 {SEP}:1",
        special_tokens=[(token, vocabulary[token]) for token in (CLS, SEP)],
    )
    tokenizer.add_special_tokens(list(SPECIAL_TOKENS))
    return tokenizer


def reading_tokenizer(tokenizer: Tokenizer, max_tokens: int) -> PreTrainedTokenizerFast:
    """Return the tokenizer as transformers saves and opens it, its normaliser kept as it is."""
    build: Callable[..., PreTrainedTokenizerFast] = PreTrainedTokenizerFast
    return build(
        tokenizer_object=tokenizer,
        model_max_length=max_tokens,
        clean_up_tokenization_spaces=False,
        pad_token=PAD,
        unk_token=UNKNOWN,
        cls_token=CLS,
        sep_token=SEP,
        mask_token=MASK,
    )


def choose_pieces(text: Text, d_vocab: int = D_VOCAB) -> list[str]:
    """Choose the pieces of a vocabulary, the most used first."""
    letters = _frequent_letters(text.words)
    protected = letters | {*TABLES["always_pieces"]}
    kept = _proposed(text, letters) | protected
    for number in range(ROUNDS):
        right, wrong = count_uses(text.words, kept)
        kept -= {piece for piece in kept - protected if wrong[piece] > CROSSING * right[piece]}
        if number >= ROUNDS // 2:
            room = d_vocab - len(SPECIAL_TOKENS) - len(protected) + SPARE * (ROUNDS - 1 - number)
            others = sorted(kept - protected, key=lambda piece: (-right[piece], piece))
            kept = protected | set(others[:room])
    right, _ = count_uses(text.words, kept)
    return sorted(kept, key=lambda piece: (-right[piece], piece))


def count_uses(words: CutWords, pieces: set[str]) -> tuple[Counter[str], Counter[str]]:
    """Count how often each piece is used within a part of a word, and how often across a border."""
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for parts, count in words.items():
        borders, end = set(), 0
        for part in parts:
            end += len(part)
            borders.add(end)
        for begin, stop, piece in cut_greedily("".join(parts), pieces):
            crosses = any(begin < border < stop for border in borders)
            (wrong if crosses else right)[piece] += count
    return right, wrong


def cut_greedily(word: str, pieces: set[str]) -> list[tuple[int, int, str]]:
    """Return (begin, end, piece) as WordPiece cuts a word; nothing where a letter is unknown."""
    cut: list[tuple[int, int, str]] = []
    begin = 0
    while begin < len(word):
        mark = CONTINUES if begin else ""
        ends = range(min(len(word), begin + LONGEST_PIECE), begin, -1)
        end = next((end for end in ends if mark + word[begin:end] in pieces), None)
        if end is None:
            return []
        cut.append((begin, end, mark + word[begin:end]))
        begin = end
    return cut


def _proposed(text: Text, letters: set[str]) -> set[str]:
    """Return the frequent suffixes, and byte pairs of the stems, but for phrases without spaces."""
    suffixes: Counter[str] = Counter()
    stems: Counter[str] = Counter()
    for parts, count in text.words.items():
        stems[parts[0]] += count
        for part in parts[1:]:
            suffixes[CONTINUES + part] += count
    whole = Counter({"".join(parts): count for parts, count in text.words.items()})
    pieces = {piece for piece, count in suffixes.items() if count >= LEAST_SUFFIX}
    pieces |= set(_merge_stems({stem: count for stem, count in stems.items() if count > 1}))
    pieces -= {*TABLES["never_pieces"]}
    return {
        piece
        for piece in pieces
        if set(_spelled(piece)) <= letters and not _is_run_together(piece, text.splits, stems, whole)
    }


def _merge_stems(stems: Mapping[str, int]) -> list[str]:
    """Learn byte pairs of stems."""
    tokenizer = Tokenizer(models.WordPiece(unk_token=UNKNOWN))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.WordPieceTrainer(vocab_size=PROPOSED_STEMS, show_progress=False, limit_alphabet=4000)
    tokenizer.train_from_iterator((" ".join([stem] * count) for stem, count in sorted(stems.items())), trainer)
    return list(tokenizer.get_vocab())


def _is_run_together(
    piece: str, splits: Mapping[str, tuple[str, ...]], stems: Counter[str], words: Counter[str]
) -> bool:
    """Tell whether a proposed piece is a phrase written without a space: its beginning is a word with a suffix that is
    more frequent than the stem (기억에남), or an adverb (너무재미있)."""
    if piece.startswith(CONTINUES) or len(piece) < 3:
        return bool(_PHRASE.fullmatch(piece))
    if piece.startswith(TABLES["run_together"]) and piece not in words:
        return True
    begins = (piece[:end] for end in range(2, len(piece)))
    return any(len(splits.get(begin, ())) > 1 and words[begin] > stems[piece] for begin in begins)


def _frequent_letters(words: CutWords) -> set[str]:
    counts: Counter[str] = Counter()
    for parts, count in words.items():
        for piece in _spelled("".join(parts)):
            counts[piece] += count
    return {letter for letter, count in counts.items() if count >= LEAST_LETTER}


def _spelled(piece: str) -> Iterator[str]:
    """Yield the pieces of single letters that spell a piece."""
    continues = piece.startswith(CONTINUES) and len(piece) > len(CONTINUES)
    text = piece[len(CONTINUES) :] if continues else piece
    return (letter if number == 0 and not continues else CONTINUES + letter for number, letter in enumerate(text))
