import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { waitForIngest } from '../../../test/inbox.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sql } from '../../platform/database/sql.ts';
import { at, dayOf, makeReader, noon, track } from './test/days-played.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

test('GET …/analytics/events counts the events of the most frequent names by day or hour', async () => {
  const game = await server.makeGame();
  const { get, ask } = await makeReader(server, game);
  const other_key = await server.makeKey(game.game_id, 'production');
  await track(server, game.production_key, [
    { event_name: 'a', days_ago: 2 },
    { event_name: 'a', days_ago: 1 },
    { event_name: 'b', days_ago: 1 },
    { event_name: 'c', days_ago: 1 },
    { event_name: 'c', days_ago: 1, seconds: 3_600 },
    { event_name: 'c', days_ago: 1, seconds: 3_599 },
  ]);
  await track(server, other_key, [{ event_name: 'd', days_ago: 1 }]);
  await waitForIngest(server.database, game.game_id);
  const range = `from=${dayOf(2)}&to=${dayOf(1)}`;
  const report = await get(`events?${range}&limit=2`);
  assert.deepEqual(report.periods, [dayOf(2), dayOf(1)]);
  assert.deepEqual([report.event_count, report.counts], [7, [1, 6]]);
  assert.deepEqual(report.events, [
    { event_name: 'c', event_count: 3, counts: [0, 3] },
    { event_name: 'a', event_count: 2, counts: [1, 1] },
  ]);
  assert.equal(report.other_name_count, 2);
  const hours = await get(`events?${range}&by=hour&event_name=c`);
  assert.equal(hours.periods.length, 48);
  assert.equal(hours.periods[36], noon(1));
  assert.deepEqual(hours.counts.slice(35, 39), [0, 2, 1, 0]);
  const keys = await server.database.query<{ id: string }>(sql`
    SELECT id FROM api_keys WHERE game_id = ${game.game_id} ORDER BY created_at DESC LIMIT 1`);
  const by_key = await get(`events?${range}&key_id=${keys[0]!.id}`);
  assert.deepEqual(by_key.events, [{ event_name: 'd', event_count: 1, counts: [0, 1] }]);
  const tooLong = await ask(`events?by=hour&from=${dayOf(60)}&to=${dayOf(1)}`);
  assert.deepEqual(
    [tooLong.status, tooLong.body.error],
    [400, 'from must be at most 30 days before to, by the hour'],
  );
});

test('GET …/analytics/overview shows today, yesterday, a week ago, and how much of the quota is used', async () => {
  const game = await server.makeGame();
  const { get } = await makeReader(server, game);
  const now = at(Date.now());
  const body = [{ event_name: 'e', session_id: 's', player_id: 'a', client_timestamp: now }];
  await server.request('POST', '/v1/track', { key: game.production_key, body });
  await track(server, game.production_key, [
    { player_id: 'a', days_ago: 1 },
    { player_id: 'b', days_ago: 7 },
    { player_id: 'b', days_ago: 7 },
  ]);
  await waitForIngest(server.database, game.game_id);
  const report = await get('overview');
  const figures = { active_players: 1, new_players: 0, session_count: 1, event_count: 1 };
  const { yesterday, last_week, quota, days } = report;
  assert.deepEqual(yesterday, { day: dayOf(1), ...figures, new_players: 1 });
  assert.deepEqual(last_week, { day: dayOf(7), ...figures, new_players: 1, event_count: 2 });
  assert.deepEqual(quota, { used: 4, limit: 100_000 });
  assert.equal(days.length, 30);
  assert.deepEqual(days.at(-1), report.today);
  assert.equal(report.today.active_players, 1);
});

