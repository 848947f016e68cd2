import type { AlertMetric } from '@overworld/contract/alerts/alert-words';
import type { Queryable } from '../../platform/database/database.ts';
import type { ReadMetric, WatchedPeriods } from './readings.ts';

/** The metrics that read events and not only rollups, so reading one may take seconds. */
export const DEAR_METRICS: readonly AlertMetric[] = ['payers'];

interface MetricSources {
  /** Reads the metrics that come from the rollups of analytics. */
  readRollups(database: Queryable, watched: WatchedPeriods): Promise<(number | null)[]>;
  /** Counts the players with a purchase. */
  readPayers(database: Queryable, watched: WatchedPeriods): Promise<(number | null)[]>;
  /** Reads the share of saves that were in conflict. */
  readConflicts(database: Queryable, watched: WatchedPeriods): Promise<(number | null)[]>;
  /** Forecasts from the present use which share of the quota will be used at the end of the month. */
  forecastQuota(database: Queryable, game_id: string): Promise<number | null>;
}

/** Reads each metric from the feature that has it. */
export const createMetrics =
  ({ readRollups, readPayers, readConflicts, forecastQuota }: MetricSources): ReadMetric =>
  async (database, watched) => {
    switch (watched.metric) {
      case 'quota_forecast_percent':
        return [await forecastQuota(database, watched.game_id)];
      case 'payers':
        return readPayers(database, watched);
      case 'save_conflict_percent':
        return readConflicts(database, watched);
      default:
        return readRollups(database, watched);
    }
  };
