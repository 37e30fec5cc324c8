// Rotary positions: queries and keys are turned by an angle that grows with the position; tokens stay as they are.
//
// Su et al. 2021, "RoFormer", section 3.2; as models/scratch/rotary.py.

/**
 * R_m x: the pairs (i, i + d_head / 2) of each vector turned by m * omega_i, with omega_i = base^(-2i / d_head) and the position m
 * (equation 34). `x` [n, d_head], of which the first stands at the position `first` -> as x. Angles are float32, as in training.
 */
export function rotate(x, { dHead, rotaryBase }, first = 0) {
  const half = dHead / 2;
  const y = new Float32Array(x.length);
  for (let i = 0; i < half; i++) {
    const omega = Math.fround(1 / Math.fround(rotaryBase ** Math.fround((2 * i) / dHead)));
    for (let start = 0; start < x.length; start += dHead) {
      const angle = Math.fround((first + start / dHead) * omega);
      const [one, other] = [x[start + i], x[start + i + half]];
      y[start + i] = one * Math.cos(angle) - other * Math.sin(angle);
      y[start + i + half] = other * Math.cos(angle) + one * Math.sin(angle);
    }
  }
  return y;
}
