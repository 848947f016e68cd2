import { hash } from '@node-rs/argon2';
import type { Database } from '../../packages/server/src/platform/database/database.ts';
import { sql } from '../../packages/server/src/platform/database/sql.ts';
import { withDatabase } from '../../packages/server/src/cli/installation.ts';
import {
  hashTypedCode,
  makeTypedCode,
} from '../../packages/server/src/platform/auth/typed-code.ts';
import { Connection } from '../load/connection.ts';
import { makeGame, makeKeys } from '../load/game.ts';
import type { Server } from '../machine/server.ts';

/** The account of an attacker. */
interface Stranger {
  email: string;
  password: string;
  token: string;
}

/** An installation with an honest game, and strangers who have a game of their own. */
export interface Scene {
  port: number;
  honest: {
    keys: string[];
    /** The key with which new players log in and move to other devices. */
    newcomers_key: string;
    /** A key that strangers have taken out of a copy of the game. */
    leaked_key: string;
    email: string;
    password: string;
  };
  strangers: Stranger[];
  /** The strangers' game. Its owner is the first stranger. */
  game_id: string;
  keys: string[];
}

const PASSWORD = 'correct horse battery staple';
/**
 * The number of requests that each player of the honest game may send in a minute. It is three times the
 * number that its honest players send.
 */
const PLAYER_SHARE = 120;
/**
 * The keys of the honest game. Each may make 1,000 requests a minute, and the requests
 * of three keys are enough to compute a p99.
 */
const HONEST_KEYS = 3;
const STRANGERS_KEYS = 6;
/** The limit of players of the honest game. A stranger can name as many players in a second. */
const HONEST_PLAYERS = 3_000;
/** The codes of the honest game that could be guessed at any time. */
const OPEN_CODES = 200;

export async function makeScene(
  server: Server,
  { accounts, events }: { accounts: number; events: number },
): Promise<Scene> {
  const { port } = server.settings;
  const emails = Array.from({ length: accounts }, (_, index) => `stranger-${index}@evil.example`);
  const email = 'admin@studio.example';
  const made = await withDatabase(server.connection, async (database) => {
    const honest = await makeGame(database, 'UTC');
    const game = await makeGame(database, 'UTC');
    await database.execute(sql`UPDATE games SET tier = 'free' WHERE id = ${game.game_id}`);
    const limits = JSON.stringify({ players: HONEST_PLAYERS });
    await database.execute(sql`
      UPDATE games SET limit_overrides = ${limits}::jsonb WHERE id = ${honest.game_id}`);
    await insertOpenCodes(database.ofGame(honest.game_id), honest.game_id);
    const shares = JSON.stringify({ player_requests_per_minute: PLAYER_SHARE });
    await database.execute(sql`
      INSERT INTO share_settings (game_id, environment, shares)
      VALUES (${honest.game_id}, 'production', ${shares}::jsonb)`);
    const password_hash = await hash(PASSWORD);
    await database.execute(sql`
      INSERT INTO accounts (email, password_hash, status, is_administrator)
      SELECT address, ${password_hash}, 'active', address = ${email}
      FROM unnest(${[email, ...emails]}::text[]) AS address`);
    await database.execute(sql`
      INSERT INTO game_members (game_id, account_id, role)
      SELECT ${game.game_id}, id, 'owner' FROM accounts WHERE email = ${emails[0]}`);
    await insertEvents(database, game.game_id, events);
    return {
      honest_keys: await makeKeys(database, honest.game_id, HONEST_KEYS + 2),
      game_id: game.game_id,
      keys: await makeKeys(database, game.game_id, STRANGERS_KEYS),
    };
  });
  const strangers: Stranger[] = [];
  const connection = new Connection(port, {}, '127.1.0.1');
  for (const address of emails) {
    const credentials = { email: address, password: PASSWORD };
    const body = JSON.stringify(credentials);
    const answer = await connection.send({ method: 'POST', path: '/v1/auth/login', body });
    strangers.push({ ...credentials, token: JSON.parse(answer.body).token });
  }
  connection.close();
  const [newcomers_key, leaked_key, ...keys] = made.honest_keys as [string, string, ...string[]];
  const honest = { keys, newcomers_key, leaked_key, email, password: PASSWORD };
  return { port, honest, strangers, game_id: made.game_id, keys: made.keys };
}

/**
 * Inserts events for reports and exports, more than a game of the Free tier could send in a month. Half of
 * them belong to one player, who also has many sessions.
 */
async function insertEvents(database: Database, game_id: string, count: number): Promise<void> {
  await database.execute(sql`
    INSERT INTO players (game_id, environment, player_id) VALUES (${game_id}, 'production', 'veteran')`);
  await database.execute(sql`
    INSERT INTO sessions (game_id, environment, player_id, session_id, started_at, last_event_at,
                          event_count)
    SELECT ${game_id}, 'production', 'veteran', 's-' || n, now() - n * interval '1 minute', now(), 1
    FROM generate_series(1, ${count}::integer / 3) AS n`);
  await database.execute(sql`
    INSERT INTO events (id, received_at, occurred_at, environment, game_id, key_id, event_name,
                        session_id, player_id, properties)
    SELECT n, at, at, 'production', ${game_id}, ${game_id}, 'step-' || n % 5, 's-' || n / 20,
           CASE n % 2 WHEN 0 THEN 'veteran' ELSE 'p-' || n % 5000 END, jsonb_build_object('level', n % 50, 'text', repeat('x', 200))
    FROM generate_series(1, ${count}::integer) AS n,
         LATERAL (SELECT greatest(now() - n * interval '1 millisecond', date_trunc('month', now())) AS at) AS moments`);
}

/** Inserts players who are about to move to other devices, each with a code that is still valid. */
async function insertOpenCodes(database: Database, game_id: string): Promise<void> {
  const codes = Array.from({ length: OPEN_CODES }, () => hashTypedCode(makeTypedCode(12)));
  await database.execute(sql`
    WITH made AS (
      INSERT INTO players (game_id, environment, player_id)
      SELECT ${game_id}, 'production', 'moving-' || number
      FROM generate_series(1, ${OPEN_CODES}::integer) AS number
    )
    INSERT INTO player_move_codes (game_id, environment, code, player_id, expires_at)
    SELECT ${game_id}, 'production', code, 'moving-' || number, now() + interval '1 day'
    FROM unnest(${codes}::text[]) WITH ORDINALITY AS code (code, number)`);
}
