// Questions about positions: what a model sees of the order of the words; as lessons/answers/order.py.

import { count, later, number, phrase, placeOfMost, ranked, share } from "./facts.js";
import { cosines } from "./of_vectors.js";

const EITHER = ["in the same way", "differently"];
const EQUAL = 1e-3; // weights that differ by less are the same, as far as float32 goes
const [FAR, AROUND] = [50, 5];
const DISTANCES = [1, 2, 5, 10, 20, 50, 100];

/** Which token stands at each place, the special ones where they were: others in an order that chance and a seed make. */
function shuffledOrder(pieces) {
  const places = pieces.flatMap(({ isStructural }, at) => (isStructural ? [] : [at]));
  const [order, shuffled] = [[...pieces.keys()], [...places]];
  let state = SEED;
  for (let last = shuffled.length - 1; last > 0; last--) { // Sattolo 1986: none stays; the numbers are those of Lehmer 1951
    state = (state * 48271) % 2147483647;
    const other = state % last;
    [shuffled[last], shuffled[other]] = [shuffled[other], shuffled[last]];
  }
  places.forEach((place, at) => { order[place] = shuffled[at]; });
  return order;
}

const SEED = 45;

export const OF_ORDER = {
  "other-order": (model, ask) => {
    const changes = { isWithoutPositions: ask.positions === "no" };
    const written = model.read(ask.text, "", changes);
    const [order, n] = [shuffledOrder(written.pieces), written.pieces.length];
    const shuffled = model.run(order.map((at) => written.pieces[at]), changes);
    let most = 0;
    written.layers.forEach(({ weights }, layer) => weights.forEach((matrix, head) => {
      const moved = shuffled.records.encoder[layer].weights[head];
      for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) most = Math.max(most, Math.abs(moved[i * n + j] - matrix[order[i] * n + order[j]]));
    }));
    const answer = most < EQUAL ? 0 : 1;
    return {
      layer: 0, head: 0, options: EITHER.map(phrase), right: [answer], changes, order,
      facts: {
        answer: phrase(EITHER[answer]), difference: share(most), moved: count(order.filter((token, place) => token !== place).length), tokens: count(n),
        heads: count(model.config.nLayers * model.config.nHeads),
      },
    };
  },
  "nearest-position": (model, { position }) => {
    const [at, table] = [Number(position), model.positions];
    const likeness = cosines(table, model.config.dModel, at);
    const best = placeOfMost(likeness.map((one, other) => (other === at ? -Infinity : one)));
    const far = Math.min(at + FAR, likeness.length - 1);
    const near = [...likeness.keys()].filter((other) => other !== at && Math.abs(other - at) <= AROUND);
    return {
      number: best, low: 0, high: Math.min(likeness.length - 1, 2 * at + 20), bars: [...near, far].map((other) => [count(other), number(likeness[other])]),
      facts: {
        answer: count(best), likeness: number(likeness[best]), position: count(at), far: count(far), far_likeness: number(likeness[far]),
        distance: count(Math.abs(best - at)), positions: count(likeness.length),
      },
    };
  },
  "turned-likeness": (model, { turn }) => {
    const { dHead, rotaryBase } = model.config;
    const omegas = Array.from({ length: dHead / 2 }, (_, i) => rotaryBase ** ((-2 * i) / dHead));
    const turned = (start, end) => omegas.reduce((sum, omega) => sum + Math.cos((end - start) * omega), 0) / omegas.length;
    const by = Number(turn);
    const distances = [...new Set([...DISTANCES, by])].sort((one, other) => one - other);
    return {
      number: turned(0, by), low: -1, high: 1, bars: distances.map((distance) => [later(distance), number(turned(0, distance))]),
      facts: {
        turn: count(by), likeness: number(turned(0, by)), later: number(turned(FAR, FAR + by)), from: count(FAR), next: number(turned(0, 1)),
        pairs: count(omegas.length),
      },
    };
  },
};
