import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { CalendarEntry } from '@overworld/contract/games/calendar';
import { MAX_CALENDAR_ENTRIES } from '@overworld/contract/games/calendar-limits';
import type { Role } from '@overworld/contract/operation';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

async function makeStudio() {
  const { game_id } = await server.makeGame();
  const path = `/v1/games/${game_id}`;
  await server.database.execute(
    sql`UPDATE games SET time_zone = 'Europe/Berlin' WHERE id = ${game_id}`,
  );
  const join = async (role: Role) => {
    const { token } = await server.makeAccount({ game_id, role });
    const call = (method: string, rest: string, body?: object) =>
      server.request(method, path + rest, { token, body });
    const read = (from: string, to: string, environment = 'production') =>
      call('GET', `/calendar?environment=${environment}&from=${from}&to=${to}`);
    return { call, read };
  };
  return { game_id, join };
}

const ofKind = (entries: CalendarEntry[], wanted: string) =>
  entries.filter(({ kind }) => kind === wanted);

test('a scheduled change stands in the calendar as in its own list, on the days of its game', async () => {
  const { join } = await makeStudio();
  const [developer, viewer] = [await join('developer'), await join('viewer')];
  const change = {
    name: 'Weekend',
    starts_at: '2099-03-28T23:30:00Z',
    ends_at: '2099-03-29T22:00:00Z',
    parameters: { reward: { value: 2 } },
  };
  const made = await developer.call('POST', '/config/schedules', change);
  assert.equal(made.status, 201, made.text);
  const { body } = await developer.read('2099-03-29', '2099-03-29');
  const { open } = (await developer.call('GET', '/config/schedules')).body;
  const { id, name, starts_at, ends_at } = open[0];
  const entry = {
    kind: 'config_schedule',
    key: id,
    title: name,
    day: '2099-03-29',
    starts_at,
    ends_at,
    is_all_day: false,
    may_move: 'all',
  };
  assert.deepEqual([body.entries, body.cut_kinds, body.conflicts], [[entry], [], []]);
  assert.equal(body.time_zone, 'Europe/Berlin');
  const seen = await viewer.read('2099-03-29', '2099-04-30');
  assert.deepEqual(seen.body.entries, [{ ...entry, may_move: 'none' }]);
  const elsewhere = [
    await developer.read('2099-03-29', '2099-03-29', 'development'),
    await developer.read('2099-03-28', '2099-03-28'),
    await developer.read('2099-03-31', '2099-04-02'),
    await (await (await makeStudio()).join('owner')).read('2099-03-29', '2099-03-29'),
  ];
  for (const { body: other } of elsewhere) assert.deepEqual(other.entries, []);
  await developer.call('POST', `/config/schedules/${id}/cancel`);
  assert.deepEqual((await developer.read('2099-03-29', '2099-03-29')).body.entries, []);
});

