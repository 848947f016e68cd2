import { CHANGES_OF_PLAYERS } from '@overworld/contract/games/audit-actions';
import { sql } from '../../platform/database/sql.ts';
import { JsonText } from '../../platform/http/implement.ts';
import { momentOf } from '../../platform/players/story-source.ts';
import type { StoryEntry, StorySource } from '../../platform/players/story-source.ts';

type Row = Omit<StoryEntry<'change'>, 'details'> & { at_us: number; details: string };

/** The source of story entries about the changes that staff made to a player. Only developers see them. */
export const changeStory: StorySource<'change'> = {
  kind: 'change',
  async list(database, { game_id, environment, player_id }, { before, limit, is_developer }) {
    if (!is_developer) return { rows: [] };
    const { at_us, key } = before;
    // The index `audit_log_player` contains the expressions of this condition. A merge of two players has one
    // entry in the log for each of the two players.
    const rows = await database.query<Row>(sql`
      SELECT id, action, target, account_email, details::text,
             (extract(epoch FROM at) * 1000000)::bigint AS at_us
      FROM audit_log
      WHERE game_id = ${game_id}
        AND left(coalesce(details ->> 'player_id', target), 255) COLLATE "C" = ${player_id}
        AND (details ->> 'environment') COLLATE "C" = ${environment}
        AND (details ? 'player_id' OR action = ANY(${[...CHANGES_OF_PLAYERS]}::text[]))
        AND (action <> 'merge_player' OR target = ${player_id})
        AND (at, id) < (${momentOf(at_us)}::timestamptz, ${key ?? 0}::bigint)
      ORDER BY at DESC, id DESC
      LIMIT ${limit}`);
    return {
      rows: rows.map(({ at_us: row_us, details, ...entry }) => ({
        at_us: row_us,
        key: String(entry.id),
        entry: { ...entry, details: new JsonText(details) },
      })),
    };
  },
};
