import { makeApiKey } from '../../packages/server/src/platform/auth/api-keys.ts';
import type { Database } from '../../packages/server/src/platform/database/database.ts';
import type { GroupedDatabase } from '../../packages/server/src/platform/database/game-groups.ts';
import { chooseGroup } from '../../packages/server/src/platform/database/group-directory.ts';
import { sql } from '../../packages/server/src/platform/database/sql.ts';

/** The number of messages to everyone. */
export const MESSAGES = 10;
/** The achievement that each message gives. */
export const MESSAGE_REWARD = 'claimed';

/** @param number From 0 to 9. */
export const messageId = (number: number): string => `00000000-0000-4000-8000-00000000000${number}`;

/**
 * A game on the Studio tier with ten achievements, a1 to a10, ten messages to everyone, the statistics `coins`,
 * `bought` and `best`, and a key for production.
 */
export interface Game {
  game_id: string;
  key: string;
  time_zone: string;
}

export async function makeGame(database: GroupedDatabase, time_zone: string): Promise<Game> {
  const game = await database.transaction(async (tx) => {
    const tenant_group = await chooseGroup(database, tx);
    return tx.queryOne<{ id: string }>(sql`
      INSERT INTO games (name, time_zone, tier, tenant_group)
      VALUES ('Torture', ${time_zone}, 'studio', ${tenant_group})
      RETURNING id`);
  });
  const game_id = game!.id;
  const group = database.ofGame(game_id);
  for (let number = 1; number <= 10; number++) {
    await group.execute(sql`
      INSERT INTO achievements (game_id, key, name, points, position)
      VALUES (${game_id}, ${`a${number}`}, ${`Achievement ${number}`}, 10, ${number})`);
  }
  await group.execute(sql`
    INSERT INTO achievements (game_id, key, name, position)
    VALUES (${game_id}, ${MESSAGE_REWARD}, 'Claimed', 11)`);
  for (let number = 0; number < MESSAGES; number++) {
    await group.execute(sql`
      INSERT INTO messages (game_id, environment, message_id, audience, title, text, translations, data,
        rewards, reason, starts_at, sent_at)
      VALUES (${game_id}, 'production', ${messageId(number)},
              '{"type":"everyone","joiners":"included"}', 'A message', '', '{}', '{}',
              ${JSON.stringify([{ type: 'achievement', key: MESSAGE_REWARD }])}, '', now(), now())`);
  }
  await group.execute(sql`
    INSERT INTO stats (game_id, key, name, aggregation, minimum)
    VALUES (${game_id}, 'coins', 'Coins', 'sum', 0), (${game_id}, 'bought', 'Bought', 'sum', NULL),
           (${game_id}, 'best', 'Best', 'max', NULL)`);
  const [key] = await makeKeys(database, game_id, 1);
  return { game_id, key: key!, time_zone };
}

/** Makes further keys of a game. */
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
