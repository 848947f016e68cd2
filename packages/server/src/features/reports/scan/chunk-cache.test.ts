import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeBreakdown } from '../breakdown/breakdown.ts';
import { openExplorePool } from '../thread/explore-database.ts';
import type { ExploreDatabase, ExplorePool } from '../thread/explore-database.ts';
import { makeFunnel } from '../funnel/funnel.ts';
import { createChunkCache } from './chunk-cache.ts';
import type { CachedChunk } from './chunk-cache.ts';
import { makeTestPartition, TEST_DAY } from '../../../../test/past-day.ts';
import { insertEvents } from '../test/event-table.ts';
import type { TestEvent } from '../test/event-table.ts';
import { countCases } from '../../../../test/long-forms.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
  await makeTestPartition(server);
});
after(() => server.close());

/** Makes a purchase early in the day, because events that have just been received are not cached. */
const buy = (player_id: string | null, group: string, value: number, at_s = 60): TestEvent => ({
  event_name: 'buy',
  player_id,
  at_s,
  properties: { group, value },
});

function openExplore() {
  return closing(
    openExplorePool({
      connection: { url: server.database_url },
      group_count: server.database.groups.length,
      load: new Float64Array(new SharedArrayBuffer(8)),
    }),
  );
}

const choose = (event_name: string) => ({ event_name, filter: [], text: '[]', path: [] });
const inputOf = (game_id: string) => ({
  game_id,
  environment: 'production' as const,
  starts_at: `${TEST_DAY}T00:00:00.000Z`,
  ends_at: `${TEST_DAY}T23:59:59.000Z`,
  events: choose('buy'),
  choice: null,
  group_by: 'group',
  property: 'value',
  limit: 10,
});
const erase = (game_id: string, player_id: string) =>
  server.database.execute(
    sql`DELETE FROM events WHERE game_id = ${game_id} AND player_id = ${player_id}`,
  );
const never = new AbortController().signal;

/** Counts the packets that are read from PostgreSQL. Each chunk with events is one packet. */
function countRead(database: ExploreDatabase) {
  let rows = 0;
  const counting: ExploreDatabase = {
    ...database,
    each(statement, onRow, signal) {
      const count = (row: never) => {
        if ('packed' in row) rows++;
        onRow(row);
      };
      return database.each(statement, count, signal);
    },
  };
  const takeRows = () => [rows, (rows = 0)][0];
  return { counting, takeRows };
}

test('a repeated report reads only chunks whose events have changed', async () => {
  const { game_id } = await server.makeGame();
  const crowd = Array.from({ length: 20_000 }, () => buy('ann', 'x', 1));
  await insertEvents(server, game_id, [...crowd, buy('bob', 'y', 2, 20_000)]);
  await using explore = openExplore();
  const { counting, takeRows } = countRead(explore.ofGame(game_id));
  const ask = async (input = inputOf(game_id)) => {
    const { total } = await makeBreakdown(counting, input, never);
    return { events: total.events, players: total.players, sum: total.sum, read: takeRows() };
  };

  assert.deepEqual(await ask(), { events: 20_001, players: 2, sum: 20_002, read: 2 });
  assert.deepEqual(await ask(), { events: 20_001, players: 2, sum: 20_002, read: 0 });
  await insertEvents(server, game_id, [buy('cleo', 'x', 4, 20_000)]);
  assert.deepEqual(await ask(), { events: 20_002, players: 3, sum: 20_006, read: 1 });
  await erase(game_id, 'bob');
  assert.deepEqual(await ask(), { events: 20_001, players: 2, sum: 20_004, read: 1 });
  // Now there are as many events as before.
  await erase(game_id, 'cleo');
  await insertEvents(server, game_id, [buy('dan', 'x', 8, 20_000)]);
  assert.deepEqual(await ask(), { events: 20_001, players: 2, sum: 20_008, read: 1 });
  const later = { ...inputOf(game_id), starts_at: `${TEST_DAY}T01:00:00.000Z` };
  assert.deepEqual(await ask(later), { events: 1, players: 1, sum: 8, read: 1 });
  const other = { ...inputOf(game_id), property: 'group' };
  assert.deepEqual(await ask(other), { events: 20_001, players: 2, sum: null, read: 2 });
  assert.deepEqual(await ask(), { events: 20_001, players: 2, sum: 20_008, read: 0 });
  // A merge of the two players changes only the player of the event.
  await server.database.execute(sql`
    UPDATE events SET player_id = 'ann' WHERE game_id = ${game_id} AND player_id = 'dan'`);
  assert.deepEqual(await ask(), { events: 20_001, players: 1, sum: 20_008, read: 1 });
});

test('games and environments share no chunks', async () => {
  const [one, two] = [await server.makeGame(), await server.makeGame()];
  await insertEvents(server, one.game_id, [buy('ann', 'x', 1)]);
  await using explore = openExplore();
  const count = async (input: ReturnType<typeof inputOf>) =>
    (await makeBreakdown(explore.ofGame(input.game_id), input, never)).total.events;
  assert.equal(await count(inputOf(one.game_id)), 1);
  assert.equal(await count(inputOf(two.game_id)), 0);
  assert.equal(await count({ ...inputOf(one.game_id), environment: 'development' as never }), 0);
});

