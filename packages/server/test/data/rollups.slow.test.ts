import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { countCases } from '../long-forms.ts';
import type { Queryable } from '../../src/platform/database/database.ts';
import type { GroupedDatabase } from '../../src/platform/database/game-groups.ts';
import { sql } from '../../src/platform/database/sql.ts';
import type { PlayerKey } from '../../src/platform/players/player-key.ts';
import { pauseIngest } from '../../src/features/events/inbox/ingest.ts';
import { joinIngest, lockIngest } from '../../src/platform/ingest-lock.ts';
import { EVENT_SOURCES } from '../../src/features/events/player-data.ts';
import { eraseMost } from '../../src/features/reports/rollups/early-erasure.ts';
import { createActivitySource } from '../../src/features/reports/rollups/player-data.ts';
import { createRebuilder, rebuildGame } from '../../src/features/reports/rollups/rebuilder.ts';
import { countNaively, readRollups } from '../../src/features/reports/test/naive-rollups.ts';
import { openIngestDatabase } from './ingest-database.ts';
import { eraseData } from '../../src/platform/players/player-tables.ts';
import type { IngestDatabase } from './ingest-database.ts';

let ingest: IngestDatabase;
let database: GroupedDatabase;
/**
 * The faults for the next transactions of the workers. Each transaction takes one fault from the list, and
 * ends with it.
 */
let faults: ('fail' | 'kill')[] = [];

before(async () => {
  ingest = await openIngestDatabase(3, causeFault);
  ({ database } = ingest);
});
after(() => ingest.close());

async function causeFault(tx: Queryable): Promise<void> {
  const fault = faults.pop();
  if (fault === 'fail') throw new Error('a fault');
  if (fault === 'kill') await tx.execute(sql`SELECT pg_terminate_backend(pg_backend_pid())`);
}

const TIME_ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
];
/**
 * The time of the first events. It is near the end of a day, and near the days on which the zones above
 * change to or from summer time.
 */
const START = Date.parse('2026-03-07T22:00:00Z');
const HOUR_MS = 3_600_000;
/** API keys, each with its environment. */
const KEYS: [string, string][] = [
  ['production', randomUUID()],
  ['production', randomUUID()],
  ['development', randomUUID()],
];

const offset_ms = fc.oneof(
  fc.integer({ min: 0, max: 40 * 24 }).map((hours) => hours * HOUR_MS),
  fc.integer({ min: 0, max: 20 * 24 * 3600 }).map((seconds) => seconds * 1_000),
);
/** Most events are on time, some are late, and some have wrong clocks. */
const delay_ms = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 5 * 60_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 80 * 24 }).map((hours) => hours * HOUR_MS) },
  { weight: 1, arbitrary: fc.constantFrom(-HOUR_MS, -2 * HOUR_MS, 100 * 24 * HOUR_MS, null) },
);
const request = fc.record({
  key: fc.constantFrom(...KEYS),
  offset_ms,
  events: fc.array(
    fc.record({
      event_name: fc.constantFrom('a', 'b', '=c'),
      session_id: fc.constantFrom('s1', 's2', 's3'),
      player_id: fc.constantFrom('p1', 'p2', 'p3', '', null),
      delay_ms,
    }),
    { minLength: 1, maxLength: 6 },
  ),
});

interface Request {
  key: [environment: string, key_id: string];
  offset_ms: number;
  events: {
    event_name: string;
    session_id: string;
    player_id: string | null;
    delay_ms: number | null;
  }[];
}

async function receive(game_id: string, sent: Request): Promise<void> {
  const received_at = START + sent.offset_ms;
  const [environment, key_id] = sent.key;
  const events = sent.events.map(({ delay_ms: delay, player_id, ...event }) => ({
    ...event,
    player_id: player_id === '' ? null : player_id,
    client_timestamp: delay === null ? null : new Date(received_at - delay).toISOString(),
  }));
  await database.execute(sql`
    INSERT INTO event_inbox (game_id, environment, key_id, received_at, event_count, body)
    VALUES (${game_id}, ${environment}, ${key_id},
            ${new Date(received_at).toISOString()}, ${events.length}, ${JSON.stringify(events)})`);
}

async function assertRight(game_id: string, time_zone: string, when: string): Promise<void> {
  const naive = await countNaively(database, game_id, time_zone);
  assert.deepEqual(await readRollups(database, game_id), naive, when);
}

async function erase(player: PlayerKey): Promise<void> {
  const sources = [createActivitySource(lockIngest, joinIngest), ...EVENT_SOURCES];
  await eraseMost(database, joinIngest, player, 1);
  await database.transaction(async (tx) => {
    for (const source of sources) await eraseData(tx, source, player);
  });
}

