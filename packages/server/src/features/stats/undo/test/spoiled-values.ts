import type { Queryable } from '../../../../platform/database/database.ts';
import { sql } from '../../../../platform/database/sql.ts';
import { hourBefore } from './stat-restoration-game.ts';

/** Gives players `p1`, `p2` and so on 1 coin eight hours ago, and 10 more five hours ago. */
export async function insertSpoiledValues(
  database: Queryable,
  game_id: string,
  players: number,
): Promise<void> {
  const numbers = sql`FROM generate_series(1, ${players}) AS number`;
  await database.execute(sql`
    INSERT INTO players (game_id, environment, player_id)
    SELECT ${game_id}, 'production', 'p' || number ${numbers}`);
  await database.execute(sql`
    INSERT INTO player_stats (game_id, environment, player_id, key, aggregation, value, changed_at)
    SELECT ${game_id}, 'production', 'p' || number, 'coins', 'sum', 11, now() ${numbers}`);
  for (const { hour, value } of [
    { hour: hourBefore(8), value: 1 },
    { hour: hourBefore(5), value: 10 },
  ]) {
    await database.execute(sql`
      INSERT INTO player_stat_hours
        (game_id, environment, player_id, key, hour, aggregation, value, changed_at)
      SELECT ${game_id}, 'production', 'p' || number, 'coins', ${hour}::timestamptz, 'sum',
             ${value}::integer, ${hour}::timestamptz ${numbers}`);
  }
}
