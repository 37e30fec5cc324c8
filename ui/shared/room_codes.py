"""How another computer comes to teach a room: by a code for a second teacher, or by the file of the first one.

A code of eight letters lasts ten minutes and is exchanged once, for a key of its own. A recovery file holds such a key
from the start. The room stores digests of both.
"""

from __future__ import annotations

import hmac
import re
import secrets
import time
from sqlite3 import Connection

from models.values.wording import worded
from ui.shared.room_file import digest
from ui.shared.room_values import RoomError
from ui.shared.rooms import LETTERS, N_LETTERS, Rooms

N_CODE = 8
LASTS = 600.0
"""Seconds for which a code can be exchanged."""
MOST_TRIES = 10
"""Wrong codes after which a code is void."""
_PASS = re.compile(rf"\s*([A-Za-z]{{{N_LETTERS}}})[-\s]+([A-Za-z0-9_-]{{{N_CODE},64}})\s*", re.ASCII)


def code_for_teacher(rooms: Rooms, letters: str, key: str) -> str:
    """Return a code for a second teacher of a room, in the place of an earlier one."""
    code = "".join(secrets.choice(LETTERS) for _ in range(N_CODE))
    with rooms.file.transaction() as file:
        rooms.check(file, letters, key)
        row = (letters, digest(code), time.time() + LASTS)
        file.execute("INSERT OR REPLACE INTO codes VALUES (?, ?, ?, 0)", row)
    return f"{letters}-{code}"


def recovery_pass(rooms: Rooms, letters: str, key: str) -> str:
    """Return the letters of a room with a new key, for another computer; it lasts as long as the room."""
    with rooms.file.transaction() as file:
        rooms.check(file, letters, key)
        return f"{letters}-{_new_key(file, letters)}"


def exchange(rooms: Rooms, text: str) -> tuple[str, str]:
    """Return the letters of a room and a key of its teacher for a code or the content of a recovery file. Raises
    RoomError."""
    parts = _PASS.fullmatch(text)
    if parts is not None:
        letters, secret = parts[1].upper(), parts[2]
        if rooms.is_taught(letters, secret):
            return letters, secret
        key = _exchange_code(rooms, letters, secret)
        if key:
            return letters, key
    raise RoomError(
        worded("No open room has this code, or its ten minutes are over. Ask the teacher of the room for another one.")
    )


def _exchange_code(rooms: Rooms, letters: str, code: str) -> str:
    """Return a new key for a code, which is void then; empty for a wrong one."""
    with rooms.file.transaction() as file:
        row = file.execute("SELECT code, until, tries FROM codes WHERE room = ?", (letters,)).fetchone()
        if row is None or row[1] < time.time() or row[2] >= MOST_TRIES:
            return ""
        if not hmac.compare_digest(str(row[0]), digest(code.upper())):
            file.execute("UPDATE codes SET tries = tries + 1 WHERE room = ?", (letters,))
            return ""
        file.execute("DELETE FROM codes WHERE room = ?", (letters,))
        return _new_key(file, letters)


def _new_key(file: Connection, letters: str) -> str:
    key = secrets.token_urlsafe(24)
    file.execute("INSERT INTO keys VALUES (?, ?)", (letters, digest(key)))
    return key
