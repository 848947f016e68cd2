import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { cloneDatabase, startTestServer } from '../../../test/harness.ts';
import { openTestDatabase } from '../../../test/test-database.ts';
import type { TestServer } from '../../../test/harness.ts';
import { CliProcess } from '../../../test/run-cli.ts';
import { useTwoServers } from '../../../test/two-servers.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sealSecret } from '../../platform/auth/sealing.ts';
import { sql } from '../../platform/database/sql.ts';
import { insertTest } from './delivery-store.ts';
import { makeWebhookSecret } from './signature.ts';
import { startReceiver } from './test/receiver.ts';
import { makeStudio } from './test/studio.ts';
import { insertWebhook, ownerOfSecret } from './webhook-store.ts';

const nodes = useTwoServers({ env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
let server: TestServer;
before(() => {
  [server] = nodes;
});

test('with two servers on one database, each message is sent only once', async (t) => {
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  const studio = await makeStudio(server);
  const { id } = await studio.makeWebhook(receiver.url);
  const players = Array.from({ length: 60 }, (_, number) => `player ${number}`);
  await Promise.all(players.map((player) => studio.unlock(player)));
  await receiver.waitFor(players.length);
  await waitUntil('all are delivered', async () => {
    const deliveries = await studio.list(id, '?limit=100');
    return deliveries.every(({ state }) => state === 'delivered');
  });
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  assert.deepEqual([ids.length, new Set(ids).size], [players.length, players.length]);
  const named = receiver.received.map(({ body }) => body.data.player_id as string);
  assert.deepEqual(named.sort(), players.sort());
});

test('a webhook that one server creates is told of unlocks on the other server at once', async (t) => {
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  const studio = await makeStudio(server);
  const unlock = (player_id: string) =>
    nodes[1].request('POST', '/v1/achievements/unlock', {
      key: studio.production_key,
      body: { player_id, achievement_key: 'boss' },
    });
  await unlock('before');
  await studio.makeWebhook(receiver.url);
  await waitUntil('the other server knows the webhook', async () => {
    await unlock(`player ${Math.random()}`);
    return receiver.received.length > 0;
  });
  assert.ok(receiver.received.every(({ body }) => body.data.player_id !== 'before'));
});

test('a message of a killed server is sent by another server when its lease ends', async (t) => {
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  receiver.answer = () => undefined;
  const cloned = await cloneDatabase();
  t.after(() => cloned.drop());
  const settings = { application_name: 'test', max_connections: 2 };
  const database = openTestDatabase({ url: cloned.url }, settings);
  t.after(() => database.close());
  const webhook = { game_id: randomUUID(), webhook_id: randomUUID() };
  const { game_id, webhook_id } = webhook;
  const sealed = await sealSecret(database, ownerOfSecret(webhook), makeWebhookSecret());
  await database.execute(sql`
    INSERT INTO games (id, name, time_zone) VALUES (${game_id}, 'Test game', 'UTC')`);
  await insertWebhook(
    database,
    webhook,
    { url: receiver.url, description: '', environments: ['production'], events: [] },
    sealed,
  );
  await insertTest(database, webhook, 'webhook.test', {});
  const env = { ALLOW_PRIVATE_WEBHOOKS: 'true' };
  const folder = await mkdtemp(join(tmpdir(), 'overworld-test-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const victim = new CliProcess(['start'], {
    ...env,
    DATABASE_URL: cloned.url,
    PORT: '0',
    WORKERS: '1',
    DATA_DIR: folder,
  });
  t.after(() => void victim.child.kill('SIGKILL'));
  await receiver.waitFor(1);
  await using second = await startTestServer({ env, database_url: cloned.url });
  const readLease = () =>
    second.database.queryOne<{ is_leased: boolean; attempts: number }>(sql`
      SELECT leased_until > now() AS is_leased, attempts FROM webhook_deliveries
      WHERE game_id = ${game_id} AND webhook_id = ${webhook_id}`);
  assert.deepEqual(await readLease(), { is_leased: true, attempts: 1 });
  victim.child.kill('SIGKILL');
  await victim.done;
  await sleep(2_500);
  assert.equal(receiver.received.length, 1);
  receiver.answer = (response) => void response.end();
  await database.execute(sql`
    UPDATE webhook_deliveries SET next_attempt_at = now(), leased_until = now()
    WHERE game_id = ${game_id} AND webhook_id = ${webhook_id}`);
  await receiver.waitFor(2);
  const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
  assert.equal(ids.size, 1);
  await waitUntil('the attempt is recorded', async () => !(await readLease())!.is_leased);
  assert.equal((await readLease())!.attempts, 2);
});
