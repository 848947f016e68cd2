import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeMergeClient } from '../../src/features/players/test/merge-client.ts';
import { createPlayerDictionary } from '../../src/features/reports/sealed/player-dictionary.ts';
import { createSealedEvents } from '../../src/features/reports/sealed/reader.ts';
import { sealDay } from '../../src/features/reports/sealed/seal-day.ts';
import { runSeals } from '../../src/features/reports/sealed/seal-run.ts';
import {
  insertPastEvents,
  makeEvents,
  readRows,
  readSealed,
} from '../../src/features/reports/sealed/test/sealed-game.ts';
import { unsealGame } from '../../src/features/reports/sealed/unseal.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { joinIngest } from '../../src/platform/ingest-lock.ts';
import type { Tenant } from '../../src/platform/players/player-key.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { daysAgo } from '../past-day.ts';
import { waitUntil } from '../wait-until.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const PROPERTIES = ['level', 'text', 'seconds'];
const sealed = createSealedEvents();
const sealAll = () =>
  runSeals(server.database, { joinIngest, retention_days: 0, min_events: 1, rest_times: 0 });

interface StartedGame {
  game: Database;
  tenant: Tenant;
}

/** Compares the sealed events with all rows. */
async function requireEqual({ game, tenant }: StartedGame) {
  const read = await readSealed(sealed, game, tenant, PROPERTIES);
  assert.deepEqual(read.refused, []);
  assert.deepEqual(read.events, await readRows(sealed, game, tenant, PROPERTIES));
  return read;
}

/** Seals one day, with work after each page. */
const sealWith = ({ game, tenant }: StartedGame, day: string, afterPage: () => Promise<unknown>) =>
  sealDay(game, { ...tenant, day }, createPlayerDictionary(game, tenant, joinIngest), {
    min_events: 1,
    max_page_events: 2_000,
    rest: async () => void (await afterPage()),
  });

test('a merge gives sealed events to the player who stays, and unseals no day', async () => {
  const client = await makeMergeClient(server);
  const { game_id } = client.game;
  const game = server.database.ofGame(game_id);
  const started = { game, tenant: { game_id, environment: 'production' as const } };
  await insertPastEvents(server, game_id, daysAgo(2), makeEvents(3_000, 10));
  for (const id of ['p1', 'p2', 'p3', 'new']) await client.identify(id);
  await sealAll();
  await requireEqual(started);
  for (const [to, from] of [
    ['p2', 'p1'],
    ['p3', 'p2'],
    ['new', 'p3'],
  ] as const) {
    assert.equal((await client.merge(to, { from_player_id: from })).status, 200);
    const { days } = await requireEqual(started);
    assert.deepEqual(days, [daysAgo(2)]);
    await client.waitForEvents(to);
  }
  // The number of a player who is found again is one of those that the player has.
  await game.transaction((tx) => unsealGame(tx, game_id));
  await sealAll();
  await requireEqual(started);
});

test('players who are merged while their day is sealed are the player who stays', async () => {
  const client = await makeMergeClient(server);
  const { game_id } = client.game;
  const game = server.database.ofGame(game_id);
  const started = { game, tenant: { game_id, environment: 'production' as const } };
  await insertPastEvents(server, game_id, daysAgo(2), makeEvents(7_000, 4_000));
  for (const id of ['p7', 'p8', 'p3999', 'stays']) await client.identify(id);
  const merges: readonly string[] = ['p7', 'p8', 'p3999'];
  let pages = 0;
  const outcome = await sealWith(started, daysAgo(2), async () => {
    const from_player_id = merges[pages++];
    if (from_player_id === undefined) return;
    const { status, text } = await client.merge('stays', { from_player_id });
    assert.equal(status, 200, text);
  });
  // A player whose events were read at the time of the merge is sealed by the next run.
  if (outcome === 'changed') {
    await waitUntil(
      'the day is sealed',
      async () => (await sealWith(started, daysAgo(2), async () => undefined)) === 'sealed',
    );
  }
  await requireEqual(started);
  await client.waitForEvents('stays');
  await requireEqual(started);
});
