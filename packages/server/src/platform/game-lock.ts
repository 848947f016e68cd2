import type { Queryable } from './database/database.ts';
import { sql } from './database/sql.ts';
import { notFound } from './errors.ts';

/** Any fixed number, which sets these advisory locks apart from others. */
const GAME_LOCKS = 11_904;

/**
 * Locks a game until the transaction ends, so that changes to the game wait for each other. Rules about
 * several rows need this, such as the rule that a game always has an owner. Take this lock before any other
 * lock of the game.
 * @throws ApiError 404 when the game is gone.
 */
export async function lockGame(tx: Queryable, game_id: string): Promise<void> {
  if (!(await tryLockGame(tx, game_id))) throw notFound('Game not found');
}

/** Locks a game like `lockGame`, but returns false when the game is gone. */
export async function tryLockGame(tx: Queryable, game_id: string): Promise<boolean> {
  if (!tx.is_spread) {
    return (await tx.execute(sql`SELECT FROM games WHERE id = ${game_id} FOR NO KEY UPDATE`)) > 0;
  }
  await waitForGame(tx, game_id);
  return (await tx.execute(sql`SELECT FROM games WHERE id = ${game_id}`)) > 0;
}

/**
 * Keeps a game from being deleted until the transaction ends.
 * @returns false when the game is gone already.
 */
export async function keepGame(tx: Queryable, game_id: string): Promise<boolean> {
  if (tx.is_spread) return tryLockGame(tx, game_id);
  return (await tx.execute(sql`SELECT FROM games WHERE id = ${game_id} FOR KEY SHARE`)) > 0;
}

/**
 * Locks a game so that no rows can be added to it until the transaction ends.
 * @returns The name of the game; null when the game is gone.
 */
export async function lockGameForDeletion(tx: Queryable, game_id: string): Promise<string | null> {
  if (tx.is_spread) await waitForGame(tx, game_id);
  const row = await tx.queryOne<{ name: string }>(
    sql`SELECT name FROM games WHERE id = ${game_id} FOR UPDATE`,
  );
  return row && row.name;
}

/**
 * Takes an advisory lock instead of a lock on the row. All nodes of a cluster have a copy of the
 * table of games, and on such a table a lock on one row locks all rows. Several transactions can
 * share that lock, and each would then wait for the others at its first insert for any game.
 */
const waitForGame = (tx: Queryable, game_id: string): Promise<number> =>
  tx.execute(sql`
    SELECT pg_advisory_xact_lock(hashtextextended(${game_id}::uuid::text, ${GAME_LOCKS}))`);
