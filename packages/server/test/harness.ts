import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ANSWER_MARK } from '@overworld/contract/answer-mark';
import type { Environment } from '@overworld/contract/common';
import type { ApiKeyKind } from '@overworld/contract/games/api-keys';
import type { TokenRole } from '@overworld/contract/operation';
import type { EventValidation, Tier } from '@overworld/contract/tiers';
import pino from 'pino';
import { buildApp } from '../src/app.ts';
import type { BuiltApp } from '../src/app-interface.ts';
import { createWorkers } from '../src/cli/start/workers/supervisor.ts';
import { findSetupToken } from '../src/features/accounts/registration/setup.ts';
import { insertAccessToken } from '../src/features/access-tokens/store.ts';
import { makeAccessToken } from '../src/platform/auth/access-token-text.ts';
import { makeApiKey } from '../src/platform/auth/api-keys.ts';
import { createJwtSecretKeeper } from '../src/platform/auth/jwt-secrets.ts';
import type { Clock } from '../src/platform/clock.ts';
import { readConfig } from '../src/platform/config.ts';
import type { GroupedDatabase } from '../src/platform/database/game-groups.ts';
import { sql } from '../src/platform/database/sql.ts';
import type { Route } from '../src/platform/http/exchange.ts';
import { RELEASE } from '../src/platform/release.ts';
import { createAnswerChecker } from './answer-checker.ts';
import { copyDatabase } from './copy-database.ts';
import { insertAccount } from './test-account.ts';
import type { AccountSettings, TestAccount } from './test-account.ts';
import { makeGroups, nextGroup, openTestDatabase } from './test-database.ts';
import { sendRequest } from './test-request.ts';
import type { RequestOptions, TestAnswer } from './test-request.ts';

/** A game with a key for each environment. */
export interface TestGame {
  game_id: string;
  production_key: string;
  development_key: string;
}

