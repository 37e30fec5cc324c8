"""The HTTP routes of the viewer: its scripts, and the numbers of one recording.

A recording is addressed by a key that cannot be guessed and that belongs to a session (`ui.state.open_recordings`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import streamlit as st
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from threadpoolctl import threadpool_limits

from models.checkpoints.eight_bits import TOKENIZER
from models.checkpoints.folder import WEIGHTS, read_config
from models.values.errors import HeadlightError
from models.values.record import AttentionRecord, Recording
from ui.state.addresses import read_address
from ui.state.choices import DEFAULTS
from ui.state.open_recordings import KEYS, OpenRecording
from ui.state.portable import can_travel, content_digest, is_portable, portable_folder, portable_model
from ui.state.scripts import ENGINE, script, scripts
from viz.class_room.page import ROOM_MODULES
from viz.kit.language import LANGUAGES, language, preferred_language, read_in, shown
from viz.kit.parsing import MEAN
from viz.viewer import payload
from viz.viewer.about import describe_recording
from viz.viewer.choices import read_choices
from viz.viewer.files import all_heads_npz, head_csv_parts
from viz.viewer.html import style, viewer_html
from viz.viewer.live import live_html, spelled_pieces

PLACE = "headlight"
"""The path prefix of the app's own routes."""
STYLE = "viewer.css"
FOREVER = "public, max-age=31536000, immutable"
KEPT = {"Cache-Control": FOREVER, "X-Content-Type-Options": "nosniff"}
BYTES = "application/octet-stream"
SETTINGS = "settings.json"
"""The file beside a model's weights: its tokenizer and its configuration."""
WORKER_POLICY = "default-src 'none'; script-src 'wasm-unsafe-eval'"
"""The policy of the worker that reads in the browser: it fetches nothing, and may compile its products of matrices."""
OF_A_HEAD = ("layer", "head", "quantity", "words", "special")
"""The choices that the numbers of a head depend on."""
AT_ONCE = 100_000
"""The number of weights up to which all heads are sent in one piece (72 heads of 37 tokens); layer by layer, each piece
costs a change of threads."""
AS_A_FILE = {"Content-Disposition": "attachment", "Content-Security-Policy": "sandbox"}
"""The headers of a document to be saved, and not shown under this server's address."""
AS_IT_IS = {"Content-Encoding": "identity"}
"""The header of numbers and weights, uncompressed: compressing megabytes of them costs more than sending them."""
OF_THIS_MOMENT = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", **AS_IT_IS}


_one_thread = threadpool_limits(limits=1, user_api="blas")
"""`viewer_payload` uses one thread per core; threads of BLAS within these take twice as long."""


def address(path: str = "") -> str:
    """Return the path of one of the app's routes, below the base path of the server."""
    base = str(st.get_option("server.baseUrlPath")).strip("/")
    return "/" + "/".join(part for part in (base, PLACE, path) if part)


def app_address() -> str:
    """Return the path of the app itself, with a slash at its end."""
    return address().removesuffix(PLACE)


@cache
def version() -> str:
    """Return a digest of the frontend, which may therefore be cached for ever. It is computed once: every component and
    every page of a room needs it."""
    contents = "".join((style(), *ROOM_MODULES.values()))
    for name in LANGUAGES:
        with read_in(name):
            contents += "".join(scripts())
    return hashlib.sha256(contents.encode()).hexdigest()[:12]


def frontend() -> str:
    """Return the path of the scripts and styles of the frontend in the current language."""
    return address(f"frontend/{version()}/{language()}")


def language_of(request: Request) -> str:
    """Return the language that the address of a request names, else the browser's."""
    asked = request.query_params.get("lang", "")
    return asked if asked in LANGUAGES else preferred_language(request.headers.get("accept-language", ""))


def routes() -> list[Route]:
    """Return all routes, for `st.App`."""
    return [
        Route(address("frontend/{version}/{language}/{name}"), _frontend),
        Route(address("portable/{name:path}"), _portable),
        Route(address("models/{digest}/{name:path}/{file}"), _file_of_model),
        *(Route(address(f"recordings/{{key}}/{name}"), _answering(answer)) for name, answer in OF_RECORDING.items()),
    ]


def _frontend(request: Request) -> Response:
    """Return a script, the style sheet of all parts of the viewer, or one of a room."""
    name = request.path_params["name"]
    headers = KEPT if name != ENGINE else KEPT | {"Content-Security-Policy": WORKER_POLICY}
    if name == STYLE:
        return Response(style(), media_type="text/css", headers=headers)
    if name.endswith(".css") and name in ROOM_MODULES:
        return Response(ROOM_MODULES[name], media_type="text/css", headers=headers)
    with read_in(request.path_params["language"]):
        content = script(name)
    if content is None:
        return PlainTextResponse("There is no such script.", status_code=404)
    return Response(content, media_type="text/javascript", headers=headers)


