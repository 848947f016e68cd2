/**
 * Tests whether the numbers of players in the variants fit the weights of the variants. Returns the p-value
 * of a chi-squared test of goodness of fit: the chance of a difference at least as large as that of `counts`,
 * if players are assigned by the weights. Returns null if there are no players.
 */
export function sampleRatioChance(
  counts: readonly number[],
  weights: readonly number[],
): number | null {
  const players = addUp(counts);
  if (players === 0) return null;
  const total_weight = addUp(weights);
  const distances = counts.map((count, index) => {
    const expected = (players * weights[index]!) / total_weight;
    return (count - expected) ** 2 / expected;
  });
  return chiSquaredTail(addUp(distances), counts.length - 1);
}

const addUp = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

/**
 * Returns the chance that a chi-squared variable exceeds `value`. The
 * sum starts at 1 or 2 degrees of freedom and goes up in steps of two.
 */
function chiSquaredTail(value: number, degrees: number): number {
  const half = value / 2;
  const is_odd = degrees % 2 === 1;
  let tail = is_odd ? erfc(Math.sqrt(half)) : Math.exp(-half);
  let term = is_odd ? Math.sqrt((4 * half) / Math.PI) * Math.exp(-half) : half * Math.exp(-half);
  for (let known = is_odd ? 1 : 2; known < degrees; known += 2) {
    tail += term;
    term *= half / (known / 2 + 1);
  }
  // `erfc` is rounded, so the sum may exceed 1.
  return Math.min(1, tail);
}

/** Coefficients of Numerical Recipes' `erfcc`, whose relative error is below 1.2e-7. */
const COEFFICIENTS = [
  0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806, 0.09678418, 0.37409196,
  1.00002368, -1.26551223,
];

/** The complementary error function of a number that is not negative. */
function erfc(value: number): number {
  const step = 1 / (1 + value / 2);
  const sum = COEFFICIENTS.reduce((known, coefficient) => known * step + coefficient, 0);
  return step * Math.exp(-value * value + sum);
}
