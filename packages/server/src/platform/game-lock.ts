import type { Queryable } from './database/database.ts';
import { sql } from './database/sql.ts';
import type { Sql } from './database/sql.ts';
import { notFound } from './errors.ts';

/** An arbitrary number that distinguishes these advisory locks from others. */
const GAME_LOCKS = 11_904;

/**
 * Locks a game until the transaction ends, so that changes to the game are made one after the other.
 * Rules about several rows need this, such as the rule that a game always has an owner. Take this lock
 * before any other lock of the game.
 * @throws ApiError 404 when the game is gone.
 */
export async function lockGame(tx: Queryable, game_id: string): Promise<void> {
  if (!(await tryLockGame(tx, game_id))) throw notFound('Game not found');
}

/** Locks a game like `lockGame`, but returns false when the game is gone. */
export const tryLockGame = async (tx: Queryable, game_id: string): Promise<boolean> =>
  (await findLocked(tx, game_id, sql`FOR NO KEY UPDATE`)) !== null;

/**
 * Keeps a game from being deleted until the transaction ends.
 * @returns false when the game is gone already.
 */
export const keepGame = async (tx: Queryable, game_id: string): Promise<boolean> =>
  (await findLocked(tx, game_id, sql`FOR KEY SHARE`)) !== null;

/**
 * Locks a game so that no rows can be added to it until the transaction ends.
 * @returns The name of the game; null when the game is gone.
 */
export async function lockGameForDeletion(tx: Queryable, game_id: string): Promise<string | null> {
  const strongest = sql`FOR UPDATE`;
  const row = await findLocked(tx, game_id, strongest, strongest);
  return row && row.name;
}

/** @param of_cluster The lock on the row that is taken on a cluster too; by default there is none. */
async function findLocked(tx: Queryable, game_id: string, lock: Sql, of_cluster = sql``) {
  const wait = tx.formFor({ plain: null, cluster: waitForGame });
  await wait?.(tx, game_id);
  return tx.queryOne<{ name: string }>(sql`
    SELECT name FROM games WHERE id = ${game_id} ${tx.formFor({ plain: lock, cluster: of_cluster })}`);
}

/**
 * Takes an advisory lock, which is used on a cluster instead of a lock on the game's row. Each node of a
 * cluster has a copy of the table of games, and Citus extends a lock on one row of such a table to all
 * rows. Several transactions could then hold this lock at the same time. When one of them first inserts a
 * row for any game, it would wait for all the others.
 */
const waitForGame = (tx: Queryable, game_id: string): Promise<number> =>
  tx.execute(sql`
    SELECT pg_advisory_xact_lock(hashtextextended(${game_id}::uuid::text, ${GAME_LOCKS}))`);
