"""Which revision of a Hugging Face repository has safetensors: its main branch, or a pull request of the hub's own bot.

Where people put only a pickle, the bot has often proposed the same weights as safetensors; transformers finds them in
the same way (`safetensors_conversion.py`). We take what is there: nobody is ever asked to convert anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path

from huggingface_hub import HfApi, try_to_load_from_cache
from huggingface_hub.errors import HfHubHTTPError, HFValidationError, RevisionNotFoundError

SAFETENSORS = ("model.safetensors", "model.safetensors.index.json")
MAIN = "main"
BOT = "SFconvertbot"
CONVERTED = f"by-{BOT}"
"""The cache's name of the bot's revision. "refs/pr/3" would not tell whose it is when there is no internet to ask."""
CACHED_REVISIONS = (MAIN, CONVERTED)
"""In the order in which they are looked at."""
SECONDS_TO_REACH_THE_HUB = 5.0


def split_revision(source: str) -> tuple[str, str | None]:
    """An id "org/name@revision" as its repository and its revision; None for the main branch."""
    repository, _, revision = source.partition("@")
    return repository, None if revision in {"", MAIN} else revision


def files_on_hub(source: str, revision: str | None = None) -> frozenset[str]:
    """The names of a revision's files, None is the main branch. Raises what HfApi raises."""
    info = HfApi().model_info(source, revision=revision, timeout=SECONDS_TO_REACH_THE_HUB)
    return frozenset(sibling.rfilename for sibling in info.siblings or ())


def converted_on_hub(source: str) -> str | None:
    """The bot's newest pull request that has safetensors, as "refs/pr/3"; None without one. Raises what HfApi does."""
    for reference in _references_of_bot(source):
        with suppress(RevisionNotFoundError):  # the branch of a merged one may be gone
            if not files_on_hub(source, reference).isdisjoint(SAFETENSORS):
                return reference
    return None


def _references_of_bot(source: str) -> list[str]:
    """Newest first. Only the author counts: anybody can give a pull request the bot's title."""
    discussions = HfApi().get_repo_discussions(source, author=BOT, discussion_type="pull_request")
    try:
        requests = [
            request for request in discussions if request.author == BOT and request.status in {"open", "merged"}
        ]
    except HfHubHTTPError as error:
        if error.response.status_code == HTTPStatus.FORBIDDEN:  # the owner has switched discussions off
            return []
        raise
    requests.sort(key=lambda request: request.num, reverse=True)
    return [request.git_reference for request in requests if request.git_reference]


def keep_as_converted(snapshot: Path) -> None:
    """Let the cache find `snapshot`, the folder of the bot's revision, as CONVERTED: a reference is a file."""
    with suppress(OSError):  # a cache that cannot be written to
        (snapshot.parent.parent / "refs" / CONVERTED).write_text(snapshot.name, encoding="utf-8")


def cached_revision(source: str, asked: str | None = None) -> str | None:
    """The revision that can be opened without internet, of those that may be or the one that is `asked` for; None if
    there is none."""
    source, named = split_revision(source)
    asked = asked or named
    for revision in CACHED_REVISIONS if asked is None else (asked,):
        if all(is_cached(source, files, revision) for files in (("config.json",), SAFETENSORS)):
            return revision
    return None


def cached_folder(source: str) -> Path | None:
    """The folder of the revision that can be opened without internet; None if there is none."""
    revision = cached_revision(source)
    return None if revision is None else snapshot_folder(split_revision(source)[0], revision)


def snapshot_folder(repository: str, revision: str) -> Path | None:
    """The folder of a revision in the local cache; None if its config.json is not there."""
    config = try_to_load_from_cache(repository, "config.json", revision=revision)
    return Path(config).parent if isinstance(config, str) else None


def is_cached(source: str, files: Sequence[str], revision: str) -> bool:
    """Whether the local cache of a revision has one of `files`."""
    try:
        return any(isinstance(try_to_load_from_cache(source, file, revision=revision), str) for file in files)
    except HFValidationError:
        return False
