import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

/** Finds the purchase event of a game and its meaning; null if the game has chosen no purchase event. */
export async function findRevenueSettings(
  database: Queryable,
  game_id: string,
): Promise<RevenueSettings | null> {
  const row = await database.queryOne<{ settings: RevenueSettings }>(sql`
    SELECT settings FROM revenue_settings WHERE game_id = ${game_id}`);
  return row?.settings ?? null;
}

export async function upsertRevenueSettings(
  tx: Queryable,
  game_id: string,
  settings: RevenueSettings,
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO revenue_settings (game_id, settings)
    VALUES (${game_id}, ${JSON.stringify(settings)}::jsonb)
    ON CONFLICT (game_id) DO UPDATE SET settings = EXCLUDED.settings, updated_at = EXCLUDED.updated_at`);
}
