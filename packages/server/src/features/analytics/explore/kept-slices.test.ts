import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeBreakdown } from './breakdown.ts';
import { openExploreDatabase } from './explore-database.ts';
import type { ExploreDatabase } from './explore-database.ts';
import { makeFunnel } from './funnel.ts';
import { createKeptSlices } from './kept-slices.ts';
import type { KeptSlice } from './kept-slices.ts';
import { insertEvents, makeTestPartition, TEST_DAY } from './test/event-table.ts';
import type { TestEvent } from './test/event-table.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
  await makeTestPartition(server);
});
after(() => server.close());

/** Early in the day: what is received just now is read anew each time. */
const buy = (player_id: string | null, group: string, value: number, at_s = 60): TestEvent => ({
  event_name: 'buy',
  player_id,
  at_s,
  properties: { group, value },
});

function openExplore(): ExploreDatabase {
  return openExploreDatabase({
    connection: { url: server.database_url },
    is_embedded: false,
    load: new Float64Array(new SharedArrayBuffer(8)),
  });
}

const choose = (event_name: string) => ({ event_name, filter: [], text: '[]', path: [] });
const inputOf = (game_id: string) => ({
  game_id,
  environment: 'production' as const,
  starts_at: `${TEST_DAY}T00:00:00.000Z`,
  ends_at: `${TEST_DAY}T23:59:59.000Z`,
  events: choose('buy'),
  group_by: 'group',
  property: 'value',
  limit: 10,
});
const erase = (game_id: string, player_id: string) =>
  server.database.execute(
    sql`DELETE FROM events WHERE game_id = ${game_id} AND player_id = ${player_id}`,
  );
const never = new AbortController().signal;

/** Counts the packets that PostgreSQL hands over: one for each slice, with so few events. */
function countRead(database: ExploreDatabase) {
  let rows = 0;
  const counting: ExploreDatabase = {
    ...database,
    each: (statement, onRow, signal) =>
      database.each(
        statement,
        (row: never) => {
          if ('packed' in row) rows++;
          onRow(row);
        },
        signal,
      ),
  };
  const takeRows = () => {
    const counted = rows;
    rows = 0;
    return counted;
  };
  return { counting, takeRows };
}

test('a report asked again reads events only where some have come or gone', async () => {
  const { game_id } = await server.makeGame();
  await insertEvents(server, game_id, [buy('ann', 'x', 1), buy('bob', 'y', 2, 20_000)]);
  await using database = closing(openExplore());
  const { counting, takeRows } = countRead(database);
  const ask = async (input = inputOf(game_id)) => {
    const { total } = await makeBreakdown(counting, input, never);
    return { events: total.events, players: total.players, sum: total.sum, read: takeRows() };
  };

  assert.deepEqual(await ask(), { events: 2, players: 2, sum: 3, read: 2 });
  assert.deepEqual(await ask(), { events: 2, players: 2, sum: 3, read: 0 });
  await insertEvents(server, game_id, [buy('cleo', 'x', 4)]);
  assert.deepEqual(await ask(), { events: 3, players: 3, sum: 7, read: 1 });
  await erase(game_id, 'bob');
  assert.deepEqual(await ask(), { events: 2, players: 2, sum: 5, read: 0 });
  // As many as before.
  await erase(game_id, 'cleo');
  await insertEvents(server, game_id, [buy('dan', 'x', 8)]);
  assert.deepEqual(await ask(), { events: 2, players: 2, sum: 9, read: 1 });
  const shorter = { ...inputOf(game_id), starts_at: `${TEST_DAY}T01:00:00.000Z` };
  assert.deepEqual(await ask(shorter), { events: 0, players: 0, sum: null, read: 0 });
  const other = { ...inputOf(game_id), property: 'group' };
  assert.deepEqual(await ask(other), { events: 2, players: 2, sum: null, read: 1 });
  assert.deepEqual(await ask(), { events: 2, players: 2, sum: 9, read: 0 });
});

test('what one game or environment reads is nobody else’s', async () => {
  const [one, two] = [await server.makeGame(), await server.makeGame()];
  await insertEvents(server, one.game_id, [buy('ann', 'x', 1)]);
  await using database = closing(openExplore());
  const count = async (input: ReturnType<typeof inputOf>) =>
    (await makeBreakdown(database, input, never)).total.events;
  assert.equal(await count(inputOf(one.game_id)), 1);
  assert.equal(await count(inputOf(two.game_id)), 0);
  assert.equal(await count({ ...inputOf(one.game_id), environment: 'development' as never }), 0);
});

test('after any events that come and go, reports asked again are those of one who asks first', async () => {
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
    await using database = closing(openExplore());
    const input = inputOf(game_id);
    const funnel = { ...input, steps: [choose('buy')], window_minutes: 60, breakdown: 'group' };
    for (const each of changes) {
      if (typeof each === 'string') await erase(game_id, each);
      else await insertEvents(server, game_id, each);
      await using first = closing(openExplore());
      for (const explore of [database, database]) {
        assert.deepEqual(
          await makeBreakdown(explore, input, never),
          await makeBreakdown(first, input, never),
        );
        assert.deepEqual(
          await makeFunnel(explore, funnel, never),
          await makeFunnel(first, funnel, never),
        );
      }
    }
  });
  await fc.assert(run, { numRuns: 6 });
});

test('what is kept has a limit: the scans that were asked for longest ago make room', () => {
  const kept = createKeptSlices(10_000);
  const slice = (from_ms: number, bytes: number): KeptSlice => ({
    from_ms,
    to_ms: from_ms + 1,
    count: 1,
    id_sum: 1n,
    packets: [
      {
        view: new DataView(new ArrayBuffer(bytes)),
        count: 1,
        values: '',
        first_received_at: '',
        last_received_at: '',
      },
    ],
  });
  const found = () => ['a', 'b', 'c'].filter((scan) => kept.find(scan, 0) !== undefined).join();
  kept.keep('a', slice(0, 3_000));
  kept.keep('b', slice(0, 3_000));
  assert.equal(found(), 'a,b');
  kept.find('a', 0);
  kept.keep('c', slice(0, 3_000));
  assert.equal(found(), 'a,c');
  // In the place of the one before it, not beside it.
  for (let time = 0; time < 10; time++) kept.keep('c', slice(0, 3_000));
  assert.equal(found(), 'a,c');
  kept.keep('c', slice(1, 20_000));
  assert.equal(found(), 'c');
  assert.equal(kept.find('c', 1), undefined);
});

const closing = (database: ExploreDatabase) => ({
  ...database,
  [Symbol.asyncDispose]: () => database.close(),
});
