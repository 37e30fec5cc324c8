// The value at the pointer, or above the finger. A screen reader passes it over: the words beside the picture say the same.

import { element, placeOn, say } from "./dom.js";

export class Tip {
  /** A label over `host`, which is positioned and holds the label's node. */
  constructor(host) {
    Object.assign(this, { host, at: null });
    this.node = element("div", { class: "tip", "aria-hidden": "true", hidden: true });
    host.append(this.node);
  }

  /** Where the pointer of an event is; the label goes there at once. */
  follow(event) {
    this.at = { ...placeOn(this.host, event), isFinger: event.pointerType === "touch" };
    if (!this.node.hidden) this.place();
  }

  leave() {
    this.at = null;
    this.node.hidden = true;
  }

  /** Show parts of a sentence, plain texts and {token}; null for nothing. */
  show(parts) {
    this.node.hidden = !this.at || !parts;
    if (this.node.hidden) return;
    say(this.node, parts);
    this.place();
  }

  /** Beside the pointer or above the finger, and never beyond the picture. */
  place() {
    const { at, host, node } = this;
    const [{ width, height }, room] = [node.getBoundingClientRect(), host.getBoundingClientRect()];
    const { left, top } = (at.isFinger ? aboveFinger : besidePointer)(at, { width, height }, room);
    node.style.left = `${clamped(left, room.width - width)}px`;
    node.style.top = `${clamped(top, room.height - height)}px`;
  }
}

const AWAY = 14; // CSS pixels from a pointer
const FINGER = 44; // from the middle of a finger

function besidePointer({ x, y }, { width }, room) {
  return { left: x + AWAY + width > room.width ? x - AWAY - width : x + AWAY, top: y + AWAY };
}

function aboveFinger({ x, y }, { width, height }, room) {
  if (y - FINGER - height >= 0) return { left: x - width / 2, top: y - FINGER - height };
  return { left: x + FINGER + width > room.width ? x - FINGER - width : x + FINGER, top: 0 };
}

function clamped(value, most) {
  return Math.max(Math.min(value, most), 0);
}
