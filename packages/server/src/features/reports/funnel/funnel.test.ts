import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { makeTestPartition } from '../../../../test/past-day.ts';
import { insertEvents, reportPath } from '../test/event-table.ts';
import type { TestEvent } from '../test/event-table.ts';
import { countCases } from '../../../../test/long-forms.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
  await makeTestPartition(server);
});
after(() => server.close());

async function makeGame(events: readonly TestEvent[]) {
  const { game_id } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id, role: 'viewer' });
  await insertEvents(server, game_id, events);
  const get = (query: Record<string, unknown>) =>
    server.request('GET', reportPath(game_id, 'analytics/funnel', query), { token });
  return { game_id, token, get };
}

const event = (
  player_id: string | null,
  event_name: string,
  at_s: number,
  properties?: Record<string, unknown>,
): TestEvent => ({ player_id, event_name, at_s, properties });

const STEPS = [{ event_name: 'open' }, { event_name: 'buy' }];
const countPlayers = (steps: { players: number }[]) => steps.map(({ players }) => players);

test('GET …/analytics/funnel reports players, shares and the times between steps', async () => {
  const { get } = await makeGame([
    event('ann', 'open', 0),
    event('ann', 'buy', 10),
    event('bob', 'open', 0),
    event('bob', 'buy', 40),
    event('cleo', 'open', 0),
    event('dan', 'buy', 5),
    event(null, 'open', 0),
    event(null, 'buy', 1),
  ]);
  const { status, body } = await get({ steps: STEPS });
  assert.equal(status, 200);
  assert.equal(body.window_minutes, 10_080);
  assert.deepEqual(body.groups, []);
  const [first, second] = body.steps;
  assert.deepEqual(first, {
    event_name: 'open',
    players: 3,
    share_of_first: 1,
    share_of_previous: null,
    median_seconds: null,
    p25_seconds: null,
    p75_seconds: null,
  });
  assert.deepEqual(second, {
    event_name: 'buy',
    players: 2,
    share_of_first: 2 / 3,
    share_of_previous: 2 / 3,
    median_seconds: 25,
    p25_seconds: 17.5,
    p75_seconds: 32.5,
  });
});

test('each event of the first step begins an attempt, and the exact end of the window counts', async () => {
  const { get } = await makeGame([
    event('edge', 'open', 0),
    event('edge', 'buy', 60),
    event('late', 'open', 0),
    event('late', 'buy', 60.000001),
    event('again', 'open', 0),
    event('again', 'open', 300),
    event('again', 'buy', 310),
    event('same moment', 'buy', 5),
    event('same moment', 'open', 5),
    event('before', 'buy', 4),
    event('before', 'open', 5),
  ]);
  const { body } = await get({ steps: STEPS, window_minutes: 1 });
  assert.deepEqual(countPlayers(body.steps), [5, 3]);
});

test('two steps with the same event name need events at two different times', async () => {
  const { get } = await makeGame([
    event('once', 'play', 1),
    event('tied', 'play', 1),
    event('tied', 'play', 1),
    event('twice', 'play', 1),
    event('twice', 'play', 2),
  ]);
  const { body } = await get({ steps: [{ event_name: 'play' }, { event_name: 'play' }] });
  assert.deepEqual(countPlayers(body.steps), [3, 1]);
});

test('conditions on properties select events, and whole numbers over 2^53 are compared exactly', async () => {
  const big = '{"property":"ref","operator":"eq","value":9007199254740993}';
  const { game_id, token, get } = await makeGame([
    event('cheap', 'open', 0),
    event('cheap', 'buy', 1, { price: 2 }),
    event('dear', 'open', 0),
    event('dear', 'buy', 1, { price: 7, ref: 9_007_199_254_740_992 }),
  ]);
  const price = { property: 'price', operator: 'gte', value: 5 };
  const steps = [{ event_name: 'open' }, { event_name: 'buy', filter: [price] }];
  const { body } = await get({ steps });
  assert.deepEqual(countPlayers(body.steps), [2, 1]);
  const text = `[{"event_name":"open"},{"event_name":"buy","filter":[${big}]}]`;
  const path = `${reportPath(game_id, 'analytics/funnel', {})}&steps=${encodeURIComponent(text)}`;
  const exact = await server.request('GET', path, { token });
  assert.deepEqual(countPlayers(exact.body.steps), [2, 0]);
});

