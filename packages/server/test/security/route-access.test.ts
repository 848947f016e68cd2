import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { isRole, ROLES } from '@overworld/contract/operation';
import type { Access, Role } from '@overworld/contract/operation';
import { OPERATIONS } from '@overworld/contract/operations';
import { SDK_FILES } from '@overworld/contract/sdk-files';
import { sql } from '../../src/platform/database/sql.ts';
import { accessChecksOn } from './access-checks.ts';
import type { AccessChecks } from './access-checks.ts';
import {
  makeKeyCallers,
  makeRefusedTokens,
  MISSING_KEY,
  MISSING_TOKEN,
  REFUSALS,
} from './callers.ts';
import type { KeyCallers, TokenCallers } from './callers.ts';
import { announceTooMuch, asPlayer, breakRequest } from './requests.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import type { TestAccount } from '../test-account.ts';
import { UNUSED_ID } from '../sample-request.ts';
import { sweep } from '../long-forms.ts';

/**
 * Calls the operations of the contract as every kind of caller. A call must get 401, 403 or 404 if, and only
 * if, the operation's `access` excludes the caller. The checks must run in the order that the API promises.
 * openapi.test.ts checks that the contract has every route, and access-token-routes.test.ts calls with access tokens.
 */

let server: TestServer;
let game_id: string;
let checks: AccessChecks;
let keys: KeyCallers;
let tokens: TokenCallers;
let members: Record<Role, TestAccount>;
let stranger: TestAccount;

before(async () => {
  server = await startTestServer();
  const game = await server.makeGame();
  game_id = game.game_id;
  checks = accessChecksOn(server, game_id);
  const made = ROLES.map(async (role) => [role, await server.makeAccount({ game_id, role })]);
  members = Object.fromEntries(await Promise.all(made));
  stranger = await server.makeAccount({ game_id: (await server.makeGame()).game_id });
  keys = await makeKeyCallers(server, game);
  tokens = await makeRefusedTokens(server, game_id, members.owner);
});
after(() => server.close());

const takesKey = (access: Access) =>
  access === 'key' || access === 'server_key' || access === 'key_or_account';
const takesToken = (access: Access) => !['anyone', 'key', 'server_key'].includes(access);

/** Makes a game in which each account of `members` is a member. Its key in `members` is its role. */
async function makeTeamGame(): Promise<string> {
  const game = await server.makeGame();
  await server.database.execute(sql`
    INSERT INTO game_members (game_id, account_id, role)
    SELECT ${game.game_id}, account_id, role FROM game_members
    WHERE game_id = ${game_id} AND account_id = ANY(
      ${Object.values(members).map(({ account_id }) => account_id)}::uuid[])`);
  return game.game_id;
}

const countChanges = async () =>
  (await server.database.queryOne<{ count: number }>(sql`SELECT count(*) FROM audit_log`))!.count;

