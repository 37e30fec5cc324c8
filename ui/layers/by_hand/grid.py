"""The three matrices of a head as tables in which the reader paints and types.

A click or a drag paints with the number of the slider, and takes it away where it stands already; on the keyboard,
arrows move, a digit is written, minus turns the sign. The browser counts the reader's changes; the number of the last
one that arrived goes back, so that an older one does not undo what was painted since.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from models.inspection.by_hand.heads import D_HEAD, LARGEST, HandHead
from ui.layers.by_hand.kept import keep_heads, read_head, write_head
from ui.widgets.frame import theme
from viz.kit.language import tr
from viz.kit.theme import PALETTES

_KEY = "headlight_matrices"
_SENT = re.compile(r"[0-9a-i]{0,120}")

_STYLE = """
:host { font-family: var(--st-font); color: var(--st-text-color); }
header { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; align-items: center; font-size: 0.875rem;
  margin-bottom: 0.5rem; }
label { display: flex; gap: 0.5rem; align-items: center; white-space: nowrap; }
p { margin: 0; opacity: 0.8; }
input { appearance: none; flex: 0 1 12rem; min-width: 6rem; height: 0.25rem; border-radius: 0.25rem;
  background: var(--st-border-color); }
input::-webkit-slider-thumb { appearance: none; width: 1rem; height: 1rem; border-radius: 50%;
  background: var(--st-primary-color); }
input::-moz-range-thumb { width: 1rem; height: 1rem; border: 0; border-radius: 50%;
  background: var(--st-primary-color); }
output { font-weight: 600; min-width: 1.5rem; text-align: right; }
div { display: flex; flex-wrap: wrap; gap: 0.75rem; }
table { border-spacing: 1px; font-size: 0.875rem; }
caption { text-align: left; font-size: 1rem; font-weight: 600; }
caption span { font-weight: 400; opacity: 0.8; font-size: 0.875rem; }
th { font-weight: 400; text-align: left; padding: 0 0.375rem 0 0; max-width: 3.5rem; overflow: hidden;
  text-overflow: ellipsis; white-space: nowrap; }
th[colspan] { opacity: 0.8; padding-top: 0.125rem; max-width: none; }
td { padding: 0; }
button { width: 2rem; height: 1.75rem; padding: 0; border: 1px solid var(--st-border-color); border-radius: 0.25rem;
  color: inherit; font: inherit; cursor: pointer; touch-action: manipulation; user-select: none; }
button:focus-visible { outline: 3px solid currentColor; outline-offset: -3px; }
@media (min-width: 1200px) { button { width: 2.25rem; height: 1.875rem; } }
"""

_JAVASCRIPT = """
const DIGITS = "abcdefghi";
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const read = (sign) => (DIGITS.includes(sign) ? -DIGITS.indexOf(sign) - 1 : Number(sign));
const write = (number) => (number < 0 ? DIGITS[-number - 1] : String(number));
const show = (number) => String(number).replace("-", "−");
const node = (name, looks = {}, ...children) => {
  const made = Object.assign(document.createElement(name), looks);
  made.append(...children);
  return made;
};

function build(root, state, data) {
  const { rows, columns } = data;
  const n = rows.length * columns;
  state.cells = [];
  const cell = (matrix, row, column) => {
    const made = node("button", { type: "button", tabIndex: row + column ? -1 : 0 });
    made.dataset.at = matrix * n + row * columns + column;
    state.cells.push(made);
    return node("td", {}, made);
  };
  const table = ({ name, about }, matrix) => {
    const [letter, index] = name.split("_");
    const named = [letter, node("sub", {}, index), node("span", {}, ` · ${about}`)];
    const made = node("table", {}, node("caption", {}, ...named));
    rows.forEach(({ label, group }, row) => {
      if (group) made.append(node("tr", {}, node("th", { colSpan: columns + 1 }, group)));
      const cells = Array.from({ length: columns }, (_, column) => cell(matrix, row, column));
      made.append(node("tr", {}, node("th", { title: label, scope: "row" }, label), ...cells));
    });
    return made;
  };
  const number = node("output", {}, show(state.brush));
  const brush = node("input", { type: "range", min: -data.largest, max: data.largest, step: 1, value: state.brush });
  brush.oninput = () => { state.brush = Number(brush.value); number.value = show(state.brush); };
  const label = node("label", {}, data.says.brush, brush, number);
  const how = node("p", {}, data.says.how);
  root.replaceChildren(node("header", {}, label, how), node("div", {}, ...data.matrices.map(table)));
}

function draw(state, data) {
  const { rows, columns, colours } = data;
  state.cells.forEach((cell, at) => {
    const value = state.numbers[at];
    const row = rows[Math.floor((at % (rows.length * columns)) / columns)];
    const matrix = data.matrices[Math.floor(at / (rows.length * columns))].name;
    const share = value ? 12 + (38 * Math.abs(value)) / data.largest : 0;
    cell.textContent = show(value);
    cell.style.background = `color-mix(in srgb, ${value < 0 ? colours[0] : colours[1]} ${share}%, transparent)`;
    cell.style.opacity = value ? 1 : 0.7;
    cell.setAttribute("aria-label", `${matrix}, ${row.label}, ${at % columns}: ${show(value)}`);
  });
}

