/** Limits of experiments. This file has no imports, so that the dashboard can use it without schemas. */

/** The maximum number of variants of an experiment, including the control. */
export const MAX_EXPERIMENT_VARIANTS = 5;
export const MAX_EXPERIMENT_METRICS = 8;
/** Longest time after the first exposure for which a metric counts events. */
export const MAX_METRIC_DAYS = 30;
/**
 * For this many days after the time of the longest metric, late events still count. Then the numbers of
 * the players who were first exposed on one day (UTC) are stored and no longer change.
 */
export const EXPERIMENT_LATE_DAYS = 3;
/** The maximum number of experiments of an environment. */
export const MAX_EXPERIMENTS = 200;
/** The maximum number of experiments of an environment that run at the same time. */
export const MAX_RUNNING_EXPERIMENTS = 20;
/** Confidence of the intervals of a metric in percent, for all variants and at all times together. */
export const CONFIDENCE_PERCENT = 95;
/**
 * A sample ratio with a lower probability than this is no accident (Fabijan et al. 2019 advise a strict
 * limit).
 */
export const SUSPICIOUS_SAMPLE_RATIO_CHANCE = 0.001;