suite('a refused caller changes nothing', () => {
  let changes: number;
  before(async () => {
    changes = await countChanges();
  });
  after(async () => {
    assert.equal(await countChanges(), changes, 'a refused request changes nothing');
  });

  for (const operation of sweep(OPERATIONS.filter(({ access }) => access !== 'anyone'))) {
    const { access } = operation;

    test(`${operation.id} (${access}) answers 401 without credentials of the right kind`, async () => {
      const missing = takesKey(access) ? MISSING_KEY : MISSING_TOKEN;
      await checks.assertRefused(operation, 'nobody', {}, missing);
      if (!takesToken(access)) {
        await checks.assertRefused(operation, 'a token', { token: members.owner.token }, missing);
      }
      if (!takesKey(access)) {
        const { key } = keys['a production key']!;
        await checks.assertRefused(operation, 'a key', { key }, missing);
      }
      if (operation.body) assert.equal(await announceTooMuch(server, operation, { game_id }), 401);
    });

    if (takesKey(access)) {
      test(`${operation.id} (${access}) answers 401 to invalid keys`, async () => {
        for (const [who, { key, refusal }] of Object.entries(keys)) {
          if (refusal === null) continue;
          await checks.assertRefused(operation, who, { key }, refusal);
          const both = { key, token: members.owner.token };
          await checks.assertRefused(operation, `${who} and a token`, both, refusal);
        }
      });
    }

    if (access === 'server_key') {
      test(`${operation.id} (${access}) answers 403 to keys that are not server keys`, async () => {
        const refusal = { status: 403, error: 'Only a server key may make this call' } as const;
        for (const who of ['a production key', 'a development key']) {
          await checks.assertRefused(operation, who, { key: keys[who]!.key }, refusal);
        }
      });
    }

    if (takesToken(access)) {
      test(`${operation.id} (${access}) answers 401 to invalid tokens`, async () => {
        for (const [who, { authorization, refusal }] of Object.entries(tokens)) {
          await checks.assertRefused(operation, who, { headers: { authorization } }, refusal);
        }
      });
    }

    if (isRole(access)) {
      test(`${operation.id} answers 404 to strangers, and 403 to roles below ${access}`, async () => {
        const { token } = members.owner;
        const unknown = await checks.call(operation, { token }, { game_id: UNUSED_ID });
        const foreign = await checks.call(operation, { token: stranger.token });
        for (const { status, body } of [unknown, foreign]) {
          assert.deepEqual([status, body], [404, { error: 'Game not found' }]);
        }
        for (const role of ROLES.slice(0, ROLES.indexOf(access))) {
          const { status, body } = await checks.call(operation, { token: members[role].token });
          const error: string = `This needs the role ${access}; yours in this game is ${role}`;
          assert.deepEqual([status, body], [403, { error }]);
        }
      });
    }

    if (access === 'administrator') {
      test(`${operation.id} answers 403 even to an owner of games`, async () => {
        const { status, body } = await checks.call(operation, { token: members.owner.token });
        const error = 'Only an administrator of this installation may do this';
        assert.deepEqual([status, body], [403, { error }]);
      });
    }

    if (isRole(access) || access === 'administrator') {
      test(`${operation.id} answers 413 or 400 to an invalid request before it answers 404 or 403`, async () => {
        const { token } = stranger;
        const broken = breakRequest(operation);
        if (broken !== null) {
          const { options, query } = broken;
          const answer = await checks.call(operation, { token, ...options }, {}, query);
          assert.equal(answer.status, 400, answer.text);
        }
        if (operation.body) {
          const authorization = `Bearer ${token}`;
          assert.equal(
            await announceTooMuch(server, operation, { game_id }, { authorization }),
            413,
          );
        }
      });
    }
  }
});

suite('a caller with access is admitted, even with further, invalid credentials', () => {
  for (const operation of sweep(OPERATIONS)) {
    const { access } = operation;

    test(`${operation.id} admits callers with the access ${access}`, async () => {
      if (access === 'anyone') {
        for (const options of [
          {},
          { headers: { authorization: 'Bearer garbage' } },
          { key: 'not a key' },
        ]) {
          const answer = await checks.call(operation, options);
          assert.ok(answer.status < 500, answer.text);
          assert.ok(!REFUSALS.some(({ error }) => error === answer.body?.error), answer.text);
        }
      }
      if (takesKey(access)) {
        for (const [who, { key, refusal }] of Object.entries(keys)) {
          if (refusal !== null || (access === 'server_key' && who !== 'a server key')) continue;
          const own = await asPlayer(server, operation, key);
          await checks.assertAllowed(operation, who, own);
          const headers = { ...own.headers, authorization: 'Bearer garbage' };
          await checks.assertAllowed(operation, `${who} and a garbage token`, { ...own, headers });
        }
      }
      if (access === 'account' || access === 'key_or_account') {
        await checks.assertAllowed(operation, 'an account', await server.makeAccount());
      }
      if (isRole(access)) {
        for (const role of ROLES.slice(ROLES.indexOf(access))) {
          const { token, account_id } = members[role];
          // Every member may remove itself.
          const params = { game_id: await makeTeamGame(), account_id };
          await checks.assertAllowed(operation, role, { token }, params);
        }
      }
      if (takesToken(access)) {
        const { token } = await server.makeAccount({ is_administrator: true });
        const params = { game_id: await makeTeamGame() };
        await checks.assertAllowed(operation, 'an administrator', { token }, params);
      }
    });
  }
});

test('every caller gets the files of the SDKs, whatever credentials the request has', async () => {
  for (const file of Object.keys(SDK_FILES)) {
    const path = `/sdk/${file}`;
    const { headers } = await server.request('HEAD', path);
    const callers = [
      ...Object.values(keys).map(({ key }) => ({ key })),
      ...Object.values(tokens).map(({ authorization }) => ({ headers: { authorization } })),
      ...Object.values(members).map(({ token }) => ({ token })),
      stranger,
    ];
    for (const caller of callers) {
      const answer = await server.request('HEAD', path, caller);
      assert.deepEqual([answer.status, answer.headers.get('etag')], [200, headers.get('etag')]);
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status } = await server.request(method, path, { token: members.owner.token });
      assert.equal(status, 404, `${method} ${path}`);
    }
  }
});
