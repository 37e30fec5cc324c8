"""A WordPiece vocabulary and the tokenizer files that transformers opens (Wu et al. 2016; Devlin et al. 2018)."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import BertTokenizer, PreTrainedTokenizerFast

PAD, UNKNOWN, CLS, SEP, MASK = SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
PAD_ID, CLS_ID, SEP_ID, MASK_ID = (SPECIAL_TOKENS.index(token) for token in (PAD, CLS, SEP, MASK))


@dataclass(frozen=True, slots=True)
class SpecialIds:
    """Where the special tokens stand in a vocabulary. Text begins at `first_piece`: what stands before it, special
    tokens and free places, is never masked and never put in for a piece."""

    cls: int = CLS_ID
    sep: int = SEP_ID
    mask: int = MASK_ID
    first_piece: int = len(SPECIAL_TOKENS)


OWN_SPECIALS = SpecialIds()
"""Those of a vocabulary that `train_wordpiece` has learned."""
_PLAIN = {"’": "'", "‘": "'", "“": '"', "”": '"'}
_CLOSING, _OPENING = ".,;:!?)", "¿¡("
"""Marks that stand at the word before them, or after them, when pieces become a text again."""


def train_wordpiece(sentences: Iterable[str], d_vocab: int) -> Tokenizer:
    """Learn `d_vocab` lower-case word pieces; the special tokens come first, so [PAD] is 0 and [MASK] is 4."""
    tokenizer = Tokenizer(models.WordPiece(unk_token=UNKNOWN))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    trainer = trainers.WordPieceTrainer(
        vocab_size=d_vocab, special_tokens=list(SPECIAL_TOKENS), limit_alphabet=200, show_progress=False
    )
    tokenizer.train_from_iterator(sentences, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{CLS} $A {SEP}",
        pair=f"{CLS} $A {SEP} $B:1 {SEP}:1",
        special_tokens=[(token, tokenizer.token_to_id(token)) for token in (CLS, SEP)],
    )
    return tokenizer


def save_tokenizer(tokenizer: Tokenizer, folder: Path, max_tokens: int) -> None:
    """Write tokenizer.json and its configuration, for `transformers.AutoTokenizer`."""
    BertTokenizer(vocab=tokenizer.get_vocab(), model_max_length=max_tokens).save_pretrained(folder)


def train_cased_wordpiece(sentences: Iterable[str], d_vocab: int) -> Tokenizer:
    """Learn word pieces that keep capitals and accents, for a model that writes; ids of special tokens as above."""
    tokenizer = _build_tokenizer(models.WordPiece(unk_token=UNKNOWN))
    trainer = trainers.WordPieceTrainer(
        vocab_size=d_vocab, special_tokens=list(SPECIAL_TOKENS), limit_alphabet=1000, show_progress=False
    )
    tokenizer.train_from_iterator(sentences, trainer)
    return tokenizer


def spelling_wordpiece(
    sentences: Sequence[str], d_vocab: int, letters: Iterable[str] = "", kept: Sequence[str] = ()
) -> Tokenizer:
    """Learn cased word pieces with which no word of ASCII and these `letters` is unknown: each of them is a piece, at
    the beginning of a word and inside. The pieces that are `kept` are among them.

    What a telephone types for an apostrophe or a quotation mark is read as the plain one.
    """
    alphabet = sorted({*string.ascii_letters, *string.digits, *letters})
    spelled = [*string.punctuation, *alphabet, *(f"##{letter}" for letter in alphabet)]
    plain = normalizers.Sequence([normalizers.NFC(), *(normalizers.Replace(*pair) for pair in _PLAIN.items())])
    trained = train_cased_wordpiece((plain.normalize_str(sentence) for sentence in sentences), d_vocab).get_vocab()
    first = dict.fromkeys([*spelled, *(piece for piece in kept if piece not in SPECIAL_TOKENS)])
    longer = sorted(trained.keys() - {*first, *SPECIAL_TOKENS}, key=lambda piece: trained[piece])
    tokenizer = cased_wordpiece([*first, *longer][: d_vocab - len(SPECIAL_TOKENS)])
    tokenizer.normalizer = plain
    return tokenizer


def cased_wordpiece(pieces: Iterable[str]) -> Tokenizer:
    """The same with a vocabulary that is given, special tokens apart."""
    spelled = dict.fromkeys([*SPECIAL_TOKENS, *pieces])
    vocabulary = {piece: number for number, piece in enumerate(spelled)}
    return _build_tokenizer(models.WordPiece(vocab=vocabulary, unk_token=UNKNOWN))


def grown_wordpiece(given: Tokenizer, sentences: Iterable[str]) -> Tokenizer:
    """A cased vocabulary with all its pieces where they are, and those letters of the sentences that it lacks behind
    them, each at the beginning of a word and inside."""
    ids = given.get_vocab()
    letters = {letter for sentence in sentences for letter in given.normalizer.normalize_str(sentence)}
    spelled = [form for letter in sorted(letters) if letter.isalpha() for form in (letter, f"##{letter}")]
    pieces = [piece for piece in sorted(ids, key=ids.__getitem__) if piece not in SPECIAL_TOKENS]
    tokenizer = cased_wordpiece([*pieces, *spelled])
    tokenizer.normalizer = given.normalizer
    return tokenizer


def special_ids(tokenizer: Tokenizer) -> SpecialIds:
    """Those of a WordPiece vocabulary, learned here or elsewhere: BERT's has [CLS] at 101 and text from 999 on.

    Raises ValueError for a vocabulary in which 0 is not [PAD], by which batches tell their padding.
    """
    if tokenizer.token_to_id(PAD) != 0:
        raise ValueError(f"{PAD} has the id {tokenizer.token_to_id(PAD)}, expected 0.")
    ids = tokenizer.get_vocab()
    marks = [token_id for piece, token_id in ids.items() if len(piece) > 2 and piece[0] + piece[-1] == "[]"]
    return SpecialIds(cls=ids[CLS], sep=ids[SEP], mask=ids[MASK], first_piece=max(marks) + 1)


def writing_tokenizer(tokenizer: Tokenizer, max_tokens: int) -> PreTrainedTokenizerFast:
    """The tokenizer of an encoder-decoder: a text ends with [SEP], and nothing stands before it."""
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"$A {SEP}", special_tokens=[(SEP, tokenizer.token_to_id(SEP))]
    )
    return _fast(tokenizer, max_tokens)


def continuing_tokenizer(tokenizer: Tokenizer, max_tokens: int) -> PreTrainedTokenizerFast:
    """The tokenizer of a causal model: [CLS] comes first, so that the first word has something before it."""
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{CLS} $A", special_tokens=[(CLS, tokenizer.token_to_id(CLS))]
    )
    return _fast(tokenizer, max_tokens)


def _fast(tokenizer: Tokenizer, max_tokens: int) -> PreTrainedTokenizerFast:
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
        bos_token=CLS,
        eos_token=SEP,
    )


def _build_tokenizer(model: models.WordPiece) -> Tokenizer:
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    joined = [decoders.WordPiece(cleanup=False), decoders.Fuse()]
    before = [decoders.Replace(f" {mark}", mark) for mark in _CLOSING]
    after = [decoders.Replace(f"{mark} ", mark) for mark in _OPENING]
    tokenizer.decoder = decoders.Sequence([*joined, *before, *after])
    return tokenizer
