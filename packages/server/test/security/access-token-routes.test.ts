import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { isRole, TOKEN_ROLES, tokenRoleOf } from '@overworld/contract/operation';
import type { Operation, TokenRole } from '@overworld/contract/operation';
import { OPERATIONS } from '@overworld/contract/operations';
import { sql } from '../../src/platform/database/sql.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { sweep } from '../long-forms.ts';
import type { TestAccount } from '../test-account.ts';
import { accessChecksOn } from './access-checks.ts';
import type { AccessChecks } from './access-checks.ts';
import { makeRefusedAccessTokens } from './callers.ts';
import type { Refusal, TokenCallers } from './callers.ts';

/**
 * Calls the operations that take a dashboard token with access tokens of every role, and with tokens that no
 * operation may take. An access token must be admitted if, and only if, the contract says that its role may
 * make the call, and it reaches the game.
 */

const LOG_IN: Refusal = {
  status: 403,
  error: 'An access token cannot make this call: log in to make it',
};

/** The paths of calls about accounts and the installation. No access token may ever make these calls. */
const OF_PERSONS = /^\/v1\/(auth|admin|access-tokens)\b|\/(invitations|access-tokens)\b/;

/** The paths of the access that other people have. No access token may ever change it. */
const ACCESS_OF_OTHERS = /\/(members|links)\b/;

/** All calls that a token for reports may make. A new one must be added here, if it shows no single player. */
const OF_REPORTS = [
  'getOverview',
  'getTodaySoFar',
  'getEventCounts',
  'getDataQuality',
  'getActivePlayers',
  'getRetention',
  'getSessionReport',
  'getFirstDay',
  'getFunnel',
  'getBreakdown',
  'getMetric',
  'listMetrics',
  'getRevenue',
  'getPaths',
  'getLifetimeValue',
  'getProgression',
  'getRevenueSettings',
  'listSavedReports',
  'listAnnotations',
  'listReleases',
  'compareReleases',
  'listDashboards',
  'getDashboard',
  'getExperimentResults',
];

let server: TestServer;
let game_id: string;
let checks: AccessChecks;
let owner: TestAccount;
let administrator: TestAccount;
let refused: TokenCallers;
/** Tokens of the owner for the game, one of each role. */
let tokens: Record<TokenRole, string>;
let foreign_token: string;

before(async () => {
  server = await startTestServer();
  ({ game_id } = await server.makeGame());
  checks = accessChecksOn(server, game_id);
  owner = await server.makeAccount({ game_id });
  administrator = await server.makeAccount({ game_id, is_administrator: true });
  tokens = await makeTokens(game_id);
  refused = await makeRefusedAccessTokens(server, game_id);
  const other = await server.makeGame();
  await addOwner(other.game_id);
  foreign_token = (await server.makeAccessToken(owner.account_id, [other.game_id], 'owner')).token;
});
after(() => server.close());

const addOwner = (id: string) =>
  server.database.execute(sql`
    INSERT INTO game_members (game_id, account_id, role)
    VALUES (${id}, ${owner.account_id}, 'owner')`);

async function makeTokens(id: string): Promise<Record<TokenRole, string>> {
  const made = TOKEN_ROLES.map(async (role) => {
    const { token } = await server.makeAccessToken(owner.account_id, [id], role);
    return [role, token];
  });
  return Object.fromEntries(await Promise.all(made));
}

const takesBearer = ({ access }: Operation) => !['anyone', 'key', 'server_key'].includes(access);
const kindOf = (operation: Operation) =>
  `${operation.access} ${tokenRoleOf(operation)} ${operation.method}`;
const OF_ACCOUNTS = OPERATIONS.filter(takesBearer);

test('no access token makes calls about accounts or the installation, or changes the access of others', () => {
  const never = OF_ACCOUNTS.filter((operation) => tokenRoleOf(operation) === null);
  const expected = OF_ACCOUNTS.filter(
    ({ id, access, path, method }) =>
      OF_PERSONS.test(path) ||
      (ACCESS_OF_OTHERS.test(path) && method !== 'GET') ||
      access === 'administrator' ||
      id === 'createGame',
  );
  assert.deepEqual(
    never.map(({ id }) => id),
    expected.map(({ id }) => id),
  );
});

