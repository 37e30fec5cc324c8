"""With which class of transformers a model is opened, and what it can then be asked: by its configuration alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from transformers import (
    AutoModel,
    AutoModelForCausalLM,
    AutoModelForMaskedLM,
    AutoModelForPreTraining,
    AutoModelForSeq2SeqLM,
    AutoModelForSequenceClassification,
    AutoModelForTokenClassification,
    PreTrainedConfig,
    PreTrainedModel,
)
from transformers.models.auto.modeling_auto import (
    MODEL_FOR_CAUSAL_LM_MAPPING,
    MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    MODEL_FOR_MASKED_LM_MAPPING,
    MODEL_FOR_MASKED_LM_MAPPING_NAMES,
    MODEL_FOR_PRETRAINING_MAPPING,
    MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING,
    MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING,
    MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES,
    MODEL_FOR_TOKEN_CLASSIFICATION_MAPPING,
    MODEL_FOR_TOKEN_CLASSIFICATION_MAPPING_NAMES,
    MODEL_MAPPING,
)

from models.tasks.capabilities import (
    LABELS_OF_TEXTS,
    LABELS_OF_TOKENS,
    MASKED_WORDS,
    NEXT_SENTENCE,
    NEXT_TOKENS,
    REPLACED_TOKENS,
    TRANSLATION,
)

BOTH_WAYS = frozenset({"xlnet"})
"""Families that transformers opens as causal LMs, and whose tokens see each other unless they are told an order
(Yang et al. 2019, section 2.3). XLM and FlauBERT say of themselves that they are not causal."""
WITH_NEXT_SENTENCE = frozenset({"bert", "mobilebert", "megatron-bert"})
"""Families whose pretraining class has masked words and next sentence, where label 0 means "is next"."""
DISCRIMINATOR = "ElectraForPreTraining"
CAPABILITIES_BY_ENDING = {
    "ForPreTraining": (MASKED_WORDS, NEXT_SENTENCE, REPLACED_TOKENS),
    "ForMaskedLM": (MASKED_WORDS,),
    "ForNextSentencePrediction": (NEXT_SENTENCE,),
    "ForTokenClassification": (LABELS_OF_TOKENS,),
    "ForSequenceClassification": (LABELS_OF_TEXTS,),
}
"""What a class may be asked, by how it is called."""
AutoClass = type[
    AutoModel
    | AutoModelForCausalLM
    | AutoModelForMaskedLM
    | AutoModelForPreTraining
    | AutoModelForSeq2SeqLM
    | AutoModelForSequenceClassification
    | AutoModelForTokenClassification
]
ModelClass = type[PreTrainedModel]
CLASSES: dict[AutoClass, Mapping[type[PreTrainedConfig], Any]] = {
    AutoModel: MODEL_MAPPING,
    AutoModelForCausalLM: MODEL_FOR_CAUSAL_LM_MAPPING,
    AutoModelForMaskedLM: MODEL_FOR_MASKED_LM_MAPPING,
    AutoModelForPreTraining: MODEL_FOR_PRETRAINING_MAPPING,
    AutoModelForSeq2SeqLM: MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING,
    AutoModelForSequenceClassification: MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING,
    AutoModelForTokenClassification: MODEL_FOR_TOKEN_CLASSIFICATION_MAPPING,
}
"""The class that each of them opens a configuration with."""


def class_of(auto_class: AutoClass, config: PreTrainedConfig) -> ModelClass | None:
    """The class that `auto_class` opens a configuration with; None where it opens none, whatever its table names."""
    table = CLASSES[auto_class]
    if type(config) not in table:
        return None
    try:
        found: ModelClass | tuple[ModelClass, ...] = table[type(config)]
    except ValueError:  # a class that transformers names, and does not have
        return None
    return found[0] if isinstance(found, tuple) else found


def auto_class_of(config: PreTrainedConfig) -> AutoClass:
    """The class with the classifier that the configuration names, else with all LM and NSP heads that there may be."""
    if config.is_encoder_decoder:
        return AutoModelForSeq2SeqLM
    for capability, auto_class, families in (
        (LABELS_OF_TOKENS, AutoModelForTokenClassification, MODEL_FOR_TOKEN_CLASSIFICATION_MAPPING_NAMES),
        (LABELS_OF_TEXTS, AutoModelForSequenceClassification, MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES),
    ):
        if capability in promised_capabilities(config) and config.model_type in families:
            return auto_class
    if is_causal(config):
        return AutoModelForCausalLM
    if config.model_type in WITH_NEXT_SENTENCE or _architecture(config) == DISCRIMINATOR:
        return AutoModelForPreTraining
    return AutoModelForMaskedLM if config.model_type in MODEL_FOR_MASKED_LM_MAPPING_NAMES else AutoModel


def capabilities_of_class(auto_class: AutoClass, config: PreTrainedConfig) -> tuple[str, ...]:
    """What we ask of a model opened with `auto_class`."""
    if auto_class is AutoModelForPreTraining:
        return (REPLACED_TOKENS,) if _architecture(config) == DISCRIMINATOR else (MASKED_WORDS, NEXT_SENTENCE)
    capabilities: dict[AutoClass, tuple[str, ...]] = {
        AutoModelForMaskedLM: (MASKED_WORDS,),
        AutoModelForSeq2SeqLM: (TRANSLATION,),
        AutoModelForCausalLM: (NEXT_TOKENS,),
        AutoModelForTokenClassification: (LABELS_OF_TOKENS,),
        AutoModelForSequenceClassification: (LABELS_OF_TEXTS,),
    }
    return capabilities.get(auto_class, ())


def promised_capabilities(config: PreTrainedConfig) -> tuple[str, ...]:
    """What the configuration says that the checkpoint was saved to answer."""
    named = _architecture(config)
    return next((capabilities for ending, capabilities in CAPABILITIES_BY_ENDING.items() if named.endswith(ending)), ())


def _architecture(config: PreTrainedConfig) -> str:
    """The class that the checkpoint was saved from, empty if its configuration does not say."""
    return (config.architectures or [""])[0]


def is_causal(config: PreTrainedConfig) -> bool:
    """Whether no token sees what follows it, by what the configuration says."""
    if config.model_type in BOTH_WAYS or getattr(config, "causal", None) is False:
        return False
    if getattr(config, "is_decoder", False) or _architecture(config).endswith(("ForCausalLM", "LMHeadModel")):
        return True
    family = config.model_type
    return family in MODEL_FOR_CAUSAL_LM_MAPPING_NAMES and family not in MODEL_FOR_MASKED_LM_MAPPING_NAMES


def missing_weights_of(capability: str, missing: set[str]) -> set[str]:
    """Those of the missing weights without which a model cannot be asked this."""
    if capability == NEXT_SENTENCE:
        return _of_next_sentence(missing)
    return missing - _of_next_sentence(missing) if capability == MASKED_WORDS else missing


def _of_next_sentence(keys: set[str]) -> set[str]:
    """The pooler belongs to the NSP head: nothing else uses it."""
    return {key for key in keys if "pooler" in key or "seq_relationship" in key}
