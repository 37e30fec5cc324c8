"""A run on disk: all that is known of it lies in its folder, so that no tab, server or job has to be there.

recipe.json   what is trained          status.json        queued, running, done, ... and since when
given.json    the rows of a person     metrics.jsonl, state.safetensors, snapshots/, model/: see
models.training.trainer.fit alive, pid    held while a job runs    stop               is there when the job shall end
results.json  what it answers          log.txt            what the job said
live.json     what it makes of one example while it learns; vocabulary.json: its word pieces
client.txt, owner.txt    the address and the browser that it came from, as digests
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, get_args

from lab.data.given import Given, read_given
from lab.jobs.disk import LAST_WORDS, disk_full, is_about_disk, keep_reserve
from lab.jobs.locks import is_held, write_whole
from lab.jobs.messages import as_json, from_json
from lab.recipe import Recipe, read_recipe
from models.values.errors import LabError
from models.values.wording import to_say, worded

State = Literal["queued", "running", "done", "stopped", "killed", "failed", "uploaded"]
UNFINISHED: frozenset[State] = frozenset({"queued", "running"})
RESUMABLE: frozenset[State] = frozenset({"stopped", "killed"})
_ID = re.compile(r"[0-9a-f]{20}")
_ID_BYTES = 10
"""80 bits of chance: nobody finds the run of another by trying. Hexadecimal, as file systems may not tell A from a."""
RECIPE, GIVEN, STATUS, METRICS, RESULTS = "recipe.json", "given.json", "status.json", "metrics.jsonl", "results.json"
MODEL, SNAPSHOTS, ALIVE, PID, STOP, LOG = "model", "snapshots", "alive", "pid", "stop", "log.txt"
LIVE, VOCABULARY = "live.json", "vocabulary.json"
UPLOADED, CLIENT, OWNER = "name.txt", "client.txt", "owner.txt"
QUEUE_AGAIN = "queue again"
"""The reason of a job that stops because its server is gone."""
_TRASH = ".deleted-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The status of a run: `since` when (seconds since 1970), and a `message` for the reader."""

    state: State
    since: float
    message: str = ""
    queued_at: float = 0.0
    """When it was last put into the queue: whoever came first is first."""
    server: str = ""
    """The server that has started its job: what it starts, and has not its lock yet, another one does not judge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run, or an uploaded model, whose recipe is what came along, if anything did."""

    id: str
    folder: Path
    name: str
    status: Status
    recipe: Recipe | None
    is_stopping: bool = False
    client: str = ""
    """A digest of the client that started the run; empty if clients are not identified."""
    owner: str = ""
    """A digest of the browser that started the run; empty if no browser has."""

    @property
    def state(self) -> State:
        """The state of the run."""
        return self.status.state

    @property
    def is_resumable(self) -> bool:
        """Whether a job may go on where it ended."""
        return self.recipe is not None and self.state in RESUMABLE

    @property
    def checkpoint(self) -> Path | None:
        """The folder of its model: the finished one, or the last snapshot of a run that is not at its end."""
        if (self.folder / MODEL / "config.json").exists():
            return self.folder / MODEL
        snapshots = snapshots_of(self.folder)
        return snapshots[-1] if snapshots else None


def create(folder: Path, recipe: Recipe, given: Given | None, *, client: str = "", owner: str = "") -> Run:
    """Return a new run among those of `folder`, at the end of the queue. Raises LabError if the disk has no room for
    it."""
    with _new_place(folder) as place:
        (place / RECIPE).write_text(recipe.to_json(), encoding="utf-8")
        if given is not None:
            given.save(place / GIVEN)
        _write_whose(place, client=client, owner=owner)
        keep_reserve(place / LAST_WORDS)
        now = time.time()
        write_status(place, Status(state="queued", since=now, queued_at=now))
    return find(folder, place.name)


def adopt(
    folder: Path, checkpoint: Path, name: str, training: Mapping[str, str], *, client: str = "", owner: str = ""
) -> Run:
    """Return a run made of a checked checkpoint folder, which is moved into it, and the checked files of its training,
    by their names. Raises LabError if the disk has no room."""
    with _new_place(folder) as place:
        checkpoint.replace(place / MODEL)
        (place / UPLOADED).write_text(name, encoding="utf-8")
        for file, text in training.items():
            (place / file).write_text(text, encoding="utf-8")
        _write_whose(place, client=client, owner=owner)
        write_status(place, Status(state="uploaded", since=time.time()))
    return find(folder, place.name)


@contextmanager
def _new_place(folder: Path) -> Iterator[Path]:
    """The folder of a new run, to be filled inside the block: if that fails, nothing of it stays."""
    place = folder / secrets.token_hex(_ID_BYTES)
    try:
        place.mkdir(parents=True)
        yield place
    except OSError as error:
        shutil.rmtree(place, ignore_errors=True)
        if is_about_disk(error):
            raise LabError(worded("{disk_full} Nothing was started.", disk_full=disk_full(error))) from error
        raise


def is_id(text: str) -> bool:
    """Return whether a text may be the id of a run; nothing else ever becomes part of a path."""
    return _ID.fullmatch(text) is not None