test('a draft that cannot start because of a scheduled change is a conflict', async () => {
  const { join } = await makeStudio();
  const { call, read } = await join('developer');
  await call('PUT', '/config', { parameters: { reward: { value: 1 }, speed: { value: 1 } } });
  const experiment = (name: string, key: string) =>
    call('POST', '/experiments', {
      name,
      share: 100,
      metrics: [{ kind: 'retention', days: 1 }],
      variants: [
        { name: 'control', weight: 1 },
        { name: 'more', weight: 1, values: { [key]: 3 } },
      ],
    });
  const blocked = await experiment('Reward size', 'reward');
  assert.equal(blocked.status, 201, blocked.text);
  const free = await experiment('Speed', 'speed');
  const change = await call('POST', '/config/schedules', {
    name: 'Weekend',
    starts_at: '2099-03-28T12:00:00Z',
    parameters: { reward: { value: 2 } },
  });
  const days = ['2099-03-20', '2099-04-20'] as const;
  assert.deepEqual((await read(...days)).body.conflicts, [
    {
      kind: 'experiment_waits',
      schedule_id: change.body.id,
      experiment_id: blocked.body.id,
      parameter: 'reward',
      text: 'The experiment "Reward size" cannot start until the scheduled change "Weekend" is over: both have reward',
    },
  ]);
  assert.equal((await call('POST', `/experiments/${blocked.body.id}/start`)).status, 409);
  const started = await call('POST', `/experiments/${free.body.id}/start`);
  assert.equal(started.status, 200, started.text);
  const [running, ...others] = ofKind((await read(...days)).body.entries, 'experiment');
  assert.deepEqual(
    [running!.key, running!.starts_at, running!.ends_at, others],
    [free.body.id, started.body.started_at, null, []],
  );
  // A stopped experiment waits for nothing.
  await call('POST', `/experiments/${free.body.id}/stop`);
  const faster = { name: 'Fast', starts_at: '2099-03-28T12:00:00Z' };
  const made = await call('POST', '/config/schedules', {
    ...faster,
    parameters: { speed: { value: 2 } },
  });
  assert.equal(made.status, 201, made.text);
  assert.equal((await read(...days)).body.conflicts.length, 1);
  await call('POST', `/config/schedules/${change.body.id}/cancel`);
  assert.deepEqual((await read(...days)).body.conflicts, []);
});

test('schedules send their messages at their hour of the game on both sides of a change of the clocks', async () => {
  const { join } = await makeStudio();
  const { call, read } = await join('developer');
  const body = { to: { type: 'everyone' }, title: 'Gift', hour: 18, lasts_hours: 24 };
  const made = await call('POST', '/message-schedules', {
    ...body,
    weekdays: ['saturday', 'sunday'],
  });
  assert.equal(made.status, 201, made.text);
  const paused = { ...body, paused: true };
  assert.equal((await call('POST', '/message-schedules', paused)).status, 201);
  // On Sunday, 29 March 2099, the clocks of Berlin go forward.
  const { entries } = (await read('2099-03-28', '2099-03-29')).body;
  assert.deepEqual(
    entries.map(({ key, day, starts_at }: CalendarEntry) => [key, day, starts_at]),
    [
      [made.body.id, '2099-03-28', '2099-03-28T17:00:00.000Z'],
      [made.body.id, '2099-03-29', '2099-03-29T16:00:00.000Z'],
    ],
  );
});

