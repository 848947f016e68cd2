import type { Queryable } from './database/database.ts';
import { sql } from './database/sql.ts';
import { notFound } from './errors.ts';

/**
 * Makes changes to one game wait for each other until the transaction ends: for rules over several
 * rows, such as that a game keeps an owner. Take it before any other lock of the game.
 * @throws ApiError 404 when the game is gone.
 */
export async function lockGame(tx: Queryable, game_id: string): Promise<void> {
  const locked = await tx.execute(sql`SELECT FROM games WHERE id = ${game_id} FOR NO KEY UPDATE`);
  if (locked === 0) throw notFound('Game not found');
}
