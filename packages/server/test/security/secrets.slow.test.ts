import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { OPERATIONS } from '@overworld/contract/operations';
import { createJwtSecretKeeper } from '../../src/platform/auth/jwt-secrets.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { makeFullGame } from '../full-game.ts';
import { callValid } from '../valid-request.ts';
import type { FullGame } from '../full-game.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { findToken, waitForMail } from '../mailbox.ts';
import { runCli } from '../run-cli.ts';
import { waitUntil } from '../wait-until.ts';
import { searchDatabase } from '../whole-database.ts';

/**
 * Uses every secret, correctly and incorrectly, and then looks for it in logs, answers, metrics, exports,
 * backups and the database.
 */

const METRICS_TOKEN = 'metrics-token-of-the-test';
const SMTP_PASSWORD = 'smtp-password-of-the-test';

let server: TestServer;
let game: FullGame;
let folder: string;
const lines: string[] = [];
/** Maps a description to each secret that the tests must not find. */
const secrets: Record<string, string> = {};
/** Texts of all answers that must hold no secret. */
const answers: string[] = [];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overworld-test-'));
  server = await startTestServer({
    env: {
      METRICS_TOKEN,
      LOG_LEVEL: 'trace',
      TRUST_PROXY: 'true',
      // Nothing listens at this address, so the log reports failures.
      REDIS_URL: 'redis://:redis-password-of-the-test@127.0.0.1:1',
    },
    log: { write: (line) => void lines.push(line) },
  });
  game = await makeFullGame(server, { marker: 'm' });
  await useSecrets();
});
after(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const send = async (method: string, path: string, options: object) => {
  const answer = await server.request(method, path, options);
  answers.push(answer.text);
  return answer;
};

async function useSecrets(): Promise<void> {
  const { game_id, owner } = game;
  const email = 'careful@studio.example';
  const password = 'password-of-the-test';
  const setup_token = await server.findSetupToken();
  const registered = await server.request('POST', '/v1/auth/register', {
    body: { email, password, setup_token },
  });
  assert.equal(registered.status, 201);
  const made = await server.request('POST', `/v1/games/${game_id}/api-keys`, {
    token: owner.token,
    body: { name: 'shown once', environment: 'production' },
  });
  await server.request('POST', '/v1/auth/forgot-password', { body: { email } });
  const reset_token = findToken(await waitForMail(server.data_dir, email));
  const account_id = registered.body.user.id;
  await server.database.execute(sql`
    INSERT INTO game_members (game_id, account_id, role) VALUES (${game_id}, ${account_id}, 'owner')`);
  const access_token = await server.request('POST', '/v1/access-tokens', {
    token: registered.body.token,
    body: { name: 'shown once', role: 'owner', game_ids: [game_id], password },
  });
  assert.equal(access_token.status, 201, access_token.text);
  const guest = 'guest@studio.example';
  await server.request('POST', `/v1/games/${game_id}/invitations`, {
    token: owner.token,
    body: { email: guest, role: 'viewer' },
  });
  const invitation_token = findToken(await waitForMail(server.data_dir, guest));
  const kept = await createJwtSecretKeeper(server.database, {
    jwt_secret: null,
    jwt_secret_previous: null,
  });
  Object.assign(secrets, {
    password,
    'wrong password': 'wrong-password-of-the-test',
    'new password': 'new-password-of-the-test',
    'API key': made.body.key,
    'access token': access_token.body.token,
    'own API key': game.production_key,
    'setup token': setup_token,
    'token of a session': registered.body.token,
    'token of the owner': owner.token,
    'reset token': reset_token,
    'invitation token': invitation_token,
    'secret of tokens': kept.get().current,
    'metrics token': METRICS_TOKEN,
    'Redis password': 'redis-password-of-the-test',
  });

  const auth = (path: string, body: object) => send('POST', `/v1/auth/${path}`, { body });
  const { token } = registered.body as { token: string };
  await auth('login', { email, password: secrets['wrong password'] });
  await auth('login', { email: 7, password });
  await auth('register', { email, password });
  await auth('register', { email, password, setup_token });
  await auth('reset-password', { token: reset_token, password: 'short' });
  await auth('reset-password', { token: reset_token, password: secrets['new password'] });
  await auth('reset-password', { token: reset_token, password: secrets['new password'] });
  await auth('accept-invitation', { token: invitation_token, password: 'short' });
  await send('POST', `/v1/invitations/${invitation_token}/accept`, { token: owner.token });
  await send('GET', '/v1/auth/me', { token: `${token}x` });
  await send('GET', `/v1/games/${game_id}?token=${token}`, {});
  await send('GET', '/v1/config', { key: made.body.key });
  for (const sent of [access_token.body.token, `${access_token.body.token}x`]) {
    await send('GET', `/v1/games/${game_id}?token=${sent}`, { token: sent });
    await send('PATCH', `/v1/games/${game_id}`, { token: sent, body: `{"${sent}` });
    await send('PATCH', `/v1/games/${game_id}`, { token: sent, body: { name: 'Another game' } });
  }
  await send('GET', `/v1/${made.body.key}`, { key: made.body.key });
  await send('POST', '/v1/identify', { key: made.body.key, body: `{"${made.body.key}` });
  await send('GET', '/metrics', { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  for (const operation of OPERATIONS.filter(({ method }) => method === 'GET')) {
    answers.push((await callValid(server, operation, game)).text);
  }
  const { player_id } = game.params;
  const path = `/v1/games/${game_id}/players/${encodeURIComponent(player_id!)}/export`;
  await send('GET', path, { token: owner.token });
}

function assertWithout(text: string, where: string, allowed: readonly string[] = []): void {
  for (const [name, secret] of Object.entries(secrets)) {
    assert.ok(secret.length >= 16, name);
    if (!allowed.includes(name)) assert.ok(!text.includes(secret), `${where} holds the ${name}`);
  }
}

test('no log holds a secret, at any level', () => {
  assert.ok(lines.length > 100);
  assertWithout(lines.join(''), 'the log');
});

test('no answer, metric or export holds a secret, apart from the answer that makes the secret', () => {
  assert.ok(answers.some((text) => text.includes('overworld_request_duration_seconds')));
  assert.ok(answers.some((text) => text.includes('"exported_at"')));
  assertWithout(answers.join('\n'), 'an answer');
});

test('the database holds no secret in plain text except the one that signs tokens', async () => {
  for (const [name, secret] of Object.entries(secrets)) {
    const found = await searchDatabase(server.database, secret);
    const tables = name === 'secret of tokens' ? ['installation'] : [];
    assert.deepEqual(Object.keys(found), tables, name);
  }
});

test('a backup holds the secret that signs tokens only if --with-secrets is given, and an archive holds no hash or email address', async () => {
  let files = 0;
  const write = async (command: string, words: string[], options: string[] = []) => {
    const file = join(folder, `${++files}.ndjson`);
    const env = { DATABASE_URL: server.database_url };
    const run = await runCli([command, ...words, file, ...options], env);
    assert.equal(run.code, 0, run.stderr);
    assertWithout(run.stdout + run.stderr, `the output of ${command}`);
    return readFile(file, 'utf8');
  };
  assertWithout(await write('backup', []), 'a backup');
  const rotated = await runCli(['rotate-jwt-secret'], { DATABASE_URL: server.database_url });
  assert.equal(rotated.code, 0, rotated.stderr);
  assertWithout(rotated.stdout, 'the output of rotate-jwt-secret');
  assertWithout(await write('backup', []), 'a backup with a retired secret');

  const full = await write('backup', [], ['--with-secrets']);
  assertWithout(full, 'a backup with secrets', ['secret of tokens']);
  assert.ok(full.includes(secrets['secret of tokens']!));

  const archive = await write('export-game', [game.game_id]);
  assertWithout(archive, 'the archive of a game');
  assert.doesNotMatch(archive, /argon2|@studio\.example|key_hash|token_hash/);
});

test('the log of an unreachable SMTP server holds no password', async () => {
  const told: string[] = [];
  await using other = await startTestServer({
    env: {
      LOG_LEVEL: 'trace',
      SMTP_URL: `smtp://user:${SMTP_PASSWORD}@127.0.0.1:1`,
      JWT_SECRET: 'configured-secret-of-the-test-server',
    },
    log: { write: (line) => void told.push(line) },
  });
  const { email } = await other.makeAccount();
  await other.request('POST', '/v1/auth/forgot-password', { body: { email } });
  await waitUntil('the log reports the failure', async () =>
    told.some((line) => line.includes('mail not sent')),
  );
  const text = told.join('');
  for (const secret of [SMTP_PASSWORD, 'configured-secret-of-the-test-server']) {
    assert.ok(!text.includes(secret));
  }
});
