import type { Aggregation } from '@overworld/contract/stats/stat-limits';
import { readDecimal, writeDecimal } from '../changes/decimals.ts';

/** The bounds of a statistic, as PostgreSQL writes decimals. */
export interface Bounds {
  minimum: string;
  maximum: string;
}

/**
 * Finds the bound that a value would leave. As with other changes, a value that is outside of its bounds may move
 * towards them. Only a `sum` can leave them: the other aggregations take a value that the player has had.
 * @param before The value before; null if there is none.
 * @param after The value without some changes; null if there is none.
 * @returns the value at the bound; null if `after` does not leave it.
 */
export function findLeftBound(
  aggregation: Aggregation,
  before: string | null,
  after: string | null,
  bounds: Bounds,
): string | null {
  if (aggregation !== 'sum' || after === null) return null;
  const had = readDecimal(before ?? '0');
  const next = readDecimal(after);
  const minimum = readDecimal(bounds.minimum);
  const maximum = readDecimal(bounds.maximum);
  if (next < minimum && next < had) return writeDecimal(had < minimum ? had : minimum);
  if (next > maximum && next > had) return writeDecimal(had > maximum ? had : maximum);
  return null;
}
