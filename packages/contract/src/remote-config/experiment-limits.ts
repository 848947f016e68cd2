/** Limits of experiments. This file has no imports, so that the dashboard can use it without schemas. */

/** The maximum number of variants of an experiment, including the control. */
export const MAX_EXPERIMENT_VARIANTS = 5;
export const MAX_EXPERIMENT_METRICS = 8;
/** A metric counts a player's events for at most this many days after the player's first exposure. */
export const MAX_METRIC_DAYS = 30;
/**
 * The number of extra days to wait for late events. They follow the days that the experiment's longest metric
 * counts. Once all these days have passed for the players who were first exposed on one day (UTC), the
 * results of these players are stored and no longer change.
 */
export const EXPERIMENT_LATE_DAYS = 3;
/** The maximum number of experiments of an environment. */
export const MAX_EXPERIMENTS = 200;
/** The maximum number of experiments of an environment that run at the same time. */
export const MAX_RUNNING_EXPERIMENTS = 20;
/**
 * The confidence level of the intervals of a metric, in percent. It holds for the intervals of all variants
 * together, and also for a reader who looks at them several times during the experiment.
 */
export const CONFIDENCE_PERCENT = 95;
/**
 * The split of players among the variants counts as suspicious if its probability is lower than this. Fabijan
 * et al. (2019) advise such a strict limit.
 */
export const SUSPICIOUS_SAMPLE_RATIO_CHANCE = 0.001;
