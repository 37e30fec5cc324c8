"""What a translator learns from everyday sentences (docs/translators.md): which ones, in which shares, cut into pieces.

Sennrich & Zhang 2019, "Revisiting Low-Resource Neural Machine Translation": few pieces, much dropout, label smoothing
where there are few pairs. Zoph et al. 2016: where there are very few, set out from the translator of another language.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from models.checkpoints.bart import load_bart
from models.checkpoints.card import read_card
from models.scratch.config import TransformerConfig
from models.scratch.encoder_decoder import EncoderDecoder
from models.text.tokenizer.files import open_tokenizer
from models.training.corpora.learned_sources import learned_sources, read_learned_sources
from models.training.corpora.vocabulary import grown_wordpiece, spelling_wordpiece, writing_tokenizer
from models.training.tasks.translation import TranslationTask, encode_pairs
from models.training.trainer.fit import FitConfig
from recipes.corpora.pairs import FILES, HELD_OUT, PairCollection, Translated, collection, read_pairs
from recipes.sentences.everyday import is_held_out
from recipes.sentences.korean import everyday_pairs
from recipes.sentences.korean.written import written_pairs
from recipes.sentences.parallel import Language
from recipes.sentences.parallel.typed import forms_of, in_any_case
from recipes.translators.of_grammar import MAX_TOKENS, draw_sentences
from recipes.translators.self_made import read_self_made
from recipes.translators.typed_pairs import PairGroup, TypedPairs, WordCutter

TOKENIZER = "tokenizer.json"
SOURCES = "sources"
LETTERS = {"es": "áéíóúüñÁÉÍÓÚÜÑ¿¡", "ko": ""}
"""Beside ASCII, those with which no word may be unknown."""
GENERATED = "generated.tsv"
GRAMMAR_SEED, GENERATED_SEED, TYPED_SEED = 1, 7, 5
GIVEN: Language = "es"
"""The language of the translator that another one sets out from: of its sentences there are most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionPlan:
    """How the translator to one language is trained. `parallel` is the folder of the collection."""

    language: Language
    config: FitConfig
    parallel: Path = field(default_factory=Path)
    start: Path | None = None
    d_vocab: int = 6000
    d_model: int = 256
    n_layers: int = 3
    n_heads: int = 8
    d_ff: int = 640
    dropout: float = 0.1
    smoothing: float = 0.1
    dropped: float = 0.05
    """Of the words, those that are cut differently each time."""
    grammar: float = 0.08
    """Of a batch, the pairs of the grammar."""
    grammar_pairs: int = 30_000
    """So many of them, again and again: enough to learn its forms by."""
    generated: float = 0.0
    """Of a batch, the pairs of everyday sentences that are made by rule."""
    generated_pairs: int = 0
    written: float = 0.0
    """Of a batch, the pairs that were written by hand for words which the others show seldom."""
    self_made: Path | None = None
    """The file of the pairs that a translator has made for itself (self_made.py)."""
    repeated: float = 0.25
    """Of a batch, those pairs, in the place of as many made by rule."""
    agreement: float = 0.55
    """The expected chrF from which on such a pair is learned."""
    parts: int = 6
    """Into so many of like length an iteration is sorted."""


PLANS: dict[Language, CollectionPlan] = {
    "es": CollectionPlan(
        language="es",
        config=FitConfig(
            iterations=5000,
            rows=512,
            warmup_iterations=300,
            decay=0.5,
            log_every=20,
            measurements=30,
            learning_rate=2e-3,
        ),
    ),
    "ko": CollectionPlan(
        language="ko",
        config=FitConfig(
            iterations=1100,
            rows=512,
            warmup_iterations=60,
            decay=0.7,
            log_every=20,
            measurements=22,
            learning_rate=1.2e-3,
        ),
        d_vocab=7000,
        dropout=0.2,
        dropped=0.15,
        grammar=0.05,
        generated=0.45,
        generated_pairs=200_000,
        written=0.05,
    ),
}


def prepare(folder: Path, plan: CollectionPlan) -> None:
    """Learn the vocabulary, once, and write down what is learned from: two learnings of one text differ in ties."""
    if (folder / TOKENIZER).exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    _generate(folder / GENERATED, plan)
    split = collection(plan.parallel, plan.language)
    groups = learned_groups(folder, split, replace(plan, self_made=None))
    tokenizer = vocabulary(groups, plan)
    chance = np.random.default_rng(TYPED_SEED)
    sources = [source for group in groups for source in dict.fromkeys(group.sources)]
    typed = [*sources, *(in_any_case(source, chance) for source in sources)]
    unseen = [sentence.source for sentence in split.chosen]
    learned_sources(typed, unseen, tokenizer, forms_of).save(folder / SOURCES)
    tokenizer.save(str(folder / TOKENIZER))


def _generate(file: Path, plan: CollectionPlan) -> None:
    """Write the pairs that are made by rule, of which none has a sentence that is held out."""
    found: dict[str, str] = {}
    if plan.generated_pairs:
        for source, target in everyday_pairs(GENERATED_SEED):
            if len(found) == plan.generated_pairs:
                break
            if not is_held_out(source, HELD_OUT[plan.language]):
                found.setdefault(source, target)
    file.write_text("".join(f"{source}\t{target}\n" for source, target in found.items()), encoding="utf-8")