def _portable(request: Request) -> Response:
    """Return where the files of a model are from which a browser computes it; they may be cached for ever."""
    name = request.path_params["name"]
    if not is_portable(name):
        return Response(status_code=404)
    place = address(f"models/{content_digest(name)}/{name}")
    return JSONResponse(
        {"settings": f"{place}/{SETTINGS}", "weights": f"{place}/{WEIGHTS}"}, headers={"Cache-Control": "no-cache"}
    )


def _file_of_model(request: Request) -> Response:
    """Return the weights of a model as they are on disk, or its settings."""
    name, file = request.path_params["name"], request.path_params["file"]
    is_known = file in (WEIGHTS, SETTINGS) and is_portable(name)
    if not is_known or request.path_params["digest"] != content_digest(name):
        return Response(status_code=404)
    folder = portable_folder(name)
    if file == WEIGHTS:
        return FileResponse(folder / WEIGHTS, media_type=BYTES, headers=KEPT | AS_IT_IS)
    tokenizer = json.loads((folder / TOKENIZER).read_text(encoding="utf-8"))
    settings = {"tokenizer": tokenizer, "config": read_config(folder), "spelled": spelled_pieces(tokenizer)}
    return JSONResponse(settings, headers=KEPT)


def _answering(answer: Callable[[Request, OpenRecording], Response]) -> Callable[[Request], Response]:
    """Make an endpoint that finds the recording and answers an invalid request with a sentence."""

    def respond(request: Request) -> Response:
        opened = KEYS.get(request.path_params["key"])
        if opened is None:
            return PlainTextResponse("This recording is not open any more.", status_code=404)
        with read_in(request.query_params.get("lang", "")):
            try:
                response = answer(request, opened)
            except HeadlightError as error:
                response = PlainTextResponse(shown(str(error)), status_code=400)
        response.headers.update(OF_THIS_MOMENT)
        return response

    return respond


def _about(_request: Request, opened: OpenRecording) -> Response:
    described = describe_recording(opened.recording, name=opened.name)
    return JSONResponse(described | {"portable": can_travel(opened.recording.info.name)})


def _overview(request: Request, opened: OpenRecording) -> Response:
    record = _record(request, opened)
    layers = payload.overview_and_weights(record)
    if record.n_weights <= AT_ONCE:
        return Response(b"".join(layers), media_type=BYTES)
    return StreamingResponse(layers, media_type=BYTES)


def _head(request: Request, opened: OpenRecording) -> Response:
    return Response(payload.head(_record(request, opened), **asked_head(dict(request.query_params))), media_type=BYTES)


def _csv(request: Request, opened: OpenRecording) -> Response:
    lines = head_csv_parts(
        opened.recording, kind=_record(request, opened).kind, **asked_head(dict(request.query_params))
    )
    return StreamingResponse(lines, media_type="text/csv")


def _npz(request: Request, opened: OpenRecording) -> Response:
    archive = all_heads_npz(opened.recording, kind=_record(request, opened).kind)
    return StreamingResponse(archive, media_type=BYTES)


def _html(request: Request, opened: OpenRecording) -> Response:
    choices = read_choices(opened.recording, dict(request.query_params))
    return Response(viewer_html(opened.recording, **choices), media_type="text/html", headers=AS_A_FILE)


def _live(request: Request, opened: OpenRecording) -> Response:
    recording = opened.recording
    choices = read_choices(recording, dict(request.query_params))
    page = live_html(recording, portable_model(recording.info.name), choices)
    return Response(page, media_type="text/html", headers=AS_A_FILE)


def asked_record(asked: Mapping[str, str], recording: Recording) -> AttentionRecord:
    """Return the record of the requested kind of attention, by default the first."""
    return recording.of(read_address(asked).get("kind", recording.kinds[0]))


def asked_head(asked: Mapping[str, str]) -> dict[str, Any]:
    """Parse the parameters for `payload.head`; invalid ones are ignored."""
    chosen = DEFAULTS | read_address(asked)
    return {name: chosen[name] for name in OF_A_HEAD} | {"head": None if chosen["head"] == MEAN else chosen["head"]}


def _record(request: Request, opened: OpenRecording) -> AttentionRecord:
    return asked_record(dict(request.query_params), opened.recording)


OF_RECORDING: dict[str, Callable[[Request, OpenRecording], Response]] = {
    "about": _about,
    "overview": _overview,
    "head": _head,
    "head.csv": _csv,
    "heads.npz": _npz,
    "viewer.html": _html,
    "live.html": _live,
}
"""The endpoints of a recording, by name."""
