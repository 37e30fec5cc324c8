"""The forms that the parts of a tokenizer.json may have, and what each of their settings may be."""

from __future__ import annotations

from typing import Literal

from lab.uploads.tokenizer_checks import (
    Settings,
    are_scored_pieces,
    are_special_tokens,
    is_backend,
    is_behavior,
    is_character,
    is_count,
    is_id,
    is_length_of_word,
    is_limit,
    is_list,
    is_mark,
    is_marked_token,
    is_named_token,
    is_no_id_or_one,
    is_no_token_or_one,
    is_nothing,
    is_scheme,
    is_switch,
    is_template,
    is_text,
    is_text_pattern,
    is_token,
    is_vocabulary,
)

TokenizerPart = Literal["normalizer", "pre_tokenizer", "post_processor", "decoder"]
_BYTES: Settings = {"add_prefix_space": is_switch, "trim_offsets": is_switch, "use_regex": is_switch}
_SPACES: Settings = {
    "replacement": is_character,
    "prepend_scheme": is_scheme,
    "split": is_switch,
    "add_prefix_space": is_switch,
    "str_rep": is_character,
}
_REPLACE: Settings = {"pattern": is_text_pattern, "content": is_text}
FORMS: dict[TokenizerPart, dict[str, Settings]] = {
    "normalizer": {
        "BertNormalizer": {
            "clean_text": is_switch,
            "handle_chinese_chars": is_switch,
            "strip_accents": is_switch,
            "lowercase": is_switch,
        },
        "ByteLevel": {},
        "Lowercase": {},
        "NFC": {},
        "NFD": {},
        "NFKC": {},
        "NFKD": {},
        "StripAccents": {},
        "Prepend": {"prepend": is_mark},
        "Replace": _REPLACE,
        "Strip": {"strip_left": is_switch, "strip_right": is_switch},
    },
    "pre_tokenizer": {
        "BertPreTokenizer": {},
        "ByteLevel": _BYTES,
        "CharDelimiterSplit": {"delimiter": is_character},
        "Digits": {"individual_digits": is_switch},
        "Metaspace": _SPACES,
        "Punctuation": {"behavior": is_behavior},
        "Split": {"pattern": is_text_pattern, "behavior": is_behavior, "invert": is_switch},
        "UnicodeScripts": {},
        "Whitespace": {},
        "WhitespaceSplit": {},
    },
    "post_processor": {
        "BertProcessing": {"sep": is_marked_token, "cls": is_marked_token},
        "ByteLevel": _BYTES,
        "RobertaProcessing": {
            "sep": is_marked_token,
            "cls": is_marked_token,
            "trim_offsets": is_switch,
            "add_prefix_space": is_switch,
        },
        "TemplateProcessing": {"single": is_template, "pair": is_template, "special_tokens": are_special_tokens},
    },
    "decoder": {
        "BPEDecoder": {"suffix": is_mark},
        "ByteFallback": {},
        "ByteLevel": _BYTES,
        "Fuse": {},
        "Metaspace": _SPACES,
        "Replace": _REPLACE,
        "Strip": {"content": is_character, "start": is_count, "stop": is_count},
        "WordPiece": {"prefix": is_mark, "cleanup": is_switch},
    },
}
"""The forms that a part may have, and what each of its settings may be."""
IN_SEQUENCE: dict[TokenizerPart, str] = {
    "normalizer": "normalizers",
    "pre_tokenizer": "pretokenizers",
    "post_processor": "processors",
    "decoder": "decoders",
}
MODELS: dict[str, Settings] = {
    "WordPiece": {
        "unk_token": is_token,
        "continuing_subword_prefix": is_mark,
        "max_input_chars_per_word": is_length_of_word,
        "vocab": is_vocabulary,
    },
    "BPE": {
        "dropout": is_nothing,
        "unk_token": is_no_token_or_one,
        "continuing_subword_prefix": is_mark,
        "end_of_word_suffix": is_mark,
        "fuse_unk": is_switch,
        "byte_fallback": is_switch,
        "ignore_merges": is_switch,
        "vocab": is_vocabulary,
        "merges": is_list,
    },
    "Unigram": {"unk_id": is_no_id_or_one, "byte_fallback": is_switch, "vocab": are_scored_pieces},
    "WordLevel": {"unk_token": is_token, "vocab": is_vocabulary},
}
ADDED: Settings = {
    "id": is_id,
    "content": is_token,
    "single_word": is_switch,
    "lstrip": is_switch,
    "rstrip": is_switch,
    "normalized": is_switch,
    "special": is_switch,
}
_NAMES_OF_TOKENS = ("bos_token", "cls_token", "eos_token", "mask_token", "pad_token", "sep_token", "unk_token")
CONFIG: Settings = {
    **dict.fromkeys(_NAMES_OF_TOKENS, is_named_token),
    **dict.fromkeys(
        (
            "add_prefix_space",
            "clean_up_tokenization_spaces",
            "do_lower_case",
            "strip_accents",
            "tokenize_chinese_chars",
        ),
        is_switch,
    ),
    "backend": is_backend,
    "model_max_length": is_limit,
}
"""The settings of tokenizer_config.json that are kept, without its class; all others are dropped."""
