import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { makeGame, openReports } from '../test/random-game.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const STEPS = [{ event_name: 'open' }, { event_name: 'buy' }, { event_name: 'end' }];

test('the players behind a number of a report can be saved as a segment that other reports use', async () => {
  const players = ['a', 'b'].map((player_id) => ({ player_id, country: 'de', tag: null }));
  const event = { player: 0, session: 0, event_name: 'open', price: 1, minutes_ago: 3 * 1_440 };
  const events = players.map(({ player_id }) => ({ ...event, id: player_id }));
  const back = { ...event, id: 'a', minutes_ago: 2 * 1_440 };
  const game = await makeGame(server, players, [...events, back]);
  const { get, ask, token, path } = await openReports(server, game);
  const { cohorts } = await get('retention');
  const cohort = cohorts.find(({ player_count }: { player_count: number }) => player_count === 2);
  const { first_day: from, last_day: to } = cohort;
  const cell = JSON.stringify({ report: 'retention', from, to, day: 1, returned: false });
  const left = await get('segment', { cell });
  const ids = left.players.map(({ player_id }: { player_id: string }) => player_id);
  assert.deepEqual(ids, ['b']);

  const save = (name: string, query: Record<string, string>) =>
    server.request('PUT', `${path}/saved-reports/segment/${name}`, {
      token,
      body: { query: new URLSearchParams(query).toString() },
    });
  await save('Left', { cell });
  const report = await get('events', { players: { segment: 'Left' } });
  assert.equal(report.event_count, 1);
  await save('Left2', { players: '{"segment":"Left"}' });
  assert.equal((await get('events', { players: { segment: 'Left2' } })).event_count, 1);
  await save('Circle', { players: '{"segment":"Circle"}' });
  const circle = await ask('events', { players: { segment: 'Circle' } });
  assert.equal(circle.status, 400, circle.text);
  await save('Broken', { cell: '{"report":"funnel"}' });
  const broken = await ask('events', { players: { segment: 'Broken' } });
  assert.deepEqual(
    [broken.status, broken.body.error],
    [400, 'players.segment: the saved segment cannot be read: cell.from is required'],
  );
});

const days = { from: '2026-01-01', to: '2026-01-02' };
for (const [cell, error] of [
  ['{', 'cell is not valid JSON'],
  [{ ...days, report: 'active-players' }, 'cell.players is required'],
  [{ ...days, report: 'retention', day: 31, returned: true }, 'cell.day must be at most 30'],
  [{ ...days, report: 'retention', day: 1 }, 'cell.returned is required'],
  [{ ...days, report: 'sessions', from: '2026-02-30' }, null],
  [{ ...days, report: 'sessions', to: '2025-01-01' }, 'to must not be before from'],
  [
    { ...days, report: 'funnel', steps: STEPS, window_minutes: 9, step: 4, outcome: 'reached' },
    'cell.step must be at most 3, the number of steps',
  ],
  [{ ...days, report: 'overview' }, null],
  [{ ...days, report: 'events', event_name: 'a', more: 1 }, 'cell.more is not allowed'],
] as [unknown, string | null][]) {
  test(`a segment refuses ${JSON.stringify(cell)}`, async () => {
    const { ask } = await openReports(server, await server.makeGame());
    const { status, body } = await ask('segment', { cell });
    assert.equal(status, 400, JSON.stringify(body));
    if (error !== null) assert.equal(body.error, error);
  });
}
