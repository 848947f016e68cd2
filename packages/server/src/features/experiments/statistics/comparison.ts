import { CONFIDENCE_PERCENT } from '@overworld/contract/remote-config/experiment-limits';
import type { Sample } from '../../../platform/reports/experiment-outcomes.ts';

/** A range in which the true value lies. A bound is null if the data does not limit that side. */
export interface Interval {
  low: number;
  high: number;
}

/** A comparison of a variant with the control. */
export interface Comparison {
  /** Mean of the variant minus mean of the control. */
  difference: number;
  interval: Interval;
  /** The interval as a share of the control's mean; null while that mean may still be 0. */
  relative: Interval | null;
}

/**
 * The chance that, at any time of the experiment, any interval of a metric misses the true value. Frequent
 * looks at the report do not raise this chance.
 */
export const ALPHA = (100 - CONFIDENCE_PERCENT) / 100;
/**
 * With fewer players in a variant there is no interval, because the intervals
 * rest on the central limit theorem. `comparison.test.ts` shows by simulation
 * that 100 players are enough, even if few of them bring all the revenue.
 */
export const MIN_PLAYERS = 100;
/** The intervals are tightest around this number of players in both variants together. */
const TIGHTEST_AT = 10_000;

export const meanOf = ({ players, sum }: Sample): number => sum / players;

/**
 * If all values are equal, such as 9.99, rounding errors alone make the sum of squared deviations more than
 * 0. A sum below this share of the sum of squares counts as 0.
 */
const ROUNDING = 1e-9;

/** Computes the variance of the players' values. */
function varianceOf(sample: Sample): number {
  const { players, sum_of_squares } = sample;
  const mean = meanOf(sample);
  const spread = sum_of_squares - players * mean * mean;
  return spread < sum_of_squares * ROUNDING ? 0 : spread / (players - 1);
}

/**
 * Computes the variances of the two means. A small sample of skewed values, such as revenue, may miss the few
 * large values. Then both the mean and the variance of the sample are too small, and the variant would seem
 * to be a sure loss. To prevent this, each variance is at least the pooled variance of both samples.
 */
function variancesOfMeans(variant: Sample, control: Sample): [number, number] {
  const [first, second] = [varianceOf(variant), varianceOf(control)];
  const degrees = variant.players + control.players - 2;
  const both = (first * (variant.players - 1) + second * (control.players - 1)) / degrees;
  return [Math.max(first, both) / variant.players, Math.max(second, both) / control.players];
}

/**
 * Returns the factor by which the standard error is multiplied, in place of 1.96. The factor comes from the
 * normal mixture: the confidence sequence of Robbins (1970). This is also the always-valid interval of the
 * mixture sequential probability ratio test (Johari, Koomen, Pekelis, Walsh 2022). With estimated variances,
 * it is an asymptotic confidence sequence (Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas 2024).
 * @param players The number of players of both variants together.
 */
export function widthFactor(players: number, alpha: number): number {
  const log = -2 * Math.log(alpha);
  // The mixture whose interval is tightest at `TIGHTEST_AT`
  // players, by the approximation of Waudby-Smith et al.
  const rho_squared = (log + Math.log(log + 1)) / TIGHTEST_AT;
  const mixed = players * rho_squared + 1;
  return Math.sqrt((mixed / (mixed - 1)) * (log + Math.log(mixed)));
}

/**
 * Compares a variant with the control. With a chance of `1 - alpha`, the interval for the difference of the
 * means covers the truth at all times, not only at one time.
 * @param alpha The chance of an error, divided by the number of variants that are compared with the control
 * (Bonferroni).
 * @returns null when there are too few players, or when all players of each variant have one value.
 */
export function compare(variant: Sample, control: Sample, alpha: number): Comparison | null {
  if (Math.min(variant.players, control.players) < MIN_PLAYERS) return null;
  const factor = widthFactor(variant.players + control.players, alpha);
  const [of_variant, of_control] = variancesOfMeans(variant, control);
  const difference = meanOf(variant) - meanOf(control);
  const width = factor * Math.sqrt(of_variant + of_control);
  if (!Number.isFinite(width) || width === 0) return null;
  return {
    difference,
    interval: { low: difference - width, high: difference + width },
    relative: relativeInterval(
      { mean: meanOf(variant), variance: of_variant },
      { mean: meanOf(control), variance: of_control },
      factor,
    ),
  };
}

interface Estimate {
  mean: number;
  variance: number;
}

/**
 * Computes the interval for the ratio of the means, minus 1: all ratios that the data does not contradict
 * (Fieller 1954). The interval contains 0 exactly when the interval for the difference contains 0.
 */
function relativeInterval(variant: Estimate, control: Estimate, factor: number): Interval | null {
  const squared = factor * factor;
  const a = control.mean ** 2 - squared * control.variance;
  if (control.mean <= 0 || a <= 0) return null;
  const b = variant.mean * control.mean;
  const c = variant.mean ** 2 - squared * variant.variance;
  // Rounding may make this term slightly negative when both variances are nearly 0.
  const root = Math.sqrt(Math.max(0, b * b - a * c));
  return { low: (b - root) / a - 1, high: (b + root) / a - 1 };
}
