import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '../../server/src/platform/database/sql.ts';
import type { TestServer } from '../../server/test/harness.ts';
import {
  listNumbers,
  makeClient,
  makeHeardClient,
  makeStore,
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

test('refused events are dropped and reported, and the others are stored in order', async () => {
  const game = await server.makeGame();
  await using client = makeClient(server, game);
  const { overworld, dropped } = client;
  trackNumbers(overworld, 1, 2);
  overworld.track('', { n: 3 });
  overworld.track('step', { n: 4, text: 'x'.repeat(33_000) });
  overworld.track('step', { n: 5, 'bad\u0000name': 1 });
  trackNumbers(overworld, 6, 7);
  assert.equal(await overworld.flush(), true);
  assert.deepEqual(await listNumbers(server, game), [1, 2, 6, 7]);
  assert.equal(overworld.droppedEvents, 3);
  const [drop] = dropped;
  assert.equal(dropped.length, 1);
  assert.equal(drop!.reason, 'rejected');
  assert.equal(drop!.count, 3);
  assert.deepEqual(
    drop!.events.map(({ properties }) => properties!.n),
    [3, 4, 5],
  );
  assert.deepEqual(
    drop!.violations!.map(({ index, path }) => [index, path]),
    [
      [0, 'event_name'],
      [1, 'properties'],
      [2, 'properties'],
    ],
  );
});

test('a refusal that names no event drops all events of the request', async () => {
  const game = await server.makeGame();
  await using client = await makeHeardClient(proxy, game);
  await client.overworld.flush();
  proxy.decide = inTurn({ status: 400, body: '{"error":"no","violations":[{"index":2}]}' });
  trackNumbers(client.overworld, 1, 2);
  assert.equal(await client.overworld.flush(), true);
  assert.deepEqual(await listNumbers(server, game), []);
  assert.deepEqual(
    client.dropped.map(({ reason, events }) => [reason, events.length]),
    [['rejected', 2]],
  );
});

test('a proxy that refuses a request with odd violations drops its events, and sends the others', async () => {
  const game = await server.makeGame();
  await using client = await makeHeardClient(proxy, game);
  await client.overworld.flush();
  const odd = ['"x"', '7', 'null', '{}', '[null]', '[7]', '[{"index":"length"}]', '[{"index":-1}]'];
  for (const violations of odd) {
    for (const status of [400, 413]) {
      proxy.decide = inTurn({ status, body: `{"error":"no","violations":${violations}}` });
      trackNumbers(client.overworld, 1, 1);
      assert.equal(await client.overworld.flush(), true, violations);
    }
  }
  assert.equal(client.overworld.droppedEvents, 2 * odd.length);
  assert.ok(client.dropped.every((drop) => drop.reason === 'rejected' && drop.events.length === 1));
  trackNumbers(client.overworld, 2, 2);
  await client.overworld.flush();
  assert.deepEqual(await listNumbers(server, game), [2]);
});

test('events that break a schema are dropped if the game rejects them, and stored if it warns', async () => {
  for (const [event_validation, numbers] of [
    ['reject', [1, 3]],
    ['warn', [1, 'two', 3]],
  ] as const) {
    const game = await server.makeGame({ event_validation });
    const { token } = await server.makeAccount({ game_id: game.game_id });
    await server.request('PUT', `/v1/games/${game.game_id}/event-schemas/step`, {
      token,
      body: { schema: { type: 'object', properties: { n: { type: 'number' } } } },
    });
    const warned: unknown[] = [];
    await using client = makeClient(server, game, {
      onWarning: (warnings) => warned.push(...warnings.map(({ path }) => path)),
    });
    for (const n of [1, 'two', 3]) client.overworld.track('step', { n });
    await client.overworld.flush();
    assert.deepEqual(await listNumbers(server, game), numbers);
    assert.equal(client.dropped.length, event_validation === 'reject' ? 1 : 0);
    assert.deepEqual(warned, event_validation === 'warn' ? ['properties.n'] : []);
  }
});

test('events beyond the quota are reported as dropped', async () => {
  const game = await server.makeGame();
  await server.database.execute(sql`
    INSERT INTO event_usage (game_id, month, used, last_accepted, quota)
    VALUES (${game.game_id}, date_trunc('month', now())::date, 99995, 0, 100000)`);
  await using client = makeClient(server, game);
  trackNumbers(client.overworld, 1, 10);
  assert.equal(await client.overworld.flush(), true);
  // The quota has room for five more events, and `session_start` is one of them.
  assert.deepEqual(await listNumbers(server, game), range(1, 4));
  trackNumbers(client.overworld, 11, 12);
  await client.overworld.flush();
  assert.deepEqual(
    client.dropped.map(({ reason, events }) => [
      reason,
      ...events.map(({ properties }) => properties!.n),
    ]),
    [
      ['quota_exceeded', ...range(5, 10)],
      ['quota_exceeded', 11, 12],
    ],
  );
});

test('a full queue drops its oldest events that are not in the current batch', async () => {
  const game = await server.makeGame();
  await using client = await makeHeardClient(proxy, game, { maxQueuedEvents: 20 });
  proxy.decide = inTurn('lose_answer');
  trackNumbers(client.overworld, 1, 19);
  await client.overworld.flush();
  trackNumbers(client.overworld, 20, 49);
  assert.equal(client.overworld.droppedEvents, 30);
  // The events of the current batch fill the queue.
  assert.equal(client.overworld.queuedEvents, 20);
  await client.overworld.flush();
  assert.deepEqual(await listNumbers(server, game), range(1, 19));

  trackNumbers(client.overworld, 50, 79);
  await client.overworld.flush();
  assert.deepEqual(await listNumbers(server, game), [...range(1, 19), ...range(60, 79)]);
  const lost = client.dropped.flatMap(({ events }) => events.map((event) => event.properties!.n));
  assert.deepEqual(lost, [...range(20, 49), ...range(50, 59)]);
  assert.ok(client.dropped.every(({ reason }) => reason === 'queue_full'));
});

test('track never throws, and reports events that cannot be sent', async () => {
  const game = await server.makeGame();
  const client = makeClient(server, game, {
    onDrop: ({ reason, count }) => client.dropped.push({ reason, count, events: [] }),
  });
  const { overworld } = client;
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  overworld.track('step', cycle);
  overworld.track('step', { n: 1n });
  overworld.track('step', { text: 'x'.repeat(60_000) });
  overworld.track(undefined as unknown as string);
  await overworld.close();
  overworld.track('step');
  assert.deepEqual(
    client.dropped.map(({ reason }) => reason),
    ['unsendable', 'unsendable', 'unsendable', 'rejected', 'closed'],
  );
  assert.equal(overworld.droppedEvents, 5);
});

test('events that wait a week for a login are sent then', async () => {
  const game = await server.makeGame();
  const store = makeStore();
  const client = await makeHeardClient(proxy, game, { store });
  const headers = { 'overworld-server': '1' };
  const body = '{"error":"This player has logged in: send x-player-token"}';
  proxy.decide = () => ({ status: 401, headers, body });
  trackNumbers(client.overworld, 1, 3);
  assert.equal(await client.overworld.flush(), false);
  await using next = makeClient(server, game, { store: store.copy() });
  await withClockOff(7 * 24 * 60 * 60 * 1_000, () => next.overworld.flush());
  assert.deepEqual(await listNumbers(server, game), [1, 2, 3]);
  assert.deepEqual(next.dropped, []);
  await client.overworld.close({ timeoutMs: 0 });
  proxy.decide = () => 'pass';
});

test('a batch without an answer is sent again for six days, and is then dropped and reported', async () => {
  const game = await server.makeGame();
  const day_ms = 24 * 60 * 60 * 1_000;
  const store = makeStore();
  const client = await makeHeardClient(proxy, game, { store });
  proxy.decide = inTurn('lose_answer');
  trackNumbers(client.overworld, 1, 3);
  await client.overworld.flush();
  trackNumbers(client.overworld, 4, 6);
  // From here on, no request gets through.
  proxy.decide = () => 'refuse';
  for (const [days, expected] of [
    [5, []],
    [7, ['outcome_unknown']],
  ] as const) {
    const next = makeClient(server, game, { store: store.copy() });
    await withClockOff(days * day_ms, () => next.overworld.flush());
    assert.deepEqual(
      next.dropped.map(({ reason }) => reason),
      expected,
    );
    assert.deepEqual(
      (await listNumbers(server, game)).toSorted(),
      days === 5 ? range(1, 6) : [1, 2, 3, 4, 4, 5, 5, 6, 6],
    );
    await next.overworld.close();
  }
  await client.overworld.close();
  proxy.decide = () => 'pass';
});
