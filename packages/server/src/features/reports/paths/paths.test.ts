import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { waitForIngest } from '../../../../test/inbox.ts';
import { countCases } from '../../../../test/long-forms.ts';
import { followPaths } from '../test/naive-paths.ts';
import type { Happened, NaivePaths } from '../test/naive-paths.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const DAY_MS = 86_400_000;
const TODAY = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const dayOf = (days_ago: number) => new Date(TODAY - days_ago * DAY_MS).toISOString().slice(0, 10);

async function makeGame(events: readonly Happened[]) {
  const { game_id, production_key: key } = await server.makeGame({ tier: 'studio' });
  const { token } = await server.makeAccount({ game_id });
  for (let from = 0; from < events.length; from += 100) {
    const body = events.slice(from, from + 100).map(({ player_id, at_ms, ...event }) => ({
      ...event,
      ...(player_id !== null && { player_id }),
      client_timestamp: new Date(at_ms).toISOString(),
      properties: { size: event.session_id },
    }));
    const answer = await server.request('POST', '/v1/track', { key, body });
    assert.equal(answer.status, 202, answer.text);
    await waitForIngest(server.database, game_id);
  }
  const ask = (method: string, path: string, body?: unknown) =>
    server.request(method, `/v1/games/${game_id}/${path}`, { token, body });
  const get = (query: Record<string, string | readonly string[]>) => {
    const parameters = Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, each]),
    );
    return ask('GET', `analytics/path?${new URLSearchParams(parameters)}`);
  };
  const identify = (player_id: string, properties: object) =>
    server.request('POST', '/v1/identify', { key, body: { player_id, properties } });
  return { game_id, ask, get, identify };
}

/** Events of one session on the day before yesterday, a minute apart. */
const session = (session_id: string, player_id: string | null, names: string): Happened[] =>
  names.split(' ').map((event_name, index) => ({
    player_id,
    session_id,
    event_name,
    at_ms: TODAY - 2 * DAY_MS + 3_600_000 + index * 60_000,
  }));
const RANGE = { from: dayOf(2), to: dayOf(2) };

test('GET …/analytics/path counts the events that follow the first occurrence of the chosen event in a session', async () => {
  const { get } = await makeGame([
    ...session('1', 'ann', 'open shop shop buy open quit'),
    ...session('2', 'ann', 'open shop quit'),
    ...session('3', 'bob', 'start open quit'),
    ...session('4', null, 'open'),
    ...session('5', 'bob', 'start quit'),
  ]);
  const { status, body } = await get({ ...RANGE, event_name: 'open', steps: '2' });
  assert.equal(status, 200);
  assert.deepEqual([body.unit, body.count], ['sessions', 4]);
  assert.deepEqual(body.steps, [
    [
      { kind: 'event', event_name: 'shop', count: 2, share: 0.5 },
      { kind: 'event', event_name: 'quit', count: 1, share: 0.25 },
      { kind: 'end', event_name: null, count: 1, share: 0.25 },
    ],
    [
      { kind: 'event', event_name: 'buy', count: 1, share: 0.25 },
      { kind: 'event', event_name: 'quit', count: 1, share: 0.25 },
      { kind: 'end', event_name: null, count: 1, share: 0.25 },
    ],
  ]);
  assert.deepEqual(
    body.links.map((link: Record<string, number>) => [link.step, link.from, link.to, link.count]),
    [
      [1, 0, 0, 2],
      [1, 0, 1, 1],
      [1, 0, 2, 1],
      [2, 0, 0, 1],
      [2, 0, 1, 1],
      [2, 1, 2, 1],
    ],
  );
  assert.deepEqual(body.paths[0], { events: ['quit'], has_ended: true, count: 1, share: 0.25 });

  const few = await get({ ...RANGE, event_name: 'open', steps: '1', limit: '1' });
  assert.deepEqual(
    few.body.steps[0].map((each: Record<string, unknown>) => [each.kind, each.count]),
    [
      ['event', 2],
      ['other', 1],
      ['end', 1],
    ],
  );
  const csv = await get({ ...RANGE, event_name: 'open', steps: '1', format: 'csv' });
  assert.deepEqual(csv.text.trim().split('\r\n'), [
    'step,from_kind,from,to_kind,to,count,share',
    '1,start,open,event,shop,2,0.5',
    '1,start,open,event,quit,1,0.25',
    '1,start,open,end,,1,0.25',
  ]);
});

test('paths can be followed backwards and from session to session, and can skip hidden events', async () => {
  const { get, ask } = await makeGame([
    ...session('1', 'ann', 'a b heartbeat c buy'),
    ...session('2', 'bob', 'a buy'),
  ]);
  const names = (body: { paths: { events: string[] }[] }) => body.paths.map(({ events }) => events);
  const back = { ...RANGE, event_name: 'buy', direction: 'previous', hide: ['heartbeat'] };
  const { body } = await get(back);
  assert.deepEqual(names(body), [['a'], ['c', 'b', 'a']]);
  const filter = JSON.stringify([{ property: 'size', operator: 'eq', value: '1' }]);
  assert.deepEqual(names((await get({ ...back, filter })).body), [['c', 'b', 'a']]);

  await ask('PATCH', 'players/bob?environment=production', { properties: { vip: true } });
  const players = JSON.stringify({
    properties: [{ property: 'vip', operator: 'eq', value: true }],
  });
  assert.deepEqual(names((await get({ ...back, players })).body), [['a']]);
  const days = { ...RANGE, event_name: 'a', window_hours: '1' };
  assert.equal((await get(days)).body.unit, 'players');
});

