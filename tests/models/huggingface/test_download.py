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
from typing import Any
from urllib.parse import unquote

import pytest
import transformers as hf

from models.huggingface.download_bar import bar_that_tells
from tests.models.huggingface.families import COMMON, Family, save, wordpiece

COMMITS = {"main": "5" * 40, "refs/pr/1": "1" * 40, "refs/pr/2": "2" * 40, "refs/pr/3": "3" * 40}
BOT = "SFconvertbot"
CONVERTED = "teacher/converted"
NOT_TO_DISCUSS = "teacher/nothing"
BUSY = "teacher/busy"
ROOT = Path(__file__).resolve().parents[3]
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


@pytest.fixture
def hub(checkpoint: dict[str, Path]) -> Iterator[tuple[Hub, str]]:
    """A hub with its address. It is closed with the test, or before."""
    weights = checkpoint["model.safetensors"]
    others = {name: file for name, file in checkpoint.items() if file != weights}
    repositories = {
        "teacher/tiny-bert": checkpoint,
        "teacher/pickle": others | {"pytorch_model.bin": weights},
        NOT_TO_DISCUSS: others,
        CONVERTED: others | {"pytorch_model.bin": weights},
        "teacher/gated": checkpoint,
        BUSY: checkpoint,
        "teacher/half-weights": checkpoint,
        "teacher/half-words": checkpoint,
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
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Answer, hub))
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield hub, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def opened(*names: str, home: Path, **environment: str) -> list[dict[str, Any]]:
    """What a process finds that opens the models one after the other; no bar, no traceback."""
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
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


# -- downloads --------------------------------------------------------------------------------------------------------


def test_a_model_is_downloaded_once_and_opened_from_the_cache(hub: tuple[Hub, str], tmp_path: Path) -> None:
    asked, address = hub
    nobody, busy, pickle, nothing, gated, converted, first, again = opened(
        "nobody/no-such-model", BUSY, "teacher/pickle", NOT_TO_DISCUSS, "teacher/gated", CONVERTED,
        *["teacher/tiny-bert"] * 2,
        home=tmp_path, HF_ENDPOINT=address,
    )  # fmt: skip

    assert nobody["error"] == "ModelNotFoundError"
    assert "huggingface.co has no such model" in nobody["message"]
    assert busy["error"] == pickle["error"] == nothing["error"] == gated["error"] == "ModelLoadError"
    assert "503" in busy["message"]
    assert "\n" not in busy["message"]
    assert "That is a pickle" in pickle["message"]
    assert "has no model.safetensors" in nothing["message"]
    assert "owner's permission" in gated["message"]

    assert first["layers"] == again["layers"] == 2
    assert first["tokens"] == again["tokens"]
    looking, downloading, *counts, opening = first["said"]
    assert (looking, opening) == ("Looking for teacher/tiny-bert on huggingface.co", "Opening teacher/tiny-bert")
    assert downloading == "Downloading teacher/tiny-bert"
    assert any(re.fullmatch(r"Downloading teacher/tiny-bert: [12]\d of 2\d MB", count) for count in counts), counts
    assert again["said"] == ["Opening teacher/tiny-bert"]

    assert converted.get("tokens") == first["tokens"], converted
    assert any(re.fullmatch(rf"Downloading {CONVERTED}: [12]\d of 2\d MB", count) for count in converted["said"])
    fetched = [request for request, _ in asked.requests if request.startswith(f"GET /{CONVERTED}/resolve/")]
    assert all(f"/{COMMITS['refs/pr/2']}/" in request for request in fetched), "all is of the bot's pull request"

    expect_nothing_but_files(asked)
    n_requests = len(asked.requests)
    offline = {"HF_ENDPOINT": "http://127.0.0.1:9", "HF_HUB_OFFLINE": "1"}
    cached, of_bot, unknown = opened("teacher/tiny-bert", CONVERTED, "teacher/never-seen", home=tmp_path, **offline)
    assert cached == again
    assert of_bot == again | {"said": [f"Opening {CONVERTED}"]}
    assert unknown["error"] == "ModelNotFoundError"
    assert "not in the local cache" in unknown["message"]
    assert len(asked.requests) == n_requests


def expect_nothing_but_files(hub: Hub) -> None:
    """Every request is for a repository or its files, says nothing about the machine, and fetches no pickle."""
    allowed = r"GET /api/models/.+|(HEAD|GET) /(teacher|nobody)/[^/]+/resolve/.+"
    for request, agent in hub.requests:
        assert re.fullmatch(allowed, request), request
        assert "pytorch_model.bin" not in request
        assert "torch" not in agent, "huggingface_hub adds versions when telemetry is on"
        assert "agent/" not in agent
    fetched = [request for request, _ in hub.requests if request.startswith("GET") and "/resolve/" in request]
    assert len(fetched) == len(set(fetched)), "a file was fetched twice"


def test_a_revision_is_downloaded_as_that_and_no_other(hub: tuple[Hub, str], tmp_path: Path) -> None:
    asked, address = hub
    of_request = "teacher/pickle@refs/pr/1"
    found, unknown, main = opened(
        of_request,
        "https://huggingface.co/teacher/tiny-bert/tree/v9",
        "teacher/pickle",
        home=tmp_path,
        HF_ENDPOINT=address,
    )
    assert found.get("layers") == 2, found
    assert unknown["error"] == "ModelNotFoundError"
    assert "has no revision 'v9'" in unknown["message"]
    assert "pickle" in main["message"], "what was asked for is no revision of the main branch"
    fetched = [request for request, _ in asked.requests if request.startswith("GET /teacher/pickle/resolve/")]
    assert fetched
    assert all(f"/{COMMITS['refs/pr/1']}/" in request for request in fetched)
    (offline,) = opened(of_request, home=tmp_path, HF_ENDPOINT="http://127.0.0.1:9", HF_HUB_OFFLINE="1")
    assert offline.get("tokens") == found["tokens"]


def test_half_a_download_is_named_and_then_repaired(hub: tuple[Hub, str], tmp_path: Path) -> None:
    asked, address = hub
    names = ("teacher/half-weights", "teacher/half-words")
    asked.breaks = {(names[0], "model.safetensors"): 13_000_000, (names[1], "tokenizer.json"): 1000}
    found = opened(*names, *names, home=tmp_path, HF_ENDPOINT=address)
    for name, half, whole in zip(names, found[:2], found[2:], strict=True):
        assert half["error"] == "ModelLoadError"
        assert half["message"].startswith(f"{name} could not be downloaded:")
        assert "\n" not in half["message"]
        assert whole.get("layers") == 2, whole
    assert not asked.breaks
    assert not asked.failing
    configs = [request for request, _ in asked.requests if re.fullmatch(r"GET .*/resolve/.*/config.json", request)]
    assert len(configs) == 2, "what had arrived is kept"


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