test('a token for reports makes only calls that read reports and dashboards', () => {
  const open = OPERATIONS.filter((operation) => tokenRoleOf(operation) === 'reports');
  assert.deepEqual(open.map(({ id }) => id).toSorted(), OF_REPORTS.toSorted());
  assert.ok(open.every(({ method, access }) => method === 'GET' && access === 'viewer'));
});

test('a token for reports cannot choose players, because it could ask about one after the other', async () => {
  const choosing = OPERATIONS.filter(
    ({ id, query }) => OF_REPORTS.includes(id) && query?.properties.players !== undefined,
  );
  assert.ok(choosing.length > 5);
  for (const operation of choosing) {
    for (const [name, value] of [
      ['players', encodeURIComponent('{"tags":["vip"]}')],
      ['split_by', 'tag:vip'],
    ] as const) {
      const ask = (token: string) =>
        checks.call(operation, { token }, {}, `${name}=${value}&format=csv`);
      const refused_answer = await ask(tokens.reports);
      const error = `${name} needs the role viewer; that of this access token is reports, which chooses no players`;
      assert.deepEqual([refused_answer.status, refused_answer.body], [403, { error }]);
      assert.notEqual((await ask(tokens.viewer)).status, 403);
    }
  }
});

suite('a refused access token changes nothing', () => {
  const countChanges = async () =>
    (await server.database.queryOne<{ count: number }>(sql`SELECT count(*) FROM audit_log`))!.count;
  let changes: number;
  before(async () => {
    changes = await countChanges();
  });
  after(async () => {
    assert.equal(await countChanges(), changes);
  });

  for (const operation of sweep(OF_ACCOUNTS, kindOf)) {
    const needed = tokenRoleOf(operation);

    test(`${operation.id} answers 401 or 403 to access tokens that are not valid`, async () => {
      for (const [who, { authorization, refusal }] of Object.entries(refused)) {
        await checks.assertRefused(operation, who, { headers: { authorization } }, refusal);
      }
    });

    if (needed === null) {
      test(`${operation.id} answers 403 to every access token`, async () => {
        const { token } = await server.makeAccessToken(
          administrator.account_id,
          [game_id],
          'owner',
        );
        await checks.assertRefused(operation, 'an administrator', { token }, LOG_IN);
        for (const role of TOKEN_ROLES) {
          await checks.assertRefused(operation, role, { token: tokens[role] }, LOG_IN);
        }
      });
      continue;
    }

    test(`${operation.id} answers 403 to access tokens with roles below ${needed}`, async () => {
      for (const role of TOKEN_ROLES.slice(0, TOKEN_ROLES.indexOf(needed))) {
        const error = `This needs the role ${needed}; that of this access token is ${role}`;
        const refusal: Refusal = { status: 403, error };
        await checks.assertRefused(operation, role, { token: tokens[role] }, refusal);
      }
    });

    if (isRole(operation.access)) {
      test(`${operation.id} answers 404 to an access token for another game`, async () => {
        const { status, body } = await checks.call(operation, { token: foreign_token });
        assert.deepEqual([status, body], [404, { error: 'Game not found' }]);
      });
    }
  }
});

suite('an access token of a sufficient role is admitted', () => {
  for (const operation of sweep(OF_ACCOUNTS, kindOf)) {
    const needed = tokenRoleOf(operation);
    if (needed === null) continue;

    test(`${operation.id} admits access tokens from the role ${needed}`, async () => {
      for (const role of TOKEN_ROLES.slice(TOKEN_ROLES.indexOf(needed))) {
        const game = await server.makeGame();
        await addOwner(game.game_id);
        const { token } = await server.makeAccessToken(owner.account_id, [game.game_id], role);
        const params = { game_id: game.game_id };
        await checks.assertAllowed(operation, role, { token }, params);
      }
    });
  }
});
