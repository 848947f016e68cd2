import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { countCases } from '../long-forms.ts';
import { waitUntil } from '../wait-until.ts';
import { openTestDatabase } from '../test-database.ts';
import type { GroupedDatabase } from '../../src/platform/database/game-groups.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { pauseIngest } from '../../src/features/events/inbox/ingest.ts';
import { createRebuilder } from '../../src/features/reports/rollups/rebuilder.ts';
import { countNaively, readRollups } from '../../src/features/reports/test/naive-rollups.ts';
import type { Rollups } from '../../src/features/reports/test/naive-rollups.ts';
import { openIngestDatabase } from './ingest-database.ts';
import type { IngestDatabase } from './ingest-database.ts';

/** After a game has moved to another time zone, the stored counts of its days must equal a plain recount. */

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
];
/** The time of the first events, before these zones change to and from summer time. */
const START = Date.parse('2026-03-07T22:00:00Z');
const HOUR_MS = 3_600_000;
const KEYS = [
  ['production', randomUUID()],
  ['production', randomUUID()],
  ['development', randomUUID()],
] as const;

let ingest: IngestDatabase;
let database: GroupedDatabase;
before(async () => {
  ingest = await openIngestDatabase(2);
  ({ database } = ingest);
});
after(() => ingest.close());

interface Received {
  key: (typeof KEYS)[number];
  /** Hours from the start until the server receives the event. */
  hours: number;
  events: { session_id: string; player_id: string; late_hours: number }[];
}

const received: fc.Arbitrary<Received> = fc.record({
  key: fc.constantFrom(...KEYS),
  hours: fc.integer({ min: 0, max: 30 * 24 * 4 }).map((quarters) => quarters / 4),
  events: fc.array(
    fc.record({
      // Few sessions, so that many last for days.
      session_id: fc.constantFrom('s1', 's2', 's3', 's4'),
      player_id: fc.constantFrom('p1', 'p2', 'p3', 'p4', 'p5', ''),
      late_hours: fc.constantFrom(0, 0, 0, 1, 13, 30, 24 * 40),
    }),
    { minLength: 1, maxLength: 6 },
  ),
});

async function receive(game_id: string, { key, hours, events }: Received): Promise<void> {
  const at = START + hours * HOUR_MS;
  const [environment, key_id] = key;
  const body = events.map(({ late_hours, player_id, session_id }) => ({
    event_name: `e${late_hours % 2}`,
    session_id,
    player_id: player_id || null,
    client_timestamp: new Date(at - late_hours * HOUR_MS).toISOString(),
  }));
  await database.execute(sql`
    INSERT INTO event_inbox (game_id, environment, key_id, received_at, event_count, body)
    VALUES (${game_id}, ${environment}, ${key_id}, ${new Date(at).toISOString()}, ${events.length},
            ${JSON.stringify(body)})`);
}

const ask = (game_id: string, time_zone: string) =>
  database.execute(sql`
    INSERT INTO time_zone_changes (game_id, time_zone) VALUES (${game_id}, ${time_zone})`);

async function zoneOf(game_id: string): Promise<string> {
  const game = await database.queryOne<{ time_zone: string }>(sql`
    SELECT time_zone FROM games WHERE id = ${game_id}`);
  return game!.time_zone;
}

async function assertRight(game_id: string, time_zone: string, when: string): Promise<void> {
  assert.equal(await zoneOf(game_id), time_zone, when);
  const naive = await countNaively(database, game_id, time_zone);
  assert.deepEqual(await readRollups(database, game_id), naive, when);
}

test('days that are moved to a new zone while events arrive equal a plain count in that zone', async () => {
  let long_sessions = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(ZONES, { minLength: 3, maxLength: 3 }),
      fc.array(received, { minLength: 2, maxLength: 40 }),
      async ([first, second, third], requests) => {
        const game_id = await ingest.makeGame(first!);
        const third_part = Math.ceil(requests.length / 3);
        for (const sent of requests.slice(0, third_part)) await receive(game_id, sent);
        await ingest.processAll(game_id);
        await ask(game_id, second!);
        await Promise.all([
          // Two servers work on the change at the same time.
          createRebuilder(database, pauseIngest).run(),
          createRebuilder(database, pauseIngest).run(),
          ...requests.slice(third_part, 2 * third_part).map((sent) => receive(game_id, sent)),
          ingest.processInbox(),
        ]);
        await ingest.processAll(game_id);
        await assertRight(game_id, second!, 'after a change while events arrive');
        await ask(game_id, third!);
        await createRebuilder(database, pauseIngest).run();
        await assertRight(game_id, third!, 'after another change');
        for (const sent of requests.slice(2 * third_part)) await receive(game_id, sent);
        await ingest.processAll(game_id);
        await assertRight(game_id, third!, 'after events of the new days');
        const rows = await database.execute(sql`
          SELECT FROM sessions
          WHERE game_id = ${game_id} AND last_event_at - started_at > interval '3 days'`);
        long_sessions += rows;
        const left = await database.execute(sql`
          SELECT game_id FROM event_holds WHERE game_id = ${game_id}
          UNION ALL SELECT game_id FROM time_zone_changes WHERE game_id = ${game_id}`);
        assert.equal(left, 0);
      },
    ),
    { numRuns: countCases(25) },
  );
  assert.ok(long_sessions > countCases(10));
});

