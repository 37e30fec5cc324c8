"""Waiting for a page, for as long as it takes, and never for a time.

What is on a page may change until all answers have come, so nothing is read from it once and for all: `expect` waits
for texts and attributes, `becomes` and `eventually` for everything else, `at_rest` for the whole page; and what has not
happened when all is `drawn` does not happen. `test_waiting.py` holds the tests to that.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TypeVar

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from playwright.sync_api import FloatRect, Frame, Locator, Page, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

WAIT = 120_000
"""Milliseconds after which what is waited for does not come: only a test that fails takes as long."""
PAUSE = 30
"""Milliseconds from one look at a page to the next."""
LOOK = 100
"""Milliseconds from one look to the next whether a page is at rest: a look at every frame makes the browser draw it."""
AGAIN = 10_000
"""Milliseconds after which a button is pressed once more."""
Value = TypeVar("Value")


def eventually(page: Page | Frame, read: Callable[[], Value], holds: Callable[[Value], object]) -> Value:
    """Read until it is as it should be: for numbers, colours and lists, which `expect` does not know. Gives what was
    read then, which must not be able to change any more."""
    end = monotonic() + WAIT / 1000
    while not holds(found := read()):
        assert monotonic() < end, f"it stays {found!r}"
        page.wait_for_timeout(PAUSE)
    return found


def becomes(page: Page | Frame, read: Callable[[], object], wanted: object) -> None:
    """Wait until what is read is what is wanted, which may be a `CloseTo`."""
    eventually(page, read, lambda found: found == wanted)


def press_until(button: Locator, shown: Locator) -> None:
    """Press a button until what it leads to is shown, again as long as the button stands there: while work is going on
    its place is drawn anew every second, and a click may fall between two drawings, or find both."""
    button = button.last
    button.click(timeout=WAIT)
    for _ in range(WAIT // AGAIN):
        try:
            return expect(shown).to_be_visible(timeout=AGAIN)
        except AssertionError:
            if button.is_visible():
                button.click()
    return expect(shown).to_be_visible()


def drawn(page: Page) -> None:
    """Wait until the browser has drawn what follows from all that it has heard so far. For a test that says that
    nothing happens: what has not begun by then does not begin."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def _tags(message: type[Message], *fields: str) -> list[int]:
    """The bytes before fields of a message of Streamlit's: the number of the field, and whether its length follows."""
    found = [message.DESCRIPTOR.fields_by_name[name] for name in fields]
    return [field.number << 3 | (0 if field.type == FieldDescriptor.TYPE_ENUM else 2) for field in found]


WATCH = f"""() => {{
  const send = WebSocket.prototype.send;
  const heard = new WeakSet();
  const answer = (isAnswered) => Object.assign(window, {{ isAnswered, changedAt: performance.now() }});
  const isEnd = (bytes) => {{
    let at = 0; // the end of a run stands behind its hash and its metadata, which say how long they are
    while ({_tags(ForwardMsg, "hash", "metadata")}.includes(bytes[at])) at += 2 + bytes[at + 1];
    return {_tags(ForwardMsg, "script_finished")}.includes(bytes[at]);
  }};
  WebSocket.prototype.send = function (data) {{
    if (!heard.has(this)) this.addEventListener("message", (event) => {{
      if (isEnd(new Uint8Array(event.data))) answer(true);
    }});
    heard.add(this);
    if ({_tags(BackMsg, "rerun_script")}.includes(new Uint8Array(data)[0])) {{
      answer(false);
      window.reruns = (window.reruns ?? 0) + 1;
    }}
    return send.call(this, data);
  }};
}}"""
"""For a new page: sees whether the server has answered all that it was asked, by the messages between the two,
and counts how often it was asked for a run."""
RERUNS = "window.reruns"
"""How often the server was asked for a run since the page was loaded."""

_AT_REST = """() => {
  const app = document.querySelector("[data-test-script-state]");
  const drawn = app?.dataset.testScriptState === "notRunning" && !document.querySelector("[data-stale=true]");
  const since = Math.max(window.atRestSince ?? performance.now(), window.changedAt ?? 0); // or what came in between
  window.atRestSince = drawn && window.isAnswered ? since : undefined;
  return performance.now() - window.atRestSince > 500;
}"""


def at_rest(page: Page) -> None:
    """Wait until the server has answered and nothing is drawn anew. Call it before a place on the page is measured,
    pointed at or clicked: a page is drawn once more when its width is known, and what stood at a place may stand
    elsewhere then."""
    page.evaluate("window.atRestSince = undefined")
    page.wait_for_function(_AT_REST, polling=LOOK, timeout=WAIT)


def after_pause(page: Page, seconds: float) -> None:
    """Rest as long as a reader does who looks at a page that is at rest: where time itself is what the app goes by."""
    at_rest(page)
    page.wait_for_timeout(1000 * seconds + 500)


def box_of(place: Locator) -> FloatRect:
    """Where something stands that is seen, once it stays there from one frame to the next."""
    expect(place).to_be_visible(timeout=WAIT)
    return FloatRect(**eventually(place.page, lambda: place.evaluate(_STEADY), bool))


_STEADY = """async (element) => {
  const place = () => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x, y, width, height };
  };
  for (let before = place(); ; ) {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    if (!element.isConnected) return null; // another one stands in its place
    const now = place();
    if (["x", "y", "width", "height"].every((side) => now[side] === before[side])) return now;
    before = now;
  }
}"""
