// Which cell of the map a place of its picture means.

/** The cell at a place of the canvas; beside the plot, the row; else null. */
export function cellAt({ x, y }, { layout, view, model }) {
  if (!layout) return null;
  const { plot } = layout;
  const inside = y >= plot.y && y < plot.y + plot.height && x < plot.x + plot.width;
  if (!inside || !model.keys.length || !model.queries.length) return null;
  const query = Math.min(Math.floor(view.top + ((y - plot.y) / plot.height) * view.rows), view.nQuery - 1);
  if (x < plot.x) return { query, key: null };
  const key = Math.min(Math.floor(view.left + ((x - plot.x) / plot.width) * view.columns), view.nKey - 1);
  return strongest(model.matrix(), { query, key }, view, plot);
}

/** Where a pixel shows several cells, the largest of them is what is seen, and what is read. */
function strongest(matrix, { query, key }, view, plot) {
  const step = Math.min(Math.max(under(view.rows / plot.height), under(view.columns / plot.width)), MOST_UNDER);
  if (!matrix?.exact || step === 1) return { query, key };
  const size = matrix.coarse && !matrix.isFine(view.region, plot.height) ? matrix.coarse.step : step;
  const [rows, columns] = [blockOf(query, size, view.nQuery), blockOf(key, size, view.nKey)];
  let best = { query, key, value: -Infinity };
  for (let i = rows.first; i < rows.end; i++) {
    const row = matrix.row(i);
    for (let j = columns.first; j < columns.end; j++) if (row[j] > best.value) best = { query: i, key: j, value: row[j] };
  }
  return { query: best.query, key: best.key };
}

const MOST_UNDER = 16;
const NEARLY_ONE = 1.5; // cells a pixel, up to which the eye takes a pixel for a cell

function under(cells) {
  return cells <= NEARLY_ONE ? 1 : Math.ceil(cells);
}

function blockOf(index, step, size) {
  const first = Math.floor(index / step) * step;
  return { first, end: Math.min(first + step, size) };
}
