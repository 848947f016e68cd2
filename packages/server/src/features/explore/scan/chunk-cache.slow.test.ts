import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeBreakdown } from '../reports/breakdown.ts';
import { openExplorePool } from '../thread/explore-database.ts';
import type { ExplorePool } from '../thread/explore-database.ts';
import { makeFunnel } from '../reports/funnel.ts';
import { insertEvents, makeTestPartition, TEST_DAY } from '../test/event-table.ts';
import type { TestEvent } from '../test/event-table.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
  await makeTestPartition(server);
});
after(() => server.close());

/** Early in the day, because events that are received just now are not cached. */
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
      is_embedded: false,
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

test('after any changes of events, a repeated report equals a first one', async () => {
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
  await fc.assert(run, { numRuns: 6 });
});

const closing = (pool: ExplorePool) => ({
  ...pool,
  [Symbol.asyncDispose]: () => pool.close(),
});
