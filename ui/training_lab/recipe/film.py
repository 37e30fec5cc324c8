"""A training that is over, as a film: what a small model wrote at twelve moments of it, and where it looked.

It stands before Start, where the reader's own training is seen a moment later. All of it is computed from the
snapshots of the embedded run "copier".
"""

from __future__ import annotations

from functools import cache
from html import unescape

import numpy as np
import streamlit as st

from lab.assemble import generate_rows
from lab.live.examples import find_example
from lab.live.observation import Observation
from lab.presets import QUICK, presets_for
from lab.recipe import TaskName
from models.training.snapshots.over_time import CROSS_PLACES, embedded_runs
from models.values.history import History, RunSnapshot
from models.values.record import Kind
from ui.desk.cache import Kept
from ui.training_lab.live import ARROW, attention_figure
from ui.training_lab.snapshots import history, snapshots
from ui.widgets.frame import theme
from viz.kit.language import language, tr
from viz.kit.theme import Theme, whole_percent
from viz.training.sketch import sketch

RUN = "copier"
TASK: TaskName = "copy"
KIND: Kind = "cross"
WIDEST = 360
"""The largest width of the map in pixels: the whole film stands on the first screen."""
PAUSE = 450
"""Milliseconds between two moments: the film is over in five seconds (WCAG 2.2, criterion 2.2.2)."""
TALL = 96
"""The height in pixels of what stands above and below the map."""

_STYLE = """
:host { font-family: var(--st-font); color: var(--st-text-color); }
p { margin: 0 0 0.25rem; font-size: 1.5rem; line-height: 1.4; white-space: pre-wrap; }
p span { padding: 0 0.15em; border-radius: 0.2em; }
.right { background: rgb(33 195 84 / 25%); }
.wrong { background: rgb(255 140 33 / 25%); }
svg { display: block; max-width: 100%; height: auto; }
.line { display: flex; align-items: center; gap: 0.75rem; margin-bottom: 0.5rem; font-size: 0.875rem; white-space: nowrap; }
input { flex: 0 1 8rem; min-width: 3rem; accent-color: var(--st-primary-color); }
button { padding: 0.25rem 0.75rem; border: 1px solid var(--st-border-color); border-radius: 0.5rem; cursor: pointer;
  background: var(--st-background-color); color: inherit; font: inherit; }
button:hover, button:focus-visible { border-color: var(--st-primary-color); }
output { flex: 1 1 auto; }
"""

_HTML = """
<div data-film>
  <p data-written></p>
  <div class="line"><button type="button"></button><input type="range" min="0" step="1"><output></output></div>
  <div data-map role="img"></div>
</div>
"""

_JAVASCRIPT = """
const films = new WeakMap();  // by the place of the film: this function runs again whenever the page is drawn
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export default function ({ data, parentElement }) {
  const part = (name) => parentElement.querySelector(name);
  const root = part("[data-film]"), slider = part("input"), button = part("button");
  const last = data.moments.length - 1;
  const film = films.get(root) ?? { at: still() ? last : 0, timer: 0, isNew: !still() };
  films.set(root, film);

  const letter = (text, kind) => Object.assign(document.createElement("span"), { textContent: text, className: kind });
  function show(at) {
    const { written, says, svg, alt } = data.moments[at];
    const letters = written.map((text, place) => letter(text, text === data.asked[place] ? "right" : "wrong"));
    const spaced = letters.flatMap((node, place) => (place ? [" ", node] : [node]));
    part("[data-written]").replaceChildren(`${data.asked.join(" ")} ${data.arrow} `, ...spaced);
    part("output").textContent = says;
    part("[data-map]").setAttribute("aria-label", alt);
    const drawn = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    part("[data-map]").replaceChildren(document.importNode(drawn, true));
    slider.value = film.at = at;
    button.textContent = film.timer ? data.stop : data.play;
  }
  function stop() {
    clearInterval(film.timer);
    film.timer = 0;
    show(film.at);
  }
  function play() {
    if (film.at === last) film.at = 0;
    film.timer = setInterval(() => (film.at < last ? show(film.at + 1) : stop()), data.pause);
    show(film.at);
  }
  slider.max = last;
  slider.setAttribute("aria-label", data.name);
  slider.oninput = () => { film.at = Number(slider.value); stop(); };
  button.onclick = () => (film.timer ? stop() : play());
  const goesOn = film.isNew || Boolean(film.timer);
  film.isNew = false;
  clearInterval(film.timer);
  film.timer = 0;
  if (goesOn) play(); else show(film.at);
  return () => clearInterval(film.timer);
}
"""
_film = st.components.v2.component("headlight_film", html=_HTML, css=_STYLE, js=_JAVASCRIPT)


_FILMS: Kept[tuple[str, Theme, int], tuple[list[dict[str, object]], int]] = Kept("film of a training")


def show_film(width: int) -> None:
    """Draw the film of the embedded training, at most `width` pixels wide."""
    folder = next(run.folder for run in embedded_runs() if run.name == RUN)
    seen, wide = history(snapshots(str(folder), RUN), asked_row()), min(width, WIDEST)
    moments, height = _FILMS.get((language(), theme(), wide), lambda: draw_moments(seen, wide))
    st.markdown(
        tr(
            "**Learned in {n} iterations: right letters turn green.**",
            n=f"{seen.iterations[-1]:,}",
        )
    )
    words = {"name": tr("Training iteration"), "play": f"▶ {tr('Play')}", "stop": f"■ {tr('Stop')}", "arrow": ARROW}
    data = {"moments": moments, "asked": asked_row().split(), "pause": PAUSE, **words}
    _film(key="training-film", data=data, height=height + TALL)


@cache
def asked_row() -> str:
    """Return the held-out row of letters that a training is asked while it learns to copy for some seconds."""
    example = find_example(TASK, generate_rows(presets_for(TASK)[QUICK]))
    return "" if example is None else example.text


def draw_moments(seen: History, width: int) -> tuple[list[dict[str, object]], int]:
    """Return each moment of a history of cross attention, in which the head is followed that ends nearest to the
    diagonal: what was `written`, the map as SVG, and what there is to say; and the height of the map in pixels."""
    by_head = seen.shares(KIND, CROSS_PLACES[0].name)[-1]  # [n_layers, n_heads]
    layer, head = (int(place) for place in np.unravel_index(int(by_head.argmax()), by_head.shape))
    moments: list[dict[str, object]] = []
    height = 0
    for snapshot, reading in zip(seen.snapshots, seen.readings, strict=True):
        record = reading.recording.of(KIND)
        figure = attention_figure(
            Observation(
                iteration=snapshot.iteration,
                text=asked_row(),
                written=reading.written,
                expected=asked_row(),
                kind=KIND,
                layer=layer,
                head=head,
                query_tokens=record.query_tokens,
                key_tokens=record.key_tokens,
                weights=record.weights(layer, head),
            ),
            width,
        )
        height = round(figure.layout.height)
        alt = unescape(figure.layout.title.text)
        moments.append(
            {"written": reading.written.split(), "svg": sketch(figure), "alt": alt, "says": _say_moment(snapshot)}
        )
    return moments, height


def _say_moment(snapshot: RunSnapshot) -> str:
    iteration, share = f"{snapshot.iteration:,}", whole_percent(snapshot.accuracy or 0.0)
    return tr("Iteration {iteration} · {share} right", iteration=iteration, share=share)
