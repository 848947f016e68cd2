import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { ClaimedPlayers } from '../../platform/players/claimed-players.ts';
import { isOfPlayer } from '../../platform/players/player-key.ts';
import type { PlayerDataSource } from '../../platform/players/player-data-source.ts';
import { mergeLogins } from './links/merge-logins.ts';

/**
 * Makes the source of the logins of players. It exports no secrets and no hashes of them. Identities come
 * before sessions. A login locks its identity, so no login can open a session after the identity is gone.
 */
export function createLoginSource(claimed: ClaimedPlayers): PlayerDataSource {
  return {
    name: 'logins',
    tables: [
      { table: 'player_identities', merge: 'by_hand' },
      { table: 'player_login_sessions', merge: 'delete' },
      { table: 'player_move_codes', merge: 'delete' },
    ],
    async exportPlayer(database, player) {
      const identities = await database.query(sql`
        SELECT provider, subject, created_at FROM player_identities
        WHERE ${isOfPlayer(player)} ORDER BY created_at, provider, subject`);
      const sessions = await database.query(sql`
        SELECT provider, subject, opened_at, refreshed_at, expires_at, ended_at, end_reason
        FROM player_login_sessions
        WHERE ${isOfPlayer(player)} ORDER BY refreshed_at`);
      return { identities, sessions };
    },
    erasePlayer: (tx, player) => claimed.forgetOnCommit(tx, player),
    mergePlayer: async (tx, merge) => ({ logins: await mergeLogins(tx, merge, claimed) }),
  };
}

/** Deletes expired sessions, used tokens and codes. */
export async function deleteExpired(database: Database): Promise<void> {
  await database.execute(sql`DELETE FROM player_login_sessions WHERE expires_at <= now()`);
  await database.execute(sql`DELETE FROM used_login_tokens WHERE expires_at <= now()`);
  await database.execute(sql`DELETE FROM player_move_codes WHERE expires_at <= now()`);
}