test('GET …/analytics/today compares today so far with the same part of yesterday and of a week ago', async () => {
  // In this zone it is noon now, so enough of the day has passed for this test.
  const hour = new Date().getUTCHours();
  const zone = `Etc/GMT${hour >= 12 ? '+' : '-'}${Math.abs(hour - 12)}`;
  const game = await server.makeGame({ time_zone: zone });
  const { game_id, production_key: key } = game;
  const { get } = await makeReader(server, game);
  const empty = await get('today?environment=development');
  assert.equal(empty.today.event_count, 0);
  const clock = (minutes: number, days_ago: number) =>
    at(Date.parse(empty.until) + minutes * 60_000 - days_ago * 86_400_000);
  const played = [
    ['long', -15 * 60, 1],
    ['long', 8 * 60, 1],
    ['passing', -13 * 60, 1],
    ['passing', -60, 1],
    ['passing', 60, 1],
    ['silent', -13 * 60, 1],
    ['silent', 60, 1],
    ['before', -1, 1],
    ['after', 0, 1],
    ['before', -1, 7],
    ['before', -2, 0],
    [undefined, -3, 1],
  ] as const;
  const body = played.map(([player_id, minutes, days_ago]) => ({
    event_name: 'e',
    session_id: `${player_id} ${days_ago}`,
    player_id,
    client_timestamp: clock(minutes, days_ago),
  }));
  assert.equal((await server.request('POST', '/v1/track', { key, body })).status, 202);
  await waitForIngest(server.database, game_id);
  const report = await get('today?environment=production');
  assert.equal(report.until, empty.until);
  const figures = (each: Record<string, unknown>) => Object.values(each).slice(1);
  // A session counts only if it has an event in the compared part of the day.
  assert.deepEqual(figures(report.yesterday), [2, 0, 2, 3]);
  assert.deepEqual(figures(report.last_week), [1, 1, 1, 1]);
  assert.deepEqual(figures(report.today), [1, 0, 1, 1]);
});

test('a report that is about all players ignores parameters that choose some', async () => {
  const { get } = await makeReader(server, await server.makeGame());
  const players = encodeURIComponent('{"tags":["vip"]}');
  for (const query of [`players=${players}`, 'split_by=tag:vip', 'split_by=bad']) {
    assert.deepEqual(await get(`data-quality?${query}`), await get('data-quality'));
  }
});

test('GET …/analytics/data-quality counts the events and the problems of each API key', async () => {
  const game = await server.makeGame({ event_validation: 'warn' });
  const { get } = await makeReader(server, game);
  await server.database.execute(sql`
    INSERT INTO event_schemas (game_id, event_name, schema, updated_at)
    VALUES (${game.game_id}, 'purchase', '{"type":"object","required":["item","price"]}', now())`);
  const key = game.production_key;
  await track(server, key, [
    { event_name: 'purchase', player_id: 'a', days_ago: 0 },
    { event_name: 'purchase', player_id: 'a', days_ago: 3 },
    { event_name: 'fine', player_id: 'a', days_ago: 200 },
  ]);
  const send = (body: unknown, headers?: Record<string, string>) =>
    server.request('POST', '/v1/track', { key, body, headers });
  const once = { 'idempotency-key': 'once' };
  const two = [1, 2].map(() => ({ event_name: 'fine', session_id: 's' }));
  assert.equal((await send(two, once)).status, 202);
  assert.equal((await send(two, once)).status, 202);
  assert.equal((await send([{ event_name: 'fine' }, { session_id: 's' }])).status, 400);
  await waitForIngest(server.database, game.game_id);
  await waitUntil('problems are written', async () => {
    const { days } = await get('data-quality');
    return days[0]?.repeated_count > 0;
  });
  const { days, schemas } = await get('data-quality');
  assert.equal(days.length, 1);
  const { key_id, day: _day, ...counts } = days[0];
  // In the morning, today's noon may lie more than an hour ahead.
  // If so, the event of today counts as one with a wrong clock.
  const is_ahead = Date.parse(noon(0)) > Date.now() + 3_600_000;
  assert.deepEqual(counts, {
    key_name: 'test',
    event_count: 5,
    late_count: 1,
    wrong_clock_count: is_ahead ? 2 : 1,
    warned_count: 2,
    refused_count: 2,
    repeated_count: 2,
  });
  assert.deepEqual(schemas, [
    { event_name: 'purchase', key_id, key_name: 'test', warned_count: 2, refused_count: 0 },
  ]);
});

