import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { FAILING_HOURS } from '@overworld/contract/webhooks/webhooks';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { listMails, waitForMail } from '../../../test/mailbox.ts';
import { sql } from '../../platform/database/sql.ts';
import { createDeliveryTrimmer } from './delivery-limit.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { startReceiver } from './test/receiver.ts';
import type { Receiver } from './test/receiver.ts';
import { makeStudio } from './test/studio.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer({ env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
});
after(() => server.close());

interface Context {
  after(work: () => void): void;
}

async function startOwn(t: Context): Promise<Receiver> {
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  return receiver;
}

/** Makes waiting messages due now. */
const makeDue = (game_id: string) =>
  server.database.execute(sql`
    UPDATE webhook_deliveries SET next_attempt_at = now()
    WHERE game_id = ${game_id} AND next_attempt_at IS NOT NULL AND leased_until IS NULL`);

describe('a message that the receiver does not accept', () => {
  test('is tried again after longer and longer waits, always with the same id', async (t) => {
    const receiver = await startOwn(t);
    receiver.answer = (response) => void response.writeHead(503).end('down');
    const studio = await makeStudio(server);
    const { id } = await studio.makeWebhook(receiver.url);
    await studio.unlock('ann');
    for (const [count, least_s] of [5, 60, 300].entries()) {
      await receiver.waitFor(count + 1);
      const { attempts, answer_text, next_attempt_at, last_attempt_at, error } =
        await studio.waitFor(id, 'waiting');
      assert.deepEqual([attempts, answer_text, error], [count + 1, 'down', 'The answer was 503']);
      const wait_s = (Date.parse(next_attempt_at!) - Date.parse(last_attempt_at!)) / 1_000;
      assert.ok(wait_s >= least_s - 0.01 && wait_s <= least_s * 1.1 + 0.01, `${wait_s} s`);
      await makeDue(studio.game_id);
    }
    receiver.answer = (response) => void response.writeHead(204).end();
    await makeDue(studio.game_id);
    await studio.waitFor(id, 'delivered');
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    assert.equal(ids.size, 1);
    // The sender notes the success after the delivery.
    await waitUntil('the failures are over', async () => {
      return (await studio.find(id)).failing_since === null;
    });
    const { text } = await server.request('GET', '/metrics');
    assert.match(text, /^overworld_webhook_attempts_total\{outcome="failed"\} [3-9]/m);
    assert.match(text, /^overworld_webhook_attempts_total\{outcome="delivered"\} [1-9]/m);
  });

  test('is given up after its last attempt, and can then be sent again by a member', async (t) => {
    const receiver = await startOwn(t);
    receiver.answer = (response) => void response.writeHead(400).end();
    const studio = await makeStudio(server);
    const { id } = await studio.makeWebhook(receiver.url);
    await studio.unlock('ann');
    await studio.waitFor(id, 'waiting');
    await server.database.execute(sql`
      UPDATE webhook_deliveries SET step = 8 WHERE game_id = ${studio.game_id}`);
    await makeDue(studio.game_id);
    const failed = await studio.waitFor(id, 'failed');
    receiver.answer = (response) => void response.end();
    const { status } = await studio.send('POST', `/webhooks/${id}/deliveries/${failed.id}/retry`);
    assert.equal(status, 202);
    const delivered = await studio.waitFor(id, 'delivered');
    assert.deepEqual([delivered.id, delivered.attempts], [failed.id, 3]);
  });

  test(`disables its webhook, with a mail, after ${FAILING_HOURS} hours without a success`, async (t) => {
    const receiver = await startOwn(t);
    receiver.answer = (response) => void response.writeHead(500).end();
    const studio = await makeStudio(server);
    const { email: viewer } = await server.makeAccount({ game_id: studio.game_id, role: 'viewer' });
    const { id } = await studio.makeWebhook(receiver.url);
    await studio.unlock('ann');
    await studio.unlock('ben');
    await receiver.waitFor(2);
    await studio.waitFor(id, 'waiting');
    assert.notEqual((await studio.find(id)).failing_since, null);
    await server.database.execute(sql`
      UPDATE webhooks SET failing_since = now() - interval '1 day'
      WHERE game_id = ${studio.game_id} AND id = ${id}`);
    await makeDue(studio.game_id);
    await studio.waitFor(id, 'failed');
    assert.equal((await studio.find(id)).disabled_reason, 'failures');
    const mail = await waitForMail(server.data_dir, studio.email);
    assert.match(mail.subject!, /webhook .* disabled/);
    assert.match(mail.text!, new RegExp(`/games/${studio.game_id}/production/webhooks/${id}`));
    assert.deepEqual(await listMails(server.data_dir, viewer), []);
    const states = (await studio.list(id)).map(({ state }) => state);
    assert.deepEqual(states, ['failed', 'failed']);
    await studio.unlock('cora');
    assert.equal((await studio.list(id)).length, 2);
  });

  test('is never sent if its webhook was disabled and enabled again, even if the server stopped in between', async (t) => {
    const receiver = await startOwn(t);
    const studio = await makeStudio(server);
    const { id } = await studio.makeWebhook(receiver.url);
    await server.database.execute(sql`
      UPDATE webhooks SET disabled_at = now(), disabled_reason = 'member'
      WHERE game_id = ${studio.game_id} AND id = ${id}`);
    await server.database.execute(sql`
      INSERT INTO webhook_deliveries (game_id, webhook_id, event_type, body)
      VALUES (${studio.game_id}, ${id}, 'webhook.test', '{}')`);
    const { body } = await studio.send('PATCH', `/webhooks/${id}`, { enabled: true });
    assert.equal(body.disabled_at, null);
    const [message] = await studio.list(id);
    assert.deepEqual([message!.state, message!.attempts], ['failed', 0]);
    await studio.unlock('ann');
    await receiver.waitFor(1);
    assert.equal(receiver.received[0]!.body.type, 'achievement.unlocked');
  });

  test('disables the webhook at once when the answer is 410', async (t) => {
    const receiver = await startOwn(t);
    receiver.answer = (response) => void response.writeHead(410).end();
    const studio = await makeStudio(server);
    const { id } = await studio.makeWebhook(receiver.url);
    await studio.unlock('ann');
    await studio.waitFor(id, 'failed');
    assert.equal((await studio.find(id)).disabled_reason, 'gone');
    assert.match((await waitForMail(server.data_dir, studio.email)).text!, /410/);
  });
});

