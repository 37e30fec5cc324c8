// The parts of a layer beside attention: matrices, feed-forward networks, activations, norms.
//
// "Attention Is All You Need", sections 3.1, 3.3 and 5.4; as models/scratch/layers.py.

/**
 * x W^T + b: `x` [n, d_in], `weight` [d_out, d_in], `bias` [d_out] or none -> [n, d_out].
 *
 * Four tokens and four outputs at a time: each number that is read from memory takes part in four products. At an edge
 * the last token, or output, takes the places of those that are missing, and is written several times.
 */
export function linear(x, { weight, bias }) {
  const [dOut, dIn] = weight.shape;
  const n = x.length / dIn;
  const y = new Float32Array(n * dOut); // [n, d_out]
  for (let i = 0; i < n; i += 4) {
    const rows = [i, Math.min(i + 1, n - 1), Math.min(i + 2, n - 1), Math.min(i + 3, n - 1)];
    for (let j = 0; j < dOut; j += 4) {
      const columns = [j, Math.min(j + 1, dOut - 1), Math.min(j + 2, dOut - 1), Math.min(j + 3, dOut - 1)];
      block(x, weight, bias, y, rows, columns, dIn, dOut);
    }
  }
  return y;
}

/** The products of four rows of `x` and four of `weight`. */
function block(x, weight, bias, y, [i0, i1, i2, i3], [j0, j1, j2, j3], dIn, dOut) {
  const [x0, x1, x2, x3] = [i0 * dIn, i1 * dIn, i2 * dIn, i3 * dIn];
  const [w0, w1, w2, w3] = [j0 * dIn, j1 * dIn, j2 * dIn, j3 * dIn];
  const [b0, b1, b2, b3] = bias ? [bias[j0], bias[j1], bias[j2], bias[j3]] : [0, 0, 0, 0];
  let [y00, y01, y02, y03, y10, y11, y12, y13] = [b0, b1, b2, b3, b0, b1, b2, b3];
  let [y20, y21, y22, y23, y30, y31, y32, y33] = [b0, b1, b2, b3, b0, b1, b2, b3];
  for (let k = 0; k < dIn; k++) {
    const a = x[x0 + k], b = x[x1 + k], c = x[x2 + k], d = x[x3 + k];
    const e = weight[w0 + k], f = weight[w1 + k], g = weight[w2 + k], h = weight[w3 + k];
    y00 += a * e; y01 += a * f; y02 += a * g; y03 += a * h;
    y10 += b * e; y11 += b * f; y12 += b * g; y13 += b * h;
    y20 += c * e; y21 += c * f; y22 += c * g; y23 += c * h;
    y30 += d * e; y31 += d * f; y32 += d * g; y33 += d * h;
  }
  const [o0, o1, o2, o3] = [i0 * dOut, i1 * dOut, i2 * dOut, i3 * dOut];
  y[o0 + j0] = y00; y[o0 + j1] = y01; y[o0 + j2] = y02; y[o0 + j3] = y03;
  y[o1 + j0] = y10; y[o1 + j1] = y11; y[o1 + j2] = y12; y[o1 + j3] = y13;
  y[o2 + j0] = y20; y[o2 + j1] = y21; y[o2 + j2] = y22; y[o2 + j3] = y23;
  y[o3 + j0] = y30; y[o3 + j1] = y31; y[o3 + j2] = y32; y[o3 + j3] = y33;
}

/** FFN(x) = GELU(x W_1 + b_1) W_2 + b_2, the same for every token (equation 2): [n, d_model] -> the same. */
export function feedForward(x, weights) {
  const inner = linear(x, weights("expand")).map(gelu); // [n, d_ff]
  return linear(inner, weights("contract")); // [n, d_model]
}

/** FFN(x) = (SiLU(x W_1) * x W_3) W_2, where * multiplies number by number (Shazeer 2020, equation 6): SwiGLU. */
export function gatedFeedForward(x, weights) {
  const [gate, expanded] = [linear(x, weights("gate")).map(silu), linear(x, weights("expand"))]; // [n, d_ff]
  return linear(gate.map((number, at) => number * expanded[at]), weights("contract")); // [n, d_model]
}

/** SiLU(x) = x * sigmoid(x). */
function silu(x) {
  return x / (1 + Math.exp(-x));
}

/** GELU(x) = x * Phi(x), with the normal distribution Phi (Hendrycks & Gimpel 2016); exact, as in BERT. */
export function gelu(x) {
  return (x / 2) * (1 + erf(x * Math.SQRT1_2));
}

/** The error function to 1.5e-7, the precision of float32 (Abramowitz & Stegun 1964, equation 7.1.26). */
export function erf(x) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.sign(x) * (1 - series * Math.exp(-x * x));
}

/** Give each token's vector mean 0 and variance 1, then scale and shift it (Ba et al. 2016): [n, d_model] -> the same. */
export function layerNorm(x, { weight, bias }, eps) {
  const d = weight.length;
  const y = new Float32Array(x.length);
  for (let start = 0; start < x.length; start += d) {
    let [mean, variance] = [0, 0];
    for (let k = start; k < start + d; k++) mean += x[k] / d;
    for (let k = start; k < start + d; k++) variance += (x[k] - mean) ** 2 / d;
    const size = Math.sqrt(variance + eps);
    for (let k = 0; k < d; k++) y[start + k] = ((x[start + k] - mean) / size) * weight[k] + bias[k];
  }
  return y;
}

/** norm(x) = g * x / sqrt(mean(x^2) + eps): each token's vector by its size (Zhang & Sennrich 2019, equation 4). */
export function rmsNorm(x, { weight }, eps) {
  const d = weight.length;
  const y = new Float32Array(x.length);
  for (let start = 0; start < x.length; start += d) {
    let meanSquare = 0;
    for (let k = start; k < start + d; k++) meanSquare += x[k] ** 2 / d;
    const size = Math.sqrt(meanSquare + eps);
    for (let k = 0; k < d; k++) y[start + k] = (x[start + k] / size) * weight[k];
  }
  return y;
}

/** x + y, the residual connection: [n, d_model] each. */
export function add(x, y) {
  return x.map((number, at) => number + y[at]);
}
