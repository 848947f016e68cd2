import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { anyEvent, anyPlayer, dayBefore, makeGame, openReports } from '../test/random-game.ts';
import type { Player } from '../test/random-game.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const addDays = (day: string, count: number) =>
  new Date(Date.parse(day) + count * 86_400_000).toISOString().slice(0, 10);
const STEPS = [{ event_name: 'open' }, { event_name: 'buy' }, { event_name: 'end' }];

test('each number of players in a report equals the length of the list behind the number', async () => {
  const run = fc.asyncProperty(
    fc.array(anyPlayer, { minLength: 8, maxLength: 8 }),
    fc.array(anyEvent, { minLength: 40, maxLength: 200 }),
    async (given, sent) => {
      const players = given.map((player, index) => ({ ...player, player_id: `p${index}` }));
      const events = sent.map((event) => ({ ...event, id: `p${event.player}` }));
      const game = await makeGame(server, players, events);
      const { get } = await openReports(server, game);
      const countBehind = async (cell: object, query: object = {}): Promise<number> => {
        const { count, players: listed } = await get('segment', { cell, ...query });
        assert.equal(listed.length, count);
        return count;
      };

      const { days } = await get('active-players');
      for (const { day, daily, weekly, monthly, new_players } of days.slice(-5)) {
        const active = (length: number) => ({
          report: 'active-players',
          players: 'active',
          from: addDays(day, 1 - length),
          to: day,
        });
        assert.equal(await countBehind(active(1)), daily);
        assert.equal(await countBehind(active(7)), weekly);
        assert.equal(await countBehind(active(30)), monthly);
        assert.equal(await countBehind({ ...active(1), players: 'new' }), new_players);
      }

      const retention = await get('retention?cohort=week');
      for (const { first_day, last_day, player_count, active } of retention.cohorts) {
        for (const day of [0, 1, 7]) {
          if (active[day] === null || active[day] === undefined) continue;
          const cell = { report: 'retention', from: first_day, to: last_day, day };
          assert.equal(await countBehind({ ...cell, returned: true }), active[day]);
          const left = await countBehind({ ...cell, returned: false });
          assert.equal(left, player_count - active[day]);
        }
      }

      const query = { steps: STEPS, window_minutes: 20_000 };
      const range = { from: dayBefore(20), to: dayBefore(1) };
      const chosen = { players: { values: [{ property: 'country', value: 'de' }] } };
      for (const some of [{}, chosen]) {
        const funnel = await get('funnel', { ...query, ...some });
        for (const [index, { players: reached }] of funnel.steps.entries()) {
          const cell = { report: 'funnel', ...range, ...query, step: index + 1 };
          assert.equal(await countBehind({ ...cell, outcome: 'reached' }, some), reached);
          const next = funnel.steps[index + 1]?.players ?? 0;
          assert.equal(await countBehind({ ...cell, outcome: 'stopped' }, some), reached - next);
        }
      }

      const { groups } = await get('breakdown?event_name=buy&group_by=price');
      for (const { value, players: buyers } of groups.slice(0, 3)) {
        const cell = { report: 'events', ...range, event_name: 'buy', property: 'price', value };
        assert.equal(await countBehind(cell), buyers);
      }

      const sessions = await get('sessions');
      const all = await countBehind({ report: 'sessions', ...range });
      const active = await countBehind({ report: 'active-players', players: 'active', ...range });
      assert.ok(all <= active && all > 0 === sessions.session_count > 0);
    },
  );
  await fc.assert(run, { numRuns: 2 });
});

test('the count of each box in the chart of paths equals the number of players in its list', async () => {
  const histories = [['open', 'buy', 'end'], ['open', 'buy'], ['open', 'end', 'buy'], ['open']];
  const events = histories.flatMap((names, player) =>
    names.map((event_name, place) => ({
      player,
      id: `p${player}`,
      session: 0,
      event_name,
      price: 1,
      minutes_ago: 5_000 - place,
    })),
  );
  const players = histories.map((_, player) => ({
    player_id: `p${player}`,
    country: null,
    tag: null,
  }));
  const { get, ask } = await openReports(server, await makeGame(server, players, events));
  const found: unknown[] = [];
  for (const query of [{ window_hours: 1 }, { direction: 'previous', event_name: 'buy' }]) {
    const question = { event_name: 'open', ...query };
    const { steps, from, to } = await get('path', { ...question, limit: 1 });
    for (const [index, places] of steps.entries()) {
      const names = places.flatMap(({ event_name }: { event_name: string | null }) =>
        event_name === null ? [] : [event_name],
      );
      for (const { kind, count } of places) {
        const cell = { report: 'path', from, to, ...question, step: index + 1, place: kind, names };
        const behind = await get('segment', { cell });
        assert.equal(behind.count, count, JSON.stringify(cell));
        found.push([index + 1, kind, ...behind.players.map((each: Player) => each.player_id)]);
      }
    }
  }
  assert.deepEqual(found, [
    [1, 'event', 'p0', 'p1'],
    [1, 'other', 'p2'],
    [1, 'end', 'p3'],
    [2, 'event', 'p2'],
    [2, 'other', 'p0'],
    [2, 'end', 'p1'],
    [3, 'end', 'p0', 'p2'],
    [1, 'event', 'p0', 'p1'],
    [1, 'other', 'p2'],
    [2, 'event', 'p2'],
    [2, 'end', 'p0', 'p1'],
    [3, 'end', 'p2'],
  ]);
  const cell = {
    report: 'path',
    from: dayBefore(9),
    to: dayBefore(1),
    event_name: 'open',
    step: 1,
  };
  for (const [wrong, error] of [
    [{}, 'cell.place is required'],
    [{ place: 'event' }, 'cell.names is required'],
    [{ place: 'end', step: 6 }, 'cell.step must be at most 5'],
    [{ place: 'end', hide: ['open'] }, 'cell.hide must not hold the event_name'],
  ] as const) {
    const { status, body } = await ask('segment', { cell: { ...cell, ...wrong } });
    assert.deepEqual([status, body.error], [400, error]);
  }
});
