import type { Queryable } from '../../platform/database/database.ts';
import type { ReadMetric, WatchedPeriods } from './readings.ts';

export interface MetricSources {
  /** Reads the metrics that come from the rollups of analytics. */
  readRollups(database: Queryable, watched: WatchedPeriods): Promise<(number | null)[]>;
  /** Counts the players with a purchase. */
  readPayers(database: Queryable, watched: WatchedPeriods): Promise<(number | null)[]>;
  /** Reads a metric of the game. */
  readDefined(database: Queryable, watched: WatchedPeriods): Promise<(number | null)[]>;
  /** Reads the share of saves that were in conflict. */
  readConflicts(database: Queryable, watched: WatchedPeriods): Promise<(number | null)[]>;
  /** Forecasts the share of the quota that will be used up at the end of the month, from the use so far. */
  forecastQuota(database: Queryable, game_id: string): Promise<number | null>;
}

/** Makes the function that reads a metric. It calls the feature that computes the metric. */
export const createMetrics =
  ({
    readRollups,
    readPayers,
    readDefined,
    readConflicts,
    forecastQuota,
  }: MetricSources): ReadMetric =>
  async (database, watched) => {
    switch (watched.metric) {
      case 'quota_forecast_percent':
        return [await forecastQuota(database, watched.game_id)];
      case 'payers':
        return readPayers(database, watched);
      case 'metric':
        return readDefined(database, watched);
      case 'save_conflict_percent':
        return readConflicts(database, watched);
      default:
        return readRollups(database, watched);
    }
  };
