"""The tokenizer of a stranger, made anew from its vocabulary and from forms whose cost is known.

A tokenizer.json is a little program: ten replacements of one letter by ten, one after the other, make 10^10 letters of
one, and a regular expression may never end. So each of its parts is one of the forms below, with nothing but the
settings below, and what is written is put together here. https://huggingface.co/docs/tokenizers/components
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from lab.uploads.tokenizer_checks import (
    MOST_GROWTH,
    MOST_PARTS,
    MOST_TOKENS_ADDED,
    Settings,
    is_id,
)
from lab.uploads.tokenizer_parts import ADDED, CONFIG, FORMS, IN_SEQUENCE, MODELS, TokenizerPart
from models.values.errors import LabError
from models.values.wording import to_say, worded


def rebuilt(tokenizer: Mapping[str, Any], *, d_vocab: int) -> dict[str, Any]:
    """Rebuild the content of a tokenizer.json. Raises LabError for an unsupported form."""
    added = tokenizer.get("added_tokens") or []
    if not isinstance(added, list) or len(added) > MOST_TOKENS_ADDED:
        raise LabError(
            worded("tokenizer.json adds tokens that are not a list of at most {most}.", most=f"{MOST_TOKENS_ADDED:,}")
        )
    model = _model(tokenizer.get("model"))
    kept = [_only(token, ADDED, to_say("an added token")) for token in added]
    _expect_known(model, [token["id"] for token in kept if "id" in token], d_vocab)
    parts = {part: _part(part, tokenizer.get(part)) for part in get_args(TokenizerPart)}
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": kept, **parts, "model": model}


def rebuilt_config(config: Mapping[str, Any], *, classes: frozenset[str]) -> dict[str, Any]:
    """Return the kept settings of a tokenizer_config.json. Raises LabError for another class or an invalid value."""
    given = str(config.get("tokenizer_class", "PreTrainedTokenizerFast"))
    if given not in classes:
        raise LabError(
            worded(
                "tokenizer_config.json says tokenizer_class {given}, expected one of {known}.",
                given=repr(given[:60]),
                known=", ".join(sorted(classes)),
            )
        )
    kept = {name: config[name] for name in CONFIG if name in config}
    return {"tokenizer_class": given} | _only(kept, CONFIG, "tokenizer_config.json")


def _part(part: TokenizerPart, given: Any) -> dict[str, Any] | None:
    """Return a part, which may be a sequence of several. Raises LabError."""
    if given is None:
        return None
    several = given.get(IN_SEQUENCE[part]) if isinstance(given, dict) and given.get("type") == "Sequence" else None
    if several is None:
        one = _one_of_them(part, given)
        _check_growth(part, [one])
        return one
    if not isinstance(several, list) or len(several) > MOST_PARTS:
        raise LabError(
            worded(
                "The {part} of tokenizer.json has a sequence that is not a list of at most {most}.",
                part=part,
                most=MOST_PARTS,
            )
        )
    made = [_one_of_them(part, entry) for entry in several]
    _check_growth(part, made)
    kinds = [entry["type"] for entry in made]
    twice = {kind for kind in kinds if kinds.count(kind) > 1 and kind not in {"Replace", "Split", "Strip"}}
    if twice:
        raise LabError(
            worded("The {part} of tokenizer.json has {form} twice, expected once.", part=part, form=min(twice))
        )
    return {"type": "Sequence", IN_SEQUENCE[part]: made}


def _one_of_them(part: TokenizerPart, given: Any) -> dict[str, Any]:
    kind = given.get("type") if isinstance(given, dict) else None
    settings = FORMS[part].get(kind) if isinstance(kind, str) else None
    if settings is None:
        raise LabError(
            worded(
                "The {part} of tokenizer.json is {given}, expected one of {known}, or a Sequence of them. It was not "
                "opened.",
                part=part,
                given=repr(str(kind)[:40]),
                known=", ".join(FORMS[part]),
            )
        )
    if isinstance(given.get("pattern"), dict) and "Regex" in given["pattern"]:
        raise LabError(
            to_say("tokenizer.json contains a regular expression, which can be made to run forever. It was not opened.")
        )
    where = worded("The {part} of tokenizer.json, {form},", part=part, form=kind)
    return {"type": kind} | _only(given, settings, where)


def _check_growth(part: TokenizerPart, made: Sequence[dict[str, Any]]) -> None:
    """Raise LabError if the replacements of a part, one after the other, can make a text many times as long."""
    lengths = [
        (len(entry.get("content", "")), len(entry.get("pattern", {}).get("String", "")))
        for entry in made
        if entry["type"] == "Replace"
    ]
    growth = math.prod(max(1.0, after / before if before else math.inf) for after, before in lengths if after)
    if growth > MOST_GROWTH:
        raise LabError(
            worded("The {part} of tokenizer.json makes text longer with a Replace. It was not opened.", part=part)
        )


def _model(given: Any) -> dict[str, Any]:
    """Return the model of a tokenizer: its vocabulary, and how words are cut. Raises LabError."""
    kind = given.get("type") if isinstance(given, dict) else "nothing"
    if not isinstance(kind, str) or kind not in MODELS:
        raise LabError(
            worded(
                "tokenizer.json is of the kind {given}, expected one of {known}.",
                given=repr(str(kind)[:40]),
                known=str(sorted(MODELS)),
            )
        )
    model = {"type": kind} | _only(given, MODELS[kind], worded("The {part} of tokenizer.json", part=kind))
    if not model.get("vocab"):
        raise LabError(to_say("tokenizer.json has no vocabulary."))
    if model.get("unk_token") is not None and model["unk_token"] not in model["vocab"]:
        raise LabError(
            worded(
                "tokenizer.json says {name} {given}, which is not in its vocabulary.",
                name="unk_token",
                given=repr(model["unk_token"]),
            )
        )
    if kind == "Unigram" and (model.get("unk_id") or 0) >= len(model["vocab"]):
        raise LabError(
            worded(
                "tokenizer.json says {name} {given}, which is not in its vocabulary.",
                name="unk_id",
                given=model["unk_id"],
            )
        )
    return model


def _expect_known(model: Mapping[str, Any], added: list[int], d_vocab: int) -> None:
    """Raise LabError if a tokenizer gives an id that the model does not have."""
    vocabulary = model["vocab"]
    ids = [*(vocabulary.values() if isinstance(vocabulary, dict) else range(len(vocabulary))), *added]
    if not all(is_id(number) and number < d_vocab for number in ids):
        raise LabError(
            worded(
                "tokenizer.json has entries beyond the {entries} of the model: the two do not belong together.",
                entries=f"{d_vocab:,}",
            )
        )


def _only(given: Any, settings: Settings, what: str) -> dict[str, Any]:
    """Return the settings that are known, each of which has to be what it may be. Raises LabError."""
    if not isinstance(given, dict):
        raise LabError(
            worded("{what} is {type}, expected a table of names and values.", what=what, type=type(given).__name__)
        )
    for name, check in settings.items():
        if name in given and not check(given[name]):
            raise LabError(
                worded(
                    "{what} says {name} {given}, which Headlight does not open.",
                    what=what,
                    name=name,
                    given=repr(str(given[name])[:60]),
                )
            )
    return {name: given[name] for name in settings if name in given}