test('after faults, erasures and rebuilds, rollups equal a count of all events', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...TIME_ZONES),
      fc.array(request, { minLength: 1, maxLength: 25 }),
      fc.array(fc.constantFrom('fail', 'kill'), { maxLength: 3 }),
      async (time_zone, requests, wrong) => {
        const game_id = await ingest.makeGame(time_zone);
        faults = [...(wrong as typeof faults)];
        const half = Math.ceil(requests.length / 2);
        for (const [index, sent] of requests.slice(0, half).entries()) {
          await receive(game_id, sent);
          // Several nodes process the inbox at the same time.
          if (index % 4 === 0) void ingest.processInbox();
        }
        await ingest.processAll(game_id);
        await assertRight(game_id, time_zone, 'after half of the events');

        await erase({ game_id, environment: 'production', player_id: 'p1' });
        await assertRight(game_id, time_zone, 'after erasing a player');

        await Promise.all([
          rebuildGame(database, pauseIngest, { game_id }),
          ...requests.slice(half).map((sent) => receive(game_id, sent)),
          ingest.processInbox(),
        ]);
        await ingest.processAll(game_id);
        await assertRight(game_id, time_zone, 'after a rebuild while events arrive');
        compared += 1;
      },
    ),
    { numRuns: countCases(30) },
  );
  assert.ok(compared >= countCases(30));
});

test('several nodes correctly count many players of one day, without deadlocks', async () => {
  const game_id = await ingest.makeGame('Europe/Berlin');
  for (let number = 0; number < 60; number++) {
    await receive(game_id, {
      key: KEYS[0]!,
      offset_ms: (number % 9) * 24 * HOUR_MS,
      events: Array.from({ length: 40 }, (_, index) => ({
        event_name: `event-${(index * 7) % 5}`,
        session_id: `s${(number * 13 + index) % 50}`,
        player_id: `p${(number * 31 + index * 17) % 97}`,
        delay_ms: (index % 4) * 20 * HOUR_MS,
      })),
    });
    if (number % 5 === 0) void ingest.processInbox();
  }
  await ingest.processAll(game_id);
  await assertRight(game_id, 'Europe/Berlin', 'after all');
});

test('events wait in the inbox until a server finishes an interrupted rebuild', async () => {
  const game_id = await ingest.makeGame('Asia/Kathmandu');
  const sent: Request = {
    key: KEYS[0]!,
    offset_ms: 0,
    events: [{ event_name: 'a', session_id: 's', player_id: 'p', delay_ms: 0 }],
  };
  await receive(game_id, sent);
  await ingest.processAll(game_id);
  await database.execute(sql`DELETE FROM event_counts WHERE game_id = ${game_id}`);
  const aborted = rebuildGame(database, pauseIngest, {
    game_id,
    signal: AbortSignal.abort(new Error('stopped')),
  });
  await assert.rejects(aborted, /stopped/);

  await receive(game_id, { ...sent, offset_ms: 5 * HOUR_MS });
  await ingest.processInbox();
  const waiting = await database.query(sql`SELECT FROM event_inbox WHERE game_id = ${game_id}`);
  assert.equal(waiting.length, 1);
  await createRebuilder(database, pauseIngest).run();
  await ingest.processAll(game_id);
  await assertRight(game_id, 'Asia/Kathmandu', 'after the server has gone on');
});

test('an erasure during a rebuild fails, because the rebuild would count the erased player again', async () => {
  const game_id = await ingest.makeGame('UTC');
  await database.transaction((tx) => pauseIngest(tx, game_id));
  await database.transaction(async (tx) => {
    await tx.execute(sql`SELECT FROM event_holds WHERE game_id = ${game_id} FOR UPDATE`);
    const erasure = erase({ game_id, environment: 'production', player_id: 'p' });
    await assert.rejects(erasure, { code: '55P03' });
  });
  await database.execute(sql`DELETE FROM event_holds WHERE game_id = ${game_id}`);
});

test('if a game is deleted during its rebuild, the rebuild leaves nothing behind', async () => {
  const game_id = await ingest.makeGame('UTC');
  const events = [{ event_name: 'a', session_id: 's', player_id: 'p', delay_ms: 0 }];
  await receive(game_id, { key: KEYS[0]!, offset_ms: 0, events });
  await ingest.processAll(game_id);
  const { promise: reading, resolve: onProgress } = Promise.withResolvers<unknown>();
  const { promise: locked, resolve: onLocked } = Promise.withResolvers<void>();
  const deleted = database.transaction(async (tx) => {
    await tx.execute(sql`DELETE FROM games WHERE id = ${game_id}`);
    onLocked();
    await reading;
  });
  await locked;
  await assert.rejects(rebuildGame(database, pauseIngest, { game_id, onProgress }), /deleted/);
  await deleted;
  await createRebuilder(database, pauseIngest).run();
  assert.equal(await database.execute(sql`SELECT FROM event_holds WHERE game_id = ${game_id}`), 0);
});
