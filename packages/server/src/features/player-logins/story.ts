import { sql } from '../../platform/database/sql.ts';
import { isOfTenant } from '../../platform/players/player-key.ts';
import { isEarlier, microseconds } from '../../platform/players/story-source.ts';
import type { StoryEntry, StorySource } from '../../platform/players/story-source.ts';

type Row = StoryEntry<'login'> & { at_us: number; key: string };

/**
 * The entries about logins in a player's story (the player's events, logins and changes in one list): each
 * login that was linked to the player, and the beginning and end of each stored login session. These are a
 * few dozen entries at most.
 */
export const loginStory: StorySource<'login'> = {
  kind: 'login',
  async list(database, player, { before, limit }) {
    const { player_id } = player;
    const rows = await database.query<Row>(sql`
      SELECT action, provider, subject, ${microseconds(sql`at`)} AS at_us, key
      FROM (
        SELECT 'linked' AS action, provider, subject, created_at AS at,
               'linked ' || provider || ' ' || subject AS key
        FROM player_identities
        WHERE player_id = ${player_id} AND ${isOfTenant(player)}
        UNION ALL
        SELECT 'logged_in', provider, subject, opened_at, 'logged_in ' || session_id
        FROM player_login_sessions
        WHERE ${isOfTenant(player)} AND player_id = ${player_id} AND opened_at IS NOT NULL
        UNION ALL
        SELECT end_reason, provider, subject, ended_at, 'ended ' || session_id
        FROM player_login_sessions
        WHERE ${isOfTenant(player)} AND player_id = ${player_id} AND ended_at IS NOT NULL
      ) AS logins
      WHERE ${isEarlier(sql`at`, sql`key`, before)}
      ORDER BY at DESC, key COLLATE "C" DESC
      LIMIT ${limit}`);
    return { rows: rows.map(({ at_us, key, ...entry }) => ({ at_us, key, entry })) };
  },
};