test('wrong parameters answer 400 and name the field', async () => {
  const { get } = await makeGame([]);
  const bad: [Record<string, string | string[]>, RegExp][] = [
    [{}, /event_name/],
    [{ event_name: '' }, /event_name/],
    [{ event_name: 'a\0' }, /event_name/],
    [{ event_name: 'a', steps: '6' }, /steps must be at most 5/],
    [{ event_name: 'a', window_hours: '0' }, /window_hours/],
    [{ event_name: 'a', window_hours: '1e999' }, /window_hours/],
    [{ event_name: 'a', direction: '__proto__' }, /direction/],
    [{ event_name: 'a', filter: '[{"property":"a"}]' }, /filter/],
    [{ event_name: 'a', players: '[]' }, /players/],
    [{ event_name: 'a', hide: Array.from({ length: 21 }, (_, at) => `${at}`) }, /hide/],
    [{ event_name: 'a', hide: 'a' }, /hide must not hold the event_name/],
  ];
  for (const [query, error] of bad) {
    const { status, body } = await get(query);
    assert.equal(status, 400, JSON.stringify(query));
    assert.match(body.error, error);
  }
  const { status, body } = await get({ event_name: '__proto__' });
  assert.deepEqual([status, body.count, body.steps], [200, 0, []]);
});

test('paths of random events equal a plain count', async () => {
  const anyEvent = fc.record({
    player_id: fc.constantFrom('p', 'q', 'r', 's', null),
    session_id: fc.constantFrom('1', '2', '3'),
    event_name: fc.constantFrom('a', 'b', 'c', 'd', 'a b', 'é', '__proto__'),
    // Many events share a time.
    minutes: fc.integer({ min: 0, max: 5 * 24 * 4 }).map((quarters) => quarters * 15),
  });
  const anyQuestion = fc.record({
    event_name: fc.constantFrom('a', 'b', '__proto__'),
    direction: fc.constantFrom('next' as const, 'previous' as const),
    window_hours: fc.constantFrom(null, 1, 24, 168),
    steps: fc.integer({ min: 1, max: 5 }),
    limit: fc.integer({ min: 1, max: 4 }),
    hide: fc.subarray(['c', 'd', 'é']),
    repeats: fc.constantFrom('join' as const, 'keep' as const),
  });
  const run = fc.asyncProperty(
    fc.array(anyEvent, { minLength: 20, maxLength: 200, size: 'max' }),
    fc.array(anyQuestion, { minLength: 4, maxLength: 8 }),
    async (given, questions) => {
      const start = TODAY - 6 * DAY_MS;
      const events = given.map(({ minutes, ...event }): Happened => ({
        ...event,
        at_ms: start + minutes * 60_000,
      }));
      const { get, identify } = await makeGame(events);
      for (const player_id of ['p', 'q']) await identify(player_id, { team: 'red' });
      for (const question of questions) {
        const { window_hours, steps, limit, ...rest } = question;
        const { status, body, text } = await get({
          from: dayOf(5),
          to: dayOf(3),
          ...rest,
          steps: String(steps),
          limit: String(limit),
          split_by: 'property:team',
          ...(window_hours !== null && { window_hours: String(window_hours) }),
        });
        assert.equal(status, 200, text);
        const naive: NaivePaths = {
          ...question,
          starts_ms: TODAY - 5 * DAY_MS,
          ends_ms: TODAY - 2 * DAY_MS,
        };
        const { unit, count, steps: columns, links, paths } = body;
        assert.deepEqual(
          withoutShares({ unit, count, steps: columns, links, paths }, count),
          followPaths(events, naive),
          JSON.stringify(question),
        );
        const isRed = ({ player_id }: Happened) => player_id === 'p' || player_id === 'q';
        const isGrey = ({ player_id }: Happened) => player_id === 'r' || player_id === 's';
        const expected = [
          { kind: 'value', value: 'red', ...followPaths(events.filter(isRed), naive) },
          { kind: 'none', value: null, ...followPaths(events.filter(isGrey), naive) },
        ].flatMap(({ kind, value, count: of, steps: places }) =>
          of === 0 ? [] : [{ kind, value, count: of, steps: places }],
        );
        assert.deepEqual(
          body.groups.map((group: { count: number }) => withoutShares(group, group.count)),
          expected,
        );
      }
    },
  );
  await fc.assert(run, { numRuns: countCases(12), endOnFailure: true });
});

/** Returns the report without its shares, and checks that each share is its count divided by the whole. */
function withoutShares(report: object, count: number): unknown {
  return JSON.parse(JSON.stringify(report), (_key, value) => {
    if (typeof value !== 'object' || value === null || !('share' in value)) return value;
    const { share, ...rest } = value as { share: number; count: number };
    assert.equal(share, rest.count / count);
    return rest;
  });
}
