"""The head of a translator's card: what it is, what it saw, how it was trained. What was measured follows
(`recipes/evaluation/translation/report.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from safetensors.torch import load_file

from models.checkpoints.card import FILE
from models.checkpoints.folder import WEIGHTS
from models.training.tasks.translation import TranslationTask
from models.training.trainer.fit import FitConfig, Progress
from recipes.translators.of_collection import CollectionPlan
from recipes.translators.typed_pairs import PairGroup, TypedPairs

LANGUAGES = {"es": "Spanish", "ko": "Korean"}


def write_head(
    folder: Path, plan: CollectionPlan, task: TranslationTask, config: FitConfig, reached: Progress, *, processes: int
) -> None:
    """Write README.md beside a checkpoint."""
    groups = task.learned.groups if isinstance(task.learned, TypedPairs) else ()
    words = {word.casefold() for word in task.sources.words} if task.sources else set()
    parts = (
        _yaml(plan, len(words)),
        _what(plan, task, folder / WEIGHTS),
        _saw(plan, groups, len(words)),
        _trained(plan, config, reached, processes),
    )
    (folder / FILE).write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _yaml(plan: CollectionPlan, n_words: int) -> str:
    made_for = (
        f"translating short everyday sentences from English to {LANGUAGES[plan.language]}; it has read {n_words:,} "
        "English words"
    )
    return "\n".join(
        (
            "---",
            f"language: [en, {plan.language}]",
            "license: apache-2.0",
            "pipeline_tag: translation",
            f'made_for: "{made_for}"',
            "---",
        )
    )


def _what(plan: CollectionPlan, task: TranslationTask, weights: Path) -> str:
    config = task.model.config
    n_parameters = sum(weight.numel() for weight in load_file(weights).values())
    layers = f"{config.n_layers} + {config.n_layers} × {config.n_heads} × {config.d_model}"
    return f"""# translator-{plan.language}

English to {LANGUAGES[plan.language]}, for short everyday sentences: an encoder and a decoder to look into, trained for
this app. It opens in our scratch encoder-decoder and with `transformers.BartForConditionalGeneration`; both give the
same numbers.

| | |
| --- | --- |
| layers × heads × d_model | {layers}, d_ff {config.d_ff}, post-LN, GELU, learned positions |
| vocabulary | {config.d_vocab:,} pieces of both languages, with capitals and accents; any English word can be spelled |
| longest text | {config.max_tokens} tokens on either side |
| parameters | {n_parameters:,}, half precision, {weights.stat().st_size / 1e6:.1f} MB |"""


def _saw(plan: CollectionPlan, groups: Sequence[PairGroup], n_words: int) -> str:
    names = (
        "everyday sentences",
        "the grammar ([docs/parallel.md](../../../docs/parallel.md))",
        "everyday sentences made by rule",
        "everyday sentences written by hand",
        "everyday sentences as it has translated them itself",
    )
    rows = "\n".join(
        f"| {name} | {len(group.sources):,} | {group.share / sum(each.share for each in groups):.0%} |"
        for name, group in zip(names, groups, strict=False)
    )
    start = f"\n\nIts weights set out from those of `{plan.start.name}`." if plan.start else ""
    return f"""## What it saw

| | pairs | of every batch |
| --- | --- | --- |
{rows}

The everyday sentences are from the Tatoeba Project (tatoeba.org) as collected by www.manythings.org/anki, licence
[CC BY 2.0 FR](https://creativecommons.org/licenses/by/2.0/fr/). All sources together have {n_words:,} different English
words. Each time a source is read it is typed anew: in small letters, in capitals, without its last mark. Some sentences
were held out with all their translations ([docs/translators.md](../../../docs/translators.md)).{start}

It has learned from short sentences about everyday things. A sentence unlike those, and a word that it has never read,
are announced before the translation (`source-bigrams.safetensors`, `source-words.txt`)."""


def _trained(plan: CollectionPlan, config: FitConfig, reached: Progress, processes: int) -> str:
    return f"""## How it was trained

{reached.iteration:,} iterations of {config.rows} pairs, {reached.tokens / 1e6:.1f} million pieces read in
{reached.seconds / 60:.0f} minutes by {processes} {"process" if processes == 1 else "processes"}. Muon for the matrices
inside the layers and AdamW for the rest, {config.learning_rate:g} after {config.warmup_iterations} iterations, falling
to 0 over the last {config.decay:.0%}; dropout {plan.dropout:g}, label smoothing {plan.smoothing:g}; {plan.dropped:.0%}
of the words cut into other pieces than usual.

```
python -m recipes.translators.train {plan.language} --run RUN --parallel ../shared/parallel \\
    --processes {processes} --iterations {config.iterations}
```
"""
