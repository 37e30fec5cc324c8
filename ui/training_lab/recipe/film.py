"""A training that is over, as a film: what a small model wrote at twelve moments of it, and where it looked.

It stands before Start, where the reader's own training is seen a moment later. The moments are in a file, so that the
film begins at once; this writes it anew, from the snapshots of the embedded run "copier":

    python -m ui.training_lab.recipe.film
"""

from __future__ import annotations

from functools import cache
from html import unescape
from pathlib import Path

import numpy as np
import streamlit as st

from lab.assemble import generate_rows
from lab.live.examples import find_example
from lab.live.observation import Observation, parse_observation
from lab.presets import QUICK, presets_for
from lab.recipe import TaskName
from models.training.snapshots.over_time import CROSS_PLACES, embedded_runs, read_snapshot, snapshots_of
from models.values.history import history_of
from models.values.record import Kind
from ui.desk.cache import Kept
from ui.training_lab.live import ARROW, attention_figure
from ui.widgets.frame import theme
from viz.kit.language import language, tr
from viz.kit.theme import Theme
from viz.training.sketch import sketch

MOMENTS = Path(__file__).with_suffix(".jsonl")
RUN = "copier"
FILMED: TaskName = "copy"
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
.line { display: flex; align-items: center; gap: 0.75rem; margin-bottom: 0.5rem; font-size: 0.875rem;
  white-space: nowrap; }
input { flex: 0 1 8rem; min-width: 3rem; height: 0.25rem; border-radius: 0.25rem; appearance: none;
  background: var(--st-border-color); }
input::-webkit-slider-thumb { width: 1rem; height: 1rem; border-radius: 50%; appearance: none;
  background: var(--st-primary-color); }
input::-moz-range-thumb { width: 1rem; height: 1rem; border: 0; border-radius: 50%;
  background: var(--st-primary-color); }
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
    button.textContent = film.timer ? `■ ${data.stop}` : `▶ ${data.play}`;
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
  slider.oninput = () => { film.isNew = false; film.at = Number(slider.value); stop(); };
  button.onclick = () => (film.timer ? stop() : play());
  const goesOn = Boolean(film.timer);
  clearInterval(film.timer);
  film.timer = 0;
  if (goesOn) play(); else show(film.at);
  const watcher = new IntersectionObserver(([{ isIntersecting }]) => {  // on a telephone it begins when it is seen
    if (!film.isNew || !isIntersecting) return;
    film.isNew = false;
    play();
  }, { threshold: 0.5 });
  watcher.observe(root);
  return () => {
    watcher.disconnect();
    clearInterval(film.timer);
  };
}
"""
_film = st.components.v2.component("headlight_film", html=_HTML, css=_STYLE, js=_JAVASCRIPT)


_FILMS: Kept[tuple[str, Theme, int], list[dict[str, object]]] = Kept("film of a training")


def show_film(width: int) -> None:
    """Draw the film of the embedded training, at most `width` pixels wide."""
    moments, wide = read_moments(), min(width, WIDEST)
    drawn = _FILMS.get((language(), theme(), wide), lambda: [_draw(moment, wide) for moment in moments])
    n_iterations = f"{moments[-1].iteration:,}"
    st.markdown(tr("**Learned in {n} iterations: right letters turn green.**", n=n_iterations))
    words = {"name": tr("Training iteration"), "play": tr("Play"), "stop": tr("Stop"), "arrow": ARROW}
    data = {"moments": drawn, "asked": moments[-1].expected.split(), "pause": PAUSE, **words}
    _film(key="training-film", data=data, height=round(attention_figure(moments[-1], wide).layout.height) + TALL)


@cache
def read_moments() -> tuple[Observation, ...]:
    """Return the moments of the film, as the file has them."""
    lines = MOMENTS.read_text(encoding="utf-8").splitlines()
    return tuple(moment for moment in map(parse_observation, lines) if moment is not None)


def _draw(moment: Observation, width: int) -> dict[str, object]:
    """Return a moment for the browser: what was written, the map as SVG, and what there is to say."""
    figure = attention_figure(moment, width)
    return {
        "written": moment.written.split(),
        "svg": sketch(figure),
        "alt": unescape(figure.layout.title.text),
        "says": _say_right(moment),
    }


def _say_right(moment: Observation) -> str:
    """Say how many letters are right where they stand."""
    right = sum(one == other for one, other in zip(moment.written.split(), moment.expected.split(), strict=False))
    return tr(
        "Iteration {iteration} · {right} of {all} right",
        iteration=f"{moment.iteration:,}",
        right=right,
        all=len(moment.expected.split()),
    )


# -- the file ---------------------------------------------------------------------------------------------------------


def observe_moments() -> list[Observation]:
    """Let every snapshot of the run copy a row that it never learned from; the head is followed that ends nearest to
    the diagonal."""
    example = find_example(FILMED, generate_rows(presets_for(FILMED)[QUICK]))
    folder = next(run.folder for run in embedded_runs() if run.name == RUN)
    if example is None:
        return []
    run = snapshots_of(folder)
    readings = [read_snapshot(Path(snapshot.folder), example.text, example.expected) for snapshot in run.snapshots]
    by_head = history_of(run, readings).shares(KIND, CROSS_PLACES[0].name)[-1]  # [n_layers, n_heads]
    layer, head = (int(place) for place in np.unravel_index(int(by_head.argmax()), by_head.shape))
    records = [reading.recording.of(KIND) for reading in readings]
    return [
        Observation(
            iteration=snapshot.iteration,
            text=example.text,
            written=reading.written,
            expected=example.expected,
            kind=KIND,
            layer=layer,
            head=head,
            query_tokens=record.query_tokens,
            key_tokens=record.key_tokens,
            weights=record.weights(layer, head),
        )
        for snapshot, reading, record in zip(run.snapshots, readings, records, strict=True)
    ]


if __name__ == "__main__":
    MOMENTS.write_text("".join(f"{moment.as_json()}\n" for moment in observe_moments()), encoding="utf-8")
