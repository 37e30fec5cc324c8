"""How fast the network, the server's answers and the processor of a reader are: what a test says has to hold at all.

    python -m pytest tests/browser --speed slow
    python -m pytest tests/browser --speed uneven

Without the option it is `normal`, as fast as this computer; a test marked `at_every_speed` runs at all three even then.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

import pytest
from playwright.sync_api import BrowserContext, Page

BYTES_A_SECOND = 4_000_000
"""Of a slow network: the whole page comes in a second, and not at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    """What is slowed down. Delays are (least, most) in milliseconds; every page draws the same ones."""

    answers: tuple[int, int] = (0, 0)
    """Of what the viewer fetches: answers with unequal delays come in another order than they were asked for."""
    messages: tuple[int, int] = (0, 0)
    """Between the page and Streamlit, in both directions; they stay in their order, as on any socket."""
    latency: int = 0
    """Milliseconds that every other answer takes longer: the page, its scripts, the modules of the viewer."""
    processor: int = 1
    """So many times slower than it is."""

    def slow_down(self, context: BrowserContext) -> None:
        """Delay the answers and the messages of all pages that will be opened."""
        if any((*self.answers, *self.messages)):
            delays = {name: delay for name, delay in asdict(self).items() if name in {"answers", "messages"}}
            context.add_init_script(f"({_DELAYED})({json.dumps(delays)})")

    def slow_down_page(self, page: Page, *, online: bool) -> None:
        """Slow down the processor of a page, and its network unless it has none."""
        if self.latency == 0 and self.processor == 1:
            return
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": self.processor})
        if online:
            throughput = {"downloadThroughput": BYTES_A_SECOND, "uploadThroughput": BYTES_A_SECOND}
            session.send("Network.enable")
            session.send("Network.emulateNetworkConditions", {"offline": False, "latency": self.latency, **throughput})


NORMAL = "normal"
SPEEDS = {
    NORMAL: Speed(),
    "slow": Speed(answers=(800, 800), messages=(120, 120), latency=60, processor=2),
    "uneven": Speed(answers=(0, 1600), messages=(0, 200)),
}
at_every_speed = pytest.mark.parametrize("speed", SPEEDS, indirect=True)
"""For a test that is run at all three speeds whatever the command line says."""

_DELAYED = """({ answers, messages }) => {
  const delays = ([least, most], state = 20171206) => () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return least + ((most - least) * state) / 2 ** 32;
  };

  const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
  const quick = window.fetch;
  const late = delays(answers);
  window.fetch = async (address, options) => {
    const answer = await quick(address, options);
    await pause(late());
    options?.signal?.throwIfAborted();
    return answer;
  };

  const inOrder = () => {
    const later = delays(messages);
    let earlier = Promise.resolve();
    return (act) => {
      const due = performance.now() + later();
      earlier = earlier.then(() => pause(due - performance.now())).then(act);
    };
  };
  window.WebSocket = class extends WebSocket {
    #away = inOrder();
    #back = inOrder();
    #late = new WeakSet();

    constructor(...given) {
      super(...given);
      this.addEventListener("message", (event) => {
        if (this.#late.has(event)) return;
        event.stopImmediatePropagation();
        const { data, origin } = event;
        const late = new MessageEvent("message", { data, origin });
        this.#late.add(late);
        this.#back(() => this.dispatchEvent(late));
      });
    }

    send(data) {
      this.#away(() => this.readyState === WebSocket.OPEN && super.send(data));
    }
  };
}"""
