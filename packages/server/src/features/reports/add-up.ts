/** Computes Neumaier's sum, whose error does not grow with the number of values; null if it is infinite. */
export function addUp(values: Float64Array): number | null {
  let sum = 0;
  let lost = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return Number.isFinite(sum + lost) ? sum + lost : null;
}