const sample = (count: number): Received[] =>
  Array.from({ length: count }, (_, number) => ({
    key: KEYS[number % 3]!,
    hours: number * 5.25,
    events: [0, 1, 2].map((index) => ({
      session_id: `s${number}`,
      player_id: `p${(number + index) % 7}`,
      late_hours: index * 11,
    })),
  }));

test('when the server that makes a change dies, nothing is changed, and another server makes the change', async () => {
  const game_id = await ingest.makeGame('UTC');
  for (const sent of sample(60)) await receive(game_id, sent);
  await ingest.processAll(game_id);
  await ask(game_id, 'Asia/Kathmandu');

  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: onLocked } = Promise.withResolvers<void>();
  // This table is one of the last that the change writes.
  const blocker = database.transaction(async (tx) => {
    await tx.execute(sql`LOCK TABLE daily_event_counts IN EXCLUSIVE MODE`);
    onLocked();
    await held;
  });
  await locked;
  const dying = openTestDatabase(
    { url: ingest.url },
    { application_name: 'dying', max_connections: 2 },
  );
  const isRejected = assert.rejects(createRebuilder(dying, pauseIngest).run());
  await waitUntil('the change waits for the lock', async () => {
    const ended = await database.execute(sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'dying' AND wait_event_type = 'Lock'`);
    return ended > 0;
  });
  await isRejected;
  release();
  await blocker;
  await dying.close();

  await assertRight(game_id, 'UTC', 'after the server has died');
  const sent = { ...sample(1)[0]!, hours: 400 };
  await receive(game_id, sent);
  await ingest.processInbox();
  await assertRight(game_id, 'UTC', 'while events wait for the change');
  await createRebuilder(database, pauseIngest).run();
  await ingest.processAll(game_id);
  await assertRight(game_id, 'Asia/Kathmandu', 'after another server has made the change');
});

test('daily counts of deleted events move too, except receipts and the days between the first and last day of a session', async () => {
  const game_id = await ingest.makeGame('UTC');
  for (const sent of sample(120)) await receive(game_id, sent);
  // One session lasts for a week. Its events are deleted later in this test.
  for (const hours of [0, 30, 50, 100, 168]) {
    const events = [{ session_id: 'long', player_id: 'long', late_hours: 0 }];
    await receive(game_id, { key: KEYS[0]!, hours: hours + 2, events });
  }
  await ingest.processAll(game_id);
  const complete = await countNaively(database, game_id, 'Europe/Berlin');
  const old = await readRollups(database, game_id);
  const kept_since = '2026-03-20T00:00:00Z';
  await database.execute(sql`
    UPDATE games SET events_kept_since = ${kept_since} WHERE id = ${game_id}`);
  const dropped = await database.execute(sql`
    DELETE FROM events WHERE game_id = ${game_id} AND received_at < ${kept_since}`);
  assert.ok(dropped > 100);
  await ask(game_id, 'Europe/Berlin');
  await createRebuilder(database, pauseIngest).run();

  const moved = await readRollups(database, game_id);
  for (const rollup of ['event_counts', 'daily_event_counts', 'daily_sessions']) {
    assert.deepEqual(moved[rollup], complete[rollup], rollup);
  }
  const daysOf = (rollups: Rollups, isLong: boolean) =>
    Object.keys(rollups.player_activity!).filter((name) => name.includes('long') === isLong);
  assert.deepEqual(daysOf(moved, false), daysOf(complete, false));
  // The first and the last day are days of Berlin, the others are still days of UTC.
  assert.deepEqual(daysOf(moved, true), [
    '["[\\"production\\",\\"long\\"]","2026-03-08"]',
    '["[\\"production\\",\\"long\\"]","2026-03-09"]',
    '["[\\"production\\",\\"long\\"]","2026-03-10"]',
    '["[\\"production\\",\\"long\\"]","2026-03-12"]',
    '["[\\"production\\",\\"long\\"]","2026-03-15"]',
  ]);
  const receipts = (rollups: Rollups, isKept: (day: string) => boolean) =>
    Object.entries(rollups.daily_receipts!).filter(([name]) => isKept(JSON.parse(name)[1]));
  const isNew = (day: string) => day >= '2026-03-21';
  assert.deepEqual(receipts(moved, isNew), receipts(complete, isNew));
  const isOld = (day: string) => day < '2026-03-21';
  assert.deepEqual(receipts(moved, isOld), receipts(old, isOld));
});

test('a game that is deleted before its time zone changes leaves no change behind', async () => {
  const game_id = await ingest.makeGame('UTC');
  await ask(game_id, 'Europe/Berlin');
  await database.execute(sql`DELETE FROM games WHERE id = ${game_id}`);
  await database.execute(sql`INSERT INTO game_deletions (game_id) VALUES (${game_id})`);
  await createRebuilder(database, pauseIngest).run();
  const left = await database.execute(sql`
    SELECT game_id FROM event_holds WHERE game_id = ${game_id}
    UNION ALL SELECT game_id FROM time_zone_changes WHERE game_id = ${game_id}`);
  assert.equal(left, 0);
});
