import { sql } from '../../../platform/database/sql.ts';
import { isOfPlayer } from '../../../platform/players/player-key.ts';
import { isEarlier, microseconds } from '../../../platform/players/story-source.ts';
import type { StoryEntry, StorySource } from '../../../platform/players/story-source.ts';

type Row = StoryEntry<'save'> & { at_us: number; key: string };

/** Lists the kept versions of all slots and the deletions of saves, a few thousand per player at most. */
export const saveStory: StorySource<'save'> = {
  kind: 'save',
  async list(database, player, { before, limit }) {
    const rows = await database.query<Row>(sql`
      SELECT action, slot, version, size_bytes, ${microseconds(sql`at`)} AS at_us, key,
        (SELECT restoration_id FROM restored_saves AS restored
         WHERE ${isOfPlayer(player)} AND restored.slot = keyed.slot
           AND (restored_version = keyed.version
                -- The version that the restoration had stored before its undo.
                OR state = 'undone' AND restored.version = keyed.version)
           AND action = 'stored'
         LIMIT 1) AS restoration_id
      FROM (
        SELECT *, lpad(version::text, 16, '0') || action || ' ' || slot AS key
        FROM (
          SELECT 'stored' AS action, slot, version, octet_length(data) AS size_bytes, saved_at AS at
          FROM save_versions
          WHERE ${isOfPlayer(player)}
          UNION ALL
          SELECT 'stored', slot, version, octet_length(data), saved_at
          FROM older_save_versions
          WHERE ${isOfPlayer(player)}
          UNION ALL
          SELECT 'deleted', slot, version, 0, deleted_at
          FROM saves
          WHERE ${isOfPlayer(player)} AND deleted_at IS NOT NULL
        ) AS kept
      ) AS keyed
      WHERE ${isEarlier(sql`at`, sql`key`, before)}
      ORDER BY at DESC, key COLLATE "C" DESC
      LIMIT ${limit}`);
    return { rows: rows.map(({ at_us, key, ...entry }) => ({ at_us, key, entry })) };
  },
};
