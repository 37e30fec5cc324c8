"""Pairs that a translator makes for itself: English sentences of the collection for another language, with what it
finds likeliest all together (He et al. 2020, "Revisiting Self-Training for Neural Sequence Generation"; Finkelstein &
Freitag 2023, "MBR and QE Finetuning").

    python -m recipes.translators.self_made ko --checkpoint models/pretrained/translator-ko
        --parallel ../shared/parallel --out RUN/self-made.tsv

Writes source, target and expected chrF, a line for each sentence of which the checkpoint knows all words and which it
does not call unlike what it has learned. A sentence that is held out for the language is never among them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor
from tqdm import tqdm
from transformers import PreTrainedTokenizerBase

from models.checkpoints.bart import load_bart
from models.scratch.encoder_decoder import EncoderDecoder
from models.text.source_words import words_as_read
from models.text.tokenizer.files import open_tokenizer
from models.training.corpora.learned_sources import LearnedSources, as_sources, read_learned_sources
from models.training.corpora.vocabulary import SEP_ID
from models.training.trainer.optimizers import has_fast_bfloat16
from recipes.corpora.pairs import FILES, HELD_OUT, collection, read_pairs
from recipes.evaluation.translation.consensus import expected_chrf
from recipes.evaluation.translation.everyday import MOST_WORDS
from recipes.sentences.everyday import is_held_out
from recipes.sentences.parallel import Language
from recipes.translators.sampled import sampled_targets

READ_FOR: dict[Language, Language] = {"es": "ko", "ko": "es"}
"""The English sentences that were collected with translations to another language."""
CANDIDATES = 16
ROWS = 512
"""Candidates that are written at once."""
MORE_THAN_SOURCE, MOST_TOKENS = 12, 40
"""A candidate ends after so many tokens more than its source has, and after MOST_TOKENS."""
SEED = 11


@dataclass(frozen=True, slots=True, kw_only=True)
class Translator:
    """A checkpoint that writes, and what it says of the sources that it has learned from."""

    model: EncoderDecoder
    tokenizer: PreTrainedTokenizerBase
    sources: LearnedSources


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfMade:
    """A pair that a translator made, and how much its candidates agree with its target, 0 to 1."""

    source: str
    target: str
    agreement: float


def open_translator(folder: Path) -> Translator:
    """The checkpoint of an embedded translator. Raises FileNotFoundError if it does not say what it has learned."""
    model = load_bart(folder).eval()
    d_vocab = model.config.d_vocab
    tokenizer = open_tokenizer(folder, name=folder.name, d_vocab=d_vocab)
    return Translator(model=model, tokenizer=tokenizer, sources=read_learned_sources(folder, d_vocab))


def asked_sources(translator: Translator, parallel: Path, language: Language) -> list[str]:
    """English sentences without a translation to the language, inside of what the translator has learned."""
    translated = {sentence.source for sentence in collection(parallel, language).learned}
    return [
        sentence.source
        for sentence in read_pairs(parallel / FILES[READ_FOR[language]])
        if sentence.n_words <= MOST_WORDS
        and sentence.source not in translated
        and not is_held_out(sentence.source, HELD_OUT[language])
        and is_inside(translator, sentence.source)
    ]


def is_inside(translator: Translator, source: str) -> bool:
    """Whether nothing would be said before the translation: all words are known, and the sentence is like others."""
    cutter, known = translator.tokenizer.backend_tokenizer, translator.sources
    words = [word for word in words_as_read(cutter, source) if any(map(str.isalpha, word))]
    (ids,) = as_sources([source], cutter)
    return known.words.issuperset(words) and known.bigrams.bits(ids) <= known.bigrams.limit


def self_made(translator: Translator, sources: Iterable[str], *, n: int = CANDIDATES) -> Iterator[SelfMade]:
    """Each source with that of `n` sampled translations which is most like the others, in an order of its own."""
    random = torch.Generator().manual_seed(SEED)
    cutter = translator.tokenizer.backend_tokenizer
    quickly = torch.autocast("cpu", torch.bfloat16, enabled=has_fast_bfloat16(torch.device("cpu")))
    for batch in batches(list(sources), cutter, max(1, ROWS // n)):
        source = torch.tensor(list(as_sources(batch, cutter)))  # [b, n_source]
        n_new = min(MOST_TOKENS, source.shape[1] + MORE_THAN_SOURCE)
        with quickly:
            written = sampled_targets(translator.model, source, n, n_new=n_new, random=random)  # [b * n, n_new]
        for text, candidates in zip(batch, written.view(len(batch), n, -1), strict=True):
            yield from _most_alike(text, candidates[(candidates == SEP_ID).any(dim=1)], translator.tokenizer)


def batches(sources: Sequence[str], cutter: Tokenizer, size: int) -> Iterator[list[str]]:
    """The sources in batches of equal length, so that nothing is padding; the lengths mixed."""
    by_length: dict[int, list[str]] = {}
    for source, ids in zip(sources, as_sources(sources, cutter), strict=True):
        by_length.setdefault(len(ids), []).append(source)
    found = [alike[at : at + size] for alike in by_length.values() for at in range(0, len(alike), size)]
    for at in np.random.default_rng(SEED).permutation(len(found)).tolist():
        yield found[at]


def _most_alike(source: str, candidates: Tensor, tokenizer: PreTrainedTokenizerBase) -> Iterator[SelfMade]:
    """The best of those that have ended; of less than two there is none."""
    texts = tokenizer.batch_decode(candidates, skip_special_tokens=True)
    if len(texts) > 1:
        agreement = expected_chrf(texts)  # [n]
        best = int(agreement.argmax())
        yield SelfMade(source=source, target=texts[best], agreement=float(agreement[best]))


def write_self_made(file: Path, pairs: Iterable[SelfMade]) -> None:
    """Write a line for each, as they come."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", encoding="utf-8") as lines:
        for pair in pairs:
            lines.write(f"{pair.source}\t{pair.target}\t{pair.agreement:.3f}\n")


def read_self_made(file: Path, least: float = 0.0) -> list[tuple[str, str]]:
    """The pairs of such a file whose candidates agree at least so much."""
    rows = (line.split("\t") for line in file.read_text(encoding="utf-8").splitlines())
    return [(source, target) for source, target, agreement in rows if float(agreement) >= least]


def main() -> None:
    """Read the command line and translate."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=get_args(Language))
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--parallel", type=Path, required=True, help="folder with the everyday sentences")
    parser.add_argument("--out", type=Path, required=True, help="file to be written")
    arguments = parser.parse_args()
    translator = open_translator(arguments.checkpoint)
    sources = asked_sources(translator, arguments.parallel, arguments.language)
    write_self_made(arguments.out, tqdm(self_made(translator, sources), total=len(sources), unit="sentence"))


if __name__ == "__main__":
    main()
