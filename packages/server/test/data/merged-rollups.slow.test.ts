import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { countCases } from '../long-forms.ts';
import { createActivitySource } from '../../src/features/reports/rollups/player-data.ts';
import { rebuildGame } from '../../src/features/reports/rollups/rebuilder.ts';
import { countNaively, readRollups } from '../../src/features/reports/test/naive-rollups.ts';
import { pauseIngest } from '../../src/features/events/inbox/ingest.ts';
import { joinIngest, lockIngest } from '../../src/platform/ingest-lock.ts';
import { createEventMover } from '../../src/features/events/merged-events.ts';
import { EVENT_SOURCES } from '../../src/features/events/player-data.ts';
import { mergePlayers } from '../../src/features/players/merges/merge.ts';
import { inOneGroup } from '../../src/platform/database/game-groups.ts';
import type { GroupedDatabase } from '../../src/platform/database/game-groups.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { ApiError } from '../../src/platform/errors.ts';
import { openIngestDatabase } from './ingest-database.ts';
import type { IngestDatabase } from './ingest-database.ts';

/**
 * Merges players while their events arrive, and compares the rollups with counts that plain code makes from
 * all events.
 */

let ingest: IngestDatabase;
let database: GroupedDatabase;
before(async () => {
  ingest = await openIngestDatabase(2);
  ({ database } = ingest);
});
after(() => ingest.close());

const START_MS = Date.parse('2026-03-07T22:00:00Z');
const HOUR_MS = 3_600_000;
const KEY_ID = randomUUID();

interface Request {
  hours: number;
  events: { player_id: string; session_id: string; delay_hours: number }[];
}
const request: fc.Arbitrary<Request> = fc.record({
  hours: fc.nat(40 * 24),
  events: fc.array(
    fc.record({
      player_id: fc.constantFrom('p1', 'p2', 'p3'),
      session_id: fc.constantFrom('s1', 's2'),
      delay_hours: fc.oneof(fc.constant(0), fc.nat(80 * 24)),
    }),
    { minLength: 1, maxLength: 5 },
  ),
});
/**
 * Pairs of players to merge: the second into the first. A run merges several pairs at the same time. They may
 * make a circle, such as p2 into p1 and p1 into p2.
 */
const pair = fc.constantFrom(...(['p1 p2', 'p2 p1', 'p2 p3', 'p3 p1', 'p1 p3'] as const));

async function receive(game_id: string, { hours, events }: Request): Promise<void> {
  const received_ms = START_MS + hours * HOUR_MS;
  const sent = events.map(({ delay_hours, ...event }) => ({
    ...event,
    event_name: 'e',
    client_timestamp: new Date(received_ms - delay_hours * HOUR_MS).toISOString(),
  }));
  await database.execute(sql`
    INSERT INTO event_inbox (game_id, environment, key_id, received_at, event_count, body)
    VALUES (${game_id}, 'production', ${KEY_ID}, ${new Date(received_ms).toISOString()},
            ${sent.length}, ${JSON.stringify(sent)})`);
}

/** Merges two players. One of them may already be gone. @returns whether they were merged. */
async function merge(game_id: string, player_id: string, from_player_id: string): Promise<boolean> {
  const tenant = { game_id, environment: 'production' } as const;
  const sources = [createActivitySource(lockIngest, joinIngest), ...EVENT_SOURCES];
  try {
    await mergePlayers(
      database,
      sources,
      {
        player: { ...tenant, player_id },
        from: { ...tenant, player_id: from_player_id },
        saves: 'newest',
      },
      false,
      { actor: { account: null, ip: null } },
    );
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}

async function assertRight(game_id: string, time_zone: string, when: string): Promise<void> {
  const naive = await countNaively(database, game_id, time_zone);
  assert.deepEqual(await readRollups(database, game_id), naive, when);
  const sessions = await database.query(sql`
    SELECT COALESCE(sessions.player_id, counted.player_id) AS player_id
    FROM (SELECT * FROM sessions WHERE game_id = ${game_id}) AS sessions
    FULL JOIN (
      SELECT player_id, session_id, count(*) AS event_count, min(occurred_at) AS started_at,
             max(occurred_at) AS last_event_at
      FROM events WHERE game_id = ${game_id} GROUP BY 1, 2
    ) AS counted USING (player_id, session_id, event_count, started_at, last_event_at)
    WHERE sessions.game_id IS NULL OR counted.player_id IS NULL`);
  assert.deepEqual(sessions, [], when);
}

test('after merges while events arrive, rollups equal a count of all events', async () => {
  let merged = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu'),
      fc.array(request, { minLength: 2, maxLength: 16 }),
      fc.array(pair, { minLength: 1, maxLength: 4 }),
      async (time_zone, requests, pairs) => {
        const game_id = await ingest.makeGame(time_zone);
        const half = Math.ceil(requests.length / 2);
        for (const sent of requests.slice(0, half)) await receive(game_id, sent);
        await ingest.processAll(game_id);
        const mover = createEventMover(database);
        const outcomes = await Promise.all([
          ...pairs.map((ids) => merge(game_id, ...(ids.split(' ') as [string, string]))),
          ...requests.slice(half).map(async (sent) => {
            await receive(game_id, sent);
            await ingest.processInbox();
          }),
          mover.run(),
        ]);
        merged += outcomes.filter((outcome) => outcome === true).length;
        await ingest.processAll(game_id);
        await mover.run();
        await assertRight(game_id, time_zone, 'after merges');
        await rebuildGame(database, pauseIngest, { game_id });
        await assertRight(game_id, time_zone, 'after a rebuild');
      },
    ),
    { numRuns: countCases(40) },
  );
  assert.ok(merged > countCases(20));
});

