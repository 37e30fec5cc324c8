// The whole map in small, with the part that is seen in a frame, which can be moved.

import { element, placeOn, sized } from "./dom.js";

export class Minimap {
  /** `moved({x, y})`: the middle of what is seen shall be there, in shares of the map. */
  constructor(moved) {
    this.canvas = element("canvas", { class: "minimap", "aria-hidden": true, hidden: true });
    const move = (event) => {
      if (!this.pressed) return;
      const { x, y } = placeOn(this.canvas, event);
      moved({ x: x / this.size.width, y: y / this.size.height });
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      event.stopPropagation();
      this.pressed = true;
      this.canvas.setPointerCapture(event.pointerId);
      move(event);
    });
    this.canvas.addEventListener("pointermove", move);
    for (const end of ["pointerup", "pointercancel"]) {
      this.canvas.addEventListener(end, () => { this.pressed = false; });
    }
  }

  /** Shown in the corner between the labels, where nothing else stands. */
  draw({ layout, view }, whole, colours) {
    this.canvas.hidden = view.isWhole || !whole; // a link may enlarge before the numbers are here
    if (this.canvas.hidden) return;
    const { plot, sizes } = layout;
    const room = Math.min(plot.x, plot.y) - sizes.title * 0.4 - sizes.gap;
    const scale = room / Math.max(plot.width, plot.height);
    this.size = { width: Math.max(plot.width * scale, 8), height: Math.max(plot.height * scale, 8) };
    const { width, height } = this.size;
    const context = sized(this.canvas, width, height);
    Object.assign(this.canvas.style, { left: `${plot.x - sizes.gap - width}px`, top: `${plot.y - sizes.gap - height}px` });
    context.fillStyle = colours.masked;
    context.fillRect(0, 0, width, height);
    context.imageSmoothingEnabled = whole.image.width > width;
    context.drawImage(whole.image, 0, 0, width, height);
    const frame = {
      x: (view.left / view.nKey) * width, y: (view.top / view.nQuery) * height,
      width: Math.max(width / view.zoom, 5), height: Math.max(height / view.zoom, 5),
    };
    Object.assign(context, { strokeStyle: colours.border, lineWidth: 1 });
    context.strokeRect(0.5, 0.5, width - 1, height - 1);
    Object.assign(context, { strokeStyle: colours.accent, lineWidth: 2 });
    const [x, y] = [Math.min(frame.x, width - frame.width), Math.min(frame.y, height - frame.height)];
    context.strokeRect(x + 1, y + 1, frame.width - 2, frame.height - 2);
  }
}
