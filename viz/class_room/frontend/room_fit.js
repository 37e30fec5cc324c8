// A wall cannot be scrolled: what is written on it becomes smaller until the picture has its place, and the picture, too.
// A page of the app is drawn for a laptop and made larger, so that the last row can read it.

import { bringIntoSight, pictureOf } from "./room_sight.js";

/** Make the sentence, the question and the picture of a page as small as they have to be, whenever one of them changes. */
export class WallFit {
  constructor(page) {
    this.page = page;
    const watch = new ResizeObserver(() => this.fit());
    for (const node of [document.documentElement, page.picture, ...page.picture.children]) watch.observe(node);
    setInterval(() => this.keepInSight(), LOOKS);
  }

  /** The width for which a page is drawn: the widest that is made larger by enough. */
  stageWidth(widths) {
    const room = this.page.frame.parentElement.clientWidth / LARGER;
    return widths.findLast((width) => width + OF_EDGES <= room) ?? widths[0];
  }

  /** What stands in the frame may change at any time: the picture stays in sight. */
  keepInSight() {
    const { frame, room } = this.page;
    if (frame.hidden) return;
    this.enlarge(frame);
    bringIntoSight(frame.contentDocument, room?.sight);
  }

  fit() {
    const { texts, question, picture, frame } = this.page;
    const stage = question.node.parentElement;
    const isBeside = getComputedStyle(stage).display === "grid";
    shrink(texts, innerHeight * OF_TEXTS);
    shrink(question.node, stage.clientHeight * (isBeside ? 1 : OF_QUESTION));
    const { top } = picture.getBoundingClientRect();
    const scale = Math.min(1, (innerHeight - top - MARGIN) / Math.max(1, picture.scrollHeight));
    picture.style.transform = scale < 1 ? `scale(${scale.toFixed(3)})` : "";
    if (!frame.hidden) this.enlarge(frame);
  }

  /** As large as the wall is wide, or as lets a tall picture be seen whole. */
  enlarge(frame) {
    const { clientWidth, clientHeight } = frame.parentElement;
    const [width, height] = [this.stageWidth(this.page.told.widths) + OF_EDGES, clientHeight - frame.offsetTop];
    const tall = (pictureOf(frame.contentDocument, this.page.room?.sight)?.offsetHeight ?? 0) + 2 * MARGIN;
    const scale = Math.min(clientWidth / width, Math.max(LARGER, height / tall));
    const style = { flex: "none", width: `${width}px`, height: `${Math.round(height / scale)}px`, transform: `scale(${scale.toFixed(3)})` };
    for (const [name, value] of Object.entries(style)) if (frame.style[name] !== value) frame.style[name] = value;
  }
}

function shrink(node, height) {
  for (let size = 1; ; size -= STEP) {
    node.style.setProperty("--fit", size.toFixed(2));
    if (node.scrollHeight <= height || size <= SMALLEST) return;
  }
}

const LARGER = 1.4; // the least by which a page is made larger
const OF_EDGES = 32; // pixels beside the content of a page
const LOOKS = 700; // milliseconds
const OF_TEXTS = 0.16; // of the height of the wall
const OF_QUESTION = 0.72; // of what is under the bar
const MARGIN = 12; // pixels
const STEP = 0.05;
const SMALLEST = 0.3; // of its usual size
