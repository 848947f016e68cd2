import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import fc from 'fast-check';
import pino from 'pino';
import { cloneDatabase } from '../../../../test/harness.ts';
import { openTestGroup } from '../../../../test/test-database.ts';
import type { TestGame } from '../../../../test/harness.ts';
import { insertInboxRow, waitForIngest } from '../../../../test/inbox.ts';
import { useTwoServers } from '../../../../test/two-servers.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import type { Database } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeComingPartitions } from '../event-partitions.ts';
import { countRows, makeBatch } from '../test/batches.ts';
import { countCases } from '../../../../test/long-forms.ts';
import { measureInboxLag } from './inbox-lag.ts';
import { createIngester } from './ingester.ts';

const servers = useTwoServers();
let database: Database;
before(() => {
  ({ database } = servers[0]);
});

const track = async (node: 0 | 1, { production_key: key }: TestGame, body: object) => {
  const answer = await servers[node].request('POST', '/v1/track', { key, body });
  assert.equal(answer.status, 202, answer.text);
};

test('accepted requests lead to the right sessions and players, and to the right count of events for the API key', async () => {
  const game = await servers[0].makeGame();
  await track(0, game, makeBatch('first', 15));
  await track(1, game, { event_name: 'anonymous', session_id: 's0' });
  await waitForIngest(database, game.game_id);
  const { game_id } = game;
  const sessions = await database.query<{ name: string; event_count: number }>(sql`
    SELECT player_id || '/' || session_id AS name, event_count FROM sessions
    WHERE game_id = ${game_id} ORDER BY 1`);
  assert.equal(sessions.length, 16);
  assert.ok(sessions.every(({ event_count }) => event_count === 1));
  assert.equal(sessions[0]!.name, '/s0');
  const players = await database.query<{ player_id: string }>(sql`
    SELECT player_id FROM players
    WHERE game_id = ${game_id} AND first_seen_at = last_seen_at ORDER BY 1`);
  assert.deepEqual(
    players.map(({ player_id }) => player_id),
    ['p0', 'p1', 'p2', 'p3', 'p4'],
  );
  const [usage] = await database.query(sql`
    SELECT event_count, environment FROM event_key_usage WHERE game_id = ${game_id}`);
  assert.deepEqual(usage, { event_count: 16, environment: 'production' });
});

test('a player gets the platform, version and country of the first session that has them', async () => {
  const game = await servers[0].makeGame();
  const { game_id, production_key: key } = game;
  const start = (player_id: string, properties: object) => ({
    event_name: 'session_start',
    session_id: 's',
    player_id,
    properties,
  });
  const identify = async (player_id: string, properties: object) => {
    const body = { player_id, properties };
    const answer = await servers[0].request('POST', '/v1/identify', { key, body });
    assert.equal(answer.status, 200, answer.text);
  };
  await identify('told', { platform: 'switch', level: 3 });
  await identify('old', { level: 9 });
  await database.execute(sql`
    UPDATE players SET first_seen_at = now() - interval '2 days'
    WHERE game_id = ${game_id} AND player_id = 'old'`);
  await track(0, game, [
    start('new', { platform: 'web', app_version: 7 }),
    start('new', { platform: 'ios', app_version: '8' }),
    start('told', { platform: 'web', app_version: 'x'.repeat(65), country: '' }),
    start('old', { platform: 'web', app_version: '2.0' }),
    { ...start('other', { platform: 'web' }), event_name: 'level_start' },
  ]);
  await waitForIngest(database, game_id);
  await track(0, game, start('new', { platform: 'ios', app_version: '2.0', country: 'DE' }));
  await waitForIngest(database, game_id);
  const players = await database.query<{ player_id: string; properties: object }>(sql`
    SELECT player_id, properties FROM players WHERE game_id = ${game_id} ORDER BY player_id`);
  assert.deepEqual(
    players.map(({ player_id, properties }) => [player_id, properties]),
    [
      ['new', { platform: 'web', first_version: '7', country: 'DE' }],
      ['old', { platform: 'web', level: 9 }],
      ['other', {}],
      ['told', { platform: 'switch', first_version: 'x'.repeat(64), level: 3 }],
    ],
  );
});

test('rows that a stopped node has left in the inbox are processed', async () => {
  const { game_id } = await servers[0].makeGame();
  await insertInboxRow(database, game_id, JSON.stringify(makeBatch('left', 1)), 1);
  await waitForIngest(database, game_id);
  assert.equal((await countRows(database, game_id)).events, 1);
});

test('only the accepted events of a request are stored', async () => {
  const { game_id } = await servers[0].makeGame();
  await insertInboxRow(database, game_id, JSON.stringify(makeBatch('cut', 10)), 4);
  await waitForIngest(database, game_id);
  const rows = await database.query<{ index: number }>(sql`
    SELECT (properties -> 'index')::int AS index FROM events
    WHERE game_id = ${game_id} ORDER BY received_at, id`);
  assert.deepEqual(
    rows.map(({ index }) => index),
    [0, 1, 2, 3],
  );
});

