"""A model from the hub, for real: huggingface_hub in a process of its own, and a small hub on this machine."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, TypeAlias
from urllib.parse import unquote

import pytest
import transformers as hf

from models.huggingface.checkpoint.download_bar import bar_that_tells
from tests.models.huggingface.families import COMMON, Family, save, wordpiece

COMMITS = {"main": "5" * 40, "refs/pr/1": "1" * 40, "refs/pr/2": "2" * 40, "refs/pr/3": "3" * 40}
BOT = "SFconvertbot"
CONVERTED = "teacher/converted"
NOT_TO_DISCUSS = "teacher/nothing"
BUSY = "teacher/busy"
TINY = "teacher/tiny-bert"
OF_REQUEST, UNKNOWN_REVISION = "teacher/pickle@refs/pr/1", "https://huggingface.co/teacher/tiny-bert/tree/v9"
HALF_WEIGHTS, HALF_WORDS = "teacher/half-weights", "teacher/half-words"
ROOT = Path(__file__).resolve().parents[3]
Answers: TypeAlias = dict[str, list[dict[str, Any]]]
"""The name of a model, and the result of each time that it was opened."""
SLICE = 4_000_000
WIDE = {"vocab_size": 60_000, "hidden_size": 96, "num_hidden_layers": 2}
"""24 megabytes, of which 23 are words: huggingface_hub counts in steps of ten."""
CLIENT = """
import json, sys
import models
from models.values.errors import ModelError

def opened(name):
    said = []
    try:
        recorded = models.load(name, device="cpu", progress=said.append).record("The animal was [MASK].")
    except ModelError as error:
        return {"said": said, "error": type(error).__name__, "message": str(error)}
    return {"said": said, "layers": recorded.info.n_layers, "tokens": [token.text for token in recorded.tokens]}

