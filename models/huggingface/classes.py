"""With which class of transformers a model is opened, and what it can then be asked: by its configuration alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from transformers import (
    AutoModel,
    AutoModelForCausalLM,
    AutoModelForMaskedLM,
    AutoModelForMultimodalLM,
    AutoModelForPreTraining,
    AutoModelForSeq2SeqLM,
    AutoModelForSequenceClassification,
    AutoModelForSpeechSeq2Seq,
    AutoModelForTextEncoding,
    AutoModelForTokenClassification,
    PreTrainedConfig,
    PreTrainedModel,
)
from transformers.models.auto.modeling_auto import (
    MODEL_FOR_CAUSAL_LM_MAPPING,
    MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES,
    MODEL_FOR_MASKED_LM_MAPPING,
    MODEL_FOR_MASKED_LM_MAPPING_NAMES,
    MODEL_FOR_MULTIMODAL_LM_MAPPING,
    MODEL_FOR_MULTIMODAL_LM_MAPPING_NAMES,
    MODEL_FOR_PRETRAINING_MAPPING,
    MODEL_FOR_PRETRAINING_MAPPING_NAMES,
    MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING,
    MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES,
    MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING,
    MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES,
    MODEL_FOR_SPEECH_SEQ_2_SEQ_MAPPING,
    MODEL_FOR_TEXT_ENCODING_MAPPING,
    MODEL_FOR_TOKEN_CLASSIFICATION_MAPPING,
    MODEL_FOR_TOKEN_CLASSIFICATION_MAPPING_NAMES,
    MODEL_MAPPING,
    MODEL_MAPPING_NAMES,
)

from models.model import (
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
SEES_BOTH_SIDES = (("causal", False), ("is_causal", False), ("use_bidirectional_attention", True))
"""Settings of configurations, with the value by which a token sees what follows it."""
WITH_NEXT_SENTENCE = frozenset({"bert", "ernie", "mobilebert", "megatron-bert"})
"""Families whose pretraining class has masked words and next sentence, where label 0 means "is next"."""
DISCRIMINATOR = "ElectraForPreTraining"
CAPABILITIES_BY_ENDING = {
    "ForPreTraining": (MASKED_WORDS, NEXT_SENTENCE, REPLACED_TOKENS),
    "ForMaskedLM": (MASKED_WORDS,),
    "ForNextSentencePrediction": (NEXT_SENTENCE,),
    "ForTokenClassification": (LABELS_OF_TOKENS,),
    "ForSequenceClassification": (LABELS_OF_TEXTS,),
}
"""The capabilities of a class, by its name."""
LANGUAGE_MODELS = (
    MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES,
    MODEL_FOR_MASKED_LM_MAPPING_NAMES,
    MODEL_FOR_MULTIMODAL_LM_MAPPING_NAMES,
    MODEL_FOR_PRETRAINING_MAPPING_NAMES,
    MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES,
    MODEL_MAPPING_NAMES,
)
"""The tables of transformers with the classes that have an LM head, or nothing on top."""
ENDINGS_OF_LANGUAGE_MODELS = (
    "ForCausalLM",
    "ForConditionalGeneration",
    "ForMaskedLM",
    "ForNextSentencePrediction",
    "ForPreTraining",
)
"""How such classes are called that stand in no table."""
WRITERS = ("ForCausalLM", "LMHeadModel")
"""How the classes end that continue a text."""
ENCODER_ALONE = "EncoderModel"
"""How those classes end that are the encoder of an encoder-decoder (T5)."""
AutoClass = type[
    AutoModel
    | AutoModelForCausalLM
    | AutoModelForMaskedLM
    | AutoModelForMultimodalLM
    | AutoModelForPreTraining
    | AutoModelForSeq2SeqLM
    | AutoModelForSequenceClassification
    | AutoModelForSpeechSeq2Seq
    | AutoModelForTextEncoding
    | AutoModelForTokenClassification
]
ModelClass = type[PreTrainedModel]
CLASSES: dict[AutoClass, Mapping[type[PreTrainedConfig], Any]] = {
    AutoModel: MODEL_MAPPING,
    AutoModelForCausalLM: MODEL_FOR_CAUSAL_LM_MAPPING,
    AutoModelForMaskedLM: MODEL_FOR_MASKED_LM_MAPPING,
    AutoModelForMultimodalLM: MODEL_FOR_MULTIMODAL_LM_MAPPING,
    AutoModelForPreTraining: MODEL_FOR_PRETRAINING_MAPPING,
    AutoModelForSeq2SeqLM: MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING,
    AutoModelForSequenceClassification: MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING,
    AutoModelForSpeechSeq2Seq: MODEL_FOR_SPEECH_SEQ_2_SEQ_MAPPING,
    AutoModelForTextEncoding: MODEL_FOR_TEXT_ENCODING_MAPPING,
    AutoModelForTokenClassification: MODEL_FOR_TOKEN_CLASSIFICATION_MAPPING,
}
"""The class that each of them opens a configuration with."""
MODALITIES: dict[str, AutoClass] = {"vit": AutoModel, "whisper": AutoModelForSpeechSeq2Seq}
"""The families that read pictures or sounds and are opened all the same: their attention can be recorded."""


def class_of(auto_class: AutoClass, config: PreTrainedConfig) -> ModelClass | None:
    """The class that `auto_class` opens a configuration with; None where it opens none, whatever its table names."""
    table = CLASSES[auto_class]
    if type(config) not in table:
        return None
    try:
        model_class: ModelClass | tuple[ModelClass, ...] = table[type(config)]
    except ValueError:  # a class that transformers names, and does not have
        return None
    return model_class[0] if isinstance(model_class, tuple) else model_class


def auto_class_of(config: PreTrainedConfig) -> AutoClass:
    """The class that the configuration names, as far as Headlight asks what it answers: a classifier, an encoder, or
    all LM and NSP heads that there may be. For any other head the class of the model without one."""
    if config.model_type in MODALITIES:
        return MODALITIES[config.model_type]
    for capability, auto_class, families in (
        (LABELS_OF_TOKENS, AutoModelForTokenClassification, MODEL_FOR_TOKEN_CLASSIFICATION_MAPPING_NAMES),
        (LABELS_OF_TEXTS, AutoModelForSequenceClassification, MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES),
    ):
        if capability in promised_capabilities(config) and config.model_type in families:
            return auto_class
    if names_other_head(config) and class_of(AutoModel, config) is not None:
        return AutoModel
    return AutoModelForTextEncoding if _names_encoder_alone(config) else _language_model_of(config)


def _language_model_of(config: PreTrainedConfig) -> AutoClass:
    """The class with all LM and NSP heads that a family has; the class without one where it has none."""
    if config.is_encoder_decoder and not _names_decoder_alone(config):
        return AutoModelForSeq2SeqLM
    if is_causal(config):
        is_of_text = config.model_type in MODEL_FOR_CAUSAL_LM_MAPPING_NAMES
        return AutoModelForCausalLM if is_of_text else AutoModelForMultimodalLM
    if config.model_type in WITH_NEXT_SENTENCE or architecture(config) == DISCRIMINATOR:
        return AutoModelForPreTraining
    return AutoModelForMaskedLM if config.model_type in MODEL_FOR_MASKED_LM_MAPPING_NAMES else AutoModel


def capabilities_of_class(auto_class: AutoClass, config: PreTrainedConfig) -> tuple[str, ...]:
    """Return the capabilities of a model opened with `auto_class`."""
    if auto_class is AutoModelForPreTraining:
        return (REPLACED_TOKENS,) if architecture(config) == DISCRIMINATOR else (MASKED_WORDS, NEXT_SENTENCE)
    capabilities: dict[AutoClass, tuple[str, ...]] = {
        AutoModelForMaskedLM: (MASKED_WORDS,),
        AutoModelForSeq2SeqLM: (TRANSLATION,),
        AutoModelForCausalLM: (NEXT_TOKENS,),
        AutoModelForMultimodalLM: (NEXT_TOKENS,),
        AutoModelForTokenClassification: (LABELS_OF_TOKENS,),
        AutoModelForSequenceClassification: (LABELS_OF_TEXTS,),
    }
    return capabilities.get(auto_class, ())


def promised_capabilities(config: PreTrainedConfig) -> tuple[str, ...]:
    """Return the capability for which the configuration says that the checkpoint was saved."""
    named = architecture(config)
    return next((capabilities for ending, capabilities in CAPABILITIES_BY_ENDING.items() if named.endswith(ending)), ())


def architecture(config: PreTrainedConfig) -> str:
    """The class that the checkpoint was saved from, empty if its configuration does not say."""
    return str((config.architectures or [""])[0])


def names_other_head(config: PreTrainedConfig) -> bool:
    """Whether the configuration names a class whose head answers what nobody asks here: where the answer to a question
    stands in a text, which of several texts fits, and whatever classes of others than transformers answer."""
    named = architecture(config)
    if "For" not in named or named.endswith(ENDINGS_OF_LANGUAGE_MODELS):
        return False
    return all(named not in _classes_of(table.get(config.model_type, ())) for table in LANGUAGE_MODELS)


def _classes_of(named: Sequence[str]) -> tuple[str, ...]:
    return (named,) if isinstance(named, str) else tuple(named)


def _names_encoder_alone(config: PreTrainedConfig) -> bool:
    model_class = class_of(AutoModelForTextEncoding, config)
    return (
        model_class is not None
        and architecture(config) == model_class.__name__
        and model_class.__name__.endswith(ENCODER_ALONE)
    )


def is_causal(config: PreTrainedConfig) -> bool:
    """Whether no token sees what follows it, by what the configuration says."""
    if sees_both_sides(config):
        return False
    if getattr(config, "is_decoder", False) or architecture(config).endswith(WRITERS):
        return True
    family = config.model_type
    if family in MODEL_FOR_MASKED_LM_MAPPING_NAMES:
        return False
    return family in MODEL_FOR_CAUSAL_LM_MAPPING_NAMES or family in MODEL_FOR_MULTIMODAL_LM_MAPPING_NAMES


def _names_decoder_alone(config: PreTrainedConfig) -> bool:
    model_class = class_of(AutoModelForCausalLM, config)
    return model_class is not None and architecture(config) == model_class.__name__


def sees_both_sides(config: PreTrainedConfig) -> bool:
    """Whether tokens see what follows them in a family of decoders, by itself or as its configuration says."""
    return config.model_type in BOTH_WAYS or any(
        getattr(config, field, None) is said for field, said in SEES_BOTH_SIDES
    )


def missing_weights_of(capability: str, missing: set[str]) -> set[str]:
    """Those of the missing weights without which a model cannot be asked this."""
    if capability == NEXT_SENTENCE:
        return _of_next_sentence(missing)
    return missing - _of_next_sentence(missing) if capability == MASKED_WORDS else missing


def _of_next_sentence(keys: set[str]) -> set[str]:
    """The pooler belongs to the NSP head: nothing else uses it."""
    return {key for key in keys if "pooler" in key or "seq_relationship" in key}
