// Beside the map: what each row gives to the special tokens, as a grey bar with its share in words.

import { cellSize } from "./map_labels.js";

/** Paint the bars of the rows that are seen; `shareOf(row)` is null where none is known. */
export function paintMargin(context, scene, { shareOf, names }, colours) {
  const { layout: { plot, sizes, aside }, view, ruler } = scene;
  const { height } = cellSize(scene);
  const x = plot.x + plot.width + sizes.gap / 2;
  const long = aside - sizes.gap - WRITTEN * sizes.number;
  const hasNumbers = height >= sizes.number;
  context.save();
  context.beginPath();
  context.rect(x, plot.y, aside, plot.height);
  context.clip();
  Object.assign(context, { font: ruler.font(sizes.number), textAlign: "left", textBaseline: "middle", direction: "ltr" });
  for (let row = Math.floor(view.top); row < Math.min(Math.ceil(view.top + view.rows), scene.queries.length); row++) {
    const share = shareOf(row);
    if (share === null) continue;
    const y = plot.y + (row - view.top) * height;
    context.fillStyle = colours.still;
    context.fillRect(x, y + height * FREE, long * share, height * (1 - 2 * FREE));
    context.fillStyle = colours.quiet;
    if (hasNumbers) context.fillText(`${Math.round(100 * share)}%`, x + long * share + sizes.gap / 3, y + height / 2);
  }
  context.restore();
  Object.assign(context, { font: ruler.font(sizes.number), fillStyle: colours.quiet, textAlign: "left", textBaseline: "top" });
  context.fillText(ruler.shortened(names.join(" "), sizes.number, aside + sizes.beside), x, plot.y + plot.height + 2);
}

const WRITTEN = 2.6; // letters of a number: "100%"
const FREE = 0.2; // of a row, above and below its bar
