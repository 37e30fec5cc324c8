// The parts of a layer beside attention: matrices, feed-forward networks, activations, norms.
//
// "Attention Is All You Need", sections 3.1, 3.3 and 5.4; as models/scratch/layers.py.

/** x W^T + b: `x` [n, d_in], `weight` [d_out, d_in], `bias` [d_out] or none -> [n, d_out]. */
export function linear(x, { weight, bias }) {
  const y = weight.memory.product(x, weight); // [n, d_out]
  if (bias) for (let start = 0; start < y.length; start += bias.length) for (let k = 0; k < bias.length; k++) y[start + k] += bias[k];
  return y;
}

/** FFN(x) = GELU(x W_1 + b_1) W_2 + b_2, the same for every token (equation 2): [n, d_model] -> the same. */
export function feedForward(x, weights, { activation = gelu } = {}) {
  return linear(linear(x, weights("expand")).map(activation), weights("contract")); // [n, d_ff] within
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

/** GELU as GPT-2 computes it, by a tanh (Hendrycks & Gimpel 2016, section 2). */
export function geluTanh(x) {
  return (x / 2) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));
}

/** The error function to 1.5e-7, the precision of float32 (Abramowitz & Stegun 1964, equation 7.1.26). */
export function erf(x) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.sign(x) * (1 - series * Math.exp(-x * x));
}

/** Give each token's vector mean 0 and variance 1, then scale and shift it (Ba et al. 2016): [n, d_model] -> the same. */
export function layerNorm(x, { weight, bias }, eps) {
  const d = bias.length;
  const centred = new Float32Array(x.length); // [n, d_model]
  for (let start = 0; start < x.length; start += d) {
    const mean = x.subarray(start, start + d).reduce((sum, number) => sum + number, 0) / d;
    for (let k = start; k < start + d; k++) centred[k] = x[k] - mean;
  }
  return rmsNorm(centred, { weight }, eps).map((number, at) => number + bias[at % d]);
}

/** norm(x) = g * x / sqrt(mean(x^2) + eps): each token's vector by its size (Zhang & Sennrich 2019, equation 4). */
export function rmsNorm(x, { weight }, eps) {
  const d = weight.length;
  const y = new Float32Array(x.length);
  for (let start = 0; start < x.length; start += d) {
    let squares = 0;
    for (let k = start; k < start + d; k++) squares += x[k] ** 2;
    const size = Math.sqrt(squares / d + eps);
    for (let k = 0; k < d; k++) y[start + k] = (x[start + k] / size) * weight[k];
  }
  return y;
}

/** x + y, the residual connection: [n, d_model] each. */
export function add(x, y) {
  return x.map((number, at) => number + y[at]);
}
