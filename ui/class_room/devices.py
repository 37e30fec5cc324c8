"""The devices of students: a signed cookie for each browser, so that it is one student of a room and has one answer.

A browser without a cookie of ours is counted by its address, together with all others there.
"""

from __future__ import annotations

import hmac
import secrets

from starlette.requests import HTTPConnection
from starlette.responses import Response

from ui.desk.clients import client_of_scope
from ui.shared.room_file import A_DAY, sign
from ui.state.routes import address

COOKIE = "headlight_device"


def give_cookie(request: HTTPConnection, answer: Response, secret: bytes) -> None:
    """Give a browser a cookie with a new name of its device, unless it has one that we signed."""
    if _device_of(request, secret):
        return
    device = secrets.token_urlsafe(12)
    answer.set_cookie(
        COOKIE, f"{device}.{sign(device, secret)}", max_age=int(A_DAY), path=address(), httponly=True, samesite="lax"
    )


def person_of(request: HTTPConnection, letters: str, secret: bytes) -> tuple[str, str]:
    """Return the key of a student in a room, which follows from the device, and the digest of the address."""
    where = sign(f"{letters} {client_of_scope(request.scope)}", secret)
    device = _device_of(request, secret)
    return (sign(f"{letters} {device}", secret) if device else where), where


def _device_of(request: HTTPConnection, secret: bytes) -> str:
    """Return the name of a device; empty if it has no cookie of ours."""
    device, _, signature = request.cookies.get(COOKIE, "").partition(".")
    return device if device and hmac.compare_digest(signature.encode(), sign(device, secret).encode()) else ""
