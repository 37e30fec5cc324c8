"""Who is compared: how to know what a page shows, and which key or click shows another layer or head.

`state` is JavaScript that gives {recording, picture} of what is drawn now, or null: another sentence has another
recording, another head another picture. It may give `exact`, false for a rough picture or one of rounded numbers, and
`at`, when it was on the screen, if the peer knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from benchmarks.viewer_apps.chromium import Tab
from benchmarks.viewer_apps.stage import N_HEADS, N_LAYERS

Turn = Callable[[Tab, int], None]
"""Press the key, or click, that shows the next layer or head; the number counts the turns so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """A picture of attention in a page of Streamlit."""

    name: str
    app: str
    state: str
    turns: Mapping[str, Turn]
    query: Mapping[str, str]
    from_cdn: bool = False

    def path(self, n_tokens: int, n_sentences: int) -> str:
        """The address of its page on the server."""
        return "/?" + urlencode({"tokens": n_tokens, "sentences": n_sentences, **self.query})


# -- bertviz ----------------------------------------------------------------------------------------------------------

_BERTVIZ_STATE = """() => {
  const root = document.querySelector("iframe")?.contentDocument?.querySelector("[id^=bertviz]");
  if (!root || root.getElementsByTagName("line").length < %s) return null;
  return { recording: root.id, picture: %s };
}"""
_TOKENS = 'Number(new URLSearchParams(location.search).get("tokens"))'
_HEAD_LINES, _MODEL_LINES = f"{N_HEADS} * {_TOKENS} ** 2", f"{N_LAYERS * N_HEADS} * {_TOKENS} ** 2"
_LAYER_AND_HEADS = """root.querySelector("#layer").value + [...root.querySelectorAll("svg > g:last-child > rect")]
    .map((square) => square.getAttribute("fill"))"""
_OPENED_HEAD = 'root.querySelector("text.detail")?.textContent ?? ""'


_FRAME = 'document.querySelector("iframe")'
_SQUARES, _SMALL_PICTURES = "svg > g:last-child > rect", "svg > g > rect:last-child"


def _next_layer(tab: Tab, number: int) -> None:
    """The arrow key on bertviz's list of layers; up again from the last one."""
    tab.evaluate(f'{_FRAME}.contentDocument.querySelector("#layer").focus()')
    tab.press("ArrowUp" if number // (N_LAYERS - 1) % 2 else "ArrowDown")


def _click_on(selector: str, step: int = 1) -> Turn:
    """A click on one of twelve, every `step`th in turn.

    These are the coloured squares of the head view, which show or hide a head, and the small pictures of the model
    view, of which one opens beside the last one clicked and covers its neighbours.
    """

    def turn(tab: Tab, number: int) -> None:
        x, y = tab.evaluate(
            f"""(() => {{
              const around = {_FRAME}.getBoundingClientRect();
              const all = {_FRAME}.contentDocument.querySelectorAll("{selector}");
              const box = all[{number * step % N_HEADS}].getBoundingClientRect();
              return [around.x + box.x + box.width / 2, around.y + box.y + Math.min(box.height / 2, 20)];
            }})()"""
        )
        tab.click(x, y)

    return turn


HEAD_VIEW = Peer(
    name="bertviz head view",
    app="bertviz_app.py",
    state=_BERTVIZ_STATE % (_HEAD_LINES, _LAYER_AND_HEADS),
    turns={"layer": _next_layer, "head": _click_on(_SQUARES)},
    query={"view": "head"},
    from_cdn=True,
)
MODEL_VIEW = Peer(
    name="bertviz model view",
    app="bertviz_app.py",
    state=_BERTVIZ_STATE % (_MODEL_LINES, _OPENED_HEAD),
    turns={"head": _click_on(_SMALL_PICTURES, N_HEADS // 2)},
    query={"view": "model"},
    from_cdn=True,
)

# -- ours -------------------------------------------------------------------------------------------------------------

_OVERVIEW = '[role="grid"]'
_HEADLIGHT_STATE = """() => {
  const find = (within) => {
    for (const element of within.querySelectorAll("*")) {
      if (element.dataset?.painted) return element;
      const deeper = element.shadowRoot && find(element.shadowRoot);
      if (deeper) return deeper;
    }
    return null;
  };
  if (!benchmark.root?.isConnected) benchmark.root = find(document);
  if (!benchmark.root?.dataset.drawnAt) return null;
  const { recording, painted, heads, drawnAt } = benchmark.root.dataset;
  const [kind, layer, head, quality] = painted.split(" ");
  const exact = quality === "exact" && heads === "all";
  return { recording, picture: `${kind} ${layer} ${head}`, exact, at: Number(drawnAt) };
}"""


def _arrow(there: str, back: str, steps: int) -> Turn:
    """An arrow key on the overview: `steps` times there, then back again."""

    def turn(tab: Tab, number: int) -> None:
        tab.evaluate(f"benchmark.root.querySelector('{_OVERVIEW}').focus()")
        tab.press(back if number // steps % 2 else there)

    return turn


HEADLIGHT = Peer(
    name="headlight",
    app="headlight_app.py",
    state=_HEADLIGHT_STATE,
    turns={
        "layer": _arrow("ArrowDown", "ArrowUp", N_LAYERS - 1),
        "head": _arrow("ArrowRight", "ArrowLeft", N_HEADS - 1),
    },
    query={},
)
