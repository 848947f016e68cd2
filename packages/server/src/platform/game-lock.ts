import type { Queryable } from './database/database.ts';
import { sql } from './database/sql.ts';
import { notFound } from './errors.ts';

/**
 * Locks a game until the transaction ends, so that changes to it wait for each other. Rules over
 * several rows need this, such as the rule that a game keeps an owner. Take this lock before any other
 * lock of the game.
 * @throws ApiError 404 when the game is gone.
 */
export async function lockGame(tx: Queryable, game_id: string): Promise<void> {
  const locked = await tx.execute(sql`SELECT FROM games WHERE id = ${game_id} FOR NO KEY UPDATE`);
  if (locked === 0) throw notFound('Game not found');
}
