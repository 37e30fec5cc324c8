// Which picture of a page is in sight: the teacher's browser says it by the picture's key, and other screens bring it into theirs.

const MAIN = "[data-testid=stMain]";
const KEYED = "[data-testid=stElementContainer][class*=st-key-]";
const KEY = /(?:^|\s)st-key-([\w-]{1,100})/;
const SMALLEST = 120; // pixels: what is lower is no picture
const AT_TOP = 40; // pixels that a page may be scrolled, and still be at its beginning
const RESTED = 300; // milliseconds
const EDGE = 8; // pixels
const IN_SIGHT = 0.65; // of its height: a picture of which so much is seen may stay where it is

function picturesOf(document) {
  const tall = (node) => node.checkVisibility() && node.getBoundingClientRect().height > SMALLEST;
  return [...document.querySelectorAll(`${MAIN} ${KEYED}`)].filter(tall);
}

function keyOf(node) {
  return KEY.exec(node.className)?.[1] ?? "";
}

/** The key of the picture that fills most of the window; empty while the page stands at its beginning. */
export function keyInSight(document) {
  const main = document.querySelector(MAIN);
  if (!main || main.scrollTop < AT_TOP) return "";
  const { top, bottom } = main.getBoundingClientRect();
  const seen = (node) => {
    const box = node.getBoundingClientRect();
    return Math.min(box.bottom, bottom) - Math.max(box.top, top);
  };
  const best = picturesOf(document).sort((one, other) => seen(other) - seen(one))[0];
  return best && seen(best) > 0 ? keyOf(best) : "";
}

/** Tell the key of the picture in sight whenever it has changed and the page rests; gives what ends it. */
export function watchSight(document, tell) {
  let [told, resting] = [`${location.pathname} `, 0]; // each page begins at its top
  const look = () => {
    const key = keyInSight(document);
    const seen = `${location.pathname} ${key}`;
    if (seen !== told) tell(key);
    told = seen;
  };
  const rest = () => {
    clearTimeout(resting);
    resting = setTimeout(look, RESTED);
  };
  document.addEventListener("scroll", rest, { capture: true, passive: true });
  return () => {
    clearTimeout(resting);
    document.removeEventListener("scroll", rest, { capture: true });
  };
}

/** The picture of a key, or the first one of a page; undefined without any. */
export function pictureOf(document, key) {
  const pictures = document ? picturesOf(document) : [];
  return pictures.find((node) => keyOf(node) === key) ?? pictures[0];
}

/** Scroll a page as little as brings a picture into sight, the first one if there is none of that key; its upper edge, if it is too tall. */
export function bringIntoSight(document, key) {
  const [main, picture] = [document?.querySelector(MAIN), pictureOf(document, key)];
  if (!main || !picture) return;
  const [box, room] = [picture.getBoundingClientRect(), main.getBoundingClientRect()];
  if (Math.min(box.bottom, room.bottom) - Math.max(box.top, room.top) > IN_SIGHT * box.height) return;
  const below = Math.min(box.bottom + EDGE - room.bottom, box.top - EDGE - room.top);
  if (below > 1) main.scrollBy({ top: below });
  else if (box.top < room.top) main.scrollBy({ top: box.top - EDGE - room.top });
}
