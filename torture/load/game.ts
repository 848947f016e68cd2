import { makeApiKey } from '../../packages/server/src/platform/auth/api-keys.ts';
import type { Database } from '../../packages/server/src/platform/database/database.ts';
import { sql } from '../../packages/server/src/platform/database/sql.ts';

/** A game on the Studio tier with ten achievements, a1 to a10, and a key for production. */
export interface Game {
  game_id: string;
  key: string;
  time_zone: string;
}

export async function makeGame(database: Database, time_zone: string): Promise<Game> {
  const game = await database.queryOne<{ id: string }>(sql`
    INSERT INTO games (name, time_zone, tier) VALUES ('Torture', ${time_zone}, 'studio')
    RETURNING id`);
  const game_id = game!.id;
  await database.execute(sql`
    INSERT INTO achievements (game_id, key, name, points, position)
    SELECT ${game_id}, 'a' || n, 'Achievement ' || n, 10, n FROM generate_series(1, 10) AS n`);
  const [key] = await makeKeys(database, game_id, 1);
  return { game_id, key: key!, time_zone };
}

/** Further keys of a game. */
export async function makeKeys(
  database: Database,
  game_id: string,
  count: number,
): Promise<string[]> {
  const keys = Array.from({ length: count }, () => makeApiKey('production'));
  await database.execute(sql`
    INSERT INTO api_keys (game_id, environment, name, prefix, key_hash)
    SELECT ${game_id}, 'production', 'torture', prefix, key_hash
    FROM unnest(${keys.map(({ prefix }) => prefix)}::text[],
                ${keys.map(({ key_hash }) => key_hash)}::text[]) AS made (prefix, key_hash)`);
  return keys.map(({ key }) => key);
}
