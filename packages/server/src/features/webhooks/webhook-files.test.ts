import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sql } from '../../platform/database/sql.ts';
import { deleteMessages } from './given-up.ts';
import { isSignedBy, startReceiver } from './test/receiver.ts';
import { makeStudio as makeWebhookStudio } from './test/studio.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer({ env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
});
after(() => server.close());

interface Document {
  kind: string;
  key: string;
  definition: Record<string, unknown>;
}

async function makeStudio() {
  const studio = await makeWebhookStudio(server);
  const { game_id } = studio;
  const developer = await server.makeAccount({ game_id, role: 'developer' });
  const path = `/v1/games/${game_id}/definitions`;
  const send = (what: string, body: object, token = studio.token) =>
    server.request('POST', `${path}/${what}`, { token, body });
  return {
    ...studio,
    developer: developer.token,
    plan: (definitions: readonly Document[], token?: string) =>
      send('plan', { definitions }, token),
    async apply(definitions: readonly Document[], { token = studio.token, prune = false } = {}) {
      const { body } = await send('plan', { definitions, prune }, token);
      return send('apply', { definitions, prune, plan: body.plan }, token);
    },
    /** Reads the webhooks as documents. */
    async read(token = studio.token): Promise<Document[]> {
      const { body } = await server.request('GET', path, { token });
      return body.definitions.filter(({ kind }: Document) => kind === 'webhook');
    },
  };
}

const SECRET_URL = 'https://hooks.studio.example/services/T0/s3cret';
const webhook = (key: string, more: object = {}): Document => ({
  kind: 'webhook',
  key,
  definition: { url: SECRET_URL, events: ['achievement.unlocked'], ...more },
});

test('a webhook of a file gets messages, signed by the secret that replaces the unseen first one', async (t) => {
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  const studio = await makeStudio();
  const id = randomUUID();
  const applied = await studio.apply([webhook(id, { url: receiver.url })]);
  assert.equal(applied.status, 200, applied.text);
  assert.ok(!applied.text.includes('whsec_'));
  const { body } = await studio.send('POST', `/webhooks/${id}/rotate-secret`);
  await studio.unlock('ann');
  const [message] = await receiver.waitFor(1);
  assert.ok(isSignedBy(body.secret, message!));
});

test('two games of an installation can have the same webhook, each with its own secret', async () => {
  const [first, second] = [await makeStudio(), await makeStudio()];
  const { id } = await first.makeWebhook(SECRET_URL, { description: 'Chat' });
  assert.equal((await second.apply(await first.read())).status, 200);
  assert.deepEqual(await second.read(), await first.read());
  const rotated = await Promise.all(
    [first, second].map(({ send }) => send('POST', `/webhooks/${id}/rotate-secret`)),
  );
  assert.equal(new Set(rotated.map(({ body }) => body.secret)).size, 2);
});

test('a game that has the same webhook as another one does not wait for its slow receiver', async (t) => {
  const [slow, quick] = [await startReceiver(), await startReceiver()];
  t.after(() => [slow, quick].forEach((receiver) => receiver.close()));
  slow.answer = () => undefined;
  const [first, second] = [await makeStudio(), await makeStudio()];
  const { id } = await first.makeWebhook(slow.url);
  await second.apply([webhook(id, { url: quick.url })]);
  for (const player of ['ann', 'ben']) await first.unlock(player);
  await slow.waitFor(2);
  // While the first message is unanswered, the second one is sent too.
  quick.answer = () => undefined;
  for (const player of ['ann', 'ben']) await second.unlock(player);
  await quick.waitFor(2);
  const errors = (await first.list(id)).map(({ error }) => error);
  assert.deepEqual(errors, [null, null]);
});

test('only admins see paths of addresses and change webhooks, and the audit log has no path', async () => {
  const studio = await makeStudio();
  const id = randomUUID();
  const refused = await studio.apply([webhook(id)], { token: studio.developer });
  assert.equal(refused.status, 403);
  assert.equal(refused.body.error, `webhook "${id}": Making it needs the role admin`);
  await studio.apply([webhook(id)]);
  const hidden = 'https://hooks.studio.example/…';
  const [seen] = await studio.read(studio.developer);
  assert.equal(seen!.definition.url, hidden);
  assert.equal((await studio.read())[0]!.definition.url, SECRET_URL);

  // A file without the path means the path that the webhook has.
  for (const token of [studio.token, studio.developer]) {
    assert.deepEqual((await studio.plan([seen!], token)).body.changes, []);
  }
  const moved = webhook(id, { url: 'https://hooks.studio.example/other/s3cret' });
  const planned = await studio.plan([moved], studio.developer);
  assert.deepEqual(planned.body.changes[0].fields, [
    { path: 'url', before: hidden, after: hidden },
  ]);
  assert.equal((await studio.apply([moved])).status, 200);
  const log = await studio.send('GET', '/audit-log');
  assert.ok(!JSON.stringify(log.body).includes('s3cret'));
  const whole = await studio.apply([{ ...seen!, key: randomUUID() }]);
  assert.equal(whole.status, 400);
  assert.match(whole.body.problems[0].error, /^url must be whole/);
  const elsewhere = await studio.apply([webhook(id, { url: 'https://other.example/…' })]);
  assert.equal(elsewhere.status, 400);
});

