/** Limits of experiments. This file has no imports, so that the dashboard can use it without schemas. */

/** Variants of an experiment, with the control. */
export const MAX_EXPERIMENT_VARIANTS = 5;
export const MAX_EXPERIMENT_METRICS = 8;
/** Longest time after the first exposure for which a metric counts events. */
export const MAX_METRIC_DAYS = 30;
/**
 * After the time of the longest metric, late events still count for this many days. Then the numbers of
 * the players who were first exposed on a day (UTC) are kept.
 */
export const EXPERIMENT_LATE_DAYS = 3;
/** Experiments of an environment. */
export const MAX_EXPERIMENTS = 200;
/** Experiments of an environment that run at the same time. */
export const MAX_RUNNING_EXPERIMENTS = 20;
/** Confidence of the intervals of a metric in percent, for all variants and at all times together. */
export const CONFIDENCE_PERCENT = 95;
/** A sample ratio that is less likely than this is no accident (Fabijan et al. 2019 advise a strict limit). */
export const SUSPICIOUS_SAMPLE_RATIO_CHANCE = 0.001;
