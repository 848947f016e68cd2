import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countNaively, readRollups } from '../../src/features/reports/test/naive-rollups.ts';
import { makeApiKey } from '../../src/platform/auth/api-keys.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { cloneDatabase } from '../harness.ts';
import { openTestDatabase } from '../test-database.ts';
import { CliProcess } from '../run-cli.ts';
import { waitForLock } from '../wait-for-lock.ts';
import { waitUntil } from '../wait-until.ts';

const ZONE = 'Europe/Berlin';
const REQUESTS = 40;
const EVENTS_OF_ENDED = 3_000;

async function makeGame(database: Database) {
  const game = await database.queryOne<{ id: string }>(sql`
    INSERT INTO games (name, time_zone) VALUES ('Test', ${ZONE}) RETURNING id`);
  const { key, prefix, key_hash } = makeApiKey('production', 'server');
  await database.execute(sql`
    INSERT INTO api_keys (game_id, environment, kind, name, prefix, key_hash)
    VALUES (${game!.id}, 'production', 'server', 'test', ${prefix}, ${key_hash})`);
  return { game_id: game!.id, key };
}

/**
 * Stores requests that were received 30 hours apart. Three of four requests have events of the
 * player `ends`, who is later merged into the player `stays`. The others have events of `stays`.
 */
async function receiveEvents(database: Database, game_id: string): Promise<void> {
  const events = Array.from({ length: 100 }, (_, n) => ({
    event_name: 'e',
    session_id: `s${n % 7}`,
  }));
  const bodies = Array.from({ length: REQUESTS }, (_, n) =>
    JSON.stringify(
      events.map((event) => ({ ...event, player_id: n % 4 === 0 ? 'stays' : 'ends' })),
    ),
  );
  await database.execute(sql`
    INSERT INTO event_inbox (game_id, environment, key_id, received_at, event_count, body)
    SELECT ${game_id}, 'production', gen_random_uuid(), now() - (40 - n) * interval '30 hours', 100, body
    FROM unnest(${bodies}::text[]) WITH ORDINALITY AS sent (body, n)`);
}

async function startServer(database_url: string) {
  const server = new CliProcess(['start'], {
    DATABASE_URL: database_url,
    PORT: '0',
    LOG_REQUESTS: 'none',
  });
  const [, url] = await server.waitFor(/Overworld is running at (http\S+)/);
  return { server, url: url! };
}

test('after a server was killed during a merge, the next server moves the remaining events, and every rollup is exact', async () => {
  const { url: database_url, drop } = await cloneDatabase();
  await using stack = new AsyncDisposableStack();
  stack.defer(drop);
  const connection = { url: database_url };
  const database = openTestDatabase(connection, { application_name: 'test', max_connections: 4 });
  stack.defer(() => database.close());
  const { game_id, key } = await makeGame(database);
  await receiveEvents(database, game_id);
  const start = async () => {
    const started = await startServer(database_url);
    // This also ends the server if the test fails below. If
    // the server has already ended, the signal has no effect.
    stack.defer(async () => {
      started.server.child.kill('SIGKILL');
      await started.server.done;
    });
    return started;
  };
  const send = async (url: string, path: string, body: object) => {
    const headers = { 'x-game-api-key': key, 'content-type': 'application/json' };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.ok(answer.ok, await answer.text());
  };
  const listMerges = () =>
    database.query<{ moved_event_count: number; is_complete: boolean }>(sql`
      SELECT moved_event_count, completed_at IS NOT NULL AS is_complete
      FROM player_merges WHERE game_id = ${game_id}`);
  const untilIngested = () =>
    waitUntil('all events are ingested', async () => {
      const waiting = await database.query(sql`SELECT FROM event_inbox LIMIT 1`);
      return waiting.length === 0;
    });
  const assertExact = async () =>
    assert.deepEqual(
      await readRollups(database, game_id),
      await countNaively(database, game_id, ZONE),
    );

  const first = await start();
  await untilIngested();
  await database.transaction(async (tx) => {
    // The merge moves the events in three steps of 1,000. The second step waits for this lock.
    await tx.execute(sql`
      SELECT FROM events
      WHERE game_id = ${game_id} AND id = (
        SELECT id FROM events WHERE game_id = ${game_id} AND player_id = 'ends'
        ORDER BY received_at, id OFFSET 1500 LIMIT 1)
      FOR UPDATE`);
    await send(first.url, '/v1/players/stays/merge', { from_player_id: 'ends' });
    await waitUntil('the first step is over', async () => {
      const [merge] = await listMerges();
      return merge!.moved_event_count === 1_000;
    });
    await waitForLock(database);
    first.server.child.kill('SIGKILL');
    await first.server.done;
  });
  assert.deepEqual(await listMerges(), [{ moved_event_count: 1_000, is_complete: false }]);

  const second = await start();
  const late = { event_name: 'late', session_id: 's1', player_id: 'ends' };
  await send(second.url, '/v1/track', late);
  await untilIngested();
  await waitUntil('all events have moved', async () => {
    const left = await database.query(sql`
      SELECT FROM player_merges WHERE game_id = ${game_id} AND completed_at IS NULL`);
    return left.length === 0;
  });
  assert.deepEqual(await listMerges(), [{ moved_event_count: EVENTS_OF_ENDED, is_complete: true }]);
  const players = await database.query(sql`
    SELECT player_id, count(*) AS events FROM events WHERE game_id = ${game_id} GROUP BY player_id`);
  assert.deepEqual(players, [{ player_id: 'stays', events: REQUESTS * 100 + 1 }]);
  await assertExact();
});
