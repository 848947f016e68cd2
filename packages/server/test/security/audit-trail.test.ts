import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { AUDIT_ACTIONS } from '@overworld/contract/games/audit-actions';
import type { Operation } from '@overworld/contract/operation';
import { OPERATIONS } from '@overworld/contract/operations';
import { logOut } from '@overworld/contract/accounts/sessions';
import { CLIENT, startForgingIssuer } from '../../src/features/staff-login/test/forging-issuer.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { makeFullGame } from '../full-game.ts';
import { ownCredentials, validRequest } from '../valid-request.ts';
import type { FullGame } from '../full-game.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import type { TestAccount } from '../test-account.ts';
import { sweep } from '../long-forms.ts';
import { findAccountId, preparationsOn } from './prepared-changes.ts';

/** Tests that every change by an account leaves an entry with its author, target and address. */

/** Operations that change at most the time of an account's last use, although their method is not GET. */
const READING = [
  'previewConfig',
  'previewConfigRules',
  'previewMessage',
  'previewSeasonRewards',
  'planCopy',
  'planDefinitions',
  'tryDefinition',
  'listPlayerNames',
  'logIn',
  'logInWithSecondFactor',
  'beginTotp',
  'beginIdentityLogin',
  'confirmIdentity',
  'logInByLink',
  'beginPasskey',
  'logOut',
  'requestPasswordReset',
  'resendActivation',
  'sendEmailVerification',
  'sendTestMail',
];

/** Changes by a server key that leave an entry, which names the key. */
const BY_SERVER_KEY = ['takeBackMessage'];

/** Operations whose author is the account that they make. */
const MAKING_ACCOUNTS = ['registerAccount', 'acceptInvitation', 'finishIdentityLogin'];

const isChange = ({ method, access, id }: Operation) =>
  method !== 'GET' && !['key', 'server_key'].includes(access) && !READING.includes(id);

let server: TestServer;
let administrator: TestAccount;
let issuer: Awaited<ReturnType<typeof startForgingIssuer>>;
let preparations: ReturnType<typeof preparationsOn>;
before(async () => {
  issuer = await startForgingIssuer();
  server = await startTestServer({
    env: {
      TRUST_PROXY: 'true',
      ACCOUNT_ACTIVATION: 'email',
      OIDC_ISSUER: issuer.url,
      OIDC_CLIENT_ID: CLIENT,
      OIDC_DOMAINS: '*',
    },
  });
  administrator = await server.makeAccount({ is_administrator: true });
  preparations = preparationsOn(server, issuer);
});
after(async () => {
  await server.close();
  await issuer.close();
});

/**
 * Changes that need a game of their own. They fail if another change of the same game has made a new
 * config version, an experiment that uses the config's parameters, or another definition, or need an ended season.
 */
const ALONE = ['applyCopy', 'applyDefinitions', 'putGameConfig', 'rewardSeason'];

/**
 * Tells whether other operations can be tested on the same game after this operation. True if the operation
 * deletes nothing, ends no session, and is not in `ALONE`.
 */
const isAboutParts = ({ id, method, access, path }: Operation) =>
  method !== 'DELETE' &&
  path.startsWith('/v1/games/{game_id}/') &&
  access !== 'owner' &&
  !ALONE.includes(id);

let shared: Promise<FullGame> | undefined;
let addresses = 0;

async function change(operation: Operation): Promise<void> {
  const game = isAboutParts(operation)
    ? await (shared ??= makeFullGame(server, { marker: 'm' }))
    : await makeFullGame(server, { marker: 'm' });
  const prepared = (await preparations[operation.id]?.(game)) ?? {};
  const { path, body } = validRequest(operation, { ...game.params, ...prepared.params });
  const byAdministrator = operation.access === 'administrator' ? administrator : undefined;
  const account = prepared.account ?? byAdministrator ?? game.owner;
  const ip = `192.0.2.${++addresses}`;
  const answer = await server.request(operation.method, path, {
    ...(ownCredentials(operation, game).token === undefined && byAdministrator === undefined
      ? {}
      : { token: account.token }),
    body: prepared.body ?? body,
    headers: { 'x-forwarded-for': ip, ...prepared.headers },
  });
  assert.ok(answer.status < 300, `${operation.id}: ${answer.status} ${answer.text}`);
  const entries = await server.database.query<Record<string, string>>(
    sql`SELECT account_id, account_email, action, target FROM audit_log WHERE ip = ${ip}`,
  );
  assert.ok(entries.length > 0, `${operation.id} leaves no entry`);
  for (const { account_id, account_email, action, target } of entries) {
    assert.ok(Object.hasOwn(AUDIT_ACTIONS, action!), `${action} has no words`);
    assert.notEqual(target, '');
    assert.ok(account_email, `${operation.id}: ${action} names no author`);
    const isNew = MAKING_ACCOUNTS.includes(operation.id);
    const expected = isNew ? await findAccountId(server, account_email!) : account.account_id;
    assert.equal(account_id, expected, `${operation.id}: ${action}`);
  }
}

suite('a change leaves an entry with its author, target and address', { concurrency: 4 }, () => {
  for (const operation of sweep(OPERATIONS.filter(isChange))) {
    test(operation.id, () => change(operation));
  }
});

test('operations that only read leave no entry', async () => {
  const game = await makeFullGame(server, { marker: 'm' });
  const ip = '198.51.100.1';
  const reading = sweep(OPERATIONS).filter(
    (operation) =>
      !isChange(operation) && operation !== logOut && !BY_SERVER_KEY.includes(operation.id),
  );
  for (const operation of [...reading, logOut]) {
    const { path, body } = validRequest(operation, game.params);
    const options = { ...ownCredentials(operation, game), body };
    await server.request(operation.method, path, {
      ...options,
      headers: { 'x-forwarded-for': ip },
    });
  }
  const entries = await server.database.query(sql`SELECT action FROM audit_log WHERE ip = ${ip}`);
  assert.deepEqual(entries, []);
});