def learned_groups(folder: Path, split: PairCollection, plan: CollectionPlan) -> list[PairGroup]:
    """What a batch is drawn from: the collection, the grammar, what was made by rule and by hand, and by itself."""
    made = draw_sentences(plan.language, plan.grammar_pairs, seed=GRAMMAR_SEED, held_out=False)
    kept = [
        pair
        for pair in zip(made.sources, made.targets, strict=True)
        if not is_held_out(pair[0], HELD_OUT[plan.language])
    ]
    repeated = 0.0 if plan.self_made is None else plan.repeated
    share = 1 - plan.grammar - plan.generated - plan.written
    groups = [_group(split.learned, share), _lines(kept, plan.grammar)]
    if plan.generated_pairs:
        rows = (line.split("\t") for line in (folder / GENERATED).read_text(encoding="utf-8").splitlines())
        groups.append(_lines([(source, target) for source, target in rows], plan.generated - repeated))
    if plan.written:
        free = [pair for pair in written_pairs() if not is_held_out(pair[0], HELD_OUT[plan.language])]
        groups.append(_lines(free, plan.written))
    if plan.self_made is not None:
        groups.append(_lines(read_self_made(plan.self_made, plan.agreement), repeated))
    return groups


def vocabulary(groups: Sequence[PairGroup], plan: CollectionPlan) -> Tokenizer:
    """The pieces of both languages, learned from the collection and as much of what else there is.

    A translator that sets out from another one keeps the pieces that English has there, and learns those of its own
    language; one that goes on with its own keeps them all.
    """
    most = len(groups[0].sources)
    sources, targets = ([text for group in groups for text in side(group)[:most]] for side in (_sources, _targets))
    if plan.start is None:
        return spelling_wordpiece([*sources, *targets], plan.d_vocab, LETTERS[plan.language])
    given = Tokenizer.from_file(str(plan.start / TOKENIZER))
    if read_card(plan.start).languages[-1:] == (plan.language,):
        return grown_wordpiece(given, [text for group in groups for text in group.targets])
    read = [*sources, *(sentence.source for sentence in read_pairs(plan.parallel / FILES[GIVEN]))]
    kept = {piece for encoded in given.encode_batch(read, add_special_tokens=False) for piece in encoded.tokens}
    in_order = sorted(kept, key=given.get_vocab().__getitem__)
    return spelling_wordpiece(targets, plan.d_vocab, LETTERS[plan.language], kept=in_order)


def _sources(group: PairGroup) -> Sequence[str]:
    return group.sources


def _targets(group: PairGroup) -> Sequence[str]:
    return group.targets


def collection_task(folder: Path, plan: CollectionPlan) -> TranslationTask:
    """The task of a run that was prepared."""
    tokenizer = writing_tokenizer(Tokenizer.from_file(str(folder / TOKENIZER)), MAX_TOKENS)
    split = collection(plan.parallel, plan.language)
    cutter = WordCutter(tokenizer.backend_tokenizer, plan.dropped)
    unseen = _group(split.chosen, 1.0)
    task = TranslationTask(
        configuration(plan, len(tokenizer)),
        tokenizer,
        TypedPairs(learned_groups(folder, split, plan), cutter, in_any_case, max_tokens=MAX_TOKENS),
        encode_pairs(tokenizer, unseen.sources, unseen.targets, max_tokens=MAX_TOKENS),
        sources=read_learned_sources(folder / SOURCES, len(tokenizer)),
        smoothing=plan.smoothing,
        parts=plan.parts,
    )
    if plan.start is not None:
        set_out_from(plan.start, task.model, tokenizer.get_vocab())
    return task


def set_out_from(folder: Path, model: EncoderDecoder, pieces: Mapping[str, int]) -> None:
    """Take over what another translator has learned: all weights, and the embeddings of the pieces that both know (Zoph
    et al. 2016, section 3). Raises ValueError for one of other sizes."""
    given = load_bart(folder)
    for size in ("d_model", "n_layers", "n_heads", "d_ff", "max_tokens"):
        there, here = getattr(given.config, size), getattr(model.config, size)
        if there != here:
            raise ValueError(f"{size} of {folder.name} is {there}, expected {here}.")
    known = open_tokenizer(folder, name=folder.name, d_vocab=given.config.d_vocab).get_vocab()
    shared = [(at, known[piece]) for piece, at in pieces.items() if piece in known]
    ours, theirs = (torch.tensor(ids) for ids in zip(*shared, strict=True))  # [n_shared], [n_shared]
    embeddings = model.encoder.embeddings.token.weight
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if weight is not embeddings:
                weight.copy_(given.get_parameter(name))
        embeddings[ours] = given.encoder.embeddings.token.weight[theirs]


def configuration(plan: CollectionPlan, d_vocab: int) -> TransformerConfig:
    """The transformer of a plan, in the layout of BART."""
    return TransformerConfig(
        d_vocab=d_vocab,
        d_model=plan.d_model,
        n_layers=plan.n_layers,
        n_heads=plan.n_heads,
        d_ff=plan.d_ff,
        max_tokens=MAX_TOKENS,
        n_segments=0,
        layer_norm_eps=1e-5,
        dropout=plan.dropout,
    )


def _lines(pairs: Sequence[tuple[str, str]], share: float) -> PairGroup:
    sources, targets = zip(*pairs, strict=True)
    return PairGroup(sources=sources, targets=targets, share=share)


def _group(sentences: Sequence[Translated], share: float) -> PairGroup:
    """A line for every translation."""
    pairs = [(sentence.source, target) for sentence in sentences for target in sentence.targets]
    sources, targets = zip(*pairs, strict=True)
    return PairGroup(sources=sources, targets=targets, share=share)
