"""A WordPiece vocabulary and the tokenizer files that transformers opens (Wu et al. 2016; Devlin et al. 2018)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import BertTokenizer

PAD, UNKNOWN, CLS, SEP, MASK = SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


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
