import { makeApiKey } from '../../packages/server/src/platform/auth/api-keys.ts';
import type { Database } from '../../packages/server/src/platform/database/database.ts';
import type { GroupedDatabase } from '../../packages/server/src/platform/database/game-groups.ts';
import { chooseGroup } from '../../packages/server/src/platform/database/group-directory.ts';
import { sql } from '../../packages/server/src/platform/database/sql.ts';

/** The number of messages to everyone. */
export const MESSAGES = 10;
/** The achievement that each message gives. */
export const MESSAGE_REWARD = 'claimed';

/** The statistic that each message adds 1 to. */
export const MESSAGE_STAT = 'gifts';
/** The achievement that unlocks with the second purchase, by a rule. */
export const RULED = 'customer';
/** The board whose seasons are rewarded. */
export const REWARDED_BOARD = 'rewarded';

/** @param number From 0 to 9. */
export const messageId = (number: number): string => `00000000-0000-4000-8000-00000000000${number}`;

/**
 * A game on the Studio tier with ten achievements, a1 to a10, and one that unlocks by a rule, ten messages to
 * everyone with rewards, the statistics `coins`, `bought`, `best` and `gifts`, a board whose seasons are rewarded,
 * and a key for production.
 */
export interface Game {
  game_id: string;
  key: string;
  time_zone: string;
}

const MESSAGE_REWARDS = [
  { type: 'achievement', key: MESSAGE_REWARD },
  { type: 'stat', key: MESSAGE_STAT, value: 1 },
];
const COIN = { type: 'item', key: 'coins', quantity: 1 };
const SEASON_REWARDS = [{ top_percent: 100, title: 'Well played', text: '', rewards: [COIN] }];

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
    INSERT INTO achievements (game_id, key, name, position, unlock_when)
    VALUES (${game_id}, ${MESSAGE_REWARD}, 'Claimed', 11, '[]'),
           (${game_id}, ${RULED}, 'Customer', 12, '[{"stat":"bought","at_least":2}]')`);
  for (let number = 0; number < MESSAGES; number++) {
    await group.execute(sql`
      INSERT INTO messages (game_id, environment, message_id, audience, title, text, translations, data,
        rewards, reason, starts_at, sent_at)
      VALUES (${game_id}, 'production', ${messageId(number)},
              '{"type":"everyone","joiners":"included"}', 'A message', '', '{}', '{}',
              ${JSON.stringify(MESSAGE_REWARDS)}, '', now(), now())`);
  }
  await group.execute(sql`
    INSERT INTO stats (game_id, key, name, aggregation, minimum)
    VALUES (${game_id}, 'coins', 'Coins', 'sum', 0), (${game_id}, 'bought', 'Bought', 'sum', NULL),
           (${game_id}, 'best', 'Best', 'max', NULL), (${game_id}, ${MESSAGE_STAT}, 'Gifts', 'sum', NULL)`);
  await group.execute(sql`
    INSERT INTO leaderboards (game_id, board_name, season_rewards)
    VALUES (${game_id}, ${REWARDED_BOARD}, ${JSON.stringify(SEASON_REWARDS)}::json)`);
  const [key] = await makeKeys(database, game_id, 1);
  return { game_id, key: key!, time_zone };
}

/** Makes an account an owner of a game. */
export async function addOwner(database: Database, game_id: string, email: string): Promise<void> {
  await database.execute(sql`
    INSERT INTO game_members (game_id, account_id, role)
    SELECT ${game_id}, id, 'owner' FROM accounts WHERE email = ${email}`);
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
