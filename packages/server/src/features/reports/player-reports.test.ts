import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { waitForIngest } from '../../../test/inbox.ts';
import { dayOf, makeReader, track } from './test/days-played.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

test('GET …/analytics/active-players counts DAU, WAU, MAU and new players by day', async () => {
  const game = await server.makeGame();
  const { get } = await makeReader(server, game);
  await track(server, game.production_key, [
    { player_id: 'a', days_ago: 40 },
    { player_id: 'a', days_ago: 8 },
    { player_id: 'b', days_ago: 8 },
    { player_id: 'b', days_ago: 2 },
    { player_id: 'b', days_ago: 2, session_id: 'another' },
    { days_ago: 2, session_id: 'nobody' },
  ]);
  await track(server, game.development_key, [{ player_id: 'tester', days_ago: 2 }]);
  await waitForIngest(server.database, game.game_id);
  const report = await get(`active-players?from=${dayOf(9)}&to=${dayOf(1)}`);
  assert.deepEqual([report.from, report.to, report.time_zone], [dayOf(9), dayOf(1), 'UTC']);
  const figures = report.days.map((day: Record<string, number>) => [
    day.daily,
    day.weekly,
    day.monthly,
    day.new_players,
  ]);
  assert.deepEqual(figures, [
    [0, 0, 0, 0],
    [2, 2, 2, 1],
    ...Array.from({ length: 5 }, () => [0, 2, 2, 0]),
    [1, 2, 2, 0],
    [0, 1, 2, 0],
  ]);
  assert.equal(report.days[1].stickiness, 1);
  assert.equal(report.days[0].stickiness, null);
  const development = await get('active-players?environment=development');
  assert.equal(development.days.length, 30);
  assert.equal(development.days[27].daily, 1);
});

test('a player counts as new on the day of the first event, even if that event arrives late', async () => {
  const game = await server.makeGame();
  const { get } = await makeReader(server, game);
  await track(server, game.production_key, [{ player_id: 'a', days_ago: 1 }]);
  await waitForIngest(server.database, game.game_id);
  await track(server, game.production_key, [{ player_id: 'a', days_ago: 5 }]);
  await waitForIngest(server.database, game.game_id);
  const { days } = await get(`active-players?from=${dayOf(6)}`);
  const newcomers = days.map((day: { new_players: number }) => day.new_players);
  assert.deepEqual(newcomers, [0, 1, 0, 0, 0, 0, 0]);
  const { cohorts } = await get(`retention?from=${dayOf(6)}`);
  assert.equal(cohorts[1].player_count, 1);
  assert.equal(cohorts[1].active[4], 1);
  assert.equal(cohorts[5].player_count, 0);
});

test('GET …/analytics/retention shows cohorts by day or week, and null for days not yet over', async () => {
  const game = await server.makeGame();
  const { get } = await makeReader(server, game);
  await track(server, game.production_key, [
    { player_id: 'a', days_ago: 3 },
    { player_id: 'a', days_ago: 2 },
    { player_id: 'b', days_ago: 3 },
    { player_id: 'b', days_ago: 0 },
    { player_id: 'c', days_ago: 2 },
    { player_id: 'c', days_ago: 1 },
  ]);
  await waitForIngest(server.database, game.game_id);
  const report = await get(`retention?from=${dayOf(3)}&to=${dayOf(2)}`);
  const nulls = (count: number) => Array.from({ length: count }, () => null);
  assert.deepEqual(report.cohorts, [
    {
      first_day: dayOf(3),
      last_day: dayOf(3),
      player_count: 2,
      active: [2, 1, 0, ...nulls(28)],
    },
    { first_day: dayOf(2), last_day: dayOf(2), player_count: 1, active: [1, 1, ...nulls(29)] },
  ]);
  assert.deepEqual(report.average, [1, 2 / 3, 0, ...nulls(28)]);
  const weekly = await get(`retention?cohort=week&from=${dayOf(20)}`);
  const cohorts = weekly.cohorts as { first_day: string; last_day: string; player_count: number }[];
  assert.ok(cohorts.length === 3 || cohorts.length === 4);
  for (const { first_day } of cohorts.slice(1)) {
    assert.equal(new Date(first_day).getUTCDay(), 1, 'weeks begin on Monday');
  }
  assert.equal(
    cohorts.reduce((sum, { player_count }) => sum + player_count, 0),
    3,
  );
});

test('GET …/analytics/sessions counts sessions by day and length', async () => {
  const game = await server.makeGame();
  const { get } = await makeReader(server, game);
  await track(server, game.production_key, [
    { player_id: 'a', session_id: 's1', days_ago: 1 },
    { player_id: 'a', session_id: 's1', days_ago: 1, seconds: 90 },
    { player_id: 'a', session_id: 's2', days_ago: 1 },
    { session_id: 's3', days_ago: 1, seconds: 0 },
  ]);
  await waitForIngest(server.database, game.game_id);
  await track(server, game.production_key, [
    { player_id: 'a', session_id: 's1', days_ago: 1, seconds: 700 },
  ]);
  await waitForIngest(server.database, game.game_id);
  const report = await get(`sessions?from=${dayOf(1)}&to=${dayOf(1)}`);
  assert.deepEqual(report.days, [
    {
      day: dayOf(1),
      session_count: 3,
      sessions_per_player: 2,
      average_seconds: 700 / 3,
      lengths: [2, 0, 0, 0, 1, 0, 0, 0],
    },
  ]);
  assert.deepEqual(report.length_classes[4], {
    from_seconds: 600,
    below_seconds: 1_800,
    session_count: 1,
  });
  assert.equal(report.length_classes[7].below_seconds, null);
});
