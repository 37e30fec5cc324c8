"""The routes of stages: Streamlit's page for a frame, and its socket, over which a frame only listens.

A frame gets its own addresses, below which Streamlit's frontend looks for its server; what is not of the stage is sent
on to the addresses of the app, so that browsers keep each file once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState
from streamlit.proto.BackMsg_pb2 import BackMsg

from ui.class_room.hub import SLOWEST, TIME_TO_SAY_WHO, Hub, is_from_here
from ui.class_room.stage.page_run import WIDTHS, Screen
from ui.class_room.stage.stages import ClassStage, Stages
from ui.state.routes import address, app_address, frontend
from ui.state.scripts import PAGE, STAGE
from viz.kit.language import LANGUAGES
from viz.kit.theme import Theme

_STAGE = "rooms/{letters:str}/stage/{language:str}/{width:int}"
HEALTH, STREAM, SUBPROTOCOL = "_stcore/health", "_stcore/stream", "streamlit"
"""The addresses by which Streamlit's frontend finds its server, and the name of their protocol."""
STYLE = """<style>
[data-testid="stMain"] [data-testid="stMainBlockContainer"] { padding-top: 1rem; }
[data-testid="stMain"] :is([data-testid="stPopover"], [data-testid="stFormSubmitButton"]) { display: none; }
</style>"""
"""A frame has no bar above its page, and nobody operates it."""
OF_THE_APP = ("_stcore/", "media/", "component/")
"""The addresses below a stage that the app answers, alike for everybody."""


def stage_routes(hub: Callable[[], Hub]) -> list[BaseRoute]:
    """Return the routes of stages, whose rooms `hub` tells of."""
    stages = cache(lambda: Stages(hub()))

    async def serve(socket: WebSocket) -> None:
        await _serve_frame(socket, stages())

    return [
        WebSocketRoute(address(f"{_STAGE}/{STREAM}"), serve),
        Route(address(f"{_STAGE}/{{rest:path}}"), _below_stage),
    ]


def _below_stage(request: Request) -> Response:
    """Return Streamlit's page, or send on to the app."""
    rest = str(request.path_params["rest"])
    if rest == HEALTH:
        return PlainTextResponse("ok", headers={"Cache-Control": "no-store"})
    if rest.startswith(OF_THE_APP):
        return RedirectResponse(f"{app_address()}{rest}", status_code=307)
    if _screen_of(request.path_params, "light") is None:
        return Response(status_code=404)
    page = PAGE.read_text(encoding="utf-8").replace('="./', f'="{app_address()}')
    first = f'<head><script type="module" src="{frontend()}/{STAGE}"></script>'
    page = page.replace("<head>", first, 1).replace("</head>", f"{STYLE}</head>", 1)
    return HTMLResponse(page, headers={"Cache-Control": "no-store"})


def _screen_of(path: Mapping[str, Any], theme: Theme) -> Screen | None:
    """Return the kind of screen that an address names; None if there is none."""
    language, width = path["language"], path["width"]
    return Screen(language=language, width=width, theme=theme) if language in LANGUAGES and width in WIDTHS else None


async def _serve_frame(socket: WebSocket, stages: Stages) -> None:
    """Send a frame what its stage shows, from the moment on at which it says that it is ready."""
    await socket.accept(subprotocol=SUBPROTOCOL)
    with suppress(WebSocketDisconnect, TimeoutError, ValueError, RuntimeError):
        theme = await asyncio.wait_for(_theme_of(socket), TIME_TO_SAY_WHO)
        screen = _screen_of(socket.path_params, theme)
        if screen is not None and is_from_here(socket):
            await _show(socket, stages, screen)
    if socket.application_state == WebSocketState.CONNECTED:
        with suppress(RuntimeError, WebSocketDisconnect):  # it has gone without a word
            await socket.close()


async def _show(socket: WebSocket, stages: Stages, screen: Screen) -> None:
    """Show a frame a stage until one of them is gone."""
    stage = stages.enter(socket.path_params["letters"], screen)
    tasks = [asyncio.create_task(_send(socket, stage)), asyncio.create_task(_ignore(socket))]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        stages.leave(stage)


async def _theme_of(socket: WebSocket) -> Theme:
    """Return the theme of a frame, from its first request for a page. Raises ValueError for what is no message."""
    while True:
        content, asked = await socket.receive_bytes(), BackMsg()
        try:
            asked.ParseFromString(content)
        except Exception as error:
            raise ValueError("That is no message of Streamlit's frontend.") from error
        if asked.WhichOneof("type") == "rerun_script":
            return "dark" if asked.rerun_script.context_info.color_scheme == "dark" else "light"


async def _send(socket: WebSocket, stage: ClassStage) -> None:
    async for message in stage.messages():
        await asyncio.wait_for(socket.send_bytes(message), SLOWEST)


async def _ignore(socket: WebSocket) -> None:
    """Receive what a frame says, which nobody hears, until it is gone."""
    while True:
        await socket.receive()
        if socket.client_state == WebSocketState.DISCONNECTED:
            return
