"""Read where a model is, as people write it: a hub id, an address of huggingface.co, a path, a line of code.

The result is what `load` opens: a name of the list, a Hugging Face id (with "@revision" where one is meant) or the path
of a folder. On a restricted server the text alone is read, and nothing is looked up on the disk.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from pathlib import Path
from urllib.parse import unquote

from models.checkpoints.faults.folder import folder_of_file
from models.huggingface.checkpoint.revisions import cached_folder
from models.opening.hub_addresses import (
    find_address,
    find_id,
    read_git_address,
    read_hub_path,
    read_web_address,
    split_revision_asked,
)
from models.opening.snippets import read_snippet
from models.opening.sources import source_of
from models.values.arguments.words import did_you_mean
from models.values.errors import ModelNotFoundError
from models.values.wording import join_sentences, worded

VARIABLES = ("HOME", "HF_HOME", "HF_HUB_CACHE", "PWD", "TMPDIR", "USERPROFILE")
"""The variables of the environment that a path may begin with. No others: a message would read their values out."""
INVISIBLE = (
    "\u00a0\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
)
"""Characters that are copied along with a path: spaces that do not break, marks of the direction of writing, of the
byte order."""
QUOTES = '"“”„‟«»`＂'
PAIRS = (
    *("''", "‘’", "‚‘", "‛’", "’’", "´´", "‹›", "›‹", "<>", "()", "[]", "{}", "**"),
    *("「」", "『』", "《》", "〈〉", "【】", "（）", "［］", "〝〞", "〝〟"),
)
"""Signs that are taken off if they stand around the whole; each of QUOTES is taken off alone, too."""
LONGEST_SHOWN = 200
_VARIABLE = re.compile(r"\$(\w+)|\$\{(\w+)\}|%(\w+)%")
_DRIVE = re.compile(r"([A-Za-z]):[\\/]")
_PATH = re.compile(r"[~/\\]|\.{1,2}([/\\]|$)|[A-Za-z]:[\\/]|\$\{?\w|%\w+%[\\/]")
_WSL = re.compile(r"^//wsl(\$|\.localhost)/[^/]+(?=/)", re.IGNORECASE)
_STRING = re.compile(r"[rbfu]{1,2}(?=([\"']).*\1$)", re.IGNORECASE)
"""The letters before a text in Python: r"C:\\Users\\me\\bert"."""
_FILE_ADDRESS = "file:"
_FILE_OF_ID = re.compile(
    r"([\w.-]+/[\w.-]+)/[\w.-]+\.(?:bin|gguf|h5|json|md|model|msgpack|onnx|pt|safetensors|txt)", re.ASCII
)
"""A file of a repository of the hub, behind its id."""


def read_location(given: object, *, may_look: bool = True) -> str:
    """Return the name, the id or the folder that is meant; `may_look` allows a look at the disk.

    Raises ModelNotFoundError for what is neither text nor a path, for a web address of something else than a model, and
    for a path at which there is nothing.
    """
    written = _text_of(given)
    text = _unwrap_text(written)
    there = next((path for path in (written, text) if may_look and _exists(path)), None)
    if there is not None:
        return _folder_at(there)
    snippet = read_snippet(written)
    if snippet is not None:
        return read_location(snippet, may_look=may_look)
    bare, revision = split_revision_asked(text)
    model = _read_plain(bare, may_look=may_look) if bare else ""
    return f"{model}@{revision}" if revision and "@" not in model else model


def _read_plain(text: str, *, may_look: bool) -> str:
    """Return what an address, a path or an id leads to."""
    if text[: len(_FILE_ADDRESS)].lower() == _FILE_ADDRESS:
        path = _path_of_address(text)
        rooted = may_look and not _exists(path) and _exists(f"/{path}")  # file://home/me/bert, with a slash too few
        return _at_path(f"/{path}" if rooted else path, may_look=may_look)
    is_whole = _PATH.match(text) or re.fullmatch(r"\w+://[!-~]+", text)
    mention = None if is_whole else find_address(text)
    address = read_web_address(mention or text) or read_git_address(text)
    if address is not None:
        return address
    if _PATH.match(text) or "\\" in text:
        return _at_path(text, may_look=may_look)
    return _as_id(text, may_look=may_look)


def _text_of(given: object) -> str:
    """Return a name or path as text. Raises ModelNotFoundError for what is neither text nor a path."""
    path = given.__fspath__() if isinstance(given, os.PathLike) else given
    if isinstance(path, str):
        return path
    raise ModelNotFoundError(
        repr(given)[:LONGEST_SHOWN],
        worded(
            "A model is opened by its name, its Hugging Face id or the path of its folder, and this is neither text "
            "nor a path, but of the type {type}. One that is open is given itself, with its tokenizer: load(model, "
            "tokenizer).",
            type=type(path).__name__,
        ),
    )


def _unwrap_text(text: str) -> str:
    """The text without what is copied along: quotation marks, brackets, invisible signs, a comma at its end."""
    before = None
    while text != before:
        before = text
        text = re.sub(r"(?<=\w)[.!?]+$", "", _STRING.sub("", text.strip().strip(INVISIBLE), count=1))
        text = text.strip(QUOTES).rstrip(",;、。，")
        if text.endswith(")") and "(" not in text:
            text = text[:-1]
        if len(text) > 1 and text[0] + text[-1] in PAIRS:
            text = text[1:-1]
    return text


def _exists(text: str) -> bool:
    try:
        return bool(text) and "\0" not in text and Path(text).exists()
    except OSError:  # a name too long for a file, or a folder that may not be looked into
        return False


# -- paths ------------------------------------------------------------------------------------------------------------


def _folder_at(path: str) -> str:
    """The folder that a path leads to: its own, or that of the file of a checkpoint, without a slash at its end."""
    folder = folder_of_file(Path(path))
    return (path if folder is None else str(folder)).rstrip("/" + os.sep) or path


def _path_of_address(address: str) -> str:
    """The path in an address such as file:///home/me/bert, file://~/bert or file:///C:/Users/me/bert."""
    path = unquote(address[len(_FILE_ADDRESS) :])
    if path.lower().startswith("//localhost/"):
        path = path[len("//localhost") :]
    path = path.removeprefix("//")
    return path[1:] if path.startswith("/~") or _DRIVE.match(path[1:]) else path


