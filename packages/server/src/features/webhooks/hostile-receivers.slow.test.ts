import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
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

async function startOwn(t: Context, answer?: Receiver['answer']): Promise<Receiver> {
  const receiver = await startReceiver();
  if (answer) receiver.answer = answer;
  t.after(() => receiver.close());
  return receiver;
}

test('an attempt without an answer ends after 10 seconds, and delays no other receiver', async (t) => {
  const silent = await startOwn(t, () => undefined);
  const quick = await startOwn(t);
  const [slow, healthy] = [await makeStudio(server), await makeStudio(server)];
  const { id } = await slow.makeWebhook(silent.url);
  const beside = await slow.makeWebhook(quick.url);
  await healthy.makeWebhook(quick.url);
  for (const player of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) await slow.unlock(player);
  await silent.waitFor(2);
  const began = performance.now();
  await healthy.unlock('ann');
  await quick.waitFor(9);
  assert.ok(performance.now() - began < 8_000);
  assert.equal(silent.received.length, 2);
  await waitUntil('an attempt ends', async () => {
    const deliveries = await slow.list(id);
    return deliveries.some(({ last_attempt_at }) => last_attempt_at !== null);
  });
  const tried = (await slow.list(id)).find(({ last_attempt_at }) => last_attempt_at !== null)!;
  assert.deepEqual(
    [tried.error, tried.answer_status, tried.state],
    ['There was no answer within 10 seconds', null, 'waiting'],
  );
  assert.ok(tried.duration_ms! >= 9_900 && tried.duration_ms! < 20_000);
  const others = await slow.list(beside.id);
  assert.ok(others.every(({ state }) => state === 'delivered'));
});

test('many games with silent receivers delay no other game', async (t) => {
  const silent = await startOwn(t, () => undefined);
  const quick = await startOwn(t);
  await Promise.all(
    Array.from({ length: 9 }, async () => {
      const slow = await makeStudio(server);
      await slow.makeWebhook(silent.url);
      await slow.makeWebhook(silent.url);
      for (const player of ['a', 'b', 'c', 'd', 'e', 'f']) await slow.unlock(player);
    }),
  );
  // The first attempts have shown which webhooks are slow.
  await silent.waitFor(40);
  const healthy = await makeStudio(server);
  await healthy.makeWebhook(quick.url);
  const began = performance.now();
  for (const player of ['ann', 'ben', 'cora']) await healthy.unlock(player);
  await quick.waitFor(3);
  assert.ok(performance.now() - began < 5_000);
});
