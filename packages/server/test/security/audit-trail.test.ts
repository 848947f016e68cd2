import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { AUDIT_ACTIONS } from '@overworld/contract/games/audit-actions';
import type { Operation } from '@overworld/contract/operation';
import { OPERATIONS } from '@overworld/contract/operations';
import { logOut } from '@overworld/contract/accounts/sessions';
import { Secret, TOTP } from 'otpauth';
import { makeAuthenticator } from '../../src/features/second-factors/test/authenticator.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { insertWaitingScore, makeFullGame } from '../full-game.ts';
import { ownCredentials, validRequest } from '../valid-request.ts';
import type { FullGame } from '../full-game.ts';
import { draftExperiment } from './requests.ts';
import { startTestServer } from '../harness.ts';
import type { TestAccount, TestServer } from '../harness.ts';
import { findToken, waitForMail } from '../mailbox.ts';

/** Every change by an account leaves an entry with its author, target and address. */

/** Operations by other methods than GET that change nothing, or only the last use of an account. */
const READING = [
  'previewAlert',
  'previewConfig',
  'previewConfigRules',
  'testEventSchema',
  'listPlayerNames',
  'logIn',
  'logInWithSecondFactor',
  'beginTotp',
  'beginPasskey',
  'logOut',
  'requestPasswordReset',
  'resendActivation',
  'sendEmailVerification',
];

const isChange = ({ method, access, id }: Operation) =>
  method !== 'GET' && !['key', 'server_key'].includes(access) && !READING.includes(id);

interface Prepared {
  params?: Record<string, string>;
  body?: Record<string, unknown>;
  /** The author of the change, when it is not the game's owner. */
  account?: Pick<TestAccount, 'account_id' | 'token'>;
  headers?: Record<string, string>;
}

let server: TestServer;
let administrator: TestAccount;
before(async () => {
  server = await startTestServer({
    env: { TRUST_PROXY: 'true', ACCOUNT_ACTIVATION: 'email' },
  });
  administrator = await server.makeAccount({ is_administrator: true });
});
after(() => server.close());

const mailToken = async (email: string) => findToken(await waitForMail(server.data_dir, email));

const setStatus = (account_id: string, status: string) =>
  server.database.execute(sql`UPDATE accounts SET status = ${status} WHERE id = ${account_id}`);

const unverify = (account_id: string) =>
  server.database.execute(
    sql`UPDATE accounts SET email_verified_at = NULL WHERE id = ${account_id}`,
  );

const findAccountId = async (email: string) => {
  const account = await server.database.queryOne<{ id: string }>(
    sql`SELECT id FROM accounts WHERE email = ${email}`,
  );
  return account!.id;
};

async function invite({ game_id, owner }: FullGame, email: string): Promise<string> {
  const path = `/v1/games/${game_id}/invitations`;
  const body = { email, role: 'viewer' };
  await server.request('POST', path, { token: owner.token, body });
  return mailToken(email);
}

