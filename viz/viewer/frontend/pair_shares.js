// For a pair of sentences: which tokens belong to A, to B, to each special token, and how much attention they give.
// The same numbers as viz/attention/sentence_pairs.py, of tokens that are neither merged into words nor hidden.

/** The groups of a pair {rows, columns}, each [{name, members}] of token positions; null if this is no pair. */
export function groupsOfPair({ queries, keys }) {
  if (![queries, keys].every((tokens) => [0, 1].every((segment) => wordsOf(tokens, segment).length))) return null;
  const sentences = (tokens) => ["A", "B"].map((name, segment) => ({ name, members: wordsOf(tokens, segment) }));
  const [rows, columns] = [sentences(queries), sentences(keys)];
  if (queries[0].special) rows.push({ name: queries[0].text, members: [0] });
  for (const { special, text, position } of keys) {
    if (!special) continue;
    const known = columns.find((column, at) => at > 1 && column.name === text);
    if (known) known.members.push(position);
    else columns.push({ name: text, members: [position] });
  }
  return { rows, columns };
}

/** The shares of the rows of a pair, taken up little by little: a long text takes a while. */
export class PairShares {
  constructor(matrix, { rows, columns }) {
    Object.assign(this, { matrix, rows, columns, done: 0 });
    this.queue = rows.flatMap(({ members }, row) => members.map((query) => ({ row, query })));
    this.sums = rows.map(() => columns.map(() => 0));
  }

  get finished() {
    return this.done === this.queue.length;
  }

  /** Look at some more queries, for at most so many milliseconds. */
  go(milliseconds) {
    const end = performance.now() + milliseconds;
    while (!this.finished && performance.now() < end) {
      const { row, query } = this.queue[this.done];
      this.add(this.sums[row], this.matrix.row(query));
      this.done += 1;
    }
  }

  add(sums, weights) {
    this.columns.forEach(({ members }, column) => {
      for (const key of members) sums[column] += weights[key] || 0; // what is masked gets nothing
    });
  }

  /** What a token of a row gives to all tokens of a column, on average [rows][columns]. */
  get shares() {
    return this.sums.map((sums, row) => sums.map((sum) => sum / this.rows[row].members.length));
  }
}

function wordsOf(tokens, segment) {
  return tokens.filter((token) => token.segment === segment && !token.special).map(({ position }) => position);
}
