import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestServer } from '../../server/test/harness.ts';
import { waitUntil } from '../../server/test/wait-until.ts';
import {
  listNumbers,
  listStored,
  makeClient,
  makeHeardClient,
  range,
  trackNumbers,
  withClockOff,
} from './client.ts';
import { startNetwork } from './network.ts';
import { inTurn } from './proxy.ts';
import type { Proxy } from './proxy.ts';

let server: TestServer;
let proxy: Proxy;
let close: () => Promise<void>;
before(async () => {
  ({ server, proxy, close } = await startNetwork());
});
after(() => close());

test('events are stored in the order of tracking, up to 100 in a request', async () => {
  const game = await server.makeGame();
  await using client = await makeHeardClient(proxy, game);
  const requests = proxy.requests;
  trackNumbers(client.overworld, 1, 250);
  assert.equal(await client.overworld.flush(), true);
  assert.deepEqual(await listNumbers(server, game), range(1, 250));
  assert.equal(proxy.requests - requests, 3);
  assert.equal(client.overworld.queuedEvents, 0);
});

test('without a flush, a hundred events are sent immediately, and fewer events after the interval', async () => {
  const game = await server.makeGame();
  await using client = makeClient(server, game);
  trackNumbers(client.overworld, 1, 100);
  await waitUntil('the hundred are stored', async () => client.overworld.queuedEvents < 100);
  await using soon = makeClient(server, game, { playerId: 'p-2', flushIntervalMs: 20 });
  trackNumbers(soon.overworld, 1, 3);
  await waitUntil('the three are stored', async () => soon.overworld.queuedEvents === 0);
  assert.deepEqual(await listNumbers(server, game, 'p-2'), range(1, 3));
});

test('events that are tracked during a request wait for the next interval', async () => {
  const game = await server.makeGame();
  await using client = await makeHeardClient(proxy, game, { flushIntervalMs: 200 });
  proxy.decide = inTurn({ delay_ms: 50 });
  const requests = proxy.requests;
  trackNumbers(client.overworld, 1, 1);
  const flushed = client.overworld.flush();
  await waitUntil('the first is under way', async () => proxy.requests > requests);
  trackNumbers(client.overworld, 2, 3);
  await flushed;
  assert.equal(client.overworld.queuedEvents, 2);
  await waitUntil('the others are stored', async () => client.overworld.queuedEvents === 0);
  assert.equal(proxy.requests - requests, 2);
});

for (const fate of ['refuse', 'cut_request', 'lose_answer', 'cut_answer', 'hang'] as const) {
  test(`each event is stored exactly once if requests meet this fault of the network: ${fate}`, async () => {
    const game = await server.makeGame();
    await using client = await makeHeardClient(proxy, game, {
      timeoutMs: fate === 'hang' ? 500 : 2_000,
    });
    proxy.decide = inTurn(fate, fate);
    trackNumbers(client.overworld, 1, 3);
    assert.equal(await client.overworld.flush(), false);
    trackNumbers(client.overworld, 4, 6);
    assert.equal(await client.overworld.flush(), false);
    const code = fate === 'hang' ? 'timeout' : 'network';
    assert.deepEqual(client.errors, [code, code]);
    // On a busy machine, requests may take longer than
    // `timeoutMs`, so the flush is repeated until it succeeds.
    await waitUntil('all are sent', () => client.overworld.flush());
    assert.deepEqual(await listNumbers(server, game), range(1, 6));
  });
}

test('after a failure the events are sent again without a flush', async () => {
  const game = await server.makeGame();
  await using client = await makeHeardClient(proxy, game, { flushIntervalMs: 10 });
  proxy.decide = inTurn('lose_answer', 'refuse');
  trackNumbers(client.overworld, 1, 3);
  await waitUntil('they are stored', async () => client.overworld.queuedEvents === 0);
  assert.deepEqual(await listNumbers(server, game), range(1, 3));
});

