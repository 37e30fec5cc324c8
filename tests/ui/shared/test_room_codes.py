"""Another computer teaches a room by a code, once and for ten minutes, or by a recovery file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ui.shared import room_codes
from ui.shared.room_codes import LASTS, MOST_TRIES, code_for_teacher, exchange, recovery_pass
from ui.shared.room_values import RoomError
from ui.shared.rooms import Rooms


@pytest.fixture
def rooms(tmp_path: Path) -> Rooms:
    return Rooms(tmp_path / "shared.sqlite")


def test_a_code_makes_one_computer_a_teacher(rooms: Rooms) -> None:
    letters, key = rooms.open()
    code = code_for_teacher(rooms, letters, key)
    assert re.fullmatch(f"{letters}-[B-Z]{{8}}", code)
    room, second = exchange(Rooms(rooms.file.path), f"  {code.lower().replace('-', ' ')} ")
    assert (room, second != key) == (letters, True)
    assert rooms.is_taught(letters, key)
    assert rooms.is_taught(letters, second)
    rooms.lock(letters, second, True)
    assert rooms.room(letters).locked
    with pytest.raises(RoomError, match="No open room"):
        exchange(rooms, code)
    with pytest.raises(RoomError):
        code_for_teacher(rooms, letters, "guessed")


def test_a_code_is_void_after_ten_minutes_and_after_too_many_guesses(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    letters, key = rooms.open()
    for _ in range(2):
        code = code_for_teacher(rooms, letters, key)
        for _ in range(MOST_TRIES - 1):
            with pytest.raises(RoomError):
                exchange(rooms, f"{letters}-BBBBBBBB")
        exchange(rooms, code)
    code = code_for_teacher(rooms, letters, key)
    for _ in range(MOST_TRIES):
        with pytest.raises(RoomError):
            exchange(rooms, f"{letters}-BBBBBBBB")
    with pytest.raises(RoomError):
        exchange(rooms, code)
    code, now = code_for_teacher(rooms, letters, key), room_codes.time.time()
    monkeypatch.setattr(room_codes.time, "time", lambda: now + LASTS + 1)
    with pytest.raises(RoomError):
        exchange(rooms, code)


def test_a_recovery_file_opens_the_room_on_any_computer_until_it_is_closed(rooms: Rooms) -> None:
    letters, key = rooms.open()
    content = recovery_pass(rooms, letters, key)
    assert key not in content
    for _ in range(2):
        room, again = exchange(rooms, content + "\r\n")
        assert room == letters
        rooms.pause(letters, again, True)
    assert content.partition("-")[2] not in rooms.file.path.read_bytes().decode("latin-1")
    rooms.close(letters, again)
    with pytest.raises(RoomError):
        exchange(rooms, content)


@pytest.mark.parametrize("text", ["", "ABCD", "ZZZZ-BBBBBBBB", "<script>-12345678", "가나다라-BBBBBBBB", "B" * 1000])
def test_anything_else_opens_nothing(rooms: Rooms, text: str) -> None:
    rooms.open()
    with pytest.raises(RoomError, match="No open room"):
        exchange(rooms, text)
