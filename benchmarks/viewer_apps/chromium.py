"""A page in a headless Chromium of its own, driven over the DevTools protocol: keys, clicks and JavaScript.

Not through Playwright: that has the browser copy every message of the websocket to it, coded as text, and with bertviz
a message has a hundred megabytes. Here nothing is observed but what the page itself tells.
"""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from benchmarks.viewer_apps.processes import GivenUpError, Guard
from tests.chromium import explain_missing, find_browser

OPTIONS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--remote-debugging-port=0",
    "--window-size=1440,1000",
    "--disable-background-networking",
    "--disable-component-update",
    "--mute-audio",
)
START_SECONDS = 60
KEYS = {"Enter": 13, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
BUSY = "(() => { const until = performance.now() + 300; while (performance.now() < until); })()"


class Tab:
    """The page. Every call waits for its answer, and raises GivenUpError once the guard has ended the page."""

    def __init__(self, socket: ClientConnection, guard: Guard, scripts: Mapping[str, bytes]) -> None:
        self._socket, self._guard, self._scripts = socket, guard, scripts
        self._number, self._session = 0, ""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.send("Page.enable")
        self.send("Emulation.setFocusEmulationEnabled", enabled=True)
        if scripts:
            self.send("Fetch.enable", patterns=[{"urlPattern": address} for address in scripts])

    def send(self, method: str, **parameters: object) -> dict[str, Any]:
        """Call a method of the protocol, of the browser until the page is there, then of the page."""
        number = self._call(method, parameters)
        while True:
            message = self._next_message()
            if message.get("method") == "Fetch.requestPaused":
                self._serve(message["params"])
            elif message.get("id") == number:
                return self._result(message)

    def before_every_page(self, script: str) -> None:
        """Run a script in every frame before its own."""
        self.send("Page.addScriptToEvaluateOnNewDocument", source=script)

    def open(self, address: str) -> None:
        """Go to an address; returns at once."""
        self.send("Page.navigate", url=address)

    def evaluate(self, expression: str) -> Any:
        """The value of an expression, of a promise what it promises."""
        answer = self.send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}\n{answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait(self, condition: str) -> Any:
        """The value of an expression once it is true; asked at every frame."""
        return self.evaluate(
            f"""new Promise((done) => {{
              const ask = () => {{
                const value = {condition};
                value ? done(value) : requestAnimationFrame(ask);
              }};
              ask();
            }})"""
        )

    def press(self, key: str) -> None:
        """A key, down and up, where the focus is."""
        named = {"key": key, "code": key, "windowsVirtualKeyCode": KEYS[key]}
        text = {"text": "\r"} if key == "Enter" else {}
        self.send("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **named, **text)
        self.send("Input.dispatchKeyEvent", type="keyUp", **named)

    def write(self, text: str) -> None:
        """Text, where the focus is."""
        self.send("Input.insertText", text=text)

    def click(self, x: float, y: float) -> None:
        """A click at a point of the page."""
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def process(self) -> int:
        """The id of the process that draws the page: the one that is busy when the page is."""
        before = self._busy_seconds()
        self.evaluate(BUSY)
        after = self._busy_seconds()
        return max(after, key=lambda pid: after[pid] - before.get(pid, 0.0))

    def _busy_seconds(self) -> dict[int, float]:
        session, self._session = self._session, ""
        processes = self.send("SystemInfo.getProcessInfo")["processInfo"]
        self._session = session
        return {process["id"]: float(process["cpuTime"]) for process in processes if process["type"] == "renderer"}

    def _next_message(self) -> dict[str, Any]:
        while True:
            self._guard.check()
            try:
                message: dict[str, Any] = json.loads(self._socket.recv(timeout=1))
            except TimeoutError:
                continue
            except ConnectionClosed as error:
                self._guard.check()
                raise GivenUpError("the browser has ended") from error
            return message

    def _call(self, method: str, parameters: Mapping[str, object]) -> int:
        self._number += 1
        session = {"sessionId": self._session} if self._session else {}
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": parameters, **session}))
        return self._number

    def _result(self, message: Mapping[str, Any]) -> dict[str, Any]:
        if "error" in message:
            self._guard.check()
            raise RuntimeError(str(message["error"]))
        result: dict[str, Any] = message["result"]
        return result

    def _serve(self, request: Mapping[str, Any]) -> None:
        """Answer a request that the page made to a CDN."""
        body = base64.b64encode(self._scripts[request["request"]["url"]]).decode("ascii")
        headers = [{"name": "Content-Type", "value": "text/javascript"}]
        answer = {"requestId": request["requestId"], "responseCode": 200, "responseHeaders": headers, "body": body}
        self._call("Fetch.fulfillRequest", answer)


@contextmanager
def opened_tab(guard: Guard, scripts: Mapping[str, bytes]) -> Iterator[Tab]:
    """A page in a browser that has nothing else open; requests for an address in `scripts` get what is named there."""
    browser = find_browser()
    if browser is None:
        raise SystemExit(explain_missing("Linux"))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        process = subprocess.Popen(
            [browser, *OPTIONS, f"--user-data-dir={folder}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            with connect(_address(Path(folder)), max_size=None, compression=None) as socket:
                yield Tab(socket, guard, scripts)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _address(folder: Path) -> str:
    """Where the browser listens; it writes that into its folder."""
    told = folder / "DevToolsActivePort"
    for _ in range(4 * START_SECONDS):
        if told.exists() and len(lines := told.read_text(encoding="utf-8").splitlines()) == 2:
            return f"ws://127.0.0.1:{lines[0]}{lines[1]}"
        time.sleep(0.25)
    raise GivenUpError("Chromium does not start")
