"""A checkpoint on disk in the layout of a Hugging Face BERT: config.json and model.safetensors.

The same folder opens here and with the class of transformers that its configuration names (BertForPreTraining,
BertForSequenceClassification, BertForTokenClassification). Only our names change, never a number. A classifier that
takes the mean over the words has no class there: the folder names BertModel, and its weights on top have names that no
class takes for those that read [CLS].

A folder may come from a stranger: what its configuration says is held against its weights before anything is built.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import torch
from safetensors import safe_open
from torch import Tensor

from models.checkpoints import folder as files
from models.scratch.classification import ClassifierModel, Labelled, Pooling, Problem
from models.scratch.config import TransformerConfig
from models.scratch.pretraining import PretrainingModel
from models.values.wording import to_say

_OUTER = {
    "encoder.embeddings.token.weight": "bert.embeddings.word_embeddings.weight",
    "encoder.embeddings.position.weight": "bert.embeddings.position_embeddings.weight",
    "encoder.embeddings.segment.weight": "bert.embeddings.token_type_embeddings.weight",
    "mlm.unembed.bias": "cls.predictions.bias",
}
_OUTER_MODULES = {
    "encoder.embeddings.norm": "bert.embeddings.LayerNorm",
    "mlm.transform": "cls.predictions.transform.dense",
    "mlm.norm": "cls.predictions.transform.LayerNorm",
    "nsp.pooler": "bert.pooler.dense",
    "nsp.classifier": "cls.seq_relationship",
}
_CLASSIFIER_MODULES: dict[Pooling, dict[str, str]] = {
    "cls": {"classifier.pooler": "bert.pooler.dense", "classifier.classifier": "classifier"},
    "mean": {"classifier.pooler": "mean_classifier.pooler", "classifier.classifier": "mean_classifier.classifier"},
}
_LAYER_MODULES = {
    "attention.query": "attention.self.query",
    "attention.key": "attention.self.key",
    "attention.value": "attention.self.value",
    "attention.output": "attention.output.dense",
    "attention_norm": "attention.output.LayerNorm",
    "feed_forward.expand": "intermediate.dense",
    "feed_forward.contract": "output.dense",
    "feed_forward_norm": "output.LayerNorm",
}
_TIED = "mlm.unembed.weight"
"""The output matrix of the MLM head is the token embedding itself, and is not written twice."""
_COPIES = {
    "cls.predictions.decoder.weight": "bert.embeddings.word_embeddings.weight",
    "cls.predictions.decoder.bias": "cls.predictions.bias",
}
"""Weights that some files hold twice, and the names of their originals."""
_PRETRAINING = "BertForPreTraining"
_BODY = "BertModel"
_POOLING, _LEFT_OUT = "classifier_pooling", "classifier_left_out"
"""Fields of ours in config.json, the first by the name that ModernBERT has for it."""
MOST_LEFT_OUT = 16
_CLASSIFIERS: dict[str, Labelled] = {
    "BertForSequenceClassification": "text",
    "BertForTokenClassification": "tokens",
}
_WHOLE_NAMES = ("bert.", "cls.", "classifier.", "mean_classifier.")
_EXPECTED = to_say("a BERT that the scratch encoder can open")
_LAYER = re.compile(r"(?:bert\.)?encoder\.layer\.(\d+)\.")


def huggingface_names(n_layers: int, pooling: Pooling = "cls") -> dict[str, str]:
    """Our name of every weight -> its name in a Hugging Face BERT."""
    modules = (
        _OUTER_MODULES
        | _CLASSIFIER_MODULES[pooling]
        | {
            f"encoder.layers.{layer}.{ours}": f"bert.encoder.layer.{layer}.{theirs}"
            for layer in range(n_layers)
            for ours, theirs in _LAYER_MODULES.items()
        }
    )
    parts = ("weight", "bias")
    return _OUTER | {f"{ours}.{part}": f"{theirs}.{part}" for ours, theirs in modules.items() for part in parts}


def load_checkpoint(folder: Path) -> PretrainingModel:
    """Open a BERT from a folder, in float32, ready for inference, with those of its MLM and NSP heads that it has.

    Raises ModelLoadError if a file is missing or broken, if the two contradict each other, or if it is not a BERT.
    """
    return files.open_folder(folder, _pretraining_model, expected=_EXPECTED)


def load_bert(folder: Path) -> PretrainingModel | ClassifierModel:
    """As `load_checkpoint`, but a classifier if the configuration says so. Raises ModelLoadError."""
    return files.open_folder(folder, bert_model, expected=_EXPECTED)


def save_checkpoint(
    model: PretrainingModel | ClassifierModel, folder: Path, dtype: torch.dtype = torch.float32
) -> None:
    """Write config.json and model.safetensors, weights rounded to `dtype`."""
    config = config_to_huggingface(model.config)
    if isinstance(model, ClassifierModel):
        config |= _labels_to_huggingface(model)
    else:
        config["architectures"] = [_PRETRAINING]
    pooling = model.pooling if isinstance(model, ClassifierModel) else "cls"
    files.write(folder, config, to_huggingface_names(model.state_dict(), model.config.n_layers, pooling), dtype)


def _pretraining_model(config: Mapping[str, Any], weights: Mapping[str, Tensor]) -> PretrainingModel:
    """A model with those of the MLM and NSP heads of BERT's pretraining that are found in `weights`."""
    sizes = config_from_huggingface(config)
    _expect_layers(weights, sizes.n_layers)
    ours = from_huggingface_names(weights, sizes.n_layers)
    with_mlm = any(name.startswith("mlm.") for name in ours)
    with_nsp = "nsp.classifier.weight" in ours
    return files.fill_model(lambda: PretrainingModel(sizes, with_mlm=with_mlm, with_nsp=with_nsp), ours, tied=(_TIED,))


