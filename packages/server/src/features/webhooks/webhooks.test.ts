import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sql } from '../../platform/database/sql.ts';
import { isSignedBy, startReceiver } from './test/receiver.ts';
import type { Receiver } from './test/receiver.ts';
import { makeStudio } from './test/studio.ts';

let server: TestServer;
let receiver: Receiver;
before(async () => {
  server = await startTestServer({ env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
  receiver = await startReceiver();
});
after(async () => {
  await server.close();
  receiver.close();
});

const fresh = async (t: { after(work: () => void): void }) => {
  const own = await startReceiver();
  t.after(() => own.close());
  return own;
};

test('the message of an unlock arrives once and signed, and its record shows the answer', async (t) => {
  const own = await fresh(t);
  const studio = await makeStudio(server);
  const { id, secret } = await studio.makeWebhook(own.url);
  await studio.unlock('ann');
  await studio.unlock('ann');
  const [message] = await own.waitFor(1);
  assert.ok(isSignedBy(secret, message!));
  assert.equal(message!.headers['content-type'], 'application/json');
  const { type, timestamp, data } = message!.body;
  assert.equal(type, 'achievement.unlocked');
  assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 60_000);
  assert.deepEqual(data, {
    game_id: studio.game_id,
    environment: 'production',
    player_id: 'ann',
    achievement: { key: 'boss', name: 'Boss', points: 0 },
    unlocked_at: data.unlocked_at,
  });
  const delivery = await studio.waitFor(id, 'delivered');
  assert.equal(delivery.id, message!.headers['webhook-id']);
  assert.equal(delivery.body, message!.text);
  const { attempts, answer_status, answer_text, error, next_attempt_at } = delivery;
  assert.deepEqual(
    [attempts, answer_status, answer_text, error, next_attempt_at],
    [1, 200, 'taken', null, null],
  );
  assert.equal((await studio.list(id)).length, 1);
});

test('a webhook gets only the events and environments that it has chosen', async (t) => {
  const own = await fresh(t);
  const studio = await makeStudio(server);
  await studio.makeWebhook(receiver.url, { environments: ['development'] });
  await studio.makeWebhook(receiver.url, { events: ['quota.reached'] });
  const { id } = await studio.makeWebhook(own.url, { environments: ['production'] });
  await studio.unlock('ann');
  await own.waitFor(1);
  assert.equal((await studio.list(id)).length, 1);
  const rows = await server.database.query(
    sql`SELECT FROM webhook_deliveries WHERE game_id = ${studio.game_id}`,
  );
  assert.equal(rows.length, 1);
});

test('after a rotation both secrets sign, and the new secret is shown once', async (t) => {
  const own = await fresh(t);
  const studio = await makeStudio(server);
  const { id, secret } = await studio.makeWebhook(own.url);
  const { body: rotated } = await studio.send('POST', `/webhooks/${id}/rotate-secret`);
  assert.notEqual(rotated.secret, secret);
  assert.ok(Date.parse(rotated.old_secret_until) > Date.now());
  await studio.unlock('ann');
  const [message] = await own.waitFor(1);
  assert.ok(isSignedBy(secret, message!) && isSignedBy(rotated.secret, message!));
  await server.database.execute(sql`
    UPDATE webhooks SET old_secret_until = now() WHERE game_id = ${studio.game_id} AND id = ${id}`);
  await studio.unlock('ben');
  const [, second] = await own.waitFor(2);
  assert.ok(!isSignedBy(secret, second!) && isSignedBy(rotated.secret, second!));
  assert.equal(Object.hasOwn(await studio.find(id), 'secret'), false);
});

test('a disabled webhook gets no messages, and after it is enabled it gets only new events', async (t) => {
  const own = await fresh(t);
  const studio = await makeStudio(server);
  const { id } = await studio.makeWebhook(own.url);
  const disabled = await studio.send('PATCH', `/webhooks/${id}`, { enabled: false });
  assert.equal(disabled.body.disabled_reason, 'member');
  await studio.unlock('ann');
  for (const path of ['test', `deliveries/${studio.game_id}/retry`]) {
    const { status, body } = await studio.send('POST', `/webhooks/${id}/${path}`);
    assert.deepEqual([status, body.error], [409, 'The webhook is disabled: enable it first']);
  }
  const enabled = await studio.send('PATCH', `/webhooks/${id}`, { enabled: true });
  assert.deepEqual([enabled.body.disabled_at, enabled.body.disabled_reason], [null, null]);
  await studio.unlock('ben');
  const [message] = await own.waitFor(1);
  assert.equal(message!.body.data.player_id, 'ben');
});

test('a test message is tried once, and another test is refused while it waits', async (t) => {
  const own = await fresh(t);
  const studio = await makeStudio(server);
  const { id } = await studio.makeWebhook(own.url, { events: [] });
  own.answer = (response) => void response.writeHead(500).end('no\0pe');
  const answers = await Promise.all([1, 2].map(() => studio.send('POST', `/webhooks/${id}/test`)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 409]);
  const failed = await studio.waitFor(id, 'failed');
  assert.deepEqual(
    [failed.event_type, failed.answer_status, failed.answer_text, failed.error],
    ['webhook.test', 500, 'nope', 'The answer was 500'],
  );
  assert.equal((await studio.find(id)).failing_since, null);
  own.answer = (response) => void response.end();
  const again = await studio.send('POST', `/webhooks/${id}/deliveries/${failed.id}/retry`);
  assert.deepEqual([again.status, again.body.state], [202, 'waiting']);
  const delivered = await studio.waitFor(id, 'delivered');
  assert.deepEqual([delivered.id, delivered.attempts], [failed.id, 2]);
});

test('a URL that is not on the internet is refused, and the error names the field', async () => {
  await using strict = await startTestServer();
  const studio = await makeStudio(strict);
  const wrong = [
    'not an address',
    'ftp://hooks.studio.example/',
    'https://user:password@hooks.studio.example/',
    'https://hooks.studio.example/#part',
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://localhost:9000/',
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.7/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[fd00::1]/',
    '',
    `https://hooks.studio.example/${'x'.repeat(2_048)}`,
  ];
  for (const url of wrong) {
    const { status, body } = await studio.send('POST', '/webhooks', { url, events: [] });
    assert.deepEqual(
      [status, String(body.error).startsWith('url ')],
      [400, true],
      `${url}: ${body.error}`,
    );
  }
  const fine = 'https://hooks.studio.example/a?b=c';
  const { id } = await studio.makeWebhook(fine);
  const changed = await studio.send('PATCH', `/webhooks/${id}`, { url: 'http://192.168.1.1/' });
  assert.equal(changed.status, 400);
  assert.equal((await studio.find(id)).url, fine);
});

test('a game has at most as many webhooks as its tier allows, even after concurrent requests', async () => {
  const studio = await makeStudio(server);
  const answers = await Promise.all(
    Array.from({ length: 7 }, () =>
      studio.send('POST', '/webhooks', { url: receiver.url, events: [] }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 201, 201, 403, 403]);
  const refused = answers.find(({ status }) => status === 403)!;
  assert.deepEqual([refused.body.code, refused.body.resource], ['LIMIT_REACHED', 'webhooks']);
});

test('members below admin may see and test webhooks, but not change them', async () => {
  const studio = await makeStudio(server);
  const { id } = await studio.makeWebhook(receiver.url);
  const statuses: Record<string, number[]> = {};
  for (const role of ['viewer', 'developer'] as const) {
    const { token } = await server.makeAccount({ game_id: studio.game_id, role });
    const call = async (method: string, path: string, body?: unknown) =>
      (await server.request(method, `/v1/games/${studio.game_id}/webhooks${path}`, { token, body }))
        .status;
    statuses[role] = [
      await call('GET', ''),
      await call('GET', `/${id}/deliveries`),
      await call('POST', `/${id}/test`),
      await call('POST', '', { url: receiver.url, events: [] }),
      await call('PATCH', `/${id}`, { enabled: false }),
      await call('POST', `/${id}/rotate-secret`),
      await call('DELETE', `/${id}`),
    ];
  }
  assert.deepEqual(statuses, {
    viewer: [200, 200, 403, 403, 403, 403, 403],
    developer: [200, 200, 202, 403, 403, 403, 403],
  });
});

test('path and query of a URL are shown only to admins, and never in the audit log', async () => {
  const studio = await makeStudio(server);
  const host = new URL(receiver.url).origin;
  const { id } = await studio.makeWebhook(`${host}/key-1?token=key-2`);
  await studio.send('POST', `/webhooks/${id}/test`);
  await studio.send('PATCH', `/webhooks/${id}`, { url: `${host}/key-3`, description: 'Chat' });
  await studio.send('PATCH', `/webhooks/${id}`, { url: `${host}/key-3`, description: '' });
  const shown: Record<string, string> = {};
  for (const role of ['viewer', 'developer', 'admin'] as const) {
    const { token } = await server.makeAccount({ game_id: studio.game_id, role });
    const path = `/v1/games/${studio.game_id}/webhooks`;
    const { body } = await server.request('GET', path, { token });
    shown[role] = body.webhooks[0].url;
  }
  const hidden = `${host}/…`;
  assert.deepEqual(shown, { viewer: hidden, developer: hidden, admin: `${host}/key-3` });
  await studio.send('POST', `/webhooks/${id}/rotate-secret`);
  await studio.send('DELETE', `/webhooks/${id}`);
  const { body } = await studio.send('GET', '/audit-log');
  const entries = (body.audit_log as { action: string; target: string; details: object }[]).filter(
    ({ action }) => action.includes('webhook'),
  );
  assert.ok(!JSON.stringify(entries).includes('key-'));
  assert.deepEqual(
    entries.map(({ target }) => target),
    Array.from({ length: 6 }, () => hidden),
  );
  const changes = entries.filter(({ action }) => action === 'update_webhook');
  assert.deepEqual(
    changes.map(({ details }) => details),
    [
      { webhook_id: id, description: '' },
      { webhook_id: id, description: 'Chat', url: 'changed' },
    ],
  );
});

test('the answer of a receiver, which may repeat the secret path, is shown only to admins', async () => {
  const studio = await makeStudio(server);
  const { id } = await studio.makeWebhook(receiver.url);
  await studio.send('POST', `/webhooks/${id}/test`);
  const listFor = async (role: 'viewer' | 'developer' | 'admin') => {
    const { token } = await server.makeAccount({ game_id: studio.game_id, role });
    const path = `/v1/games/${studio.game_id}/webhooks/${id}/deliveries`;
    const { body } = await server.request('GET', path, { token });
    return body.deliveries[0];
  };
  await waitUntil(
    'the test is answered',
    async () => (await listFor('admin')).answer_text !== null,
  );
  for (const role of ['viewer', 'developer'] as const) {
    const { answer_text, answer_status } = await listFor(role);
    assert.deepEqual([answer_text, answer_status], [null, 200], role);
  }
});

test('deleting a webhook deletes its messages', async () => {
  const studio = await makeStudio(server);
  const { id } = await studio.makeWebhook('http://127.0.0.1:1/');
  await studio.unlock('ann');
  assert.equal((await studio.send('DELETE', `/webhooks/${id}`)).status, 204);
  assert.equal((await studio.send('DELETE', `/webhooks/${id}`)).status, 404);
  const rows = await server.database.query(
    sql`SELECT FROM webhook_deliveries WHERE game_id = ${studio.game_id}`,
  );
  assert.deepEqual(rows, []);
});
