import { MAX_EXAMPLES } from '@overworld/contract/restorations/restoration-limits';
import type { SaveToRestore } from '@overworld/contract/saves/restorations';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { createRestorationStore } from '../../../platform/restorations/restoration-store.ts';
import { isOfRestoration } from '../../../platform/restorations/restoration.ts';
import type { RestorationKey } from '../../../platform/restorations/restoration.ts';
import type { Restoration } from './restoration.ts';

/** The statements about restorations of saves. */
export const restorationStore = createRestorationStore<Restoration>({
  table: 'save_restorations',
  items: 'restored_saves',
  item_key: ['player_id', 'slot'],
  own_columns: [
    'played_on',
    'saves_to_count',
    'counted_saves',
    'save_count',
    'played_on_count',
    'hopeless_count',
  ],
});

/** Lists some saves of a restoration: first those of players who have not played on, each by player. */
export const listExamples = (database: Queryable, key: RestorationKey): Promise<SaveToRestore[]> =>
  database.query<SaveToRestore>(sql`
    SELECT player_id, slot, version, bad_version, app_version, good_version, has_played_on, state
    FROM restored_saves
    WHERE ${isOfRestoration(key)}
    ORDER BY good_version IS NULL, has_played_on, player_id, slot
    LIMIT ${MAX_EXAMPLES}`);
