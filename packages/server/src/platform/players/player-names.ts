import type { Queryable } from '../database/database.ts';
import { lockOfGroup } from '../database/group-lock.ts';
import { sql } from '../database/sql.ts';
import { isOfPlayer } from './player-key.ts';
import type { PlayerKey } from './player-key.ts';

/**
 * Makes the search for players by name read this player again. Call this in a transaction that changes the
 * player's properties.
 */
export async function notePlayerName(
  tx: Queryable,
  { game_id, environment, player_id }: PlayerKey,
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO player_name_changes (game_id, environment, player_id)
    VALUES (${game_id}, ${environment}, ${player_id})`);
}

/**
 * A transaction that copies the names of players holds this lock; each group of games has its own. So no
 * transaction copies an older name over a newer one, or copies the name of a player who is being erased.
 */
const NAMES_LOCK = lockOfGroup(sql`hashtext('overworld player names')`);

/**
 * Takes the lock on names until the transaction ends.
 * @returns false when another transaction has the lock.
 */
export async function tryLockNames(tx: Queryable): Promise<boolean> {
  const row = await tx.queryOne<{ locked: boolean }>(
    sql`SELECT pg_try_advisory_xact_lock(${NAMES_LOCK}) AS locked`,
  );
  return row!.locked;
}

/** Removes a player from the search by name. Call this after the player is deleted. */
export async function forgetPlayerName(tx: Queryable, player: PlayerKey): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${NAMES_LOCK})`);
  await tx.execute(sql`DELETE FROM player_names WHERE ${isOfPlayer(player)}`);
  await tx.execute(sql`DELETE FROM player_name_changes WHERE ${isOfPlayer(player)}`);
}

/** Makes the search for players by name read all players of a game again, in the background. */
export async function rebuildPlayerNames(tx: Queryable, game_id: string): Promise<void> {
  await tx.execute(sql`
    INSERT INTO player_name_builds (game_id, environment)
    SELECT ${game_id}, environment FROM unnest(enum_range(NULL::environment)) AS environment
    ON CONFLICT (game_id, environment) DO UPDATE
    SET player_id = '', player_count = 0, is_usable = false, next_step_at = EXCLUDED.next_step_at`);
}
