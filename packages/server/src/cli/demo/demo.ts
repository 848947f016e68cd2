import { randomBytes, randomUUID } from 'node:crypto';
import type { AuditAction } from '@overworld/contract/games/audit-actions';
import pino from 'pino';
import { buildApp } from '../../app.ts';
import { createPasswords } from '../../features/accounts/passwords/passwords.ts';
import { createAccount } from '../../features/accounts/registration/registration.ts';
import { makeWebhookSecret } from '../../features/webhooks/signature.ts';
import { ownerOfSecret } from '../../features/webhooks/webhook-store.ts';
import { makeApiKey } from '../../platform/auth/api-keys.ts';
import { sealSecret } from '../../platform/auth/sealing.ts';
import type { Database } from '../../platform/database/database.ts';
import type { ConnectionSettings } from '../../platform/database/open-database.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { sql } from '../../platform/database/sql.ts';
import { loadRows } from '../archive/load-rows.ts';
import { withNewGame } from '../archive/load-transaction.ts';
import { COMMAND_LINE, CommandError } from '../command.ts';
import type { Command } from '../command.ts';
import { withNewInstallation } from '../installation.ts';
import { countRows, groupDigits, showProgress } from '../progress.ts';
import { rebuildAnalytics } from '../games/rebuild-analytics.ts';
import { insertTokens } from './access-tokens.ts';
import { demoGameLines, PASSES } from './game-rows.ts';
import type { DemoGame, DemoMember } from './demo-game.ts';
import { playLastHour } from './last-hour.ts';
import type { SendRequest } from './last-hour.ts';
import { CANDIDATE_VERSION, GAME_NAMES } from './world.ts';

const DEMO_EMAIL = 'demo@overworld.example';
const DEVELOPER_EMAIL = 'noor@overworld.example';

interface Keys {
  production: ReturnType<typeof makeApiKey>;
  development: ReturnType<typeof makeApiKey>;
  /** The API key of a release candidate of the game, which is broken and which only a few players try. */
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
  async run(context) {
    const { config, options, say } = context;
    const games = readCount(options.games, 'games', 1, 100);
    const players = readCount(options.players, 'players', 2_000, 1_000_000);
    const days = readCount(options.days, 'days', 60, 730);
    await withNewInstallation(context, async (database, { connection, embedded }) => {
      const owner = await getOwner(database);
      const developer = await getDeveloper(database);
      for (let number = 0; number < games; number++) {
        const keys: Keys = {
          production: makeApiKey('production'),
          development: makeApiKey('development'),
          candidate: makeApiKey('production'),
        };
        const game_id = randomUUID();
        const game: DemoGame = {
          game_id,
          name: GAME_NAMES[number % GAME_NAMES.length]!,
          owner,
          developer,
          seed: number + 1,
          players,
          days,
          until: Date.now() - 3_600_000,
          key_ids: { production: randomUUID(), development: randomUUID() },
          experiment_ids: { running: randomUUID(), ended: randomUUID() },
          webhook: await sealWebhook(database, game_id),
        };
        await importPast(database, game, keys);
        await rebuildAnalytics(database, { id: game.game_id, name: game.name });
        await database.execute(sql`
          UPDATE alerts SET next_check_at = now() WHERE game_id = ${game_id}`);
        await playPresent(connection, config, game, keys);
        say(`${game.name}: its production key is ${keys.production.key}`);
      }
      const password = owner.password === null ? '' : ` with the password ${owner.password}`;
      say(`Log in as ${owner.email}${password} at ${config.public_url}`);
      if (developer.password !== null) {
        say(`The second member is ${developer.email} with the password ${developer.password}`);
      }
      if (embedded) say('The server is not running: start it with the same settings: npm start.');
    });
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

/** An account, with its password if it is new. */
interface FoundAccount extends DemoMember {
  password: string | null;
}

/** Finds the first administrator, or makes one on an empty installation. */
async function getOwner(database: Database): Promise<FoundAccount> {
  const found = await database.queryOne<{ account_id: string; email: string }>(sql`
    SELECT id AS account_id, email FROM accounts WHERE is_administrator ORDER BY created_at LIMIT 1`);
  return found === null ? makeAccount(database, DEMO_EMAIL, true) : { ...found, password: null };
}

/** Finds the second member of demo games, or makes the account. */
async function getDeveloper(database: Database): Promise<FoundAccount> {
  const found = await database.queryOne<{ account_id: string; email: string }>(sql`
    SELECT id AS account_id, email FROM accounts WHERE fold_text(email) = fold_text(${DEVELOPER_EMAIL})`);
  return found === null
    ? makeAccount(database, DEVELOPER_EMAIL, false)
    : { ...found, password: null };
}

async function makeAccount(
  database: Database,
  given_email: string,
  is_administrator: boolean,
): Promise<FoundAccount> {
  const password = randomBytes(9).toString('base64url');
  const owner = { ip: null, email: given_email };
  const password_hash = await createPasswords().use(owner, ({ hash }) => hash(password));
  const { id, email } = await database.transaction((tx) =>
    createAccount(tx, { email: given_email, password_hash, is_administrator }, COMMAND_LINE),
  );
  return { account_id: id, email, password };
}

async function sealWebhook(database: Database, game_id: string): Promise<DemoGame['webhook']> {
  const id = randomUUID();
  const owner = ownerOfSecret({ game_id, webhook_id: id });
  return { id, sealed_secret: await sealSecret(database, owner, makeWebhookSecret()) };
}

/** Imports, in one transaction, all rows of the demo except those of the last hour. */
async function importPast(database: GroupedDatabase, game: DemoGame, keys: Keys): Promise<void> {
  const progress = showProgress();
  let share = 0;
  const rows = await withNewGame(database, game.game_id, async (client) => {
    const lines = demoGameLines(game, (done) => (share = done / (game.players * PASSES)));
    const loaded = await loadRows(client, lines, {
      contents: null,
      game_id: game.game_id,
      onProgress: (count) => progress.update(share, `${game.name}: ${countRows(count)}`),
    });
    const { production, development } = game.key_ids;
    for (const [id, environment, name, { prefix, key_hash }] of [
      [production, 'production', 'Live build', keys.production],
      [development, 'development', 'Editor', keys.development],
      [randomUUID(), 'production', `Candidate ${CANDIDATE_VERSION}`, keys.candidate],
    ] as const) {
      await client.query(
        `INSERT INTO api_keys (game_id, id, environment, name, prefix, key_hash)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [game.game_id, id, environment, name, prefix, key_hash],
      );
    }
    for (const [{ account_id }, role] of [
      [game.owner, 'owner'],
      [game.developer, 'developer'],
    ] as const) {
      await client.query(
        'INSERT INTO game_members (game_id, account_id, role) VALUES ($1, $2, $3)',
        [game.game_id, account_id, role],
      );
    }
    await insertTokens(client, game);
    await client.query(
      `INSERT INTO audit_log (game_id, action, target, details)
       VALUES ($1, $2, $3, $4)`,
      [
        game.game_id,
        'make_demo_game' satisfies AuditAction,
        game.name,
        JSON.stringify({ players: game.players, days: game.days }),
      ],
    );
    return loaded;
  });
  progress.done(`${game.name}: ${countRows(rows)} of ${game.days} days`);
  await database.execute(sql`ANALYZE`);
}

/** Simulates the last hour by API calls to a server that runs only for this purpose. */
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
