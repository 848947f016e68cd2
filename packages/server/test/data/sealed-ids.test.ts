import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { joinIngest } from '../../src/platform/ingest-lock.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { sql } from '../../src/platform/database/sql.ts';
import type { Tenant } from '../../src/platform/players/player-key.ts';
import { makeMergeClient } from '../../src/features/players/test/merge-client.ts';
import type { MergeClient } from '../../src/features/players/test/merge-client.ts';
import { createSealedEvents } from '../../src/features/reports/sealed/reader.ts';
import { runSeals } from '../../src/features/reports/sealed/seal-run.ts';
import {
  insertPastEvents,
  makeEvents,
  readRows,
  readSealed,
} from '../../src/features/reports/sealed/test/sealed-game.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { daysAgo } from '../past-day.ts';
import { waitForIngest } from '../inbox.ts';
import { waitUntil } from '../wait-until.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const sealed = createSealedEvents();
const sealAll = () =>
  runSeals(server.database, { joinIngest, retention_days: 0, min_events: 1, rest_times: 0 });

async function startGame() {
  const client = await makeMergeClient(server);
  const { game_id } = client.game;
  const { token } = await server.makeAccount({ game_id });
  const game = server.database.ofGame(game_id);
  const tenant: Tenant = { game_id, environment: 'production' };
  /** Stores events of a player on a past day, between those of others. */
  const play = (player_id: string, days: number) =>
    insertPastEvents(
      server,
      game_id,
      daysAgo(days),
      makeEvents(300, 4).map((event, index) => (index % 3 === 0 ? { ...event, player_id } : event)),
    );
  const erase = async (player_id: string) => {
    const path = `/v1/games/${game_id}/players/${player_id}`;
    const { status, text } = await server.request('DELETE', path, { token });
    assert.equal(status, 204, text);
  };
  return { client, game_id, game, tenant, play, erase };
}

/** Compares the sealed events with all rows. */
async function requireEqual(game: Database, tenant: Tenant) {
  const properties = ['level', 'text'];
  const read = await readSealed(sealed, game, tenant, properties);
  assert.deepEqual(read.refused, []);
  assert.deepEqual(read.events, await readRows(sealed, game, tenant, properties));
  return read.days;
}

const numbersOf = async (game: Database, { game_id, environment }: Tenant, player_id: string) => {
  const rows = await game.query<{ number: number }>(sql`
    SELECT number FROM sealed_players
    WHERE game_id = ${game_id} AND environment = ${environment} AND player_id = ${player_id}
    ORDER BY number`);
  return rows.map(({ number }) => number);
};

/** Finds a text in the tables of sealed days, also in bytes. */
async function findText(game: Database, text: string): Promise<string[]> {
  const hex = Buffer.from(text).toString('hex');
  const found: string[] = [];
  for (const table of ['sealed_days', 'sealed_events', 'sealed_players', 'sealed_tenants']) {
    const rows = await game.query({
      text: `SELECT FROM ${table} WHERE position($1 IN ${table}::text) > 0
             OR position($2 IN ${table}::text) > 0`,
      values: [text, hex],
    });
    if (rows.length > 0) found.push(table);
  }
  return found;
}

test('a player who gets the id of an erased one has another number, and the id was nowhere', async () => {
  const { client, game, tenant, play, erase } = await startGame();
  const id = `player-${randomUUID()}`;
  await client.identify(id);
  await play(id, 2);
  await insertPastEvents(server, tenant.game_id, daysAgo(3), makeEvents(300, 4));
  await sealAll();
  const [first] = await numbersOf(game, tenant, id);
  assert.deepEqual(await findText(game, id), ['sealed_players']);
  await erase(id);
  assert.deepEqual(await findText(game, id), []);
  const left = await readSealed(sealed, game, tenant, []);
  assert.deepEqual([left.days, left.events.length, left.refused], [[daysAgo(3)], 300, []]);
  await client.identify(id);
  await play(id, 4);
  await sealAll();
  assert.equal((await requireEqual(game, tenant)).length, 3);
  const [again] = await numbersOf(game, tenant, id);
  assert.ok(again! > first!, `${again} after ${first}`);
});

