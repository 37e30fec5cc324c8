// How the map is moved and read: wheel, drag, pinch, double click and keys.

import { placeOn } from "./dom.js";

/**
 * `map` is told what is meant: zoom(factor, place), drag(dx, dy), hover(place, event), leave(), click(place), steps of keys. A
 * page that scrolls past the map is not caught: a plain wheel enlarges only while the map has the focus or is enlarged.
 */
export class MapGestures {
  constructor(node, map) {
    Object.assign(this, { node, map, pressed: new Map(), moved: false, lastWheel: 0 });
    const on = (name, listener, options) => node.addEventListener(name, listener, options);
    on("wheel", (event) => this.wheel(event), { passive: false });
    on("pointerdown", (event) => this.down(event));
    on("pointermove", (event) => this.move(event));
    on("pointerup", (event) => this.up(event));
    on("pointercancel", (event) => this.up(event, { cancelled: true }));
    on("pointerleave", (event) => this.leave(event));
    on("dblclick", (event) => this.double(event));
    on("keydown", (event) => this.key(event));
    on("touchmove", (event) => {
      if (event.touches.length > 1 || !map.view.isWhole) event.preventDefault();
    }, { passive: false });
  }

  wheel(event) {
    const meant = event.ctrlKey || event.metaKey;
    const focused = this.node.matches(":focus");
    const inward = event.deltaY < 0;
    const still = event.timeStamp - this.lastWheel < WHEEL_RESTS; // the turn that has come to the whole map goes on
    if (!meant && this.map.view.isWhole && !(focused && inward) && !still) return;
    event.preventDefault();
    const lines = event.deltaMode === 1 ? LINE : 1;
    const strength = Math.min(Math.max(-event.deltaY * lines, -WHEEL_MOST), WHEEL_MOST);
    if (!this.map.view.isWhole || inward) this.lastWheel = event.timeStamp;
    this.map.zoom(Math.exp(strength * (event.ctrlKey ? PINCH_SPEED : WHEEL_SPEED)), placeOn(this.node, event));
  }

  down(event) {
    if (event.button !== 0) return;
    this.pressed.set(event.pointerId, placeOn(this.node, event));
    this.moved = this.pressed.size > 1;
    if (!this.map.view.isWhole || this.pressed.size > 1) this.node.setPointerCapture(event.pointerId);
  }

  move(event) {
    const place = placeOn(this.node, event);
    const before = this.pressed.get(event.pointerId);
    if (!before) return this.map.hover(place, event);
    const [dx, dy] = [place.x - before.x, place.y - before.y];
    if (this.pressed.size === 2) return this.pinch(event.pointerId, place);
    if (!this.moved && Math.hypot(dx, dy) < DRAG_BEGINS) return undefined;
    if (this.map.view.isWhole) return this.map.hover(place, event);
    this.moved = true;
    this.pressed.set(event.pointerId, place);
    return this.map.drag(dx, dy);
  }

  pinch(id, place) {
    const [other] = [...this.pressed].find(([each]) => each !== id).slice(1);
    const before = this.pressed.get(id);
    const apart = (one) => Math.max(Math.hypot(one.x - other.x, one.y - other.y), 1);
    this.pressed.set(id, place);
    this.map.drag((place.x - before.x) / 2, (place.y - before.y) / 2);
    this.map.zoom(apart(place) / apart(before), { x: (place.x + other.x) / 2, y: (place.y + other.y) / 2 });
  }

  up(event, { cancelled = false } = {}) {
    const before = this.pressed.get(event.pointerId);
    this.pressed.delete(event.pointerId);
    if (before && !this.moved && !cancelled) this.map.click(before, event);
    if (this.pressed.size === 0) this.moved = false;
  }

  leave(event) {
    if (event.pointerType === "mouse" && this.pressed.size === 0) this.map.leave();
  }

  double(event) {
    event.preventDefault();
    this.map.double(event.shiftKey ? 1 / DOUBLE : DOUBLE, placeOn(this.node, event));
  }

  key(event) {
    if (event.altKey || event.metaKey) return;
    const action = this.actionOf(event);
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  actionOf({ key, shiftKey, ctrlKey }) {
    const arrow = ARROWS[key];
    if (arrow && shiftKey) return () => this.map.pan(...arrow.map((step) => step * PAN_SHARE));
    if (arrow) return () => this.map.step(...arrow, ctrlKey);
    if (ctrlKey && !["Home", "End"].includes(key)) return null; // the page's own zoom
    return {
      "+": () => this.map.zoom(DOUBLE), "=": () => this.map.zoom(DOUBLE), "-": () => this.map.zoom(1 / DOUBLE),
      0: () => this.map.showAll(),
      Home: () => this.map.step(-Infinity, ctrlKey ? -Infinity : 0),
      End: () => this.map.step(Infinity, ctrlKey ? Infinity : 0),
      PageUp: () => this.map.page(-1), PageDown: () => this.map.page(1),
      Enter: () => this.map.hold({ adds: shiftKey }), " ": () => this.map.hold({ adds: shiftKey }), Escape: () => this.map.escape(),
    }[key];
  }
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const DOUBLE = 2; // a step of zoom by key, button or double click
const PAN_SHARE = 0.25; // of what is seen
const WHEEL_SPEED = 0.002; // a notch of 100 pixels enlarges by a fifth
const PINCH_SPEED = 0.01; // browsers report a pinch on a touchpad as a small turn of the wheel with Ctrl
const WHEEL_MOST = 120;
const WHEEL_RESTS = 250; // milliseconds
const LINE = 30; // pixels that a line of a wheel stands for
const DRAG_BEGINS = 4; // pixels