test('if rollups are rebuilt before a merge has moved all events, the events count for the player who stays', async () => {
  const game_id = await ingest.makeGame('UTC');
  for (const [hours, player_id] of [
    [0, 'p1'],
    [30, 'p2'],
  ] as const) {
    await receive(game_id, { hours, events: [{ player_id, session_id: 's', delay_hours: 0 }] });
  }
  await ingest.processAll(game_id);
  await merge(game_id, 'p2', 'p1');
  await rebuildGame(database, pauseIngest, { game_id });
  await createEventMover(database).run();
  await assertRight(game_id, 'UTC', 'after the events have moved');
});

test('when the connection dies during a move of events, the next run continues where the move stopped', async () => {
  const game_id = await ingest.makeGame('UTC');
  for (let n = 0; n < 50; n++) {
    const events = Array.from({ length: 100 }, () => ({
      player_id: n % 5 === 0 ? 'p2' : 'p1',
      session_id: `s${n % 7}`,
      delay_hours: n,
    }));
    await receive(game_id, { hours: n, events });
  }
  await ingest.processAll(game_id);
  await merge(game_id, 'p2', 'p1');
  const group = database.ofGame(game_id);
  const dying = inOneGroup({
    ...group,
    // The connection dies at the end of the second step.
    transaction: (work) =>
      group.transaction(async (tx) => {
        const result = await work(tx);
        const moved = await tx.queryOne<{ moved: number }>(sql`
          SELECT moved_event_count AS moved FROM player_merges WHERE game_id = ${game_id}`);
        if (moved!.moved > 1_000) {
          await tx.execute(sql`SELECT pg_terminate_backend(pg_backend_pid())`);
        }
        return result;
      }),
  });
  const mover = createEventMover(dying);
  await assert.rejects(mover.run());
  const list = () =>
    database.query(sql`
      SELECT moved_event_count, completed_at IS NOT NULL AS is_complete
      FROM player_merges WHERE game_id = ${game_id}`);
  assert.deepEqual(await list(), [{ moved_event_count: 1_000, is_complete: false }]);
  await createEventMover(database).run();
  assert.deepEqual(await list(), [{ moved_event_count: 4_000, is_complete: true }]);
  await assertRight(game_id, 'UTC', 'after the second start');
});

test('a merge during a rebuild fails, because the rebuild would bring the merged player back', async () => {
  const game_id = await ingest.makeGame('UTC');
  for (const player_id of ['p1', 'p2']) {
    await receive(game_id, { hours: 0, events: [{ player_id, session_id: 's', delay_hours: 0 }] });
  }
  await ingest.processAll(game_id);
  await database.transaction((tx) => pauseIngest(tx, game_id));
  await database.transaction(async (tx) => {
    await tx.execute(sql`SELECT FROM event_holds WHERE game_id = ${game_id} FOR UPDATE`);
    await assert.rejects(merge(game_id, 'p2', 'p1'), { code: '55P03' });
  });
  await database.execute(sql`DELETE FROM event_holds WHERE game_id = ${game_id}`);
});