test('a developer cannot try out the path of an address, and an admin can apply what a developer planned', async () => {
  const studio = await makeStudio();
  const id = randomUUID();
  await studio.apply([webhook(id, { description: 'Chat' })]);
  const hidden = 'https://hooks.studio.example/…';
  const guess = async (url: string, more = {}) => {
    const { body } = await studio.plan([webhook(id, { url, ...more })], studio.developer);
    return body;
  };
  const wrong_url = 'https://hooks.studio.example/services/T0/guess';
  for (const more of [{ description: 'Chat' }, { description: 'Talk' }]) {
    const [right, wrong] = [await guess(SECRET_URL, more), await guess(wrong_url, more)];
    assert.deepEqual(right.changes[0].fields[0], { path: 'url', before: hidden, after: hidden });
    assert.deepEqual(right.changes, wrong.changes);
    // The plan that names the address as it is shown has the whole one in its changes.
    assert.notEqual((await guess(hidden, more)).plan, right.plan);
  }
  const path = `/v1/games/${studio.game_id}/definitions/apply`;
  const empty = await studio.plan([], studio.developer);
  for (const url of [wrong_url, SECRET_URL]) {
    const apply = (token: string, plan: string) =>
      server.request('POST', path, { token, body: { definitions: [webhook(id, { url })], plan } });
    const { plan } = await guess(url);
    assert.equal((await apply(studio.developer, empty.body.plan)).status, 409);
    assert.equal((await apply(studio.developer, plan)).status, 403);
    if (url === SECRET_URL) assert.equal((await apply(studio.token, plan)).status, 200);
  }
  assert.equal((await studio.read())[0]!.definition.url, SECRET_URL);
});

test('a file disables and enables a webhook, and one that failures have disabled counts as enabled', async () => {
  const studio = await makeStudio();
  const { id } = await studio.makeWebhook(SECRET_URL);
  const set = (enabled: boolean) => studio.apply([webhook(id, { enabled })]);
  await server.database.execute(sql`
    UPDATE webhooks SET disabled_at = now(), disabled_reason = 'failures'
    WHERE game_id = ${studio.game_id} AND id = ${id}`);
  assert.deepEqual((await studio.plan([webhook(id)])).body.changes, []);
  assert.equal((await set(false)).status, 200);
  assert.equal((await studio.find(id)).disabled_reason, 'member');
  assert.deepEqual((await studio.plan([webhook(id, { enabled: false })])).body.changes, []);
  assert.equal((await set(true)).status, 200);
  assert.equal((await studio.find(id)).disabled_at, null);
});

test('messages that wait are given up with a webhook that a file disables, and deleted with one that is pruned', async () => {
  const studio = await makeStudio();
  const { id } = await studio.makeWebhook('http://127.0.0.1:9/s3cret');
  await studio.unlock('ann');
  await waitUntil('the message waits', async () => (await studio.list(id)).length === 1);
  const file = webhook(id, { url: 'http://127.0.0.1:9/…' });
  assert.equal(
    (await studio.apply([webhook(id, { ...file.definition, enabled: false })])).status,
    200,
  );
  const [given_up] = await studio.list(id);
  assert.equal(given_up!.next_attempt_at, null);
  assert.equal((await studio.apply([], { prune: true })).status, 200);
  const left = await server.database.query(
    sql`SELECT FROM webhook_deliveries WHERE game_id = ${studio.game_id}`,
  );
  assert.deepEqual([left.length, await studio.read()], [0, []]);
});

test('a webhook that is made again with its id neither sends earlier messages nor loses its own', async () => {
  const studio = await makeStudio();
  const { game_id } = studio;
  const { id } = await studio.makeWebhook('http://127.0.0.1:9/');
  await studio.unlock('ann');
  await waitUntil('the message waits', async () => (await studio.list(id)).length === 1);
  const database = server.database.ofGame(game_id);
  // A server that stops after it has deleted a webhook leaves the messages.
  await database.execute(sql`DELETE FROM webhooks WHERE game_id = ${game_id} AND id = ${id}`);
  assert.equal((await studio.apply([webhook(id, { url: 'http://127.0.0.1:10/' })])).status, 200);
  assert.deepEqual(await studio.list(id), []);
  await studio.unlock('ben');
  await waitUntil('the message waits', async () => (await studio.list(id)).length === 1);
  await deleteMessages(database, { game_id, webhook_id: id });
  assert.equal((await studio.list(id)).length, 1);
});

test('a wrong webhook is refused with the reason of the dashboard', async () => {
  const studio = await makeStudio();
  const id = randomUUID();
  const { body } = await studio.plan([
    webhook('first'),
    webhook(`A${id.slice(1)}`),
    webhook(id, { url: 'ftp://hooks.studio.example/' }),
    webhook(id, { url: 'https://ann:s3cret@hooks.studio.example/' }),
    webhook(id, { events: ['rain'] }),
    webhook(id, { environments: [] }),
    webhook(id, { secret: 'whsec_x' }),
  ]);
  const words = body.problems.map(({ error }: { error: string }) => error);
  assert.match(words[0], /^key must be a valid/);
  assert.match(words[1], /^key must be in small letters/);
  assert.match(words[2], /^url must be an address/);
  assert.match(words[3], /^url must have no user name/);
  assert.match(words[4], /^events\[0\] must be one of/);
  assert.match(words[5], /^environments must have at least 1/);
  assert.match(words[6], /^secret is not allowed/);
});