function listen(root, state) {
  const at = (event) => {
    const cell = event.target.closest?.("[data-at]");
    return cell ? Number(cell.dataset.at) : -1;
  };
  const change = (place, value) => {
    if (place < 0 || state.numbers[place] === value) return;
    state.numbers[place] = value;
    draw(state, state.data);
    clearTimeout(state.timer);
    const { numbers, data: { head } } = state;  // those that were painted, whatever is drawn when they are sent
    state.number += 1;
    state.timer = setTimeout(() => {
      const written = numbers.map(write).join("").replace(/0+$/, "");
      state.send("edited", { number: state.number, head, numbers: written });
    }, 250);
  };
  const toggled = (place) => (state.numbers[place] === state.brush ? 0 : state.brush);
  root.onpointerdown = (event) => {
    const place = at(event);
    if (place < 0 || event.button) return;
    state.painted = toggled(place);
    change(place, state.painted);
  };
  root.onpointerover = (event) => {
    if (event.buttons === 1 && event.pointerType === "mouse" && state.painted !== null) {
      change(at(event), state.painted);
    }
  };
  root.onpointerup = root.onpointerleave = () => { state.painted = null; };
  root.onkeydown = (event) => {
    const place = at(event);
    if (place < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const { rows, columns } = state.data;
    if (event.key in STEPS) {
      const [down, right] = STEPS[event.key];
      const n = rows.length * columns;
      const [matrix, row, column] = [Math.floor(place / n), Math.floor((place % n) / columns), place % columns];
      const next = [row + down, matrix * columns + column + right];
      if (next[0] < 0 || next[0] >= rows.length || next[1] < 0 || next[1] >= columns * 3) return;
      state.cells[Math.floor(next[1] / columns) * n + next[0] * columns + (next[1] % columns)].focus();
    } else if (/^[0-9]$/.test(event.key)) change(place, Number(event.key));
    else if (event.key === "-" || event.key === "−") change(place, state.numbers[place] && -state.numbers[place]);
    else if (event.key === "Delete" || event.key === "Backspace") change(place, 0);
    else if (event.key === "Enter" || event.key === " ") change(place, toggled(place));
    else return;
    event.preventDefault();
  };
}

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector("[data-root]");
  root.painting ??= { number: data.told, brush: 3, painted: null, head: null, layout: "" };
  const state = root.painting;
  state.send = setStateValue;
  state.data = data;
  const layout = JSON.stringify([data.rows, data.matrices, data.says, data.head]);
  if (layout !== state.layout) {
    build(root, state, data);
    listen(root, state);
  }
  if (layout !== state.layout || data.told >= state.number) {
    const n = data.matrices.length * data.rows.length * data.columns;
    state.numbers = Array.from(data.numbers.padEnd(n, "0"), read);
  }
  state.layout = layout;
  draw(state, data);
}
"""
_grid = st.components.v2.component(_KEY, html="<main data-root></main>", css=_STYLE, js=_JAVASCRIPT)


def matrices_grid(head: HandHead, *, layer: int, goal: str, names: Sequence[str]) -> None:
    """Draw W_Q, W_K and W_V of the head of a layer; the reader's changes are kept. `names` are the four letters."""
    palette, of_head = PALETTES[theme()], f"{goal}-{layer}"
    groups = [tr("letter"), "", "", "", tr("place"), "", tr("output of layer {layer}", layer=0), "", "", ""]
    labels = [*names, "cos", "sin", *names]
    _grid(
        key=_KEY,
        data={
            "head": of_head,
            "numbers": write_head(head),
            "told": _message().get("number", 0),
            "rows": [
                {"label": label, "group": group} for label, group, _ in zip(labels, groups, head.query, strict=False)
            ],
            "columns": D_HEAD,
            "largest": LARGEST,
            "matrices": [
                {"name": "W_Q", "about": tr("what it looks for")},
                {"name": "W_K", "about": tr("what it is found by")},
                {"name": "W_V", "about": tr("what it hands on")},
            ],
            "colours": [palette.diverging[2], palette.diverging[-3]],
            "says": {"brush": tr("Number to write"), "how": tr("Click a cell, or drag over several.")},
        },
        on_edited_change=lambda: _take_numbers(of_head, layer),
    )


def _take_numbers(of_head: str, layer: int) -> None:
    """Keep the numbers that the reader has written; what a browser sends is checked."""
    sent = _message()
    numbers = sent.get("numbers")
    if sent.get("head") == of_head and isinstance(numbers, str) and _SENT.fullmatch(numbers):
        keep_heads({layer: read_head(numbers, layer)})


def _message() -> Mapping[str, Any]:
    edited = (st.session_state.get(_KEY) or {}).get("edited")
    return edited if isinstance(edited, Mapping) else {}
