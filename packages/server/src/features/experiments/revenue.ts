import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';
import type { ExperimentMetric } from '@overworld/contract/remote-config/experiment-definition';
import type { Queryable } from '../../platform/database/database.ts';
import { conflict } from '../../platform/errors.ts';

/**
 * Finds the revenue settings of a game, which say how its purchase event is read. Another feature implements
 * this.
 */
export type FindRevenueSettings = (
  database: Queryable,
  game_id: string,
) => Promise<RevenueSettings | null>;

/**
 * Returns the settings that are needed to count metrics of revenue; null if no metric is one of revenue.
 * @throws ApiError 409 when the game has not chosen its purchase event, or not one currency for all reports.
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
