/** Metrics that a studio defines. This file has no imports, so that the dashboard can use it without schemas. */

/** The maximum number of metrics of a game. */
export const MAX_METRICS = 200;
/** Longest description of a metric, in characters. */
export const MAX_METRIC_DESCRIPTION = 2_000;

/** The kinds of metrics. A ratio divides one metric of another kind by another. */
export const METRIC_KINDS = ['count', 'players', 'sum', 'average', 'percentile', 'ratio'] as const;
export type MetricKind = (typeof METRIC_KINDS)[number];

export const METRIC_UNITS = ['number', 'percent', 'duration', 'money'] as const;
export type MetricUnit = (typeof METRIC_UNITS)[number];

/** The kinds of which a number of each player, or of each day, can be made. */
export const PER_OF_KIND: Readonly<Record<MetricKind, readonly ('player' | 'day')[]>> = {
  count: ['player', 'day'],
  players: ['day'],
  sum: ['player', 'day'],
  average: [],
  percentile: [],
  ratio: [],
};

/** Tells whether a kind is made of the numbers in a property. */
export const hasProperty = (kind: MetricKind): boolean =>
  kind === 'sum' || kind === 'average' || kind === 'percentile';
