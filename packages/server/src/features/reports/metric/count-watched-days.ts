import { MAX_CHECK_SECONDS } from '@overworld/contract/alerts/alert-rule';
import type { DateRange } from '../../../platform/reports/date-range.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { makeMetric } from './metric.ts';
import type { MetricInput } from './metric.ts';

export interface WatchedDaysInput extends Omit<MetricInput, keyof DateRange> {
  days: readonly DateRange[];
}

/**
 * Counts a metric on some days, without those between them. The numbers are null when all days together take
 * longer than a check of an alert may, from the moment at which the thread begins.
 */
export async function countWatchedDays(
  database: ExploreDatabase,
  { days, ...input }: WatchedDaysInput,
  signal: AbortSignal,
): Promise<{ numbers: (number | null)[] | null }> {
  const too_late = AbortSignal.timeout(MAX_CHECK_SECONDS * 1_000);
  const numbers: (number | null)[] = [];
  try {
    for (const day of days) {
      const limited = AbortSignal.any([signal, too_late]);
      const { total } = await makeMetric(database, { ...input, ...day }, limited);
      numbers.push(total.number);
    }
  } catch (error) {
    if (!too_late.aborted || signal.aborted) throw error;
    return { numbers: null };
  }
  return { numbers };
}
