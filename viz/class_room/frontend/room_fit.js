// A wall cannot be scrolled: what is written on it becomes smaller until the picture has its place, and the picture, too.

/** Make the sentence, the question and the picture of a page as small as they have to be, whenever one of them changes. */
export class WallFit {
  constructor(page) {
    this.page = page;
    const watch = new ResizeObserver(() => this.fit());
    for (const node of [document.documentElement, page.picture, ...page.picture.children]) watch.observe(node);
  }

  fit() {
    const { texts, question, picture } = this.page;
    const stage = question.node.parentElement;
    const isBeside = getComputedStyle(stage).display === "grid";
    shrink(texts, innerHeight * OF_TEXTS);
    shrink(question.node, stage.clientHeight * (isBeside ? 1 : OF_QUESTION));
    const { top } = picture.getBoundingClientRect();
    const scale = Math.min(1, (innerHeight - top - MARGIN) / Math.max(1, picture.scrollHeight));
    picture.style.transform = scale < 1 ? `scale(${scale.toFixed(3)})` : "";
  }
}

function shrink(node, height) {
  for (let size = 1; ; size -= STEP) {
    node.style.setProperty("--fit", size.toFixed(2));
    if (node.scrollHeight <= height || size <= SMALLEST) return;
  }
}

const OF_TEXTS = 0.16; // of the height of the wall
const OF_QUESTION = 0.72; // of what is under the bar
const MARGIN = 12; // pixels
const STEP = 0.05;
const SMALLEST = 0.3; // of its usual size
