"""The tokenizer of a stranger, made anew from its vocabulary and from forms whose cost is known.

A tokenizer.json is a little program: ten replacements of one letter by ten, one after the other, make 10^10 letters of
one, and a regular expression may never end. So each of its parts is one of the forms below, with nothing but the
settings below, and what is written is put together here. https://huggingface.co/docs/tokenizers/components
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args

from models.values.errors import LabError

Part = Literal["normalizer", "pre_tokenizer", "post_processor", "decoder"]
Check = Callable[[Any], bool]
Settings = dict[str, Check]

LONGEST_MARK, LONGEST_TOKEN, MOST_STEPS, MOST_TOKENS_ADDED = 8, 200, 16, 10_000
LONGEST_WORD = 1000
"""The most that max_input_chars_per_word may say: a word takes time by the square of its length."""
_BEHAVIORS = {"Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"}
_SCHEMES = {"always", "never", "first"}


def _is_switch(value: Any) -> bool:
    return value is None or isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= LONGEST_MARK


def _is_character(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 1


def _is_mark(value: Any) -> bool:
    return value is None or (isinstance(value, str) and len(value) <= LONGEST_MARK)


def _is_token(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST_TOKEN


def _is_named_token(value: Any) -> bool:
    """A token that is written as a text, or as a table with its settings; or none."""
    return _is_no_token_or_one(value.get("content") if isinstance(value, dict) else value)


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _is_no_token_or_one(value: Any) -> bool:
    return value is None or _is_token(value)


def _is_id(value: Any) -> bool:
    return type(value) is int and value >= 0


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_nothing(value: Any) -> bool:
    return value is None


def _is_behavior(value: Any) -> bool:
    return isinstance(value, str) and value in _BEHAVIORS


def _is_scheme(value: Any) -> bool:
    return isinstance(value, str) and value in _SCHEMES


def _is_length_of_word(value: Any) -> bool:
    return type(value) is int and 0 < value <= LONGEST_WORD


def _is_no_id_or_one(value: Any) -> bool:
    return value is None or _is_id(value)


def _is_backend(value: Any) -> bool:
    return bool(value == "tokenizers")


def _is_limit(value: Any) -> bool:
    return isinstance(value, int | float) and value > 0


def _is_text_pattern(value: Any) -> bool:
    """A text to be looked for; never a regular expression."""
    return isinstance(value, dict) and list(value) == ["String"] and _is_token(value["String"])


def _is_marked_token(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and _is_token(value[0]) and _is_id(value[1])


def _is_template(value: Any) -> bool:
    """Each text at most once, and few special tokens: a template could repeat a text without end."""
    if not isinstance(value, list) or len(value) > MOST_STEPS:
        return False
    texts = [piece["Sequence"]["id"] for piece in value if _is_piece(piece, "Sequence")]
    n_special = sum(_is_piece(piece, "SpecialToken") for piece in value)
    return len(texts) + n_special == len(value) and sorted(texts) in (["A"], ["A", "B"])


def _is_piece(piece: Any, kind: str) -> bool:
    given = piece.get(kind) if isinstance(piece, dict) and len(piece) == 1 else None
    return isinstance(given, dict) and _is_token(given.get("id")) and _is_count(given.get("type_id", 0))


def _are_special_tokens(value: Any) -> bool:
    return isinstance(value, dict) and len(value) <= MOST_STEPS and all(map(_is_special_token, value.values()))


def _is_special_token(value: Any) -> bool:
    ids, tokens = (value.get("ids"), value.get("tokens")) if isinstance(value, dict) else (None, None)
    if not isinstance(ids, list) or not isinstance(tokens, list) or not 0 < len(ids) == len(tokens) <= LONGEST_MARK:
        return False
    return _is_token(value.get("id")) and all(map(_is_id, ids)) and all(map(_is_token, tokens))


def _is_scored_piece(value: Any) -> bool:
    """A piece of a Unigram with its log probability."""
    is_pair = isinstance(value, list) and len(value) == 2 and _is_token(value[0])
    return is_pair and isinstance(value[1], int | float) and abs(value[1]) < 1e6


def _is_vocabulary(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_token, value)) and all(map(_is_id, value.values()))


def _are_scored_pieces(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_scored_piece, value))


_BYTES: Settings = {"add_prefix_space": _is_switch, "trim_offsets": _is_switch, "use_regex": _is_switch}
_SPACES: Settings = {
    "replacement": _is_character, "prepend_scheme": _is_scheme, "split": _is_switch,
    "add_prefix_space": _is_switch, "str_rep": _is_character,
}  # fmt: skip
_REPLACE: Settings = {"pattern": _is_text_pattern, "content": _is_text}
FORMS: dict[Part, dict[str, Settings]] = {
    "normalizer": {
        "BertNormalizer": {
            "clean_text": _is_switch, "handle_chinese_chars": _is_switch, "strip_accents": _is_switch,
            "lowercase": _is_switch,
        },
        "ByteLevel": {}, "Lowercase": {}, "NFC": {}, "NFD": {}, "NFKC": {}, "NFKD": {}, "StripAccents": {},
        "Prepend": {"prepend": _is_mark},
        "Replace": _REPLACE,
        "Strip": {"strip_left": _is_switch, "strip_right": _is_switch},
    },
    "pre_tokenizer": {
        "BertPreTokenizer": {}, "ByteLevel": _BYTES, "CharDelimiterSplit": {"delimiter": _is_character},
        "Digits": {"individual_digits": _is_switch}, "Metaspace": _SPACES, "Punctuation": {"behavior": _is_behavior},
        "Split": {"pattern": _is_text_pattern, "behavior": _is_behavior, "invert": _is_switch},
        "UnicodeScripts": {}, "Whitespace": {}, "WhitespaceSplit": {},
    },
    "post_processor": {
        "BertProcessing": {"sep": _is_marked_token, "cls": _is_marked_token},
        "ByteLevel": _BYTES,
        "RobertaProcessing": {
            "sep": _is_marked_token, "cls": _is_marked_token, "trim_offsets": _is_switch,
            "add_prefix_space": _is_switch,
        },
        "TemplateProcessing": {"single": _is_template, "pair": _is_template, "special_tokens": _are_special_tokens},
    },
    "decoder": {
        "BPEDecoder": {"suffix": _is_mark}, "ByteFallback": {}, "ByteLevel": _BYTES, "Fuse": {}, "Metaspace": _SPACES,
        "Replace": _REPLACE, "Strip": {"content": _is_character, "start": _is_count, "stop": _is_count},
        "WordPiece": {"prefix": _is_mark, "cleanup": _is_switch},
    },
}  # fmt: skip
"""The forms that a part may have, and what each of its settings may be."""
_IN_SEQUENCE: dict[Part, str] = {
    "normalizer": "normalizers", "pre_tokenizer": "pretokenizers", "post_processor": "processors",
    "decoder": "decoders",
}  # fmt: skip
MODELS: dict[str, Settings] = {
    "WordPiece": {
        "unk_token": _is_token, "continuing_subword_prefix": _is_mark, "max_input_chars_per_word": _is_length_of_word,
        "vocab": _is_vocabulary,
    },
    "BPE": {
        "dropout": _is_nothing, "unk_token": _is_no_token_or_one, "continuing_subword_prefix": _is_mark,
        "end_of_word_suffix": _is_mark, "fuse_unk": _is_switch, "byte_fallback": _is_switch,
        "ignore_merges": _is_switch, "vocab": _is_vocabulary, "merges": _is_list,
    },
    "Unigram": {"unk_id": _is_no_id_or_one, "byte_fallback": _is_switch, "vocab": _are_scored_pieces},
    "WordLevel": {"unk_token": _is_token, "vocab": _is_vocabulary},
}  # fmt: skip
_ADDED: Settings = {
    "id": _is_id, "content": _is_token, "single_word": _is_switch, "lstrip": _is_switch, "rstrip": _is_switch,
    "normalized": _is_switch, "special": _is_switch,
}  # fmt: skip
_NAMES_OF_TOKENS = ("bos_token", "cls_token", "eos_token", "mask_token", "pad_token", "sep_token", "unk_token")
_CONFIG: Settings = {
    **dict.fromkeys(_NAMES_OF_TOKENS, _is_named_token),
    **dict.fromkeys(
        ("add_prefix_space", "clean_up_tokenization_spaces", "do_lower_case", "strip_accents",
         "tokenize_chinese_chars"), _is_switch,
    ),
    "backend": _is_backend,
    "model_max_length": _is_limit,
}  # fmt: skip
"""What is kept of tokenizer_config.json, its class apart; everything else is left out."""


def rebuilt(tokenizer: Mapping[str, Any], *, d_vocab: int) -> dict[str, Any]:
    """The content of a tokenizer.json, put together anew. Raises LabError for what is no form of ours."""
    added = tokenizer.get("added_tokens") or []
    if not isinstance(added, list) or len(added) > MOST_TOKENS_ADDED:
        raise LabError(f"tokenizer.json adds tokens that are no list of at most {MOST_TOKENS_ADDED:,}.")
    model = _model(tokenizer.get("model"))
    kept = [_only(each, _ADDED, "an added token") for each in added]
    _expect_known(model, [token["id"] for token in kept if "id" in token], d_vocab)
    parts = {part: _part(part, tokenizer.get(part)) for part in get_args(Part)}
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": kept, **parts, "model": model}


def rebuilt_config(config: Mapping[str, Any], *, classes: frozenset[str]) -> dict[str, Any]:
    """What is kept of a tokenizer_config.json. Raises LabError for another class, or a value that is none."""
    given = str(config.get("tokenizer_class", "PreTrainedTokenizerFast"))
    if given not in classes:
        raise LabError(
            f"tokenizer_config.json says tokenizer_class {given[:60]!r}, expected one of {', '.join(sorted(classes))}."
        )
    kept = {name: config[name] for name in _CONFIG if name in config}
    return {"tokenizer_class": given} | _only(kept, _CONFIG, "tokenizer_config.json")


def _part(part: Part, given: Any) -> dict[str, Any] | None:
    """A part, which may be several steps. Raises LabError."""
    if given is None:
        return None
    steps = given.get(_IN_SEQUENCE[part]) if isinstance(given, dict) and given.get("type") == "Sequence" else None
    if steps is None:
        return _step(part, given)
    if not isinstance(steps, list) or len(steps) > MOST_STEPS:
        raise LabError(f"The {part} of tokenizer.json has steps that are no list of at most {MOST_STEPS}.")
    made = [_step(part, step) for step in steps]
    kinds = [step["type"] for step in made]
    twice = {kind for kind in kinds if kinds.count(kind) > 1 and kind not in {"Replace", "Split", "Strip"}}
    if twice:
        raise LabError(f"The {part} of tokenizer.json has {min(twice)} twice, expected once.")
    return {"type": "Sequence", _IN_SEQUENCE[part]: made}


def _step(part: Part, given: Any) -> dict[str, Any]:
    kind = given.get("type") if isinstance(given, dict) else None
    settings = FORMS[part].get(kind) if isinstance(kind, str) else None
    if settings is None:
        raise LabError(
            f"The {part} of tokenizer.json is {str(kind)[:40]!r}, expected one of {', '.join(FORMS[part])}, or a "
            "Sequence of them. It is not opened."
        )
    if isinstance(given.get("pattern"), dict) and "Regex" in given["pattern"]:
        raise LabError(
            "tokenizer.json holds a regular expression, which can be made to run for ever. It is not opened."
        )
    made = {"type": kind} | _only(given, settings, f"The {part} of tokenizer.json, {kind},")
    if kind == "Replace" and len(given.get("content", "")) > len(given.get("pattern", {}).get("String", "")):
        raise LabError(f"The {part} of tokenizer.json makes a text longer by a Replace. It is not opened.")
    return made


def _model(given: Any) -> dict[str, Any]:
    """The model of a tokenizer: its vocabulary, and how words are cut. Raises LabError."""
    kind = given.get("type") if isinstance(given, dict) else "nothing"
    if not isinstance(kind, str) or kind not in MODELS:
        raise LabError(f"tokenizer.json is of the kind {str(kind)[:40]!r}, expected one of {sorted(MODELS)}.")
    model = {"type": kind} | _only(given, MODELS[kind], f"The {kind} of tokenizer.json")
    if not model.get("vocab"):
        raise LabError("tokenizer.json has no vocabulary.")
    if model.get("unk_token") is not None and model["unk_token"] not in model["vocab"]:
        raise LabError(f"tokenizer.json says unk_token {model['unk_token']!r}, which is not in its vocabulary.")
    if kind == "Unigram" and (model.get("unk_id") or 0) >= len(model["vocab"]):
        raise LabError(f"tokenizer.json says unk_id {model['unk_id']}, which is not in its vocabulary.")
    return model


def _expect_known(model: Mapping[str, Any], added: list[int], d_vocab: int) -> None:
    """Raise LabError if a tokenizer gives an id that the model does not have."""
    vocabulary = model["vocab"]
    ids = [*(vocabulary.values() if isinstance(vocabulary, dict) else range(len(vocabulary))), *added]
    if not all(_is_id(number) and number < d_vocab for number in ids):
        raise LabError(
            f"tokenizer.json has entries beyond the {d_vocab:,} of the model: the two do not belong together."
        )


def _only(given: Any, settings: Settings, what: str) -> dict[str, Any]:
    """The settings that are known, each of which has to be what it may be. Raises LabError."""
    if not isinstance(given, dict):
        raise LabError(f"{what} is {type(given).__name__}, expected a table of names and values.")
    for name, check in settings.items():
        if name in given and not check(given[name]):
            raise LabError(f"{what} says {name} {str(given[name])[:60]!r}, which Headlight does not open.")
    return {name: given[name] for name in settings if name in given}
