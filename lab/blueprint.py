"""The model of a recipe: its configuration, its parameters counted exactly, and how long an iteration takes here."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from threading import Lock

import torch
from torch import Tensor, nn

from lab.recipe import OPERATIONS, PAIR_TASKS, Body, Cost, Recipe, cost_of
from models.checkpoints.bert import config_from_huggingface
from models.checkpoints.folder import Undrawn, read_config
from models.opening.entries import PRETRAINED, ROOT
from models.scratch.classification import ClassifierModel
from models.scratch.config import TransformerConfig
from models.scratch.encoder_decoder import EncoderDecoder
from models.scratch.gpt import LanguageModel
from models.scratch.pretraining import PretrainingModel
from models.training.trainer.start import fix_below, initialise

LEARNING_LAYERS = 2
"""The last layers of an embedded model that go on learning when a training starts from it; those below stay fixed."""
SECONDS_TO_START = 8.0
"""Until a process has opened torch and learned its vocabulary, on two cores."""
_MEASURED_TOKENS, _MEASURED_LAYERS, _MEASURED_OPERATIONS = 512, 2, 1e10
"""An iteration is timed on at most so much of it, and the rest is counted."""
_REPEATS = 3
_TOKENS_ON_BODY = 32
"""About the length of the longest text of a batch, where texts are reviews: a batch is padded no further."""
_measuring = Lock()


def body_folder(body: Body) -> Path:
    """Return the folder of the embedded model that a training starts from."""
    return ROOT / PRETRAINED / body


@cache
def body_configuration(body: Body) -> TransformerConfig:
    """Return the sizes of the embedded model that a training starts from."""
    return config_from_huggingface(read_config(body_folder(body)))


def configuration(recipe: Recipe, d_vocab: int) -> TransformerConfig:
    """Return the transformer of a recipe, for a vocabulary of `d_vocab` entries: BERT's, GPT-2's or BART's choices."""
    if recipe.body:
        return body_configuration(recipe.body)
    sizes = TransformerConfig(
        d_vocab=d_vocab,
        d_model=recipe.d_model,
        n_layers=recipe.n_layers,
        n_heads=recipe.n_heads,
        d_ff=recipe.d_ff,
        max_tokens=recipe.n_tokens,
    )
    if recipe.task in PAIR_TASKS:
        return replace(sizes, n_segments=0, layer_norm_eps=1e-5)
    if recipe.task == "next":
        return replace(sizes, n_segments=0, layer_norm_eps=1e-5, norm="pre", activation="gelu_tanh")
    return sizes


def count_parameters(recipe: Recipe, d_vocab: int, n_labels: int = 2, *, learning: bool = False) -> int:
    """Return the parameters of the model of a recipe, or those that are `learning`, exactly; nothing is computed and no
    memory taken."""
    with torch.device("meta"), Undrawn():
        weights = _blank(recipe, d_vocab, n_labels).parameters()
        return sum(weight.numel() for weight in weights if weight.requires_grad or not learning)


def estimate(recipe: Recipe, d_vocab: int, n_labels: int = 2, *, threads: int = 1) -> Cost:
    """Estimate the cost of a recipe; its time is measured on a small part of one iteration, with one thread."""
    parameters = count_parameters(recipe, d_vocab, n_labels)
    shape = replace(recipe, name="model", iterations=10, learning_rate=1e-3, seed=0, snapshots=2)
    seconds = (
        _seconds_per_iteration(shape, d_vocab, n_labels) / max(threads, 1) ** 0.7
    )  # threads wait for each other, too
    return cost_of(
        recipe,
        parameters=parameters,
        seconds_per_iteration=seconds,
        seconds_to_start=SECONDS_TO_START,
        learning=count_parameters(recipe, d_vocab, n_labels, learning=True),
    )


def _blank(recipe: Recipe, d_vocab: int, n_labels: int) -> nn.Module:
    config = configuration(recipe, d_vocab)
    if recipe.task in PAIR_TASKS:
        return EncoderDecoder(config)
    if recipe.task == "next":
        return LanguageModel(config)
    if recipe.task in {"labels", "words"}:
        model = ClassifierModel(
            config, tuple(map(str, range(n_labels))), of="text" if recipe.task == "labels" else "tokens"
        )
        if recipe.body:
            fix_below(model.encoder, n_learning=LEARNING_LAYERS)
        return model
    return PretrainingModel(config)


@lru_cache(maxsize=256)
def _seconds_per_iteration(recipe: Recipe, d_vocab: int, n_labels: int) -> float:
    """Time a few rows through a few layers, forward, backward and AdamW, and scale by what was left out."""
    layers = recipe.n_layers if recipe.body else min(recipe.n_layers, _MEASURED_LAYERS)
    recipe = replace(recipe, n_tokens=min(recipe.n_tokens, _TOKENS_ON_BODY)) if recipe.body else recipe
    whole, part = (count_parameters(replace(recipe, n_layers=n), d_vocab, n_labels) for n in (recipe.n_layers, layers))
    tokens = min(_MEASURED_TOKENS, int(_MEASURED_OPERATIONS / (OPERATIONS * part)))
    small = replace(recipe, n_layers=layers, rows=max(2, min(recipe.rows, tokens // recipe.n_tokens)))
    with _measuring:
        torch.set_num_threads(1)
        model = _blank(small, d_vocab, n_labels)
        initialise(model, seed=0)  # large weights would make numbers so small that processors compute them slowly
        optimizer = torch.optim.AdamW(model.parameters(), fused=True)
        iteration = _iteration_of(small, model, optimizer)
        iteration()  # the first one also sets everything up
        seconds = min(_measure_seconds(iteration) for _ in range(_REPEATS))
    return seconds * whole / part * recipe.rows / small.rows


def _measure_seconds(iteration: Callable[[], None]) -> float:
    begun = time.perf_counter()
    iteration()
    return time.perf_counter() - begun


def _iteration_of(recipe: Recipe, model: nn.Module, optimizer: torch.optim.Optimizer) -> Callable[[], None]:
    ids = torch.ones((recipe.rows, recipe.n_tokens), dtype=torch.long)  # [b, n_tokens]

    def iteration() -> None:
        with torch.enable_grad():
            torch.autograd.backward(_some_number(model, ids))
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    return iteration


def _some_number(model: nn.Module, ids: Tensor) -> Tensor:
    """Return a scalar on which every part of the model has its share, as a loss has."""
    output = model(ids, ids) if isinstance(model, EncoderDecoder) else model(ids)
    parts: tuple[Tensor, ...]
    if isinstance(model, PretrainingModel):
        parts = output.mlm, output.nsp
    elif isinstance(model, ClassifierModel):
        parts = (output.text_labels if model.of == "text" else output.token_labels,)
    else:
        parts = (output.logits,)
    return torch.stack([part.logsumexp(dim=-1).mean() for part in parts]).sum()
