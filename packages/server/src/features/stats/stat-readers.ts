import type { Aggregation } from '@overworld/contract/stats/stat-limits';
import type { Queryable } from '../../platform/database/database.ts';
import { listDefinedStats } from './definition-store.ts';
import { listValuesOf } from './stat-store.ts';

/** The reads of statistics for other features. */
export const statReaders = {
  /** Lists the values of players by the keys of the statistics, in the order of the players. */
  listValuesOf,
  /** Lists how the statistics of a game join, by their keys, without archived ones. */
  async listAggregations(
    database: Queryable,
    game_id: string,
  ): Promise<ReadonlyMap<string, Aggregation>> {
    const defined = await listDefinedStats(database, game_id);
    return new Map(
      defined
        .filter(({ archived }) => !archived)
        .map(({ key, aggregation }) => [key, aggregation] as const),
    );
  },
};
