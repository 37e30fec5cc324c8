"""Train an embedded translator on sentences that a grammar makes (docs/parallel.md).

    python -m models.training.embedded.translators es --run runs/translator-es

A stopped run goes on where it was. At the end the checkpoint lies in the run's `model/`, and the exact matches on
sentences whose content was held out are printed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import numpy as np
from tqdm import tqdm
from transformers import PreTrainedTokenizerFast

from models.checkpoints.devices import pick_device
from models.scratch.config import TransformerConfig
from models.training.corpora.vocabulary import cased_wordpiece, words_of, writing_tokenizer
from models.training.sentences.parallel import Language, pairs
from models.training.sentences.parallel.typed import careless
from models.training.tasks.translation import EncodedPairs, TranslationTask, encode_pairs
from models.training.trainer.fit import FitConfig, Progress, fit

PARTICLES = (
    "들에게", "들은", "들이", "들을", "들과", "에서", "에게",
    "은", "는", "이", "가", "을", "를", "에", "와", "과", "로",
)  # fmt: skip
"""The endings of Korean nouns in the grammar, the longest first; 들 marks several."""
STEM_ENDINGS = 2
"""With so many different endings a word comes apart where they begin: nouns, and an adjective here and there."""
PRONOUNS = ("저", "그", "그녀", "우리", "그들")
MAX_TOKENS = 64
LEARNED_SEED, HELD_OUT_SEED = 1, 2
HELD_OUT_PAIRS = 4000


@dataclass(frozen=True, slots=True)
class Sentences:
    """Sources and their targets, line by line."""

    sources: tuple[str, ...]
    targets: tuple[str, ...]


def draw_sentences(language: Language, n: int, *, seed: int, held_out: bool) -> Sentences:
    """`n` different pairs of the grammar."""
    found: dict[str, str] = {}
    for pair in pairs(language, seed, held_out):
        found.setdefault(pair.source, pair.target)
        if len(found) == n:
            break
    return Sentences(tuple(found), tuple(found.values()))


def parallel_tokenizer(sentences: Sentences) -> PreTrainedTokenizerFast:
    """Every word is a piece; a Korean noun and its particle are two. What no sentence had is [UNK]."""
    cut = cased_wordpiece([])
    english = {word for source in sentences.sources for word in words_of(cut, source)}
    english |= {word[0].lower() + word[1:] for word in english}
    written = {word for target in sentences.targets for word in words_of(cut, target)}
    return writing_tokenizer(cased_wordpiece([*sorted(english), *sorted(target_pieces(written))]), MAX_TOKENS)


def target_pieces(words: AbstractSet[str]) -> set[str]:
    """The words, those apart that are a noun with one of the PARTICLES; a particle begins with ##."""
    endings: dict[str, set[str]] = {pronoun: set(PARTICLES) for pronoun in PRONOUNS}
    for stem, particle in filter(None, map(_cut, words)):
        endings.setdefault(stem, set()).add(particle)
    nouns = {stem for stem, found in endings.items() if len(found) >= STEM_ENDINGS}
    parts = {word: _cut(word) for word in words}
    apart = {word: part for word, part in parts.items() if part is not None and part[0] in nouns}
    return (words - apart.keys()) | {piece for stem, particle in apart.values() for piece in (stem, f"##{particle}")}


def _cut(word: str) -> tuple[str, str] | None:
    """A word before and from its particle, if it may end in one."""
    for particle in PARTICLES:
        if word.endswith(particle) and len(word) > len(particle):
            return word.removesuffix(particle), particle
    return None


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=get_args(Language))
    parser.add_argument("--run", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=300_000, help="different pairs to learn from")
    parser.add_argument("--iterations", type=int, default=4000)
    parser.add_argument("--rows", type=int, default=128)
    parser.add_argument("--d-model", type=int, default=192)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--device", default="auto")
    arguments = parser.parse_args()
    task = translation_task(arguments.language, arguments.pairs, d_model=arguments.d_model, layers=arguments.layers)
    config = FitConfig(
        iterations=arguments.iterations, rows=arguments.rows, warmup_iterations=100, log_every=20, snapshots=0
    )
    last: list[Progress] = []
    with tqdm(total=config.iterations, unit="iteration") as bar:

        def watch(progress: Progress) -> None:
            bar.update(progress.iteration - bar.n)
            if progress.held_out:
                bar.set_postfix(loss=f"{progress.loss:.3f}", exact=f"{progress.held_out['exact_match']:.3f}")
                last[:] = [progress]

        fit(arguments.run, task, config, device=pick_device(arguments.device), watch=watch, save_every=120)
    sys.stdout.write(json.dumps([progress.as_line() for progress in last]) + "\n")


def translation_task(language: Language, n_pairs: int, *, d_model: int, layers: int) -> TranslationTask:
    """The task of one language; everything in it follows from the numbers given."""
    learned = draw_sentences(language, n_pairs, seed=LEARNED_SEED, held_out=False)
    unseen = draw_sentences(language, HELD_OUT_PAIRS, seed=HELD_OUT_SEED, held_out=True)
    tokenizer = parallel_tokenizer(learned)
    chance = np.random.default_rng(LEARNED_SEED)
    typed = [careless(source, chance) for source in learned.sources]
    config = TransformerConfig(
        d_vocab=len(tokenizer), d_model=d_model, n_layers=layers, n_heads=d_model // 32, d_ff=4 * d_model,
        max_tokens=MAX_TOKENS, n_segments=0, layer_norm_eps=1e-5,
    )  # fmt: skip
    return TranslationTask(
        config, tokenizer, encoded(tokenizer, typed, learned.targets), encoded(tokenizer, *_both(unseen)),
        source_words=sorted({word.lower() for source in learned.sources for word in _words(tokenizer, source)}),
    )  # fmt: skip


def encoded(tokenizer: PreTrainedTokenizerFast, sources: Sequence[str], targets: Sequence[str]) -> EncodedPairs:
    """Pairs as ids, within the positions of the model."""
    return encode_pairs(tokenizer, sources, targets, max_tokens=MAX_TOKENS)


def _both(sentences: Sentences) -> tuple[Sequence[str], Sequence[str]]:
    return sentences.sources, sentences.targets


def _words(tokenizer: PreTrainedTokenizerFast, source: str) -> list[str]:
    return [word for word in words_of(tokenizer.backend_tokenizer, source) if any(map(str.isalpha, word))]


if __name__ == "__main__":
    main()
