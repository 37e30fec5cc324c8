// Runs before bertviz's own script and gives it what a notebook would: require.js, D3, and the seven methods of
// jQuery that bertviz 1.4 uses. Nothing here reads text as HTML.

const headlight = (() => {
  const PADDING = 4; // of the body, see frame.css
  const given = JSON.parse(document.getElementById("headlight-data").textContent);

  // Weights arrive as base64 of little-endian 16-bit integers, in steps of 1 / given.steps.
  function readWeights([layers, heads, queries, keys]) {
    const bytes = Uint8Array.from(atob(given.weights), (character) => character.charCodeAt(0));
    const steps = new Uint16Array(bytes.buffer);
    let start = 0;
    const nested = (sizes) => {
      if (sizes.length > 1) return Array.from({ length: sizes[0] }, () => nested(sizes.slice(1)));
      start += sizes[0];
      return Array.from(steps.subarray(start - sizes[0], start), (step) => step / given.steps);
    };
    return nested([layers, heads, queries, keys]);
  }

  const bytesOf = (encoded) => Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  const rowsOf = (numbers, nRows) => Array.from({ length: nRows }, (_, row) =>
    Array.from(numbers.subarray((row * numbers.length) / nRows, ((row + 1) * numbers.length) / nRows)));

  // For the neuron view: the float32 vectors of one head, and whether a query may look at a key.
  function readVectors([, , nQueries, nKeys]) {
    if (given.queries === undefined) return undefined;
    return {
      queries: rowsOf(new Float32Array(bytesOf(given.queries).buffer), nQueries),
      keys: rowsOf(new Float32Array(bytesOf(given.keys).buffer), nKeys),
      visible: rowsOf(bytesOf(given.visible), nQueries),
    };
  }
  const vectors = readVectors(given.shape);
  const vectorsOf = (from, to) => vectors && {
    queries: [[vectors.queries.slice(...from)]],
    keys: [[vectors.keys.slice(...to)]],
    means: given.means.slice(...from),
    visible: vectors.visible.slice(...from).map((row) => row.slice(...to)),
  };

  // A sentence of given.words with its gaps filled.
  const say = (name, values) => given.words[name].replace(/\{(\w+)\}/g, (_, gap) => values[gap]);

  // bertviz expects one entry a filter; the four parts of a sentence pair are cut from the whole here.
  function filtersOf(attn) {
    const all = {
      name: given.words.all, attn, left_text: given.left_text, right_text: given.right_text, ...vectorsOf([0], [0]),
    };
    if (given.segment_b_start === null) return [all];
    const spans = { A: [0, given.segment_b_start], B: [given.segment_b_start, undefined] };
    const part = (from, to) => ({
      name: say("part", { row: from, column: to }),
      attn: attn.map((layer) => layer.map((head) => head.slice(...spans[from]).map((row) => row.slice(...spans[to])))),
      left_text: given.left_text.slice(...spans[from]),
      right_text: given.right_text.slice(...spans[to]),
      ...vectorsOf(spans[from], spans[to]),
    });
    return [all, part("A", "A"), part("A", "B"), part("B", "A"), part("B", "B")];
  }

  function widestToken(size) {
    const context = document.createElement("canvas").getContext("2d");
    context.font = `${size}px ${getComputedStyle(document.body).fontFamily}`;
    return Math.ceil(Math.max(...[...given.left_text, ...given.right_text].map((text) => context.measureText(text).width)));
  }

  const clamp = (value, least, most) => Math.max(least, Math.min(value, most));
  const room = document.documentElement.clientWidth - 2 * PADDING;
  const nHeads = given.shape[1];
  // In the neuron view, a sign to fold it up stands before the token.
  const boxWidth = Math.max(100, widestToken(15) + (given.view === "neuron" ? 40 : 14));
  const matrixWidth = clamp((room - 2 * boxWidth - 170) / 3, 200, 320);
  const arcWidth = clamp(room - 2 * boxWidth, 115, 360);
  const detailBoxWidth = Math.max(80, widestToken(13) + 8);
  const detailWidth = 2 * detailBoxWidth + 140;
  // The detail of a head opens to the right or to the left of it, so there must be room for two of them.
  const modelWidth = Math.max(clamp(room, 0, 1400), 38 + 40 * nHeads, 2 * detailWidth + 40);

  const filters = filtersOf(readWeights(given.shape));
  const select = document.getElementById("filter");
  if (select) filters.forEach(({ name }, index) => select.add(new Option(name, String(index))));
  const pictureWidth = {
    head: Math.max(2 * boxWidth + arcWidth, 20 * nHeads),
    model: modelWidth,
    neuron: 2 * boxWidth + 3 * matrixWidth + 165,
  }[given.view];
  document.documentElement.style.setProperty("--picture-width", `${pictureWidth}px`);
  document.documentElement.classList.toggle("framed", window.parent !== window);
  d3.schemeCategory10 = given.colors;

  // In place of D3's append: a weight below half a percent changes no pixel by more than one step, so it gets no line.
  // `select` keeps the numbers of the others, and null leaves a gap.
  function line(weight) {
    if (weight < 0.005) return null;
    return this.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "line"));
  }

  // For the neuron view, in place of one strength for every kind of number: the square root of a number's share of the
  // largest of its kind. A kind is the column that a rectangle stands in, by the id that bertviz gives it.
  const strength = (element, value) => Math.min(1, Math.sqrt(Math.abs(value) / given.ends[element.closest("[id]").id]));

  // The scores of a query without the mean of the keys that it may see: the softmax sees no more than that.
  const centred = (filter, query, scores) => scores.map((score) => score - filters[filter].means[query]);

  // bertviz divides by the number of heads: with twelve of them, nothing is left to see from the back of a room.
  const opacity = (weight, heads) => weight / Math.sqrt(heads);

  return {
    line,
    say,
    opacity,
    strength,
    centred,
    colors: given.colors,
    boxWidth,
    matrixWidth,
    arcWidth,
    detailBoxWidth,
    detailWidth,
    modelWidth,
    rows: Math.max(given.left_text.length, given.right_text.length),
    scale: given.scale,
    position: given.position,
    visible: (filter, query, key) => filters[filter].visible[query][key] === 1,
    params: {
      attention: filters,
      default_filter: "0",
      root_div_id: "headlight",
      layer: given.layer,
      heads: given.heads,
      display_mode: given.theme,
      include_layers: [...Array(given.shape[0]).keys()],
      include_heads: [...Array(nHeads).keys()],
      total_heads: given.total_heads,
    },
  };
})();

function $(target) {
  const find = () => {
    if (typeof target !== "string") return [target];
    const tag = /^<(\w+)/.exec(target);
    return tag ? [document.createElement(tag[1])] : [...document.querySelectorAll(target)];
  };
  const elements = find();
  const each = (change) => {
    elements.forEach(change);
    return wrapped;
  };
  const wrapped = {
    elements,
    append: (child) => each((element) => element.append(...child.elements)),
    attr: (name, value) => each((element) => element.setAttribute(name, value)),
    change: () => each((element) => element.dispatchEvent(new Event("change"))),
    empty: () => each((element) => element.replaceChildren()),
    on: (type, listener) => each((element) => element.addEventListener(type, listener)),
    text: (text) => each((element) => { element.textContent = text; }),
    val: (value) => each((element) => { element.value = value; }),
  };
  return wrapped;
}

const require = { config() {} };
const requirejs = (names, body) => body(...names.map((name) => ({ jquery: $, d3 })[name]));
