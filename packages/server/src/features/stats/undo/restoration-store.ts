import { MAX_EXAMPLES } from '@overworld/contract/restorations/restoration-limits';
import type { StatToRestore } from '@overworld/contract/stats/restorations';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { createRestorationStore } from '../../../platform/restorations/restoration-store.ts';
import { isOfRestoration } from '../../../platform/restorations/restoration.ts';
import type { RestorationKey } from '../../../platform/restorations/restoration.ts';
import type { StatRestoration } from './restoration.ts';

/** The statements about restorations of statistics. */
export const restorationStore = createRestorationStore<StatRestoration>({
  table: 'stat_restorations',
  items: 'restored_stats',
  item_key: ['player_id', 'key'],
  own_columns: [
    'out_of_bounds',
    'values_to_count',
    'counted_values',
    'value_count',
    'out_of_bounds_count',
  ],
});

/** Lists some values of a restoration: first those that change and stay inside their bounds, each by player. */
export const listExamples = (database: Queryable, key: RestorationKey): Promise<StatToRestore[]> =>
  database.query<StatToRestore>(sql`
    SELECT player_id, key, value::float8 AS value, value_after::float8 AS value_after, is_out_of_bounds,
           state
    FROM restored_stats
    WHERE ${isOfRestoration(key)}
    ORDER BY is_out_of_bounds, value IS NOT DISTINCT FROM value_after, player_id, key
    LIMIT ${MAX_EXAMPLES}`);
