import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { isSameSave, nameOfSave, saveKeyArrays } from '../save-key.ts';
import type { SaveKey } from '../save-key.ts';
import { inOrder } from '../store.ts';
import type { SaveHead } from './save-rules.ts';
import type { StoredChange } from './stored-change.ts';

/**
 * Deletes saves, each only if it is still in the state on which the deletion was decided. The versions stay.
 * No row is inserted: if the player's erasure has removed the save meanwhile, an inserted row would be a
 * deleted save without a version, and would make the player again.
 * @returns the deletions in the order of `deletions`; null where another writer or an erasure was faster.
 */
export async function storeDeletions(
  database: Queryable,
  deletions: readonly { save: SaveKey; next: SaveHead }[],
): Promise<(StoredChange | null)[]> {
  // Concurrent writers lock the saves in the same order.
  const order = deletions
    .map(({ save }, index) => ({ name: nameOfSave(save), index }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const sorted = order.map(({ index }) => deletions[index]!);
  const rows = await database.query<{ number: number; version: number; changed_at: string }>(sql`
    WITH locked AS MATERIALIZED (
      SELECT decided.*, statement_timestamp() AS changed_at
      FROM unnest(${saveKeyArrays(sorted.map(({ save }) => save))},
                  ${sorted.map(({ next }) => next.revision)}::bigint[],
                  ${order.map(({ index }) => index + 1)}::bigint[])
        AS decided (game_id, environment, player_id, slot, revision, number)
      CROSS JOIN LATERAL (
        SELECT FROM saves
        WHERE ${isSameSave(sql`saves`, sql`decided`)} AND saves.revision = decided.revision - 1
        OFFSET 0
        FOR NO KEY UPDATE
      ) AS known
    )
    UPDATE saves
    SET revision = locked.revision, deleted_at = locked.changed_at
    FROM locked
    WHERE ${isSameSave(sql`saves`, sql`locked`)}
    RETURNING number, saves.version, locked.changed_at`);
  return inOrder(
    deletions.length,
    rows.map((row) => ({ ...row, is_inserted: false, has_grown: false })),
  );
}
