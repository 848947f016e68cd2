/** How the changes of a statistic join to its value. */
export const AGGREGATIONS = ['sum', 'max', 'min', 'latest'] as const;
export type Aggregation = (typeof AGGREGATIONS)[number];
/** The greatest value of a statistic; the least one is its negative. */
export const MAX_STAT_VALUE = Number.MAX_SAFE_INTEGER;
/** Digits after the point that the value of a statistic may have. */
export const STAT_DECIMALS = 6;
/** The most changes in one request. */
export const MAX_STAT_CHANGES = 100;
/** The number of the newest idempotency keys of a player that are recognised. */
export const MAX_STAT_KEYS = 1_000;
/** The most statistics of a game that events move. */
export const MAX_SOURCED_STATS = 50;
/** The most conditions on the events that move a statistic. */
export const MAX_SOURCE_CONDITIONS = 10;
/** Days for which the hours of a statistic are kept apart; older ones are joined to one. */
export const STAT_HOUR_DAYS = 30;
