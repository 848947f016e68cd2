import { insertAuditEntry } from '../../../platform/audit.ts';
import type { Actor } from '../../../platform/audit.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { notFound } from '../../../platform/errors.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import { nextVersion } from '../submits/change-store.ts';
import { insertChange } from '../seasons/season-store.ts';
import type { LockedSeason } from '../seasons/season-store.ts';
import { ofSeason } from '../store.ts';
import type { SeasonKey } from '../store.ts';

/** Removes one entry; the entries behind it move up, on every server. @throws ApiError 404. */
export async function removeEntry(
  database: Database,
  season: SeasonKey,
  player_id: string,
  actor: Actor,
): Promise<void> {
  const { game_id, environment, board_name } = season;
  await database.transaction(async (tx) => {
    const seasons = await lockSeasonsOf(tx, { game_id, environment, player_id }, season);
    if (seasons.length === 0) throw notFound('Entry not found');
    for (const locked of seasons) await deleteEntry(tx, locked, player_id);
    await insertAuditEntry(tx, actor, {
      game_id,
      action: 'delete_leaderboard_entry',
      target: board_name,
      details: { environment, season: season.season, player_id },
    });
  });
}

/** Removes all entries of a player, from past seasons too. */
export async function removePlayer(tx: Queryable, player: PlayerKey): Promise<void> {
  for (;;) {
    const seasons = await lockSeasonsOf(tx, player, null);
    // No entries are left, unless a submit came between the first look and the locks.
    if (seasons.length === 0) return;
    for (const season of seasons) await deleteEntry(tx, season, player.player_id);
  }
}

/** Locks the seasons in which the player has an entry, in the order in which submits lock them. */
async function lockSeasonsOf(
  tx: Queryable,
  { game_id, environment, player_id }: PlayerKey,
  only: SeasonKey | null,
): Promise<LockedSeason[]> {
  return tx.query(sql`
    SELECT season.game_id, season.environment, season.board_name, season.season, season.version,
      season.ends_at
    FROM leaderboard_entries AS entry
    JOIN leaderboard_seasons AS season USING (game_id, environment, board_name, season)
    WHERE entry.game_id = ${game_id} AND entry.environment = ${environment}
      AND entry.player_id = ${player_id}
      AND (${only === null} OR (board_name, season) = (${only?.board_name}, ${only?.season}))
    ORDER BY season.board_name COLLATE "C", season.season
    FOR NO KEY UPDATE OF season`);
}

async function deleteEntry(tx: Queryable, season: LockedSeason, player_id: string): Promise<void> {
  const entry = await tx.queryOne<{ entry_number: number }>(sql`
    DELETE FROM leaderboard_entries
    WHERE ${ofSeason(season)} AND player_id = ${player_id}
    RETURNING entry_number`);
  if (entry === null) return;
  const version = nextVersion(season.version);
  await tx.execute(sql`
    UPDATE leaderboard_seasons
    SET version = ${version}, total_entries = total_entries - 1
    WHERE ${ofSeason(season)}`);
  await insertChange(tx, season, version, [[entry.entry_number]]);
}
