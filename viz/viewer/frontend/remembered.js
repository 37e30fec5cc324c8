// What is costly and follows from few things is made once, until one of these has changed.

export class Remembered {
  constructor() {
    this.made = new Map();
  }

  /** Make something of what it depends on, or give what was made of the same. */
  once(name, needs, make) {
    const kept = this.made.get(name);
    const same = kept?.needs.length === needs.length && needs.every((need, at) => need === kept.needs[at]);
    if (same) return kept.thing;
    const thing = make();
    this.made.set(name, { needs, thing });
    return thing;
  }

  forget() {
    this.made.clear();
  }
}