test('the lag states the number of waiting rows and the age of the oldest one', async () => {
  await using cloned = await openClone();
  const game_id = randomUUID();
  assert.deepEqual(await measureInboxLag(cloned.database), {
    rows: 0,
    age_seconds: 0,
    quarantined_rows: 0,
  });
  await cloned.database.execute(sql`
    INSERT INTO event_inbox (game_id, environment, key_id, received_at, event_count, body)
    SELECT ${game_id}, 'production', ${randomUUID()}, now() - make_interval(secs => 90 * n), 1, '[]'
    FROM unnest(ARRAY[2, 1]) AS n`);
  const lag = await measureInboxLag(cloned.database);
  assert.equal(lag.rows, 2);
  assert.ok(lag.age_seconds >= 180 && lag.age_seconds < 3_600);
});

test('when a later step of the transaction fails, no events are stored and the inbox keeps its row', async () => {
  await using cloned = await openClone();
  const game_id = randomUUID();
  await insertInboxRow(cloned.database, game_id, JSON.stringify(makeBatch('x', 5)), 5);
  let isBroken = true;
  let seen = 0;
  const ingester = createIngester({
    database: cloned.database,
    logger: pino({ level: 'silent' }),
    steps: [
      async (tx) => {
        const row = await tx.queryOne<{ count: number }>(
          sql`SELECT count(*) AS count FROM ingested_events`,
        );
        seen = row!.count;
        if (isBroken) throw new Error('broken');
      },
    ],
  });
  await ingester.processInbox();
  assert.equal(seen, 5);
  assert.deepEqual(await countRows(cloned.database, game_id), {
    inbox: 1,
    events: 0,
    distinct: 0,
  });
  isBroken = false;
  await ingester.processInbox();
  assert.equal((await countRows(cloned.database, game_id)).events, 5);
  await ingester.close();
});

test('a node does not wait for rows that another node is processing', async () => {
  await using cloned = await openClone();
  const insert = (name: string) =>
    insertInboxRow(cloned.database, randomUUID(), JSON.stringify(makeBatch(name, 1)), 1);
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
  let isHeld = false;
  const holding = createIngester({
    database: cloned.database,
    logger: pino({ level: 'silent' }),
    steps: [
      async () => {
        isHeld = true;
        await held;
      },
    ],
  });
  await insert('first');
  const pass = holding.processInbox();
  await waitUntil('a batch is under way', async () => isHeld);
  await insert('second');
  const other = createIngester({ database: cloned.database, logger: pino({ level: 'silent' }) });
  await other.processInbox();
  const listNames = () =>
    cloned.database.query(sql`SELECT event_name FROM events ORDER BY event_name`);
  assert.deepEqual(await listNames(), [{ event_name: 'second' }]);
  goOn();
  await pass;
  assert.deepEqual(await listNames(), [{ event_name: 'first' }, { event_name: 'second' }]);
  await Promise.all([holding.close(), other.close()]);
});

test('in any order of ingest, sessions equal those computed from all events at once', async () => {
  await using cloned = await openClone();
  const { database: own } = cloned;
  const ingester = createIngester({ database: own, logger: pino({ level: 'silent' }) });
  const event = fc.record({
    event_name: fc.constantFrom('a', 'b'),
    session_id: fc.constantFrom('s1', 's2', 's3'),
    player_id: fc.constantFrom('p1', 'p2', null),
    client_timestamp: fc.integer({ min: 0, max: 100 }).map((hours) => {
      return new Date(Date.now() - hours * 3_600_000).toISOString();
    }),
  });
  const requests = fc.array(fc.array(event, { minLength: 1, maxLength: 8 }), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(requests, async (sent) => {
      const game_id = randomUUID();
      const insert = (body: object[]) =>
        insertInboxRow(own, game_id, JSON.stringify(body), body.length);
      for (const [index, body] of sent.entries()) {
        await insert(body);
        if (index % 3 === 0) await ingester.processInbox();
      }
      await ingester.processInbox();
      const kept = await own.query(sql`
        SELECT player_id, session_id, started_at, last_event_at, event_count
        FROM sessions WHERE game_id = ${game_id} ORDER BY 1, 2`);
      const naive = await own.query(sql`
        SELECT COALESCE(player_id, '') AS player_id, session_id, min(occurred_at) AS started_at,
               max(occurred_at) AS last_event_at, count(*) AS event_count
        FROM events WHERE game_id = ${game_id} GROUP BY 1, 2 ORDER BY 1, 2`);
      assert.deepEqual(kept, naive);
      assert.ok(kept.length > 0);
    }),
    { numRuns: countCases(25) },
  );
  await ingester.close();
});

/** Opens a separate database whose inbox no server processes. */
async function openClone() {
  const { url, drop } = await cloneDatabase();
  const own = openTestGroup({ url }, { application_name: 'test', max_connections: 3 });
  await makeComingPartitions(own);
  return {
    database: own,
    async [Symbol.asyncDispose]() {
      await own.close();
      await drop();
    },
  };
}