def _at_path(written: str, *, may_look: bool) -> str:
    """The folder at a path as it is written. Raises ModelNotFoundError if there is nothing, where one may look."""
    written = written.rstrip("/" + os.sep) or written
    readings = [_expand_path(reading) for reading in _readings(written)]
    if not may_look:
        return readings[-1]
    existing_path = next((path for path in readings if _exists(path)), None)
    if existing_path is not None:
        return _folder_at(existing_path)
    folder = next((folder for path in readings if (folder := folder_of_file(Path(path))) is not None), None)
    if folder is not None:
        return str(folder)
    if _is_id(readings[-1]):
        return readings[-1]  # an id, written as Windows writes paths
    raise _nothing_at(written, readings[-1])


def _readings(written: str) -> list[str]:
    """Yield the meanings of a path on this machine: as it is, as a shell reads it, and as Windows writes it."""
    if os.name == "nt" or ("\\" not in written and not _DRIVE.match(written)):
        return [written]
    unescaped = re.sub(r"\\([^\w\\])", r"\1", written)  # My\ models, as a shell has it
    slashed = written.replace("\\", "/")
    drive = _DRIVE.match(slashed)
    mounted = [f"/mnt/{drive[1].lower()}/{slashed[3:]}"] if drive else []  # Linux inside Windows
    inside = _WSL.sub("", slashed)  # the same Linux, as Windows sees it
    return [written, unescaped, *mounted, inside, slashed]


def _expand_path(path: str) -> str:
    """The path with the home of the user, and one of VARIABLES, in the place of their signs."""

    def value(match: re.Match[str]) -> str:
        name = next(filter(None, match.groups()))
        return os.environ.get(name, match[0]) if name in VARIABLES else match[0]

    path = _VARIABLE.sub(value, path)
    try:
        return str(Path(path).expanduser()) if path.startswith("~") else path
    except RuntimeError:  # no user of that name
        return path


def _nothing_at(written: str, path: str) -> ModelNotFoundError:
    """The error for a path at which there is nothing; one that is spelled much like it is named."""
    where = Path(path).absolute()
    try:
        beside = sorted(neighbour.name for neighbour in where.parent.iterdir() if neighbour.exists())
    except OSError:
        beside = []
    alike = get_close_matches(where.name, beside, n=1, cutoff=0.75)
    is_of_windows = os.name != "nt" and _DRIVE.match(path)
    shown = (written if is_of_windows else str(where))[:LONGEST_SHOWN]
    if alike:
        says = worded(
            "There is no folder {folder} on the machine on which Headlight runs. Did you mean {other}?",
            folder=shown,
            other=str(where.parent / alike[0])[:LONGEST_SHOWN],
        )
    else:
        says = worded(
            "There is no folder {folder} on the machine on which Headlight runs, or this account may not look into it. "
            "Check the path.",
            folder=shown,
        )
    return ModelNotFoundError(written[:LONGEST_SHOWN], says)


def folder_on_disk(name: str) -> Path | None:
    """Return where the files of a model lie that is not embedded: a folder, a download, or what a source has made; None
    where there are none, or where a stranger has brought them."""
    source = source_of(name)
    if source is not None:
        with suppress(ModelNotFoundError):
            return None if source.is_strangers(name) else source.folder_of(name)
        return None
    return Path(name) if Path(name).is_dir() else cached_folder(name)


@contextmanager
def suggesting(names: Sequence[str]) -> Iterator[None]:
    """Add to a ModelNotFoundError of the block the one of `names` that is spelled most like what was not found."""
    try:
        yield
    except ModelNotFoundError as error:
        of_owner = [name for name in names if name.startswith(f"{error.name}/")]
        suggestion = "" if error.name in names else did_you_mean(of_owner[0] if of_owner else error.name, names)
        if not suggestion:
            raise
        raise ModelNotFoundError(error.name, join_sentences(error.args[0], suggestion)) from error


# -- ids --------------------------------------------------------------------------------------------------------------


def _as_id(text: str, *, may_look: bool) -> str:
    """The text as a hub id, or as the path of a folder below the current one."""
    plain = re.sub(r"\s*/[\s/]*", "/", text).rstrip("/@") or text
    if may_look and _exists(plain):
        return _folder_at(plain)
    if (file := _FILE_OF_ID.fullmatch(plain)) is not None:
        plain = file[1]
    elif not _is_id(plain.partition("@")[0]):
        plain = find_id(text) or plain
    hub_path = read_hub_path(plain)
    if may_look and hub_path == plain and plain.partition("@")[0].count("/") > 1:
        return _at_path(plain, may_look=may_look)
    return hub_path


def _is_id(text: str) -> bool:
    return re.fullmatch(r"[\w.-]+/[\w.-]+", text, re.ASCII) is not None and not text.startswith(".")
