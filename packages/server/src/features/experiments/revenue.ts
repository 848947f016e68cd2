import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';
import type { ExperimentMetric } from '@overworld/contract/remote-config/experiment-definition';
import type { Queryable } from '../../platform/database/database.ts';
import { conflict } from '../../platform/errors.ts';

/** A function of another feature that finds how the purchase event of a game is read. */
export type FindRevenueSettings = (
  database: Queryable,
  game_id: string,
) => Promise<RevenueSettings | null>;

/**
 * The settings by which metrics of revenue are counted; null if no metric needs them.
 * @throws ApiError 409 when the game has not chosen its purchase event, or one currency for all reports.
 */
export function requireRevenue(
  metrics: readonly ExperimentMetric[],
  settings: RevenueSettings | null,
): RevenueSettings | null {
  if (metrics.every(({ kind }) => kind !== 'revenue')) return null;
  if (settings === null) {
    throw conflict(
      'A metric of revenue needs the purchase event of the game: choose it in the revenue report first',
    );
  }
  if (settings.report_currency === null && settings.currency === null) {
    throw conflict(
      'A metric of revenue needs one currency, and the purchases have several: choose one in the revenue report first',
    );
  }
  return settings;
}