def bert_model(config: Mapping[str, Any], weights: Mapping[str, Tensor]) -> PretrainingModel | ClassifierModel:
    """The model of a configuration, with these weights (their names). Raises ValueError if they do not fit."""
    architectures = config.get("architectures")
    name = str(architectures[0]) if isinstance(architectures, list) and architectures else ""
    pooling = _pooling(config)
    if name not in _CLASSIFIERS and pooling == "cls":
        return _pretraining_model(config, weights)
    sizes = config_from_huggingface(config)
    _expect_layers(weights, sizes.n_layers)
    ours = from_huggingface_names(weights, sizes.n_layers, pooling)
    if "classifier.classifier.weight" not in ours:
        said = f"a {name}" if pooling == "cls" else f"a classifier with {_POOLING} {pooling!r}"
        raise ValueError(f"config.json says that it is {said}, but the weights have no such classifier.")
    labels = _labels(config, n_labels=len(ours["classifier.classifier.weight"]))
    of: Labelled = _CLASSIFIERS.get(name, "text")
    marks = _marks(config, sizes.d_vocab) if pooling == "mean" else ()
    return files.fill_model(
        lambda: ClassifierModel(sizes, labels, of=of, problem=_problem(config), pooling=pooling, marks=marks), ours
    )


def _expect_layers(weights: Mapping[str, Tensor], n_layers: int) -> None:
    """Raise ValueError if the weights have other layers than 0 to n_layers - 1."""
    layers = {int(match.group(1)) for match in map(_LAYER.match, weights) if match}
    if len(layers) != n_layers or max(layers) != n_layers - 1:
        raise ValueError(f"the weights have {len(layers)} layers, expected {n_layers} from config.json.")


def _labels(config: Mapping[str, Any], n_labels: int) -> tuple[str, ...]:
    """The names of the labels, as transformers calls them where the configuration does not. Raises ValueError."""
    names = config.get("id2label", {str(label): f"LABEL_{label}" for label in range(n_labels)})
    if not isinstance(names, dict) or set(names) != {str(label) for label in range(n_labels)}:
        raise ValueError(f"id2label does not name the labels 0 to {n_labels - 1}, for which there are weights.")
    return tuple(str(names[str(label)]) for label in range(n_labels))


def _problem(config: Mapping[str, Any]) -> Problem:
    """How the logits are read; one label of each text or token where nothing is said. Raises ValueError."""
    for problem in get_args(Problem):
        if config.get("problem_type") == problem:
            checked_problem: Problem = problem
            return checked_problem
    if config.get("problem_type") is not None:
        raise ValueError(f"problem_type is {config['problem_type']!r}, expected one of {get_args(Problem)}.")
    return "single_label_classification"


def _pooling(config: Mapping[str, Any]) -> Pooling:
    """Return the pooling of the classifier; [CLS] by default. Raises ValueError for another one."""
    given = config.get(_POOLING, "cls")
    for pooling in get_args(Pooling):
        if given == pooling:
            checked_pooling: Pooling = pooling
            return checked_pooling
    raise ValueError(f"{_POOLING} is {given!r}, expected one of {get_args(Pooling)}.")


def _marks(config: Mapping[str, Any], d_vocab: int) -> tuple[int, ...]:
    """The ids that are left out of a mean over the words. Raises ValueError."""
    given = config.get(_LEFT_OUT)
    is_list = isinstance(given, list) and len(given) <= MOST_LEFT_OUT
    if not is_list or not all(type(mark) is int and 0 <= mark < d_vocab for mark in given or ()):
        raise ValueError(
            f"{_LEFT_OUT} is {str(given)[:80]}, expected a list of at most {MOST_LEFT_OUT} ids from 0 to {d_vocab - 1}."
        )
    return tuple(given or ())