print(json.dumps([opened(name) for name in sys.argv[1:]]))
"""


# -- a hub ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PullRequest:
    """Its files are those of the whole repository with it."""

    author: str
    files: dict[str, Path]
    status: str = "open"


@dataclass(slots=True)
class Hub:
    """What huggingface_hub 2.4 asks of huggingface.co, for repositories without xet; and everything that was asked."""

    repositories: dict[str, dict[str, Path]]
    pull_requests: dict[str, list[PullRequest]] = field(default_factory=dict)
    """Numbered from 1."""
    gated: frozenset[str] = frozenset()
    breaks: dict[tuple[str, str], int] = field(default_factory=dict)
    """(repository, file), and after how many bytes it breaks off. The next request for it fails, then all works."""
    failing: set[tuple[str, str]] = field(default_factory=set)
    requests: list[tuple[str, str]] = field(default_factory=list)
    """(method and path, user agent)"""

    def files(self, name: str, revision: str) -> dict[str, Path]:
        """The files of a branch or a commit."""
        requests = self.pull_requests.get(name, [])
        of_branches = {f"refs/pr/{number}": request.files for number, request in enumerate(requests, start=1)}
        of_branches["main"] = self.repositories[name]
        return of_branches[next(branch for branch, commit in COMMITS.items() if revision in {branch, commit})]

    def listing(self, name: str, revision: str) -> list[dict[str, Any]]:
        return [
            {"type": "file", "path": path, "size": file.stat().st_size, "oid": etag(file)}
            for path, file in self.files(name, revision).items()
        ]

    def info(self, name: str, revision: str) -> dict[str, Any]:
        siblings = [{"rfilename": path} for path in self.files(name, revision)]
        return {"id": name, "sha": COMMITS.get(revision, revision), "private": False, "siblings": siblings}

    def discussions(self, name: str) -> dict[str, Any]:
        """All pull requests on one page, whoever is asked for: the author has to be looked at as well."""
        found = [
            {
                "num": number,
                "title": "Adding `safetensors` variant of this model",
                "author": {"name": request.author},
                "status": request.status,
                "isPullRequest": True,
                "createdAt": "2023-07-01T09:00:00.000Z",
                "repo": {"name": name, "type": "model"},
            }
            for number, request in enumerate(self.pull_requests.get(name, []), start=1)
        ]
        return {"discussions": found, "count": len(found), "start": 0}


def etag(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()


class Answer(BaseHTTPRequestHandler):
    """One request to a hub."""

    protocol_version = "HTTP/1.1"

    def __init__(self, hub: Hub, *args: Any) -> None:
        self.hub = hub
        super().__init__(*args)

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def log_message(self, *_args: object) -> None:
        pass

    def _answer(self) -> None:
        path = self.path.partition("?")[0]
        self.hub.requests.append((f"{self.command} {path}", self.headers["User-Agent"]))
        found = re.fullmatch(
            r"/api/models/([^/]+/[^/]+)(?:/(tree|revision|discussions)/?([^/]*))?|/(.+/.+)/resolve/([^/]+)/(.+)", path
        )
        name = found and (found[1] or found[4])
        if not found or name not in self.hub.repositories:
            return self._refuse(401, "RepoNotFound")  # as huggingface.co says to people it does not know
        if name == BUSY:
            return self._refuse(503, "")
        if found[1]:
            return self._describe(name, found[2], unquote(found[3] or "main"))
        file = self.hub.files(name, found[5]).get(found[6])
        if name in self.hub.gated:
            return self._refuse(403, "GatedRepo")
        return self._refuse(404, "EntryNotFound") if file is None else self._send_file((name, found[6]), file)

    def _describe(self, name: str, what: str | None, revision: str) -> None:
        if revision not in {*COMMITS, *COMMITS.values()}:
            return self._refuse(404, "RevisionNotFound")
        if what != "discussions":
            found = self.hub.listing(name, revision) if what == "tree" else self.hub.info(name, revision)
            return self._send(json.dumps(found).encode())
        if name == NOT_TO_DISCUSS:
            return self._refuse(403, "")
        return self._send(json.dumps(self.hub.discussions(name)).encode())

    def _refuse(self, status: int, code: str) -> None:
        self.send_response(status)
        self.send_header("X-Error-Code", code)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _send(self, content: bytes, **headers: str) -> None:
        self.send_response(200)
        for key, value in {"X-Repo-Commit": self._commit(), "Content-Length": str(len(content)), **headers}.items():
            self.send_header(key.replace("_", "-"), value)
        self.end_headers()
        for start in range(0, len(content) if self.command == "GET" else 0, SLICE):
            self.wfile.write(content[start : start + SLICE])
            time.sleep(0.1 if len(content) > SLICE else 0)

    def _commit(self) -> str:
        return next((commit for commit in COMMITS.values() if f"/{commit}" in self.path), COMMITS["main"])

    def _send_file(self, key: tuple[str, str], file: Path) -> None:
        content = file.read_bytes()
        if self.command == "GET" and key in self.hub.failing:
            self.hub.failing.remove(key)
            self._refuse(500, "")
        elif self.command == "GET" and key in self.hub.breaks:
            self.hub.failing.add(key)
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[: self.hub.breaks.pop(key)])
            self.close_connection = True
        else:
            self._send(content, ETag=f'"{etag(file)}"')


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The files of a tiny BERT by name."""
    config = partial(hf.BertConfig, **COMMON | WIDE | {"pad_token_id": 0})
    family = Family(model_class=hf.BertForPreTraining, config=config, tokenizer=wordpiece)
    return {file.name: file for file in save(family, tmp_path_factory.mktemp("bert")).iterdir()}