test('after any change of events, a report from the cache equals a report without a cache', async () => {
  const event = fc
    .tuple(
      fc.constantFrom('p', 'q', 'r', null),
      fc.constantFrom('x', 'y'),
      fc.integer({ min: -5, max: 5 }),
      fc.integer({ min: 0, max: 23_000 }),
    )
    .map((fields) => buy(...fields));
  const change = fc.oneof(
    fc.array(event, { minLength: 1, maxLength: 5 }),
    fc.constantFrom('p', 'q', 'r'),
  );
  const run = fc.asyncProperty(fc.array(change, { maxLength: 6 }), async (changes) => {
    const { game_id } = await server.makeGame();
    await using explore = openExplore();
    const input = inputOf(game_id);
    const funnel = { ...input, steps: [choose('buy')], window_minutes: 60, breakdown: 'group' };
    for (const each of changes) {
      if (typeof each === 'string') await erase(game_id, each);
      else await insertEvents(server, game_id, each);
      await using first = openExplore();
      for (let repeat = 0; repeat < 2; repeat++) {
        assert.deepEqual(
          await makeBreakdown(explore.ofGame(game_id), input, never),
          await makeBreakdown(first.ofGame(game_id), input, never),
        );
        assert.deepEqual(
          await makeFunnel(explore.ofGame(game_id), funnel, never),
          await makeFunnel(first.ofGame(game_id), funnel, never),
        );
      }
    }
  });
  await fc.assert(run, { numRuns: countCases(6) });
});

/** Makes a chunk of this many bytes that lasts one millisecond. */
const makeChunk = (from_ms: number, bytes: number, count = 1): CachedChunk => ({
  from_ms,
  to_ms: from_ms + 1,
  count,
  id_sum: 1n,
  packets: [
    {
      view: new DataView(new ArrayBuffer(bytes)),
      count,
      values: '',
      first_received_at: '',
      last_received_at: '',
    },
  ],
});

/** Stores chunks as a scan does, and tells which chunks the cache then has. */
function keeping(max_bytes: number) {
  const kept = createChunkCache(max_bytes);
  return {
    keep(scan: string, ...chunks: CachedChunk[]) {
      const cache = kept.open(scan, 0);
      for (const chunk of chunks) cache.add(chunk);
      cache.close();
    },
    known: (scan: string) => kept.open(scan, 0).known,
    scans: () => ['a', 'b', 'c'].filter((scan) => kept.open(scan, 0).known.length > 0).join(),
  };
}

test('when the cache reaches its size limit, the least recently used scans are dropped', () => {
  const { keep, scans } = keeping(10_000);
  keep('a', makeChunk(0, 3_000));
  keep('b', makeChunk(0, 3_000));
  assert.equal(scans(), 'a,b');
  keep('a', makeChunk(0, 3_000));
  keep('c', makeChunk(0, 3_000));
  assert.equal(scans(), 'a,c');
  // The new chunks of a scan replace its old chunks.
  keep('c', ...Array.from({ length: 10 }, () => makeChunk(0, 3_000)));
  assert.equal(scans(), 'a,c');
  keep('c', makeChunk(1, 20_000));
  assert.equal(scans(), 'a');
});

test('chunks are stored up to the first gap, and small chunks are joined', () => {
  const { keep, known } = keeping(1_000_000);
  keep('a', makeChunk(1, 10), makeChunk(0, 10), makeChunk(3, 10));
  assert.deepEqual(
    known('a').map(({ from_ms, to_ms, count, id_sum }) => [from_ms, to_ms, count, id_sum]),
    [[0, 2, 2, 2n]],
  );
  keep('b', makeChunk(0, 10, 15_000), makeChunk(1, 10, 15_000));
  assert.deepEqual(
    known('b').map(({ from_ms, to_ms }) => [from_ms, to_ms]),
    [
      [0, 1],
      [1, 2],
    ],
  );
});

test('a scan that is repeated every minute has few chunks', () => {
  const { keep, known } = keeping(1_000_000);
  for (let minute = 0; minute < 20; minute++) keep('a', makeChunk(minute, 10));
  assert.deepEqual(
    known('a').map(({ from_ms, to_ms }) => [from_ms, to_ms]),
    [[0, 20]],
  );
});

test('a scan that is not used for ten minutes is dropped', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { keep, scans } = keeping(1_000_000);
  keep('a', makeChunk(0, 10));
  context.mock.timers.tick(9 * 60_000);
  keep('a');
  keep('b', makeChunk(0, 10));
  context.mock.timers.tick(9 * 60_000);
  assert.equal(scans(), 'a,b');
  context.mock.timers.tick(60_001);
  assert.equal(scans(), '');
});

const closing = (pool: ExplorePool) => ({
  ...pool,
  [Symbol.asyncDispose]: () => pool.close(),
});