test('a breakdown reads its property from the event that began the counted attempt', async () => {
  const events = ['ios', 'ios', 'ios', 'android', 'android', 'web', 'tv', undefined].flatMap(
    (platform, index) => [
      event(`p${index}`, 'open', 0, platform ? { platform } : {}),
      event(`p${index}`, 'open', 100, { platform: 'unused' }),
      event(`p${index}`, 'buy', 200),
    ],
  );
  // This player gets further in the attempt that the second event begins.
  events.push(
    event('q', 'open', 0, { platform: 'web' }),
    event('q', 'open', 90_00, { platform: 'ios' }),
    event('q', 'buy', 90_01),
  );
  const { get } = await makeGame(events);
  const query = { steps: STEPS, window_minutes: 10, breakdown: 'platform', limit: 2 };
  const { body } = await get(query);
  assert.deepEqual(
    body.groups.map((group: { kind: string; value: string; steps: { players: number }[] }) => [
      group.kind,
      group.value,
      ...countPlayers(group.steps),
    ]),
    [
      ['value', 'ios', 4, 4],
      ['value', 'android', 2, 2],
      ['other', null, 2, 2],
      ['none', null, 1, 1],
    ],
  );
  assert.deepEqual(countPlayers(body.steps), [9, 9]);

  const csv = await get({ ...query, format: 'csv' });
  assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8');
  const lines = csv.text.split('\r\n');
  assert.equal(
    lines[0],
    'group,value,step,event_name,players,share_of_first,share_of_previous,median_seconds,p25_seconds,p75_seconds',
  );
  assert.equal(lines[1], 'all,,1,open,9,1,,,,');
  assert.equal(lines[3], 'value,ios,1,open,4,1,,,,');
  assert.equal(lines.length, 2 * 5 + 2);
});

const REFUSED: [unknown, string][] = [
  ['nonsense', 'steps is not valid JSON'],
  [[{ event_name: 'a' }], 'steps must have at least 2 entries'],
  [Array.from({ length: 9 }, () => ({ event_name: 'a' })), 'steps must have at most 8 entries'],
  [[{ event_name: 'a' }, {}], 'steps[1].event_name is required'],
  [[{ event_name: 'a' }, { event_name: 7 }], 'steps[1].event_name must be a string'],
  [
    [{ event_name: 'a' }, { event_name: 'b', filter: [{ property: 'p', operator: 'gt' }] }],
    'steps[1].filter[0].value is required',
  ],
];
for (const [steps, error] of REFUSED) {
  test(`GET …/analytics/funnel refuses steps: ${error}`, async () => {
    const { get } = await makeGame([]);
    const { status, body } = await get({ steps });
    assert.deepEqual([status, body], [400, { error }]);
  });
}

/** Returns the times at which a player reached each step, by the definition of funnels in the contract. */
function walkNaively(names: readonly string[], events: readonly TestEvent[], window_s: number) {
  let best: number[] = [];
  const starts = events
    .filter(({ event_name }) => event_name === names[0])
    .toSorted((a, b) => a.at_s - b.at_s);
  for (const start of starts) {
    const taken = [start.at_s];
    for (const [step, name] of names.entries()) {
      if (step === 0) continue;
      const candidates = events
        .filter(({ event_name, at_s }) => event_name === name && at_s >= taken[step - 1]!)
        .filter(({ at_s }) => taken.every((time, index) => names[index] !== name || at_s > time))
        .map(({ at_s }) => at_s);
      const earliest = Math.min(...candidates);
      if (earliest - start.at_s > window_s || candidates.length === 0) break;
      taken.push(earliest);
    }
    if (taken.length > best.length) best = taken;
  }
  return best;
}

test('funnels of random events equal the results of a simple implementation of funnels', async () => {
  const anyEvent = fc.record({
    event_name: fc.constantFrom('a', 'b', 'c', 'unused'),
    player_id: fc.constantFrom('p', 'q', 'r', null),
    at_s: fc.integer({ min: 0, max: 600 }).map((tenths) => tenths / 10),
  });
  const run = fc.asyncProperty(
    fc.array(anyEvent, { maxLength: 60 }),
    fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 2, maxLength: 4 }),
    async (events, names) => {
      const { get } = await makeGame(events);
      const { body } = await get({
        steps: names.map((event_name) => ({ event_name })),
        window_minutes: 1,
      });
      const attempts = ['p', 'q', 'r'].map((player) => {
        const own = events.filter(({ player_id }) => player_id === player);
        return walkNaively(names, own, 60);
      });
      const expected = names.map((_name, step) => attempts.filter((taken) => taken.length > step));
      assert.deepEqual(
        countPlayers(body.steps),
        expected.map((taken) => taken.length),
      );
      for (const [step, reached] of expected.entries()) {
        if (step === 0) continue;
        const gaps = reached
          .map((taken) => taken[step]! - taken[step - 1]!)
          .toSorted((a, b) => a - b);
        const middle = (gaps.length - 1) / 2;
        const median =
          gaps.length === 0 ? null : (gaps[Math.floor(middle)]! + gaps[Math.ceil(middle)]!) / 2;
        const actual = body.steps[step].median_seconds;
        assert.ok(median === null ? actual === null : Math.abs(actual - median) < 1e-6);
      }
    },
  );
  await fc.assert(run, { numRuns: countCases(30) });
});