@pytest.fixture(scope="module")
def hub(checkpoint: dict[str, Path]) -> Iterator[tuple[Hub, str]]:
    """A hub with its address."""
    weights = checkpoint["model.safetensors"]
    others = {name: file for name, file in checkpoint.items() if file != weights}
    repositories = {
        TINY: checkpoint,
        "teacher/pickle": others | {"pytorch_model.bin": weights},
        NOT_TO_DISCUSS: others,
        CONVERTED: others | {"pytorch_model.bin": weights},
        "teacher/gated": checkpoint,
        BUSY: checkpoint,
        HALF_WEIGHTS: checkpoint,
        HALF_WORDS: checkpoint,
    }
    pull_requests = {
        "teacher/pickle": [PullRequest("stranger", checkpoint), PullRequest(BOT, checkpoint, status="closed")],
        CONVERTED: [
            PullRequest("stranger", checkpoint),
            PullRequest(BOT, checkpoint),
            PullRequest("stranger", checkpoint),
        ],
    }
    hub = Hub(repositories, pull_requests, gated=frozenset({"teacher/gated"}))
    hub.breaks = {(HALF_WEIGHTS, "model.safetensors"): 13_000_000, (HALF_WORDS, "tokenizer.json"): 1000}
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Answer, hub))
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield hub, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def opened(*names: str, home: Path, **environment: str) -> Answers:
    """Open the models one after the other in a process of its own; return its answers by the name of the model.

    Neither a progress bar nor a traceback may be written.
    """
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("HF_", "HUGGING"))}
    done = subprocess.run(
        [sys.executable, "-c", CLIENT, *names],
        env=inherited | {"HF_HOME": str(home), "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"} | environment,
        cwd=home,
        capture_output=True,
        encoding="utf-8",
        timeout=390,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "%|" not in done.stderr, "a bar was drawn"
    assert "Traceback" not in done.stderr
    answers: Answers = {}
    for name, answer in zip(names, json.loads(done.stdout), strict=True):
        answers.setdefault(name, []).append(answer)
    return answers


@pytest.fixture(scope="module")
def online(hub: tuple[Hub, str], tmp_path_factory: pytest.TempPathFactory) -> tuple[Answers, Path]:
    """Open every model in a process that can reach the hub; return its answers and the folder of its cache."""
    home = tmp_path_factory.mktemp("home")
    names = (
        "nobody/no-such-model",
        BUSY,
        "teacher/pickle",
        NOT_TO_DISCUSS,
        "teacher/gated",
        CONVERTED,
        TINY,
        TINY,
        OF_REQUEST,
        UNKNOWN_REVISION,
        "teacher/pickle",
        HALF_WEIGHTS,
        HALF_WORDS,
        HALF_WEIGHTS,
        HALF_WORDS,
    )
    return opened(*names, home=home, HF_ENDPOINT=hub[1]), home


@pytest.fixture(scope="module")
def offline(hub: tuple[Hub, str], online: tuple[Answers, Path]) -> Answers:
    """Open models from that cache in a process that must not ask the hub; return its answers."""
    n_requests = len(hub[0].requests)
    nowhere = {"HF_ENDPOINT": "http://127.0.0.1:9", "HF_HUB_OFFLINE": "1"}
    answers = opened(TINY, CONVERTED, OF_REQUEST, "teacher/never-seen", home=online[1], **nowhere)
    assert len(hub[0].requests) == n_requests
    return answers


# -- downloads --------------------------------------------------------------------------------------------------------


def test_what_cannot_be_downloaded_is_said(online: tuple[Answers, Path]) -> None:
    answers = {name: of_name[0] for name, of_name in online[0].items()}
    assert answers["nobody/no-such-model"]["error"] == "ModelNotFoundError"
    assert "huggingface.co has no such model" in answers["nobody/no-such-model"]["message"]
    for name, words in (
        (BUSY, "503"),
        ("teacher/pickle", "That is a pickle"),
        (NOT_TO_DISCUSS, "has no model.safetensors"),
        ("teacher/gated", "owner's permission"),
    ):
        assert answers[name]["error"] == "ModelLoadError"
        assert words in answers[name]["message"]
        assert "\n" not in answers[name]["message"]


def test_a_model_is_downloaded_once_and_opened_from_the_cache(
    hub: tuple[Hub, str], online: tuple[Answers, Path], offline: Answers
) -> None:
    first, again = online[0][TINY]
    assert first["layers"] == again["layers"] == 2
    assert first["tokens"] == again["tokens"]
    looking, downloading, *counts, opening = first["said"]
    assert (looking, opening) == (f"Looking for {TINY} on huggingface.co", f"Opening {TINY}")
    assert downloading == f"Downloading {TINY}"
    assert any(re.fullmatch(rf"Downloading {TINY}: [12]\d of 2\d MB", count) for count in counts), counts
    assert again["said"] == [f"Opening {TINY}"]
    assert offline[TINY] == [again]
    assert offline["teacher/never-seen"][0]["error"] == "ModelNotFoundError"
    assert "not in the local cache" in offline["teacher/never-seen"][0]["message"]
    expect_nothing_but_files(hub[0])


def test_weights_that_a_bot_has_converted_are_downloaded(
    hub: tuple[Hub, str], online: tuple[Answers, Path], offline: Answers
) -> None:
    (converted,) = online[0][CONVERTED]
    assert converted.get("tokens") == online[0][TINY][0]["tokens"], converted
    assert any(re.fullmatch(rf"Downloading {CONVERTED}: [12]\d of 2\d MB", count) for count in converted["said"])
    fetched = [request for request, _ in hub[0].requests if request.startswith(f"GET /{CONVERTED}/resolve/")]
    assert fetched
    assert all(f"/{COMMITS['refs/pr/2']}/" in request for request in fetched), "all is of the bot's pull request"
    assert offline[CONVERTED] == [converted | {"said": [f"Opening {CONVERTED}"]}]


def expect_nothing_but_files(hub: Hub) -> None:
    """Every request is for a repository or its files, says nothing about the machine, and fetches no pickle."""
    allowed = r"GET /api/models/.+|(HEAD|GET) /(teacher|nobody)/[^/]+/resolve/.+"
    for request, agent in hub.requests:
        assert re.fullmatch(allowed, request), request
        assert "pytorch_model.bin" not in request
        assert "torch" not in agent, "huggingface_hub adds versions when telemetry is on"
        assert "agent/" not in agent
    whole = [request for request, _ in hub.requests if HALF_WEIGHTS not in request and HALF_WORDS not in request]
    fetched = [request for request in whole if request.startswith("GET") and "/resolve/" in request]
    assert len(fetched) == len(set(fetched)), "a file was fetched twice"


def test_a_revision_is_downloaded_as_that_and_no_other(
    hub: tuple[Hub, str], online: tuple[Answers, Path], offline: Answers
) -> None:
    (found,), (unknown,) = online[0][OF_REQUEST], online[0][UNKNOWN_REVISION]
    assert found.get("layers") == 2, found
    assert unknown["error"] == "ModelNotFoundError"
    assert "has no revision 'v9'" in unknown["message"]
    of_main = online[0]["teacher/pickle"][-1]
    assert "pickle" in of_main["message"], "what was asked for is no revision of the main branch"
    fetched = [request for request, _ in hub[0].requests if request.startswith("GET /teacher/pickle/resolve/")]
    of_weights = [request for request in fetched if request.endswith("model.safetensors")]
    assert of_weights
    assert all(f"/{COMMITS['refs/pr/1']}/" in request for request in of_weights)
    assert offline[OF_REQUEST][0].get("tokens") == found["tokens"]


def test_half_a_download_is_named_and_then_repaired(hub: tuple[Hub, str], online: tuple[Answers, Path]) -> None:
    for name in (HALF_WEIGHTS, HALF_WORDS):
        half, whole = online[0][name]
        assert half["error"] == "ModelLoadError"
        assert half["message"].startswith(f"{name} could not be downloaded:")
        assert "\n" not in half["message"]
        assert whole.get("layers") == 2, whole
        configs = rf"GET /{name}/resolve/.*/config.json"
        assert sum(re.fullmatch(configs, request) is not None for request, _ in hub[0].requests) == 1
    assert not hub[0].breaks
    assert not hub[0].failing


# -- the bar ----------------------------------------------------------------------------------------------------------


def test_the_bar_speaks_seldom_and_never_stops_a_download() -> None:
    said: list[str] = []

    def tell(message: str) -> None:
        said.append(message)
        raise RuntimeError("the page is gone")

    with bar_that_tells(tell, "big")(desc="Reconstructing", total=440_000_000, unit="B") as bar:
        for _ in range(1000):
            bar.update(123_000)
    assert said[0] == "Downloading big: 0 of 440 MB"
    assert len(said) < 4
    assert bar.n == 123_000_000