test('a past failure does not delay later events', async () => {
  const game = await server.makeGame();
  for (const [flushIntervalMs, count] of [
    [10, 2],
    [600_000, 100],
  ] as const) {
    await using client = await makeHeardClient(proxy, game, { flushIntervalMs });
    const later = { 'retry-after': '600' };
    proxy.decide = inTurn({ status: 503, headers: later, body: '{"error":"overloaded"}' });
    trackNumbers(client.overworld, 1, 1);
    assert.equal(await client.overworld.flush(), false);
    assert.equal(await client.overworld.flush(), true);
    trackNumbers(client.overworld, 1, count);
    await waitUntil('they are stored', async () => client.overworld.queuedEvents === 0);
  }
});

test('no event is lost to captive portals, proxies and overloaded servers, and Retry-After is obeyed', async () => {
  const game = await server.makeGame();
  await using client = await makeHeardClient(proxy, game, { flushIntervalMs: 10 });
  proxy.decide = inTurn(
    { status: 200, body: '<html>Log in to the Wi-Fi</html>' },
    { status: 200, body: '{"ok":true}' },
    { status: 400, body: '<html>Bad Request</html>' },
    { status: 503, headers: { 'retry-after': '1' }, body: '{"error":"overloaded"}' },
  );
  trackNumbers(client.overworld, 1, 3);
  for (let attempt = 0; attempt < 3; attempt++) await client.overworld.flush();
  const started = performance.now();
  await client.overworld.flush();
  await waitUntil('they are stored', async () => client.overworld.queuedEvents === 0);
  assert.ok(performance.now() - started > 950);
  assert.deepEqual(await listNumbers(server, game), range(1, 3));
  assert.deepEqual(client.dropped, []);
  assert.deepEqual(client.errors, ['bad_answer', 'bad_answer', 'bad_answer', 'server_error']);
});

test('a batch that is too large for a proxy is sent in smaller batches', async () => {
  const game = await server.makeGame();
  await using client = await makeHeardClient(proxy, game);
  const tooLarge = { status: 413, body: '<html>Request Entity Too Large</html>' };
  proxy.decide = inTurn(tooLarge, tooLarge);
  trackNumbers(client.overworld, 1, 90);
  assert.equal(await client.overworld.flush(), true);
  assert.deepEqual(await listNumbers(server, game), range(1, 90));
  assert.deepEqual(client.dropped, []);
});

test('large events are sent in several requests, each small enough to be sent by a page that closes', async () => {
  const game = await server.makeGame();
  await using client = await makeHeardClient(proxy, game);
  const requests = proxy.requests;
  for (let n = 1; n <= 10; n++) client.overworld.track('step', { n, text: 'ä'.repeat(8_000) });
  assert.equal(await client.overworld.flush(), true);
  assert.deepEqual(await listNumbers(server, game), range(1, 10));
  assert.ok(proxy.requests - requests >= 4);
});

test('event times follow the clock of the server, even for events tracked before that clock was known', async () => {
  const game = await server.makeGame();
  for (const hours of [-5, 30]) {
    const player = `off-${hours}`;
    const started = Date.now();
    await withClockOff(hours * 3_600_000, async () => {
      await using client = makeClient(server, game, { playerId: player });
      trackNumbers(client.overworld, 1, 1);
      await client.overworld.flush();
      trackNumbers(client.overworld, 2, 2);
      await client.overworld.flush();
    });
    const took_ms = Date.now() - started;
    const stored = await listStored(server, game, { player_id: player });
    assert.equal(stored.length, 2);
    // The client knows the server's time to the second, give or take the duration of a request.
    for (const { client_timestamp } of stored) {
      const off_ms = Date.parse(client_timestamp!) - started;
      const isNear = off_ms > -1_500 - took_ms && off_ms < 1_500 + 2 * took_ms;
      assert.ok(isNear, `${hours} h: ${off_ms} ms, in a test of ${took_ms} ms`);
    }
  }
});
