// Drives the page of the site in a frame, in whichever browser opened this, and tells the server how long it took.

const { address, lengths, rounds } = JSON.parse(document.getElementById("asked").textContent);
const frame = document.querySelector("iframe");
const PAUSE = 4; // milliseconds from one look to the next
const REST = 600; // milliseconds without anything being drawn, after which nothing is left to do

function find(selector) {
  return frame.contentDocument?.querySelector(selector);
}

async function until(condition) {
  for (;;) {
    const value = condition();
    if (value) return value;
    await new Promise((done) => setTimeout(done, PAUSE));
  }
}

async function rest() {
  for (let at = Date.now(), drawn = null; Date.now() - at < REST; ) {
    const now = find(".viewer")?.dataset.drawnAt;
    if (now !== drawn) [at, drawn] = [Date.now(), now];
    await new Promise((done) => setTimeout(done, PAUSE));
  }
}

/** Seconds from the beginning of a visit to its first picture. */
async function visit(number) {
  const before = frame.contentDocument;
  const begun = Date.now();
  frame.src = `${address}?visit=${number}`;
  await until(() => frame.contentDocument !== before && find(".viewer[data-painted$=exact]"));
  return (Number(find(".viewer").dataset.drawnAt) - begun) / 1000;
}

/** Seconds from a key to the picture, in a text of so many tokens with the two that stand around it. */
async function key(length, number) {
  const field = find("textarea");
  const words = Array(length - 3).fill("cat");
  const before = find(".viewer").dataset.recording;
  const begun = Date.now();
  field.value = [...words, number % 2 ? "dog" : "house"].join(" ");
  field.dispatchEvent(new Event("input"));
  await until(() => find(".viewer").dataset.recording !== before && find(".viewer[data-painted$=exact]"));
  return (Number(find(".viewer").dataset.drawnAt) - begun) / 1000;
}

async function tell(what, value) {
  await fetch("/told", { method: "POST", body: JSON.stringify({ [what]: value }) });
}

async function measure() {
  await tell("first", await visit(1));
  await rest();
  await tell("again", await visit(2));
  await rest();
  for (const length of lengths) {
    const waited = [];
    for (let number = 0; number < rounds; number++) {
      waited.push(await key(length, number));
      await rest();
    }
    await tell(`${length}`, waited);
  }
  await tell("done", true);
}

measure().catch((error) => tell("failed", String(error)));
