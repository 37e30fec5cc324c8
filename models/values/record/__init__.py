"""Records of one forward pass, and the values that they are made of: tokens, attention, the model's measures."""

from models.values.record.attention import AttentionRecord, no_such_head, no_such_layer, softmax
from models.values.record.model_info import ModelInfo, mixed_otherwise, no_vectors, overflowing
from models.values.record.of_weights import record_of_weights
from models.values.record.recording import MaskPrediction, Recording, WordChoice, no_such_kind
from models.values.record.tokens import KINDS, Array, Kind, Token, kind_name
from models.values.record.words import word_ranges, word_starts

__all__ = [
    "KINDS",
    "Array",
    "AttentionRecord",
    "Kind",
    "MaskPrediction",
    "ModelInfo",
    "Recording",
    "Token",
    "WordChoice",
    "kind_name",
    "mixed_otherwise",
    "no_such_head",
    "no_such_kind",
    "no_such_layer",
    "no_vectors",
    "overflowing",
    "record_of_weights",
    "softmax",
    "word_ranges",
    "word_starts",
]
