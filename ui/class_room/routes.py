"""The routes of rooms: the page of students and of the projector, its QR code, the socket for changes, and the numbers
of the sentence on show."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

import segno
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from models.values.errors import HeadlightError
from models.values.wording import worded
from ui.class_room.asking import about_a_token, show_of_hands
from ui.class_room.hub import Hub, Visitor
from ui.class_room.messages import Role, of_student, recording_name
from ui.class_room.numbers import NUMBERS, numbers_of
from ui.shared.room_values import RoomError
from ui.shared.rooms import LETTERS, MOST_SECONDS, N_LETTERS, rooms
from ui.state.routes import BYTES, OF_THIS_MOMENT, address, frontend, language_of
from ui.state.where import origin_of
from viz.class_room.page import POLICY, room_page
from viz.kit.language import ENGLISH, LANGUAGES, read_in, said, shown

LONGEST_MESSAGE = 2000
"""The most characters of a message."""
MOST_A_SECOND = 10
"""The most messages a second from one browser."""
TIME_TO_SAY_WHO = 10.0
_BACK = "room/{letters:str}"


@cache
def hub() -> Hub:
    """Return the hub of this process."""
    return Hub(rooms())


def room_routes() -> list[BaseRoute]:
    """Return the routes of rooms, for `st.App`."""
    return [
        Route(address("room"), _page),
        Route(address(_BACK), _page),
        Route(address(f"{_BACK}/code.svg"), _code),
        WebSocketRoute(address("rooms/{letters}/socket"), _serve_socket),
        Route(address("rooms/{letters}/recordings/{name}/{what}"), _numbers),
    ]


def _page(request: Request) -> Response:
    """Return the page of a room in the language of the address or the browser; without the letters of an open room, it
    asks for them."""
    letters = str(request.path_params.get("letters", "")).upper()
    known = len(letters) == N_LETTERS and set(letters) <= set(LETTERS) and _is_open(letters)
    with read_in(language_of(request)):
        page = room_page(
            letters=letters[:N_LETTERS],
            is_open=known,
            is_projector=request.query_params.get("show") == "projector",
            frontend=frontend(),
            socket=address(f"rooms/{letters}/socket") if known else "",
            rooms=address("room"),
            where=f"{origin_of(request.headers, request.url.scheme)}{address('room')}",
        )
    headers = {"Content-Security-Policy": POLICY, "Cache-Control": "no-store", "Vary": "Accept-Language"}
    return HTMLResponse(page, headers=headers)


def _code(request: Request) -> Response:
    """Return the QR code of the page of a room, with the address under which the browser reaches this server."""
    letters = str(request.path_params["letters"]).upper()
    if not (len(letters) == N_LETTERS and set(letters) <= set(LETTERS)):
        return PlainTextResponse("There is no such room.", status_code=404)
    svg = BytesIO()
    where = f"{origin_of(request.headers, request.url.scheme)}{address(f'room/{letters}')}"
    segno.make(where, error="m").save(svg, kind="svg", scale=8, border=2)
    return Response(svg.getvalue(), media_type="image/svg+xml", headers={"Cache-Control": "no-store"})


def _is_open(letters: str) -> bool:
    try:
        rooms().room(letters)
    except (RoomError, sqlite3.Error):
        return False
    return True


def _numbers(request: Request) -> Response:
    """Return the numbers of the sentence on show, computed once for all; 404 for another sentence."""
    name, what, asked = request.path_params["name"], request.path_params["what"], dict(request.query_params)
    if what not in NUMBERS:
        return PlainTextResponse("There are no such numbers.", status_code=404)
    try:
        view = rooms().room(request.path_params["letters"]).view
        if recording_name(view) != name:
            return PlainTextResponse("The class looks at another sentence by now.", status_code=404)
        content = numbers_of(view, what, asked)
    except HeadlightError as error:
        with read_in(language_of(request)):
            return PlainTextResponse(shown(str(error)), status_code=404 if isinstance(error, RoomError) else 400)
    return Response(content, media_type="application/json" if what == "about" else BYTES, headers=OF_THIS_MOMENT)


# -- the socket -------------------------------------------------------------------------------------------------------


async def _serve_socket(socket: WebSocket) -> None:
    """Serve one browser from its first message until it disconnects."""
    await socket.accept()
    with suppress(WebSocketDisconnect, TimeoutError, ValueError, RuntimeError):
        visitor = await _identify_visitor(socket)
        if visitor is None:
            await socket.send_json({"type": "gone"})
            await socket.close()
            return
        telling = asyncio.create_task(hub().serve(visitor))
        try:
            await _listen(visitor)
        finally:
            telling.cancel()
            with suppress(asyncio.CancelledError):
                await telling
            await _mark_gone(visitor)


async def _identify_visitor(socket: WebSocket) -> Visitor | None:
    """Identify a visitor from its first message: a student, new or known, the teacher, or a projector. None if there is
    no room, for a wrong key, or for a page of another site."""
    letters = socket.path_params["letters"]
    message = _parse_message(await asyncio.wait_for(socket.receive_text(), TIME_TO_SAY_WHO))
    role: Role = message["role"] if message.get("role") in ("student", "teacher", "projector") else "student"
    language = message["language"] if message.get("language") in list(LANGUAGES) else ENGLISH
    try:
        if not _is_from_here(socket):
            return None
        if role == "student":
            student = await run_in_threadpool(rooms().join, letters, str(message.get("person", "")))
            student = await run_in_threadpool(rooms().student, letters, student.person)
            with read_in(language):
                you = of_student(student)
            await socket.send_json(you)
            return Visitor(socket=socket, letters=letters, role=role, person=student.person, language=language)
        key = str(message.get("key", ""))
        if role == "teacher" and not await run_in_threadpool(rooms().is_taught, letters, key):
            return None
        await run_in_threadpool(rooms().room, letters)
    except (RoomError, sqlite3.Error):
        return None
    return Visitor(socket=socket, letters=letters, role=role, key=key, language=language)


def _is_from_here(socket: WebSocket) -> bool:
    """Return whether a page of this server has opened the socket, by the Origin that browsers send."""
    origin = socket.headers.get("origin")
    hosts = {socket.headers.get("host"), socket.headers.get("x-forwarded-host")}
    return origin is None or urlsplit(origin).netloc in hosts


async def _listen(visitor: Visitor) -> None:
    """Perform the actions that a browser sends, at most MOST_A_SECOND."""
    since, n_messages = time.monotonic(), 0
    while True:
        text = await visitor.socket.receive_text()
        now = time.monotonic()
        since, n_messages = (now, 1) if now - since > 1 else (since, n_messages + 1)
        if n_messages > MOST_A_SECOND:
            continue
        try:
            message = _parse_message(text)
            await run_in_threadpool(ACTIONS[visitor.role][message.get("do")], visitor, message)
        except (HeadlightError, ValueError, KeyError, TypeError, sqlite3.Error) as error:
            with read_in(visitor.language):
                why = said(_in_words(error))
            await visitor.send({"type": "refused", "says": why})


def _parse_message(text: str) -> dict[str, Any]:
    """Parse a message; {} if it is too long or no object. Raises ValueError for invalid JSON."""
    message = json.loads(text) if len(text) <= LONGEST_MESSAGE else {}
    return message if isinstance(message, dict) else {}


def _in_words(error: Exception) -> str:
    """Return why an action was refused, as a Message if the error has one."""
    if not isinstance(error, HeadlightError):
        return worded("That was not understood.")
    return error.args[0] if len(error.args) == 1 and isinstance(error.args[0], str) else str(error)


async def _mark_gone(visitor: Visitor) -> None:
    if visitor.person and not hub().is_here(visitor.person):
        with suppress(sqlite3.Error):
            await run_in_threadpool(rooms().mark_gone, visitor.letters, visitor.person)


# -- actions -----------------------------------------------------------------------------------------------------------


def _answer(visitor: Visitor, message: dict[str, Any]) -> None:
    rooms().answer(visitor.letters, visitor.person, str(message["question"]), int(message["choice"]))


def _hand(visitor: Visitor, message: dict[str, Any]) -> None:
    rooms().raise_hand(visitor.letters, visitor.person, message["up"] is True)


def _lock(visitor: Visitor, message: dict[str, Any]) -> None:
    rooms().lock(visitor.letters, visitor.key, message["locked"] is True)


def _ask(visitor: Visitor, message: dict[str, Any]) -> None:
    """Ask the class about the head on show."""
    view, seconds = rooms().room(visitor.letters).view, min(max(float(message.get("seconds", 0)), 0), MOST_SECONDS)
    question = about_a_token(view, int(message["position"]), looks_at=message["about"] == "row", seconds=seconds)
    rooms().ask(visitor.letters, visitor.key, question)


def _show_of_hands(visitor: Visitor, _message: dict[str, Any]) -> None:
    rooms().ask(visitor.letters, visitor.key, show_of_hands())


def _reveal(visitor: Visitor, _message: dict[str, Any]) -> None:
    rooms().reveal(visitor.letters, visitor.key)


def _end(visitor: Visitor, _message: dict[str, Any]) -> None:
    rooms().end_question(visitor.letters, visitor.key)


ACTIONS: dict[Role, dict[Any, Callable[[Visitor, dict[str, Any]], None]]] = {
    "student": {"answer": _answer, "hand": _hand},
    "teacher": {"lock": _lock, "ask": _ask, "hands": _show_of_hands, "reveal": _reveal, "end": _end},
    "projector": {},
}
"""The actions of each role. The room checks the key of a teacher once more."""
