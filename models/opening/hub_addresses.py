"""Read the addresses under which huggingface.co shows a model, and say what those of other things are."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from urllib.parse import unquote, urlsplit

from huggingface_hub import constants

from models.values.errors import ModelNotFoundError
from models.values.wording import Message, to_say, worded

MAIN = "main"
HOSTS = frozenset(
    {
        "hf-mirror.com",
        "hf.co",
        "huggingface.co",
        "huggingface.com",
        "m.huggingface.co",
        "www.hf.co",
        "www.huggingface.co",
        "www.huggingface.com",
    }
)
OF_A_REVISION = frozenset({"blame", "blob", "commit", "commits", "edit", "raw", "resolve", "tree"})
"""Parts of an address behind an id and before a revision."""
BESIDE_REVISIONS = frozenset(
    {"activity", "colab", "community", "compare", "delete", "discussions", "kaggle", "settings", "upload"}
)
OTHER_SECTIONS: dict[str, Message] = {
    "datasets": to_say("a data set"),
    "spaces": to_say("a Space, which is an app"),
    "collections": to_say("a collection"),
    "papers": to_say("a paper"),
    "buckets": to_say("a bucket of files"),
}
"""The first parts of addresses of other things than models."""
OTHER_PAGES = frozenset(
    {
        "api",
        "blog",
        "chat",
        "docs",
        "enterprise",
        "join",
        "learn",
        "login",
        "models",
        "new",
        "organizations",
        "posts",
        "pricing",
        "search",
        "settings",
        "tasks",
    }
)
OF_AN_OWNER = frozenset(
    {"activity", "collections", "datasets", "followers", "following", "likes", "models", "papers", "posts", "spaces"}
)
"""Pages of a person or an organisation, behind the name."""
LONGEST_SHOWN = 200
_ADDRESS = re.compile(r"(?:^|[^\w.-])((?:\w+\.)?(?:huggingface\.com?|hf\.co)[/\\][!-~]+)", re.IGNORECASE | re.ASCII)
_ID = re.compile(r"(?<![\w./@-])@?(\w[\w.-]*+/\w[\w.-]*+(?:@\w[\w./-]*+)?)(?!\s*+[\w/])", re.ASCII)
"""An id behind which no other word follows, which may be a part of it."""
_ENDS = "\"'.,;:!?)]>*`"
"""The signs that may follow an address in a sentence, in code, or in a link, and are no part of it."""
_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"))
_ID_PART = re.compile(r"[\w.-]+(?:@[\w./-]+)?", re.ASCII)
_ASKED = re.compile(r"[?&]revision=([\w.%/-]+)", re.ASCII)
_TAG = re.compile(r"(?<=[\w.-])/([\w.@-]+):[\w.-]+$")
"""The tag of one file of a repository, as Ollama and llama.cpp write it behind an id: ":Q4_K_M"."""


def find_address(text: str) -> str | None:
    """Return the address of the hub that stands among other words or signs; None if there is none.

    Raises ModelNotFoundError for several.
    """
    return _only((match[1].replace("\\", "/") for match in _ADDRESS.finditer(_plain(text))), text)


def find_id(text: str) -> str | None:
    """Return the id that stands behind a sign or a word of another script; None if there is none, or if another word
    follows, which may be a part of it.

    Raises ModelNotFoundError for several.
    """
    plain = _plain(text)
    behind_signs = (match for match in _ID.finditer(plain) if not re.search(r"[a-zA-Z0-9]\s*$", plain[: match.start()]))
    return _only((match[1] for match in behind_signs), text)


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).translate(_DASHES)


def _only(found: Iterable[str], text: str) -> str | None:
    models = list(dict.fromkeys(model.rstrip(_ENDS) for model in found))
    if len(models) < 2:
        return models[0] if models else None
    raise ModelNotFoundError(
        text[:LONGEST_SHOWN],
        worded(
            "{text} names {n} models, expected one: {models}. Give one of them.",
            text=text[:LONGEST_SHOWN],
            n=len(models),
            models=", ".join(models)[:LONGEST_SHOWN],
        ),
    )


def read_web_address(text: str) -> str | None:
    """Return the id in an address of huggingface.co, with or without https://, or in hf://; None for other text.

    Raises ModelNotFoundError for an address of something else than a model.
    """
    scheme, sign, rest = text.partition("://")
    if sign and scheme.lower() == "hf":
        return _model_at(_parts(rest), text)
    if not sign:
        rest = without_tag(text.removeprefix("//"))
        host = rest.partition("/")[0].lower()
        return _model_at(_parts(rest.partition("/")[2]), text) if host in _hosts() else None
    address = urlsplit(without_tag(text))
    if (address.hostname or "") in _hosts():
        return _model_at(_parts(address.path), text)
    raise ModelNotFoundError(
        text[:LONGEST_SHOWN],
        worded(
            "{address} is a web address, and of those only models of huggingface.co are opened. Download the files "
            "into a folder and give its path, or give a Hugging Face id such as google-bert/bert-base-uncased.",
            address=text[:LONGEST_SHOWN],
        ),
    )


def split_revision_asked(text: str) -> tuple[str, str]:
    """Return an address or an id without "?revision=…", and the revision, empty where none or "main" is asked for."""
    match = _ASKED.search(text)
    if match is None:
        return text, ""
    asked = unquote(match[1])
    return text[: match.start()] + text[match.end() :], "" if asked == MAIN else asked


def without_tag(text: str) -> str:
    """Return an id or its address without the tag of one of its files."""
    return _TAG.sub(r"/\1", text)


def read_git_address(text: str) -> str | None:
    """Return the id in git@hf.co:org/name; None for other text."""
    match = re.fullmatch(r"(?:\w+@)([\w.-]+):(.+)", text)
    return _model_at(_parts(match[2]), text) if match and match[1].lower() in _hosts() else None


def read_hub_path(text: str) -> str:
    """Return the id in "models/org/name" or "org/name/tree/main"; other text as it is."""
    text = without_tag(text)
    parts = text.split("/")
    if len(parts) > 1 and parts[0] in OTHER_SECTIONS:
        raise _not_a_model(text, OTHER_SECTIONS[parts[0]])
    if (stored := re.fullmatch(r"models--([\w.-]+?)--([\w.-]+)", text)) is not None:  # a folder of the hub's cache
        return f"{stored[1]}/{stored[2]}"
    is_address = len(parts) > 2 and (parts[2] in OF_A_REVISION or (parts[0] == "models" and len(parts) == 3))
    is_address = is_address or (len(parts) > 3 and parts[0] == "models" and parts[3] in OF_A_REVISION)
    return _model_at(_parts(text), text) if is_address else _without_main(text.removesuffix(".git"))


def _hosts() -> frozenset[str]:
    """The hosts that are the hub, the one that HF_ENDPOINT names among them."""
    own = urlsplit(constants.ENDPOINT)
    return HOSTS | {own.netloc.lower(), own.hostname or ""} - {""}


def _parts(path: str) -> list[str]:
    return [part for part in re.split(r"[?#]", path, maxsplit=1)[0].split("/") if part]


def _decode(part: str) -> str:
    return unquote(part).strip()


def _model_at(parts: list[str], address: str) -> str:
    """The id, with its revision, in the parts of an address. Raises ModelNotFoundError for something else."""
    if parts[:2] == ["api", "models"] or (parts[:1] == ["models"] and len(parts) > 1):
        parts = parts[parts.index("models") + 1 :]
    n_named = next((n for n in (1, 2) if parts[n : n + 1] and parts[n] in OF_A_REVISION | BESIDE_REVISIONS), 2)
    if len(parts) == 2 and parts[1] in OF_AN_OWNER:
        raise _not_a_model(address, to_say("a person or an organisation"))
    named, rest = parts[:n_named], parts[n_named:]
    if parts[:1] and parts[0] in OTHER_SECTIONS:
        raise _not_a_model(address, OTHER_SECTIONS[parts[0]])
    if not named or named[0] in OTHER_PAGES or not all(map(_ID_PART.fullmatch, map(_decode, named))):
        raise _not_a_model(address, to_say("a page"))
    model = _without_main("/".join(map(_decode, named)).removesuffix(".git"))
    if not rest or rest[0] in BESIDE_REVISIONS:
        return model
    if rest[0] not in OF_A_REVISION:
        return _in_folder(model, rest, address, is_file=True)
    revision, inside = _revision_of(rest[1:])
    model = model if revision == MAIN or "@" in model else f"{model}@{revision}"
    is_file = rest[0] not in {"tree", "commits", "commit"} or (rest[0] != "tree" and "." in (inside or [""])[-1])
    return _in_folder(model, inside, address, is_file=is_file)


def _in_folder(model: str, inside: list[str], address: str, *, is_file: bool) -> str:
    """The model, if what is named lies at the top of its repository. Raises ModelNotFoundError for a folder in it."""
    folder = unquote("/".join(inside[:-1] if is_file else inside))
    if not folder:
        return model
    raise ModelNotFoundError(address[:LONGEST_SHOWN], in_a_folder(model, folder))


def in_a_folder(model: str, folder: str) -> Message:
    """The sentence for a model that lies inside a folder of a repository."""
    return worded(
        "{folder} is a folder inside {model}, and Headlight opens what lies at the top of a repository. Give {model}, "
        "or download the folder and give its path on this machine.",
        folder=folder[:LONGEST_SHOWN],
        model=model,
    )


def _revision_of(parts: list[str]) -> tuple[str, list[str]]:
    """A revision, and what stands behind it."""
    if not parts:
        return MAIN, []
    n_parts = 3 if parts[:2] in (["refs", "pr"], ["refs", "heads"]) else 2 if parts[0] == "refs" else 1
    return unquote("/".join(parts[:n_parts])).removeprefix("refs/heads/"), parts[n_parts:]


def _without_main(model: str) -> str:
    """The id without "@main", which is meant anyway."""
    return model.removesuffix(f"@{MAIN}")


def _not_a_model(address: str, what: Message) -> ModelNotFoundError:
    return ModelNotFoundError(
        address[:LONGEST_SHOWN],
        worded(
            "{address} is the address of {what}, not of a model. Give a model, such as "
            "https://huggingface.co/google-bert/bert-base-uncased.",
            address=address[:LONGEST_SHOWN],
            what=what,
        ),
    )
