"""The routes of rooms: the page of students and of the projector, its QR code, the socket for changes, and the numbers
of the sentence on show."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from contextlib import suppress
from functools import cache
from io import BytesIO
from typing import Any
from urllib.parse import quote

import segno
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from models.values.errors import HeadlightError
from models.values.wording import worded
from ui.class_room.actions import act
from ui.class_room.devices import give_cookie, person_of
from ui.class_room.hub import TIME_TO_SAY_WHO, Hub, Visitor, is_from_here
from ui.class_room.messages import Role, is_drawn_here, link_of, of_student, recording_name
from ui.class_room.numbers import NUMBERS, alone_page, numbers_of
from ui.class_room.stage.page_run import WIDTHS
from ui.class_room.stage.routes import stage_routes
from ui.desk.clients import COOKIE as BROWSER
from ui.desk.clients import is_named, new_cookie
from ui.shared.room_values import RoomError
from ui.shared.rooms import LETTERS, N_LETTERS, rooms
from ui.state.routes import BYTES, OF_THIS_MOMENT, PLACE, address, app_address, frontend, language_of
from ui.state.where import origin_of
from viz.class_room.page import POLICY, room_page
from viz.kit.language import ENGLISH, LANGUAGES, read_in, said, shown

LONGEST_MESSAGE = 2000
"""The most characters of a message."""
MOST_A_SECOND = 10
"""The most messages a second from one browser."""
_BACK = "room/{letters:str}"


@cache
def hub() -> Hub:
    """Return the hub of this process."""
    return Hub(rooms())


def _hub() -> Hub:
    """Return the hub when it is asked for, which tests replace."""
    return hub()


def room_routes() -> list[BaseRoute]:
    """Return the routes of rooms, for `st.App`."""
    return [
        Route(address("room"), _page),
        Route(address(_BACK), _page),
        Route(address(f"{_BACK}/code.svg"), _code),
        WebSocketRoute(address("rooms/{letters}/socket"), _serve_socket),
        Route(address("rooms/{letters}/recordings/{name}/alone"), _look_around),
        Route(address("rooms/{letters}/recordings/{name}/{what}"), _numbers),
        *stage_routes(_hub),
        *(Route(path + letters, _lead_to_room) for path in _other_addresses() for letters in ("", "/{letters:str}")),
    ]


def _other_addresses() -> list[str]:
    """Return the addresses that may be typed in place of a room's: a shorter one, and both without the base path."""
    room = address("room")
    return [path for path in dict.fromkeys((f"{app_address()}room", "/room", f"/{PLACE}/room")) if path != room]


def _lead_to_room(request: Request) -> Response:
    """Lead to the page of a room, or to the one that asks for letters."""
    letters = quote(str(request.path_params.get("letters", "")), safe="")
    place = address(f"room/{letters}" if letters else "room")
    return RedirectResponse(f"{place}?{request.url.query}".rstrip("?"), status_code=307)


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
            addresses={
                "socket": address(f"rooms/{letters}/socket") if known else "",
                "stage": address(f"rooms/{letters}/stage") if known else "",
                "rooms": address("room"),
                "where": f"{origin_of(request.headers, request.url.scheme)}{address('room')}",
            },
            widths=WIDTHS,
        )
    headers = {"Content-Security-Policy": POLICY, "Cache-Control": "no-store", "Vary": "Accept-Language"}
    answer = HTMLResponse(page, headers=headers)
    if known:
        give_cookie(request, answer, rooms().secret)
        if not is_named(request.cookies.get(BROWSER, "")):
            answer.headers.append("Set-Cookie", new_cookie(app_address()))
    return answer


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


def _look_around(request: Request) -> Response:
    """Return the page on which a student's browser reads by itself; for what it cannot compute, lead to the app's."""
    with read_in(language_of(request)):
        try:
            letters = request.path_params["letters"]
            view = rooms().room(letters).view
            page = alone_page(letters, view) if is_drawn_here(view) else None
        except HeadlightError as error:
            return PlainTextResponse(shown(str(error)), status_code=404 if isinstance(error, RoomError) else 400)
    if page is None:
        return RedirectResponse(link_of(view) or address("room"), status_code=307)
    return HTMLResponse(
        page, headers={"Content-Security-Policy": "frame-ancestors 'self'", "Cache-Control": "no-store"}
    )


# -- the socket -------------------------------------------------------------------------------------------------------


async def _serve_socket(socket: WebSocket) -> None:
    """Serve one browser from its first message until it disconnects."""
    await socket.accept()
    with suppress(WebSocketDisconnect, TimeoutError, ValueError, RuntimeError):
        visitor = await _identify_visitor(socket)
        if visitor is None:
            await socket.close()
            return
        await _tell_who(visitor)
        telling = asyncio.create_task(hub().serve(visitor))
        try:
            await _listen(visitor)
        finally:
            telling.cancel()
            with suppress(asyncio.CancelledError):
                await telling
            await _mark_gone(visitor)


async def _identify_visitor(socket: WebSocket) -> Visitor | None:
    """Identify a visitor from its first message: a student, new or known, the teacher, or a projector. None, which is
    said, if there is no room or no place in it, for a wrong key, and for a page of another site."""
    letters = socket.path_params["letters"]
    message = _parse_message(await asyncio.wait_for(socket.receive_text(), TIME_TO_SAY_WHO))
    role: Role = message["role"] if message.get("role") in ("student", "teacher", "projector") else "student"
    language = message["language"] if message.get("language") in list(LANGUAGES) else ENGLISH
    visitor = Visitor(socket=socket, letters=letters, role=role, language=language)
    says = ""
    try:
        if is_from_here(socket) and await run_in_threadpool(_may_come_in, visitor, message):
            return visitor
    except RoomError as error:
        with read_in(language):
            says = said(_in_words(error))
    except sqlite3.Error:
        pass
    await socket.send_json({"type": "gone", "says": says})
    return None


def _may_come_in(visitor: Visitor, message: dict[str, Any]) -> bool:
    """Find the person of a student, or the key and the tab of a teacher; return False for a wrong key. Raises RoomError
    if there is no room, or no place in it."""
    rooms().room(visitor.letters)
    if visitor.role == "student":
        visitor.person, source = person_of(visitor.socket, visitor.letters, rooms().secret)
        browser = visitor.socket.cookies.get(BROWSER, "")
        rooms().join(visitor.letters, visitor.person, address=source, browser=browser if is_named(browser) else "")
    if visitor.role == "teacher":
        visitor.key, visitor.tab = str(message.get("key", "")), str(message.get("tab", ""))
        return rooms().is_taught(visitor.letters, visitor.key)
    return True


async def _tell_who(visitor: Visitor) -> None:
    """Tell a student their name, and the answer that they have given."""
    if visitor.role != "student":
        return
    student = await run_in_threadpool(rooms().student, visitor.letters, visitor.person)
    with read_in(visitor.language):
        you = of_student(student)
    await visitor.send(you)


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
            reply = await run_in_threadpool(act, rooms(), visitor, message)
            if reply is not None:
                await visitor.send(reply)
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
    if hub().is_here(visitor):
        return
    with suppress(sqlite3.Error):
        if visitor.person:
            await run_in_threadpool(rooms().mark_gone, visitor.letters, visitor.person)
        if visitor.tab:
            await run_in_threadpool(rooms().mark_tabs, {(visitor.letters, visitor.tab)}, here=False)
        if hub().is_here(visitor):  # it has come back meanwhile
            hub().beat()