def find(folder: Path, identifier: str) -> Run:
    """Return the run with this id. Raises LabError if there is none, or its files are damaged."""
    place = folder / identifier
    if not is_id(identifier) or not (place / STATUS).exists():
        raise LabError(to_say("There is no such run here: it was deleted, or the link is incomplete. Start a new one."))
    recipe = _read_recipe(place / RECIPE)
    name = recipe.name if recipe else _read_name(place / UPLOADED)
    return Run(
        id=identifier,
        folder=place,
        name=name,
        status=read_status(place),
        recipe=recipe,
        is_stopping=(place / STOP).exists(),
        client=_read_digest(place / CLIENT),
        owner=_read_digest(place / OWNER),
    )


def _write_whose(place: Path, *, client: str, owner: str) -> None:
    for file, digest in ((CLIENT, client), (OWNER, owner)):
        if digest:
            (place / file).write_text(digest, encoding="ascii")


def _read_digest(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii")
    except (OSError, UnicodeError):
        return ""


def _read_recipe(file: Path) -> Recipe | None:
    """Return the recipe of a run; None for a model that was uploaded. Raises LabError if the file is damaged."""
    try:
        return read_recipe(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, UnicodeError) as error:
        raise LabError(
            worded("The recipe of this run cannot be read ({why}). Delete it and start a new one.", why=str(error))
        ) from error


def _read_name(file: Path) -> str:
    """Return the name of an uploaded model."""
    try:
        return file.read_text(encoding="utf-8") or "model"
    except (OSError, UnicodeError):
        return "model"


def all_runs(folder: Path) -> tuple[Run, ...]:
    """Return every run that can be read, the newest first."""
    return tuple(sorted(_readable(folder), key=lambda run: -max(run.status.queued_at, run.status.since)))


def _readable(folder: Path) -> Iterator[Run]:
    for identifier in ids(folder):
        try:
            yield find(folder, identifier)
        except (LabError, OSError):  # deleted meanwhile, or damaged: the others are still there
            continue


def ids(folder: Path) -> tuple[str, ...]:
    """Return the ids of all runs."""
    try:
        return tuple(entry.name for entry in os.scandir(folder) if is_id(entry.name))
    except FileNotFoundError:
        return ()


def read_status(place: Path) -> Status:
    """Return the status of the run in a folder. Raises LabError if its file is damaged."""
    file = place / STATUS
    try:
        given = _parse_file(str(file), file.stat().st_mtime_ns)
        status = Status(
            state=given["state"],
            since=float(given["since"]),
            message=from_json(given["message"]),
            queued_at=float(given["queued_at"]),
            server=str(given.get("server", "")),
        )
    except (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        raise LabError(
            worded("The status of this run cannot be read ({why}). Delete it and start a new one.", why=str(error))
        ) from error
    if status.state not in get_args(State):
        raise LabError(
            worded(
                "The status of this run is {state}, which is unknown. Delete it and start a new one.",
                state=repr(status.state),
            )
        )
    return status


@lru_cache(maxsize=4096)
def _parse_file(path: str, _changed: int) -> Any:
    """Return the parsed file, cached: the supervisor reads every run twice a second, and nearly all are over."""
    return json.loads(Path(path).read_text(encoding="utf-8"))


def write_status(place: Path, status: Status) -> None:
    """Write where a run is. A job writes while it is alive, the supervisor while it is not: they never meet."""
    write_whole(place / STATUS, json.dumps(asdict(status) | {"message": as_json(status.message)}) + "\n")


def is_alive(place: Path) -> bool:
    """Return whether a job works on the run."""
    return is_held(place / ALIVE)


def snapshots_of(place: Path) -> tuple[Path, ...]:
    """Return the checkpoints that a run left on its way, in their order."""
    return tuple(sorted((place / SNAPSHOTS).glob("step-*")))


def given_of(run: Run) -> Given | None:
    """Return the rows of a run; None for a task that makes its own."""
    return read_given(run.folder / GIVEN) if (run.folder / GIVEN).exists() else None


def twin_of(run: Run, others: Iterable[Run]) -> Run | None:
    """Return the first of some runs that is finished, has learned labels from the very same rows by the same recipe,
    and reads them from something else than this run does: what differs between the two, that has done. None if there
    is none."""
    return next((other for other in others if _are_twins(run, other)), None)


def _are_twins(run: Run, other: Run) -> bool:
    mine, theirs = run.recipe, other.recipe
    if mine is None or theirs is None or other.state != "done" or mine.task != "labels":
        return False
    if theirs.pooling == mine.pooling or replace(theirs, name=mine.name, pooling=mine.pooling) != mine:
        return False
    return _content(run) == _content(other) != b""


def _content(run: Run) -> bytes:
    """Return the rows of a run as they lie there; nothing if they are gone."""
    try:
        return (run.folder / GIVEN).read_bytes()
    except OSError:
        return b""


def remove(place: Path) -> None:
    """Delete the folder of a run; it is gone at once, whatever its files still do."""
    doomed = place.with_name(f"{_TRASH}{place.name}")
    try:
        place.replace(doomed)
    except FileNotFoundError:
        return
    shutil.rmtree(doomed, ignore_errors=True)
