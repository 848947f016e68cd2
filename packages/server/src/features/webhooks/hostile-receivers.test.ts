import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';
import { SELF_SIGNED } from './test/certificate.ts';
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

test('only the beginning of an endless answer is read and kept', async (t) => {
  let sent = 0;
  const endless = await startOwn(t, (response) => {
    const chunk = 'é😀'.repeat(1_000);
    const push = () => {
      while (!response.destroyed && response.write(chunk)) sent += chunk.length;
      if (!response.destroyed) response.once('drain', push);
    };
    push();
  });
  const studio = await makeStudio(server);
  const { id } = await studio.makeWebhook(endless.url);
  await studio.unlock('ann');
  const delivery = await studio.waitFor(id, 'delivered');
  assert.ok(delivery.answer_text!.isWellFormed());
  assert.ok(delivery.answer_text!.length <= 1_000);
  assert.ok(delivery.duration_ms! < 10_000);
  assert.ok(sent < 50_000_000);
});

test('a redirect is not followed', async (t) => {
  const target = await startOwn(t);
  const redirecting = await startOwn(
    t,
    (response) => void response.writeHead(307, { location: target.url }).end(),
  );
  const studio = await makeStudio(server);
  const { id } = await studio.makeWebhook(redirecting.url);
  await studio.unlock('ann');
  const { error } = await studio.waitFor(id, 'waiting');
  assert.equal(error, 'Redirects are not followed (307)');
  assert.deepEqual(target.received, []);
});

test('a self-signed certificate is refused', async (t) => {
  const secure = createServer(SELF_SIGNED, (_request, response) => response.end());
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
  t.after(() => secure.close());
  const studio = await makeStudio(server);
  const { port } = secure.address() as AddressInfo;
  const { id } = await studio.makeWebhook(`https://127.0.0.1:${port}/`);
  await studio.unlock('ann');
  const { error, answer_status } = await studio.waitFor(id, 'waiting');
  assert.match(error!, /self-signed certificate/);
  assert.equal(answer_status, null);
});

test('answers that break HTTP, hang up or switch protocols are failures', async (t) => {
  const cases: [Receiver['answer'], RegExp][] = [
    [({ socket }) => socket!.destroy(), /reset|hang up/],
    [({ socket }) => socket!.end('nonsense\r\n\r\n'), /Parse Error/],
    [
      ({ socket }) =>
        socket!.end(
          'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
        ),
      /closed without an answer/,
    ],
    [({ socket }) => socket!.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`), /Header/],
  ];
  await Promise.all(
    cases.map(async ([answer, words]) => {
      const receiver = await startOwn(t, answer);
      const studio = await makeStudio(server);
      const { id } = await studio.makeWebhook(receiver.url);
      await studio.unlock('ann');
      const { error } = await studio.waitFor(id, 'waiting');
      assert.match(error!, words);
    }),
  );
});

test('without permission of the operator, no message is sent to a private address', async (t) => {
  await using strict = await startTestServer();
  const receiver = await startOwn(t);
  const studio = await makeStudio(strict);
  const { id } = await studio.makeWebhook('https://hooks.studio.example/');
  // Sets the URL as if it had passed the check when it was chosen: the address of a host name can change
  // later.
  await strict.database.execute(sql`
    UPDATE webhooks SET url = ${receiver.url} WHERE game_id = ${studio.game_id} AND id = ${id}`);
  await studio.unlock('ann');
  const { error } = await studio.waitFor(id, 'waiting');
  assert.equal(error, '127.0.0.1 is in a private network');
  assert.deepEqual(receiver.received, []);
});
