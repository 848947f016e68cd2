import { randomBytes, randomUUID } from 'node:crypto';
import pino from 'pino';
import { buildApp } from '../../app.ts';
import { createPasswords } from '../../features/accounts/passwords/passwords.ts';
import { createAccount } from '../../features/accounts/registration/registration.ts';
import { makeApiKey } from '../../platform/auth/api-keys.ts';
import type { ConnectionSettings, Database } from '../../platform/database/database.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { sql } from '../../platform/database/sql.ts';
import { COMMAND_LINE } from '../accounts/accounts.ts';
import { loadRows } from '../archive/load-rows.ts';
import { CommandError } from '../command.ts';
import type { Command } from '../command.ts';
import { openInstallation, withDatabase } from '../installation.ts';
import { countRows, groupDigits, showProgress } from '../progress.ts';
import { rebuildAnalytics } from '../games/rebuild-analytics.ts';
import { demoGameLines, WALKS } from './game-rows.ts';
import type { DemoGame } from './demo-game.ts';
import { playLastHour } from './last-hour.ts';
import type { SendRequest } from './last-hour.ts';
import { GAME_NAMES } from './world.ts';

const DEMO_EMAIL = 'demo@overworld.example';

interface Keys {
  production: ReturnType<typeof makeApiKey>;
  development: ReturnType<typeof makeApiKey>;
  /** Of a build that a few players try, and that is broken. */
  candidate: ReturnType<typeof makeApiKey>;
}

export const demoCommand: Command = {
  name: 'demo',
  usage: '[--games 1] [--players 2000] [--days 60]',
  summary: 'Fill the installation with a believable game, so that every page has something to show',
  options: {
    games: { type: 'string' },
    players: { type: 'string' },
    days: { type: 'string' },
  },
  words: 0,
  async run({ config, options, say }) {
    const games = readCount(options.games, 'games', 1, 100);
    const players = readCount(options.players, 'players', 2_000, 1_000_000);
    const days = readCount(options.days, 'days', 60, 730);
    const installation = await openInstallation(config, say, { shared: true });
    try {
      const { connection } = installation;
      await withDatabase(connection, async (database) => {
        await migrate(database);
        const owner = await getOwner(database);
        for (let number = 0; number < games; number++) {
          const keys: Keys = {
            production: makeApiKey('production'),
            development: makeApiKey('development'),
            candidate: makeApiKey('production'),
          };
          const game: DemoGame = {
            game_id: randomUUID(),
            name: GAME_NAMES[number % GAME_NAMES.length]!,
            owner_email: owner.email,
            seed: number + 1,
            players,
            days,
            until: Date.now() - 3_600_000,
            key_ids: { production: randomUUID(), development: randomUUID() },
          };
          await importPast(database, game, keys, owner.account_id);
          await rebuildAnalytics(database, { id: game.game_id, name: game.name });
          await playPresent(connection, config, game, keys);
          say(`${game.name}: its production key is ${keys.production.key}`);
        }
        say(
          owner.password === null
            ? `Log in as ${owner.email} at ${config.public_url}`
            : `Log in as ${owner.email} with the password ${owner.password} at ${config.public_url}`,
        );
      });
      if (installation.embedded) {
        say('The server is not running: start it with the same settings: npm start.');
      }
    } finally {
      await installation.close();
    }
  },
};

function readCount(value: unknown, name: string, fallback: number, maximum: number): number {
  if (value === undefined) return fallback;
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1 || count > maximum) {
    throw new CommandError(`--${name} must be a whole number from 1 to ${groupDigits(maximum)}.`);
  }
  return count;
}

/** The first administrator; on an empty installation an account is made for the demo. */
async function getOwner(
  database: Database,
): Promise<{ account_id: string; email: string; password: string | null }> {
  const found = await database.queryOne<{ account_id: string; email: string }>(sql`
    SELECT id AS account_id, email FROM accounts WHERE is_administrator ORDER BY created_at LIMIT 1`);
  if (found !== null) return { ...found, password: null };
  const password = randomBytes(9).toString('base64url');
  const password_hash = await createPasswords().use({ ip: null, email: DEMO_EMAIL }, ({ hash }) =>
    hash(password),
  );
  const { id, email } = await database.transaction((tx) =>
    createAccount(
      tx,
      { email: DEMO_EMAIL, password_hash, is_administrator: true },
      () => COMMAND_LINE,
    ),
  );
  return { account_id: id, email, password };
}

/** Everything up to an hour ago, as rows, in one transaction. */
async function importPast(
  database: Database,
  game: DemoGame,
  keys: Keys,
  owner_id: string,
): Promise<void> {
  const progress = showProgress();
  const client = await database.connect();
  let share = 0;
  try {
    await client.query('BEGIN');
    const lines = demoGameLines(game, (done) => (share = done / (game.players * WALKS)));
    const rows = await loadRows(client, lines, {
      onProgress: (count) => progress.update(share, `${game.name}: ${countRows(count)}`),
    });
    const { production, development } = game.key_ids;
    for (const [id, environment, name, { prefix, key_hash }] of [
      [production, 'production', 'Live build', keys.production],
      [development, 'development', 'Editor', keys.development],
      [randomUUID(), 'production', 'Candidate 1.5.0', keys.candidate],
    ] as const) {
      await client.query(
        `INSERT INTO api_keys (game_id, id, environment, name, prefix, key_hash)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [game.game_id, id, environment, name, prefix, key_hash],
      );
    }
    await client.query(
      `INSERT INTO game_members (game_id, account_id, role) VALUES ($1, $2, 'owner')`,
      [game.game_id, owner_id],
    );
    await client.query(
      `INSERT INTO audit_log (game_id, action, target, details)
       VALUES ($1, 'make_demo_game', $2, $3)`,
      [game.game_id, game.name, JSON.stringify({ players: game.players, days: game.days })],
    );
    await client.query('COMMIT');
    progress.done(`${game.name}: ${countRows(rows)} of ${game.days} days`);
    await client.query('ANALYZE');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** The last hour, over the API of a server made for it. */
async function playPresent(
  connection: ConnectionSettings,
  config: Parameters<typeof buildApp>[0]['config'],
  game: DemoGame,
  keys: Keys,
): Promise<void> {
  const app = await buildApp({
    config: { ...config, host: '127.0.0.1', port: 0, rate_limit_per_minute: 1_000_000 },
    connection,
    logger: pino({ level: 'warn' }),
  });
  try {
    const address = await app.listen();
    const sendWith =
      ({ key }: { key: string }): SendRequest =>
      async (method, path, body, headers = {}) => {
        const response = await fetch(address + path, {
          method,
          headers: { 'x-game-api-key': key, 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        });
        if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
      };
    await playLastHour(game, sendWith(keys.production), sendWith(keys.candidate));
  } finally {
    await app.close();
  }
}
