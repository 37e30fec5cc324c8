// A wall cannot be scrolled: what is written on it becomes smaller until the picture has its place.

/** Make the sentence, and then the question, as small as they have to be. */
export function fitWall({ texts, question }) {
  fit(texts, innerHeight * OF_TEXTS);
  fit(question.node, innerHeight * OF_QUESTION);
}

function fit(node, height) {
  for (let size = 1; ; size -= STEP) {
    node.style.setProperty("--fit", size.toFixed(2));
    if (node.scrollHeight <= height || size <= SMALLEST) return;
  }
}

const OF_TEXTS = 0.16; // of the height of the wall
const OF_QUESTION = 0.66;
const STEP = 0.05;
const SMALLEST = 0.35; // of its usual size