/** Preparations for operations that need more than a full game. */
const PREPARATIONS: Record<string, (game: FullGame) => Promise<Prepared>> = {
  async grantAchievement({ game_id, params }) {
    await server.database.execute(sql`DELETE FROM achievement_unlocks WHERE game_id = ${game_id}`);
    return { params };
  },
  async decideScores({ params }) {
    await insertWaitingScore(server, params);
    return { params };
  },
  async takeOffEntry({ production_key: key }) {
    // Other changes ban the player, or begin a new season of the board.
    const params = { board_name: 'a board of its own', player_id: 'a player who ranks first' };
    await server.request('POST', '/v1/leaderboards', { key, body: { ...params, score: 1 } });
    return { params };
  },
  async mergeGamePlayers({ production_key: key }) {
    const from_player_id = 'a guest';
    const body = { player_id: from_player_id, properties: {} };
    await server.request('POST', '/v1/identify', { key, body });
    return { body: { from_player_id } };
  },
  async editSave({ production_key: key }) {
    // Restores of the player's save, which run beside it, would raise the version.
    const player_id = 'a player whose save is edited';
    await server.request('PUT', '/v1/saves', { key, body: { player_id, data: { gold: 1 } } });
    return { params: { player_id }, body: { version: 1, data: { gold: 2 } } };
  },
  startExperiment: async (game) => ({ params: await draftExperiment(server, game, 'speed') }),
  async stopExperiment(game) {
    const params = await draftExperiment(server, game, 'size');
    const path = `/v1/games/${game.game_id}/experiments/${params.experiment_id}/start`;
    const started = await server.request('POST', path, { token: game.owner.token });
    assert.equal(started.status, 200, started.text);
    return { params };
  },
  changePassword: async ({ owner }) => ({
    body: { current_password: owner.password, new_password: 'another password' },
  }),
  async resetPassword({ owner }) {
    await server.request('POST', '/v1/auth/forgot-password', { body: { email: owner.email } });
    return { body: { token: await mailToken(owner.email), password: 'another password' } };
  },
  async activateAccount() {
    const email = 'pending@studio.example';
    await server.request('POST', '/v1/auth/register', { body: { email, password: 'long enough' } });
    const account_id = await findAccountId(email);
    return { body: { token: await mailToken(email) }, account: { account_id, token: '' } };
  },
  async verifyEmail({ owner }) {
    const { account_id, email, token } = owner;
    await unverify(account_id);
    await server.request('POST', '/v1/auth/send-verification', { token });
    return { body: { token: await mailToken(email) } };
  },
  async verifyUserEmail({ params }) {
    await unverify(params.account_id!);
    return {};
  },
  async acceptInvitation(game) {
    const token = await invite(game, 'newcomer@studio.example');
    return { body: { token, password: 'long enough' }, account: undefined };
  },
  async joinGame(game) {
    const account = await server.makeAccount();
    return { params: { token: await invite(game, account.email) }, account };
  },
  async confirmTotp({ owner }) {
    const body = { password: owner.password };
    const path = '/v1/auth/second-factors/totp';
    const begun = await server.request('POST', path, { token: owner.token, body });
    const { challenge, secret } = begun.body;
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    return { body: { challenge, code } };
  },
  async removeTotp({ owner }) {
    await server.database.execute(sql`
      INSERT INTO totp_factors (account_id, sealed_secret, last_step)
      VALUES (${owner.account_id}, '', 0)`);
    return {};
  },
  async addPasskey({ owner }) {
    const origin = server.url.replace('127.0.0.1', 'localhost');
    const headers = { origin, 'sec-fetch-site': 'same-origin' };
    const body = { password: owner.password };
    const path = '/v1/auth/second-factors/passkeys/options';
    const begun = await server.request('POST', path, { token: owner.token, body, headers });
    const { challenge, options } = begun.body;
    const credential = makeAuthenticator(origin).create(options);
    return { body: { challenge, name: 'Key', credential }, headers };
  },
  async cancelConfigSchedule({ owner, params }) {
    const path = `/v1/games/${params.game_id}/config/schedules`;
    const body = { name: 'a', starts_at: '2099-05-01T00:00:00Z', parameters: { a: { value: 1 } } };
    const made = await server.request('POST', path, { token: owner.token, body });
    return { params: { schedule_id: made.body.id } };
  },
  resetSecondFactors: async ({ owner }) => ({ params: { account_id: owner.account_id } }),
  putInstallationSettings: async () => ({ body: { require_second_factor: 'off' } }),
  async activateUser({ params }) {
    await setStatus(params.account_id!, 'pending');
    return {};
  },
  async unlockUser({ params }) {
    await setStatus(params.account_id!, 'locked');
    return {};
  },
};

/**
 * Changes that others of the same game may refuse: a new version of the config, or an experiment that
 * has its parameters.
 */
const ALONE = ['putGameConfig'];

/** Tells whether a game serves further changes after this one: it deletes nothing, and ends no session. */
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
  const prepared = (await PREPARATIONS[operation.id]?.(game)) ?? {};
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
    const isNew = operation.id === 'registerAccount' || operation.id === 'acceptInvitation';
    const expected = isNew ? await findAccountId(account_email!) : account.account_id;
    assert.equal(account_id, expected, `${operation.id}: ${action}`);
  }
}

suite('a change leaves an entry with its author, target and address', { concurrency: 4 }, () => {
  for (const operation of OPERATIONS.filter(isChange)) {
    test(operation.id, () => change(operation));
  }
});

test('operations that only read leave no entry', async () => {
  const game = await makeFullGame(server, { marker: 'm' });
  const ip = '198.51.100.1';
  const reading = OPERATIONS.filter((operation) => !isChange(operation) && operation !== logOut);
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
