import { MIN_ORDER_LENGTH, ORDER_DAYS } from '@overworld/contract/players/player-conditions';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { isOfTenant } from '../../platform/players/player-key.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { findRevenueSettings } from './store.ts';

/** The most players of one text. The number of an order has one. */
const MAX_BUYERS = 20;

/**
 * Finds the players of whom a purchase has exactly this text in a top-level property, such as the number of its
 * order. It reads the purchases of the last days one by one, at 3 to 7 µs each, so it looks only for texts that can
 * be such a number.
 */
export async function findBuyers(tx: Queryable, game: Tenant, sought: string): Promise<string[]> {
  const text = sought.trim();
  if (text.length < MIN_ORDER_LENGTH || !/\d/.test(text) || /\s/.test(text)) return [];
  const settings = await findRevenueSettings(tx, game.game_id);
  if (settings === null) return [];
  // JSON may have the number of an order as a number.
  const number = /^[1-9]\d{0,17}$/.test(text) ? text : JSON.stringify(text);
  const sought_values = `{"text":${JSON.stringify(text)},"number":${number}}`;
  const rows = await tx.query<{ player_id: string }>(sql`
    SELECT DISTINCT player_id FROM (
      SELECT player_id FROM events
      WHERE ${isOfTenant(game)} AND event_name = ${settings.event_name} AND player_id IS NOT NULL
        AND received_at >= ${new Date(Date.now() - ORDER_DAYS * 86_400_000)}::timestamptz
        AND jsonb_path_exists(properties, '$.* ? (@ == $text || @ == $number)',
                              ${sought_values}::jsonb)
      -- In this order, PostgreSQL reads the index of the name, and never the events of all games.
      ORDER BY received_at DESC, id DESC
      LIMIT ${MAX_BUYERS}
    ) AS bought`);
  return rows.map(({ player_id }) => player_id);
}
