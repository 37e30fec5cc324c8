"""Keys of recordings end with the session of the reader: within two minutes, whether anybody else comes or not."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from pathlib import Path

import httpx2
import pytest
from streamlit.testing.v1 import AppTest

from benchmarks.load_reader import entered
from models.values.record import Recording
from tests.browser.server import running
from tests.loaded import load
from ui.state.open_recordings import AWAY, KEYS, LOOK, Absences, OpenRecording

LONGEST = 120.0
HASTY = (
    "from ui.state import open_recordings as keys; keys.AWAY, keys.LOOK = 1.0, 0.1;"
    "from streamlit.web.cli import main; main()"
)
"""Starts Streamlit with keys that end a second after their reader has gone."""


@pytest.fixture(scope="module")
def recording() -> Recording:
    return load("mini-bert", device="cpu").record("One two three.")


def opened(recording: Recording, session: str) -> OpenRecording:
    made = OpenRecording(key=f"key of {session}", name="name", recording=recording, session=session)
    KEYS[made.key] = made
    return made


def test_a_key_ends_some_time_after_its_reader_has_gone(recording: Recording) -> None:
    one, other = opened(recording, "one"), opened(recording, "other")
    absences, here = Absences(), {"one", "other"}

    def look(now: float) -> tuple[bool, bool]:
        absences.look(here.__contains__, now)
        return one.key in KEYS, other.key in KEYS

    assert look(1000.0) == (True, True)
    here.remove("one")
    assert look(2000.0) == (True, True)
    assert look(2000.0 + AWAY - 1) == (True, True)
    here.add("one")  # comes back, and has the whole time again
    assert look(2000.0 + AWAY + 1) == (True, True)
    here.remove("one")
    assert look(3000.0) == (True, True)
    assert look(3000.0 + AWAY) == (False, True)
    assert AWAY + 2 * LOOK < 120, "within two minutes"


def test_who_comes_back_after_that_is_given_another_key(recording: Recording) -> None:
    def page(recording: object) -> None:
        import streamlit as st

        from ui.state.open_recordings import offer

        st.text(offer(recording).key)

    app = AppTest.from_function(page, args=(recording,)).run()
    first = app.text[0].value
    assert app.run().text[0].value == first
    del KEYS[first]
    again = app.run().text[0].value
    assert again != first
    assert KEYS[again].recording is recording


def test_a_server_that_nobody_else_visits_forgets_the_key_of_a_reader_who_has_gone(tmp_path: Path) -> None:
    environment = {"HEADLIGHT_LAB_RUNS": str(tmp_path), "HEADLIGHT_SHARED": str(tmp_path / "shared.sqlite")}

    async def visit(address: str) -> None:
        async with AsyncExitStack() as stack, httpx2.AsyncClient(base_url=address, timeout=LONGEST) as client:
            async with AsyncExitStack() as of_one:
                readers = [await entered(of_one, address, 0), await entered(stack, address, 1)]
                for reader in readers:
                    await reader.open()
                gone, here = (f"{reader.base}/about" for reader in readers)
                assert [(await client.get(path)).status_code for path in (gone, here)] == [200, 200]
            end = time.monotonic() + LONGEST
            while (await client.get(gone)).status_code != 404:
                assert time.monotonic() < end
                await asyncio.sleep(0.1)
            assert (await client.get(here)).status_code == 200

    log = tmp_path / "log"
    with (
        running("app.py", log=log, environment=environment, streamlit=("-c", HASTY)) as (_, address),
        ThreadPoolExecutor(1) as beside,  # Playwright has a loop of its own in the thread of the tests
    ):
        beside.submit(lambda: asyncio.run(visit(address))).result(timeout=2 * LONGEST)