test('reports leave out future periods, unless a client with a fast clock has sent events with times in them', async () => {
  const game = await server.makeGame();
  const { get, ask } = await makeReader(server, game);
  const hour_ms = 3_600_000;
  const hourOf = (time: number) => at(Math.floor(time / hour_ms) * hour_ms);
  const range = `from=${dayOf(0)}&to=${dayOf(-2)}`;
  const empty = await get(`events?${range}&by=hour`);
  assert.equal(empty.periods.at(-1), hourOf(Date.now()));
  assert.equal(empty.counts.length, empty.periods.length);
  assert.deepEqual((await get(`events?${range}`)).periods, [dayOf(0)]);
  assert.deepEqual((await get(`events?from=${dayOf(-1)}&to=${dayOf(-2)}`)).periods, []);
  const soon = Date.now() + 59 * 60_000;
  const body = [{ event_name: 'e', session_id: 's', client_timestamp: at(soon) }];
  await server.request('POST', '/v1/track', { key: game.production_key, body });
  await waitForIngest(server.database, game.game_id);
  const { periods, counts } = await get(`events?${range}&by=hour`);
  assert.deepEqual([periods.at(-1), counts.at(-1)], [hourOf(soon), 1]);
  const { text } = await ask(`events?${range}&by=hour&format=csv`);
  assert.equal(text.trim().split('\r\n').length, 1 + periods.length);
});

test('every report is also available as a CSV file, and no text in it makes a formula in a spreadsheet', async () => {
  const game = await server.makeGame();
  const { ask } = await makeReader(server, game);
  await track(server, game.production_key, [
    { event_name: '=1+1,"x"', player_id: 'a', days_ago: 1 },
  ]);
  await waitForIngest(server.database, game.game_id);
  const first_lines: Record<string, string> = {
    overview: 'day,active_players,new_players,session_count,event_count',
    today: 'day,active_players,new_players,session_count,event_count',
    events: `day,all events,"'=1+1,""x"""`,
    'active-players': 'day,daily,weekly,monthly,stickiness,new_players',
    sessions: 'day,session_count,sessions_per_player,average_seconds,from_0_seconds',
    retention: 'first_day,last_day,player_count,day_0,day_1',
    'data-quality': 'day,key_id,key_name,event_count,late_count,wrong_clock_count',
  };
  for (const [report, line] of Object.entries(first_lines)) {
    const { status, headers, text } = await ask(`${report}?format=csv`);
    assert.equal(status, 200, text);
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.match(headers.get('content-disposition')!, /^attachment; filename="[a-z-]+\.csv"$/);
    assert.ok(text.startsWith(line), `${report}: ${text.slice(0, 200)}`);
    assert.ok(text.endsWith('\r\n'));
  }
});

test('dates that do not exist, or are in the wrong order or too far apart, get 400', async () => {
  const { ask } = await makeReader(server, await server.makeGame());
  const cases: [string, string][] = [
    ['from=2026-02-30', 'from must be a valid date'],
    ['to=yesterday', 'to must be a valid date'],
    ['to=0026-01-01', 'to must be in the years 1970 to 2100'],
    ['from=2026-03-02&to=2026-03-01', 'to must not be before from'],
    ['from=2024-01-01&to=2026-03-01', 'from must be at most 365 days before to'],
  ];
  for (const [query, error] of cases) {
    const answer = await ask(`active-players?${query}`);
    assert.deepEqual([answer.status, answer.body.error], [400, error]);
  }
});

test('days begin and end by the time zone of the game, also when the clocks change there', async () => {
  const game = await server.makeGame();
  await server.database.execute(sql`
    UPDATE games SET time_zone = 'America/Santiago' WHERE id = ${game.game_id}`);
  const { get } = await makeReader(server, game);
  // At the start of this day, the clocks in Santiago go from midnight to 01:00, so the day has 23 hours.
  const report = await get('events?by=hour&from=2025-09-07&to=2025-09-07');
  assert.equal(report.periods.length, 23);
  assert.equal(report.periods[0], '2025-09-07T04:00:00.000Z');
});