test('messages, seasons, releases, annotations and alerts stand in the calendar', async () => {
  const { game_id, join } = await makeStudio();
  const { call, read } = await join('developer');
  const note = await call('POST', '/annotations', { text: 'Featured', day: '2026-03-02' });
  const release = 'ad5fb1d5-c2e5-4c4f-90e8-2f1d1b3a9c01';
  const alert = 'ad5fb1d5-c2e5-4c4f-90e8-2f1d1b3a9c02';
  const message = 'ad5fb1d5-c2e5-4c4f-90e8-2f1d1b3a9c03';
  const database = server.database.ofGame(game_id);
  await database.execute(sql`
    INSERT INTO releases (game_id, environment, version, id, first_started_at, noticed_at, start_count)
    VALUES (${game_id}, 'production', '1.5.0', ${release}, '2026-03-03T10:00Z', now(), 1000)`);
  await database.execute(sql`
    INSERT INTO leaderboard_seasons
      (game_id, environment, board_name, season, sort_order, version, started_at, ends_at)
    VALUES (${game_id}, 'production', 'weekly', 3, 'descending', 1, '2026-03-01T23:00Z', '2026-03-08T23:00Z'),
           (${game_id}, 'production', 'endless', 1, 'descending', 1, '2026-03-01T23:00Z', NULL)`);
  await database.execute(sql`
    INSERT INTO alerts (game_id, id, environment, name, metric, period, comparison, threshold,
      baseline, cool_down_hours, muted, account_ids, webhook_ids, next_check_at)
    VALUES (${game_id}, ${alert}, 'production', 'Errors', 'events', 'hour', 'above', 1, 'none', 1,
      true, '{}', '{}', '2099-01-01Z')`);
  await database.execute(sql`
    INSERT INTO alert_changes (game_id, alert_id, at, state, period_started_at, notified)
    SELECT ${game_id}, ${alert}, at, state, at, false
    FROM (VALUES (timestamptz '2026-03-04T10:00Z', 'firing'), ('2026-03-04T12:00Z', 'quiet'))
      AS changes (at, state)`);
  await database.execute(sql`
    INSERT INTO messages (game_id, environment, message_id, player_id, audience, title, text,
      translations, data, rewards, reason, starts_at, ends_at, sent_at)
    SELECT ${game_id}, 'production', id, player_id, '{"type":"everyone"}', 'Hello', '', '{}', '{}', '[]',
           '', '2026-03-05T10:00Z', NULL, '2026-03-05T10:00Z'
    FROM (VALUES (${message}::uuid, NULL), (gen_random_uuid(), 'p')) AS sent (id, player_id)`);
  const { entries } = (await read('2026-03-02', '2026-03-08')).body;
  assert.deepEqual(
    entries.map((entry: CalendarEntry) => Object.values(entry).slice(0, 6)),
    [
      ['annotation', note.body.id, 'Featured', '2026-03-02', '2026-03-01T23:00:00.000Z', null],
      [
        'season',
        'weekly',
        'weekly, season 3',
        '2026-03-02',
        '2026-03-01T23:00:00.000Z',
        '2026-03-08T23:00:00.000Z',
      ],
      ['release', release, 'Version 1.5.0', '2026-03-03', '2026-03-03T10:00:00.000Z', null],
      [
        'alert',
        alert,
        'Errors',
        '2026-03-04',
        '2026-03-04T10:00:00.000Z',
        '2026-03-04T12:00:00.000Z',
      ],
      ['message', message, 'Hello', '2026-03-05', '2026-03-05T10:00:00.000Z', null],
    ],
  );
});

test('only the author of an annotation and admins may move it in the calendar', async () => {
  const { join } = await makeStudio();
  const author = await join('developer');
  await author.call('POST', '/annotations', { text: 'Mine', at: '2026-03-02T10:00:00Z' });
  const seen: string[] = [];
  for (const caller of [
    author,
    await join('developer'),
    await join('viewer'),
    await join('admin'),
  ]) {
    const [entry] = (await caller.read('2026-03-02', '2026-03-02')).body.entries;
    seen.push(entry.may_move);
  }
  assert.deepEqual(seen, ['all', 'none', 'none', 'all']);
});

test('of very many entries of a kind, a calendar has the first, and names the kind', async () => {
  const { game_id, join } = await makeStudio();
  const { read } = await join('viewer');
  await server.database.ofGame(game_id).execute(sql`
    INSERT INTO annotations (game_id, environment, day, text)
    SELECT ${game_id}, 'production', '2026-03-02', number::text
    FROM generate_series(1, ${MAX_CALENDAR_ENTRIES + 1}::integer) AS number`);
  const { body } = await read('2026-03-01', '2026-03-31');
  assert.deepEqual([body.entries.length, body.cut_kinds], [MAX_CALENDAR_ENTRIES, ['annotation']]);
});

test('a calendar that is too long, or has invalid days, is refused with words', async () => {
  const { join } = await makeStudio();
  const { call, read } = await join('viewer');
  for (const [from, to, error] of [
    ['2026-01-01', '2026-04-03', 'from must be at most 91 days before to'],
    ['2026-03-02', '2026-03-01', 'to must not be before from'],
    ['2026-02-30', '2026-03-01', 'from must be a valid date'],
  ] as const) {
    const { status, body } = await read(from, to);
    assert.deepEqual([status, body], [400, { error }]);
  }
  assert.equal((await read('2026-01-01', '2026-04-02')).status, 200);
  const { body } = await call('GET', '/calendar?to=2026-03-28');
  assert.deepEqual([body.from, body.to], ['2026-03-01', '2026-03-28']);
});