def _labels_to_huggingface(model: ClassifierModel) -> dict[str, Any]:
    """The fields of a Hugging Face configuration that say what the logits mean."""
    is_mean = model.pooling == "mean"
    architecture = _BODY if is_mean else next(name for name, of in _CLASSIFIERS.items() if of == model.of)
    fields: dict[str, Any] = {
        "architectures": [architecture],
        "id2label": {str(number): label for number, label in enumerate(model.labels)},
        "label2id": {label: number for number, label in enumerate(model.labels)},
    }
    fields |= {"problem_type": model.problem} if model.of == "text" else {}
    return fields | ({_POOLING: model.pooling, _LEFT_OUT: list(model.marks)} if is_mean else {})


def config_from_huggingface(config: Mapping[str, Any]) -> TransformerConfig:
    """A BERT's config.json as a TransformerConfig. Raises ValueError for another architecture, TypeError for an invalid
    size."""
    if config.get("model_type") != "bert":
        raise ValueError(f"model_type is {config.get('model_type')!r}, expected 'bert'.")
    if config.get("position_embedding_type", "absolute") != "absolute" or config.get("is_decoder", False):
        raise ValueError("only a bidirectional BERT with absolute positions can be opened.")
    longest = files.whole_number(config, "max_position_embeddings")
    files.expect_plain_attention(config, max_tokens=longest, done=("is_causal",))
    return TransformerConfig(
        d_vocab=files.whole_number(config, "vocab_size"),
        d_model=files.whole_number(config, "hidden_size"),
        n_layers=files.whole_number(config, "num_hidden_layers"),
        n_heads=files.whole_number(config, "num_attention_heads"),
        d_ff=files.whole_number(config, "intermediate_size"),
        max_tokens=files.whole_number(config, "max_position_embeddings"),
        n_segments=files.whole_number(config, "type_vocab_size", 2),
        activation=config.get("hidden_act", "gelu"),
        layer_norm_eps=files.number(config, "layer_norm_eps", 1e-12),
        dropout=files.number(config, "hidden_dropout_prob", 0.1),
    )


def config_to_huggingface(config: TransformerConfig) -> dict[str, Any]:
    """The fields of a Hugging Face BertConfig. Raises ValueError for what BERT's layout cannot say."""
    if not config.norms_embeddings or config.norms_output or config.activation == "gelu_tanh":
        raise ValueError("only post-LN with normed embeddings, and with GELU or ReLU, fits the layout of BERT.")
    if config.positions != "learned" or not config.n_segments:
        raise ValueError("only learned positions and segments fit the layout of BERT.")
    return {
        "model_type": "bert",
        "vocab_size": config.d_vocab,
        "hidden_size": config.d_model,
        "num_hidden_layers": config.n_layers,
        "num_attention_heads": config.n_heads,
        "intermediate_size": config.d_ff,
        "max_position_embeddings": config.max_tokens,
        "type_vocab_size": config.n_segments,
        "hidden_act": config.activation,
        "layer_norm_eps": config.layer_norm_eps,
        "hidden_dropout_prob": config.dropout,
        "attention_probs_dropout_prob": config.dropout,
        "pad_token_id": 0,
    }


def to_huggingface_names(weights: Mapping[str, Tensor], n_layers: int, pooling: Pooling = "cls") -> dict[str, Tensor]:
    """Return the weights under Hugging Face's names."""
    names = huggingface_names(n_layers, pooling)
    return {names[name]: tensor for name, tensor in weights.items() if name != _TIED}


def from_huggingface_names(weights: Mapping[str, Tensor], n_layers: int, pooling: Pooling = "cls") -> dict[str, Tensor]:
    """Their names, of any age and with or without the prefix "bert.", -> ours. Raises ValueError for a weight that no
    model of ours would use."""
    modern = {_modern(name): tensor for name, tensor in weights.items()}
    names = huggingface_names(n_layers, pooling)
    files.expect_no_others(modern, _known_names(n_layers), copies=_COPIES)
    return {ours: modern[theirs] for ours, theirs in names.items() if theirs in modern}


def _known_names(n_layers: int) -> set[str]:
    """Their names of all weights that some model of ours uses: one with its heads, or a classifier of any pooling."""
    return {name for pooling in get_args(Pooling) for name in huggingface_names(n_layers, pooling).values()}


def heads_left_over(folder: Path, model: PretrainingModel | ClassifierModel) -> tuple[str, ...]:
    """The weights in a folder of heads that a model opened from it does not have, by their names there."""
    pooling = model.pooling if isinstance(model, ClassifierModel) else "cls"
    names = huggingface_names(model.config.n_layers, pooling)
    used = {names[ours] for ours in model.state_dict() if ours in names}
    with safe_open(folder / files.WEIGHTS, framework="pt") as opened:
        stored = {_modern(name): name for name in opened.offset_keys()}
    left = (stored[name] for name in sorted(_known_names(model.config.n_layers) - used) if name in stored)
    return tuple(name for name in left if not files.IDLE.search(name))


def _modern(name: str) -> str:
    name = name.replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")
    return name if name.startswith(_WHOLE_NAMES) else f"bert.{name}"
