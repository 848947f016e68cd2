import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../server/test/harness.ts';
import type { TestServer } from '../../server/test/harness.ts';
import { waitUntil } from '../../server/test/wait-until.ts';
import {
  listStored,
  makeClient,
  makeStore,
  recordChanges,
  trackNumbers,
  withClockOff,
} from './client.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(async () => {
  await server.close();
});

test('a session survives reloads, and ends with close() or after half an hour without events', async () => {
  const game = await server.makeGame();
  const store = makeStore();
  const first = makeClient(server, game, { store });
  trackNumbers(first.overworld, 1, 1);
  await first.overworld.flush();
  // Like a reload of the page, this makes a new client without closing the first.
  const second = makeClient(server, game, { store });
  await withClockOff(29 * 60_000, async () => {
    trackNumbers(second.overworld, 2, 2);
    await second.overworld.flush();
  });
  await withClockOff(60 * 60_000, async () => {
    trackNumbers(second.overworld, 3, 3);
    await second.overworld.close();
  });
  const stored = await listStored(server, game, { withSessions: true });
  const [one, other] = new Set(stored.map(({ session_id }) => session_id));
  assert.deepEqual(
    stored.map(({ event_name, session_id }) => [event_name, session_id]),
    [
      ['session_start', one],
      ['step', one],
      ['step', one],
      ['session_end', one],
      ['session_start', other],
      ['step', other],
      ['session_end', other],
    ],
  );
  const durations = stored
    .filter(({ event_name }) => event_name === 'session_end')
    .map(({ properties }) => Math.round((properties.duration_ms as number) / 60_000));
  assert.deepEqual(durations, [29, 0]);
  await first.overworld.close();
});

test('tabs share a session, and after 40 minutes without events they share the next session too', async () => {
  const game = await server.makeGame();
  const store = makeStore();
  await using first = makeClient(server, game, { store });
  await using second = makeClient(server, game, { store });
  for (const minutes of [0, 40]) {
    await withClockOff(minutes * 60_000, async () => {
      first.overworld.track('step');
      second.overworld.track('step');
      await first.overworld.flush();
      await second.overworld.flush();
    });
  }
  const stored = await listStored(server, game, { withSessions: true });
  assert.equal(stored.filter(({ event_name }) => event_name === 'session_start').length, 2);
  assert.equal(stored.filter(({ event_name }) => event_name === 'session_end').length, 1);
  await waitUntil('nothing waits', async () => first.overworld.queuedEvents === 0);
});

test('a crash between two writes never stores a second end of a session', async () => {
  const store = makeStore();
  const moments = recordChanges(store);
  const { overworld } = makeClient({ url: 'http://127.0.0.1:1' }, await server.makeGame(), {
    store,
  });
  trackNumbers(overworld, 1, 1);
  await withClockOff(60 * 60_000, async () => {
    trackNumbers(overworld, 2, 2);
    await overworld.close({ timeoutMs: 0 });
  });
  const sessions = moments.map(({ values }) => {
    const texts = [...values].map(([key, text]) => ({ key, value: JSON.parse(text) }));
    const open = texts.filter(({ key }) => key.endsWith('session')).map(({ value }) => value.id);
    const ended = texts
      .filter(({ value }) => value.event_name === 'session_end')
      .map(({ value }) => value.session_id);
    return { open, ended };
  });
  assert.equal(sessions.at(-1)!.ended.length, 2);
  for (const { open, ended } of sessions) assert.ok(!ended.includes(open[0]));
});