async function merge(client: MergeClient, to: string, from_player_id: string) {
  const { status, text } = await client.merge(to, { from_player_id });
  assert.equal(status, 200, text);
}

test('ids that come again after a merge, and merges back, name the right players', async () => {
  const { client, game_id, game, tenant, play, erase } = await startGame();
  const [a, b] = [`a-${randomUUID()}`, `b-${randomUUID()}`];
  for (const id of [a, b]) await client.identify(id);
  await play(a, 2);
  await play(b, 3);
  await sealAll();
  await merge(client, b, a);
  await requireEqual(game, tenant);
  await client.waitForEvents(b);
  await client.identify(a);
  // The events of the new player are of a past day, so the merge was before it.
  await game.execute(sql`
    UPDATE player_merges SET completed_at = '2020-01-01Z' WHERE game_id = ${game_id}`);
  await play(a, 4);
  await sealAll();
  await requireEqual(game, tenant);
  assert.equal((await numbersOf(game, tenant, a)).length, 1);
  assert.equal((await numbersOf(game, tenant, b)).length, 2);
  await merge(client, a, b);
  await requireEqual(game, tenant);
  await client.waitForEvents(a);
  assert.equal((await requireEqual(game, tenant)).length, 3);
  assert.equal((await numbersOf(game, tenant, a)).length, 3);
  await erase(a);
  for (const id of [a, b]) assert.deepEqual(await findText(game, id), []);
  await sealAll();
  assert.equal((await requireEqual(game, tenant)).length, 3);
});

test('the same players in the other environment have numbers and days of their own', async () => {
  const { client, game, game_id, tenant, play, erase } = await startGame();
  const id = `player-${randomUUID()}`;
  await client.identify(id);
  await play(id, 2);
  await game.execute(sql`
    INSERT INTO events (id, received_at, occurred_at, environment, game_id, key_id, event_name,
                        session_id, player_id, properties)
    SELECT id + 1000000, received_at, occurred_at, 'development', game_id, key_id, event_name, session_id,
           CASE WHEN id % 5 = 0 THEN player_id ELSE 'else' END, properties
    FROM events WHERE game_id = ${game_id}`);
  const other: Tenant = { game_id, environment: 'development' };
  await sealAll();
  for (const each of [tenant, other]) assert.equal((await requireEqual(game, each)).length, 1);
  await erase(id);
  assert.deepEqual(await requireEqual(game, other), [daysAgo(2)]);
  assert.equal((await numbersOf(game, other, id)).length, 1);
  assert.deepEqual(await numbersOf(game, tenant, id), []);
});

test('an erasure that waits for a day to be stored keeps no event waiting', async () => {
  const { client, game, game_id, play, erase } = await startGame();
  const id = `player-${randomUUID()}`;
  await client.identify(id);
  await play(id, 2);
  await sealAll();
  const held = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holding = game.transaction(async (tx) => {
    await tx.query(sql`SELECT day FROM sealed_days WHERE game_id = ${game_id} FOR UPDATE`);
    locked.resolve();
    await held.promise;
  });
  await locked.promise;
  let is_erased = false;
  const erasing = erase(id).then(() => (is_erased = true));
  await waitUntil('the erasure waits', async () => {
    const waiting = await game.query(sql`
      SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'active'
        AND query LIKE '%DELETE FROM sealed_days%' AND pid <> pg_backend_pid()
        AND query_start < clock_timestamp() - interval '0.2 seconds'`);
    return waiting.length > 0;
  });
  await client.track('other', 's');
  await waitForIngest(server.database, game_id);
  assert.equal(is_erased, false);
  held.resolve();
  await Promise.all([holding, erasing]);
  assert.deepEqual(await findText(game, id), []);
});