test('if a game has too many messages, its oldest ended messages are deleted, and then its oldest waiting messages', async () => {
  const studio = await makeStudio(server);
  const { game_id } = studio;
  const { id } = await studio.makeWebhook('http://127.0.0.1:1/');
  await server.database.execute(sql`
    UPDATE games SET limit_overrides = '{"webhook_deliveries": 10}' WHERE id = ${game_id}`);
  const insert = (count: number, waits: boolean, apart: string) =>
    server.database.execute(sql`
      INSERT INTO webhook_deliveries
        (game_id, webhook_id, event_type, body, created_at, next_attempt_at)
      SELECT ${game_id}, ${id}, n::text, '{}', now() - n * ${apart}::interval,
             CASE WHEN ${waits}::boolean THEN now() + interval '1 hour' END
      FROM generate_series(1, ${count}::integer) AS n`);
  const list = async () =>
    (await studio.list(id)).map(({ event_type, state }) => `${event_type} ${state}`);
  const trim = createDeliveryTrimmer(server.database.ofGame(game_id));
  await insert(6, false, '1 hour');
  await insert(5, true, '1 hour');
  await trim();
  assert.deepEqual((await list()).filter((each) => each.endsWith('failed')).length, 4);
  assert.equal((await studio.find(id)).dropped_count, 0);
  await insert(6, true, '1 ms');
  await trim();
  const left = await list();
  assert.deepEqual([left.length, left.filter((each) => each.endsWith('waiting')).length], [9, 9]);
  assert.equal((await studio.find(id)).dropped_count, 2);
  const { body } = await studio.send('GET', '/usage');
  assert.deepEqual(body.limits.webhook_deliveries, { used: 9, limit: 10 });
  assert.deepEqual(body.limits.webhooks, { used: 1, limit: 5 });
});

test('if a game has too many messages, unlocks and then erasures are deleted before older messages about the game', async () => {
  const studio = await makeStudio(server);
  const { game_id } = studio;
  const { id } = await studio.makeWebhook('http://127.0.0.1:1/');
  await server.database.execute(sql`
    UPDATE games SET limit_overrides = '{"webhook_deliveries": 10}' WHERE id = ${game_id}`);
  await server.database.execute(sql`
    INSERT INTO webhook_deliveries
      (game_id, webhook_id, event_type, player_id, body, created_at, next_attempt_at)
    SELECT ${game_id}, ${id}, type, CASE type WHEN 'achievement.unlocked' THEN 'invented' END, '{}',
           now() - n * interval '1 minute', now() + interval '1 hour'
    FROM (SELECT n, CASE WHEN n <= 2 THEN 'achievement.unlocked' WHEN n <= 11 THEN 'player.erased'
                    ELSE 'quota.reached' END AS type
          FROM generate_series(1, 13) AS n) AS posted`);
  await createDeliveryTrimmer(server.database.ofGame(game_id))();
  const left = (await studio.list(id)).map(({ event_type }) => event_type);
  assert.deepEqual(left, [...Array(7).fill('player.erased'), 'quota.reached', 'quota.reached']);
});
