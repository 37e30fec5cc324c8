// One movement from the arcs that were drawn to those that are to be: as between two sentences, or two heads.

export class Turning {
  /** `draw()` is called for every frame of the movement. */
  constructor(draw) {
    Object.assign(this, { draw, drawn: [], from: [], numbers: null, words: "", began: null });
  }

  /** The links to draw now, on the way to `links`. Only other `numbers` over as many `words` ("8 queries, 8 keys") are
   * moved to: with fewer words there is no place for the links that were drawn. */
  between(links, numbers, words) {
    const isOther = numbers !== this.numbers && numbers !== null;
    if (words !== this.words) Object.assign(this, { words, numbers: null, began: null });
    else if (isOther && this.numbers !== null && !STILL.matches) {
      Object.assign(this, { from: this.drawn, began: performance.now() });
    }
    if (isOther) this.numbers = numbers;
    const passed = this.began === null ? 1 : Math.min((performance.now() - this.began) / DURATION, 1);
    if (passed === 1) this.began = null;
    else requestAnimationFrame(() => this.draw());
    this.drawn = passed === 1 ? links : onTheWay(this.from, links, eased(passed));
    return this.drawn;
  }
}

/** Every link of both, its value and strength between what it was and what it will be; none was or will be as 0. */
function onTheWay(before, after, share) {
  const name = ({ query, key }) => `${query} ${key}`;
  const [old, young] = [before, after].map((links) => new Map(links.map((link) => [name(link), link])));
  const between = (one = 0, other = 0) => one + (other - one) * share;
  const links = [...new Map([...old, ...young]).values()].map((link) => ({
    ...link,
    value: between(old.get(name(link))?.value, young.get(name(link))?.value),
    strength: between(old.get(name(link))?.strength, young.get(name(link))?.strength),
  }));
  return links.sort((one, other) => one.strength - other.strength);
}

function eased(share) {
  return 1 - (1 - share) ** 3;
}

const DURATION = 300; // milliseconds
const STILL = matchMedia("(prefers-reduced-motion: reduce)");