export interface TestServer {
  /** URL of the server, such as `http://127.0.0.1:40123`. */
  url: string;
  /** URL of the server's database, for servers of the same test that share it. */
  database_url: string;
  database: GroupedDatabase;
  /** All routes of the server; empty when it has several workers, because the routes are in their threads. */
  routes: readonly Route[];
  /** The server's data folder; its mails are in `mails`. */
  data_dir: string;
  /** Sends a real HTTP request and checks the answer against the contract. */
  request(method: string, path: string, options?: RequestOptions): Promise<TestAnswer>;
  /** Throws if any answer so far broke the contract, even if its request was not sent by `request`. */
  throwFirstProblem(): void;
  makeGame(settings?: {
    tier?: Tier;
    event_validation?: EventValidation;
    time_zone?: string;
  }): Promise<TestGame>;
  makeKey(game_id: string, environment: Environment, kind?: ApiKeyKind): Promise<string>;
  /** Makes an access token of a member of the games. */
  makeAccessToken(
    account_id: string,
    game_ids: readonly string[],
    role: TokenRole,
    name?: string,
  ): Promise<{ token_id: string; token: string }>;
  /** Makes an account. With `game_id`, the account is a member of that game, by default an owner. */
  makeAccount(settings?: AccountSettings): Promise<TestAccount>;
  /** Returns the token that makes an account the administrator, or null when there already is one. */
  findSetupToken(): Promise<string | null>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface TestServerOptions {
  /** Environment variables of the server. */
  env?: Record<string, string>;
  clock?: Clock;
  /** Receives the log; by default it is dropped. */
  log?: { write(line: string): void };
  /** If a client stops reading a file, it is cut off after this time. */
  stalled_reader_ms?: number;
  /** The database of another test server. The two servers then share it, like the nodes of an installation. */
  database_url?: string;
  /** Checks answers against the contract, which takes time. Default: true. */
  checks_answers?: boolean;
  /** The minimum number of groups of games. Default: TEST_GROUPS, or 1. */
  groups?: number;
}

/**
 * True in the process of tests of the whole server. Only their servers have TEST_WORKERS, because a worker takes
 * a second of CPU to start.
 */
const IS_OF_WHOLE_SERVER = /packages[-/]server[-/]test[-/]/.test(process.argv[1] ?? '');

/** Clones the migrated template database, on every node of a Citus cluster. */
export const cloneDatabase = () => copyDatabase(process.env.OVERWORLD_TEST_TEMPLATE!);

/** Starts a server on a port of its own and a database of its own. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const cloned = options.database_url
    ? { url: options.database_url, drop: async () => undefined }
    : await cloneDatabase();
  const groups = await makeGroups(cloned.url, options.groups);
  const data_dir = await mkdtemp(join(tmpdir(), 'overworld-test-'));
  // Clocks and the like cannot be passed to threads.
  const isOneLoopNeeded = options.clock !== undefined || options.stalled_reader_ms !== undefined;
  const config = readConfig({
    PORT: '0',
    DATA_DIR: data_dir,
    RATE_LIMIT_PER_MINUTE: '1000000',
    WORKERS: isOneLoopNeeded || !IS_OF_WHOLE_SERVER ? '1' : (process.env.TEST_WORKERS ?? '1'),
    ...options.env,
  });
  const checker = createAnswerChecker();
  const connection = { url: cloned.url };
  const logger = options.log
    ? pino({ level: config.log_level }, options.log)
    : pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' });
  const makeApp = () =>
    buildApp({
      config,
      connection,
      logger,
      clock: options.clock,
      onAnswer: options.checks_answers === false ? undefined : checker.check,
      stalled_reader_ms: options.stalled_reader_ms,
      password_wait_ms: 60_000,
    });
  const app =
    config.workers === 1
      ? await makeApp()
      : createWorkers({
          config,
          connection,
          logger,
          writeLog: (lines) => options.log?.write(lines),
        });
  const url = await app.listen();
  const database = openTestDatabase(
    connection,
    { application_name: 'test', max_connections: 4 },
    groups,
  );

  const makeKey = async (game_id: string, environment: Environment, kind?: ApiKeyKind) => {
    const { key, prefix, key_hash } = makeApiKey(environment, kind);
    await database.execute(sql`
      INSERT INTO api_keys (game_id, environment, kind, name, prefix, key_hash)
      VALUES (${game_id}, ${environment}, ${kind ?? 'client'}, 'test', ${prefix}, ${key_hash})`);
    return key;
  };

  const server: TestServer = {
    url,
    database_url: cloned.url,
    database,
    routes: (app as Partial<BuiltApp>).routes ?? [],
    data_dir,
    throwFirstProblem: checker.throwFirstProblem,
    async request(method, path, sent) {
      const answer = await sendRequest(method, url + path, sent);
      assert.equal(answer.headers.get(ANSWER_MARK), RELEASE, `${method} ${path} lacks the mark`);
      checker.throwFirstProblem();
      return answer;
    },
    async makeGame({ tier = 'free', event_validation = 'off', time_zone = 'UTC' } = {}) {
      const game = await database.queryOne<{ id: string }>(sql`
        INSERT INTO games (name, time_zone, tier, event_validation, tenant_group)
        VALUES ('Test game', ${time_zone}, ${tier}, ${event_validation}, ${nextGroup(groups)})
        RETURNING id`);
      const game_id = game!.id;
      await database.learnGames([game_id]);
      return {
        game_id,
        production_key: await makeKey(game_id, 'production'),
        development_key: await makeKey(game_id, 'development'),
      };
    },
    makeKey,
    async makeAccessToken(account_id, game_ids, role, name = 'test') {
      const { token, prefix, token_hash } = makeAccessToken();
      const settings = { name, role, prefix, token_hash, expires_in_days: 1, game_ids };
      return { token_id: await insertAccessToken(database, account_id, settings), token };
    },
    makeAccount: (settings) => insertAccount(database, { config, clock: options.clock }, settings),
    async findSetupToken() {
      return findSetupToken(database, await createJwtSecretKeeper(database, config));
    },
    async close() {
      await app.close();
      await database.close();
      await cloned.drop();
      await rm(data_dir, { recursive: true, force: true });
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
  return server;
}
