import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { daysAgo } from '../../../../test/past-day.ts';
import { joinIngest } from '../../../platform/ingest-lock.ts';
import { sql } from '../../../platform/database/sql.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { openReports } from '../test/random-game.ts';
import { createSealedEvents } from './reader.ts';
import { runSeals } from './seal-run.ts';
import {
  insertPastEvents,
  listSealed,
  makeEvents,
  readRows,
  readSealed,
} from './test/sealed-game.ts';
import type { PastEvent } from './test/sealed-game.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const sealed = createSealedEvents();
const sealAll = () =>
  runSeals(server.database, { joinIngest, retention_days: 0, min_events: 1, rest_times: 0 });

async function startGame() {
  const made = await server.makeGame();
  const game = server.database.ofGame(made.game_id);
  const tenant = { game_id: made.game_id, environment: 'production' as const };
  return { made, game, tenant, game_id: made.game_id };
}

async function requireEqual(
  { game, tenant }: Pick<Awaited<ReturnType<typeof startGame>>, 'game' | 'tenant'>,
  properties: readonly string[],
) {
  const read = await readSealed(sealed, game, tenant, properties);
  assert.deepEqual(read.refused, []);
  assert.deepEqual(read.events, await readRows(sealed, game, tenant, properties));
  return read;
}

test('a property with a very long name is sealed or left to the rows', async () => {
  const started = await startGame();
  const name = randomBytes(4_000).toString('hex');
  const events = Array.from({ length: 800 }, (_, index): PastEvent => ({
    event_name: 'e',
    player_id: `p${index % 5}`,
    session_id: 's',
    properties: JSON.stringify({ [name]: randomBytes(8).toString('hex'), level: index }),
  }));
  await insertPastEvents(server, started.game_id, daysAgo(2), events);
  await insertPastEvents(server, started.game_id, daysAgo(3), makeEvents(300));
  await sealAll();
  const { days } = await requireEqual(started, ['level']);
  assert.deepEqual(days, [daysAgo(3), daysAgo(2)]);
});

test('numbers of players are those of the present game, not of one that had its id before', async () => {
  const started = await startGame();
  const { game, game_id } = started;
  await insertPastEvents(server, game_id, daysAgo(2), makeEvents(300, 7));
  await sealAll();
  await requireEqual(started, ['level']);
  for (const table of [
    'sealed_days',
    'sealed_events',
    'sealed_players',
    'sealed_tenants',
    'events',
  ]) {
    await game.execute({ text: `DELETE FROM ${table} WHERE game_id = $1`, values: [game_id] });
  }
  const others = makeEvents(300, 7).map((event) => ({
    ...event,
    player_id: `other ${event.player_id}`,
  }));
  await insertPastEvents(server, game_id, daysAgo(2), others);
  await sealAll();
  await requireEqual(started, ['level']);
});

/** The columns that paths read. */
const READ_COLUMNS = ['', 'id', 'time', 'player', 'session'];

test('damaged bytes, and those of a later codec, are read from rows, and their day is sealed again', async () => {
  const started = await startGame();
  const { game, game_id, made, tenant } = started;
  const events = makeEvents(2_000).map((event, index) => ({
    ...event,
    player_id: `p${index % 9}`,
    session_id: `s${index % 13}`,
  }));
  await insertPastEvents(server, game_id, daysAgo(2), events);
  const { get } = await openReports(server, made);
  const ask = async () => [
    await get('path', { event_name: 'e0', window_hours: 24 }),
    await get('path', { event_name: 'e0' }),
  ];
  const from_rows = await ask();
  await sealAll();
  assert.deepEqual(await ask(), from_rows);
  const waitForMark = () =>
    waitUntil('the day is marked to be sealed again', async () => {
      const marked = await game.queryOne(sql`
        SELECT day FROM sealed_days WHERE game_id = ${game_id} AND sealed_at IS NULL`);
      return marked !== null;
    });
  const unmark = async () => {
    await waitForMark();
    await game.execute(sql`
      UPDATE sealed_days SET sealed_at = to_timestamp(0), event_count = 2000 WHERE game_id = ${game_id}`);
  };
  const { count } = (await game.queryOne<{ count: number }>(sql`
    SELECT length(sessions) AS count FROM sealed_days WHERE game_id = ${game_id}`))!;
  for (const at of [0, 1, 4, 5, 9, 20, count - 1]) {
    const flip = async () =>
      void (await game.execute(sql`
        UPDATE sealed_days SET sessions = set_byte(sessions, ${at}::integer, get_byte(sessions, ${at}::integer) # 1)
        WHERE game_id = ${game_id}`));
    await flip();
    assert.deepEqual(await ask(), from_rows, `byte ${at}`);
    await flip();
    await unmark();
  }
  const columns = await game.query<{ event_name: string; column_name: string; count: number }>(sql`
    SELECT event_name, column_name, length(data) AS count FROM sealed_events WHERE game_id = ${game_id}`);
  for (const { event_name, column_name, count: bytes } of columns) {
    for (const at of [0, 2, 7, bytes - 1]) {
      const flip = async () =>
        void (await game.execute(sql`
          UPDATE sealed_events SET data = set_byte(data, ${at}::integer, get_byte(data, ${at}::integer) # 1)
          WHERE game_id = ${game_id} AND event_name = ${event_name} AND column_name = ${column_name}`));
      await flip();
      assert.deepEqual(await ask(), from_rows, `${event_name} ${column_name} ${at}`);
      await flip();
      if (READ_COLUMNS.includes(column_name)) await unmark();
    }
  }
  await game.execute(sql`UPDATE sealed_events SET data = '' WHERE game_id = ${game_id}`);
  assert.deepEqual(await ask(), from_rows);
  await waitForMark();
  await sealAll();
  const { days, refused } = await readSealed(sealed, game, tenant, []);
  assert.deepEqual([days, refused], [[daysAgo(2)], []]);
});

test('a day whose events have too many names is left to the rows, and not tried again', async () => {
  const { game, game_id, tenant } = await startGame();
  const named = Array.from({ length: 20_100 }, (_, index) => ({
    event_name: `name ${index}`,
    player_id: `p${index % 9}`,
    session_id: 's',
  }));
  await insertPastEvents(server, game_id, daysAgo(3), named);
  await insertPastEvents(server, game_id, daysAgo(4), makeEvents(300));
  await sealAll();
  assert.deepEqual((await listSealed(sealed, game, tenant)).days, [daysAgo(4)]);
  const left = await game.queryOne(sql`
    SELECT count(*) AS days,
           (SELECT count(*) FROM sealed_events WHERE game_id = ${game_id} AND day = ${daysAgo(3)}::date) AS parts
    FROM sealed_days WHERE game_id = ${game_id} AND sealed_at IS NOT NULL`);
  assert.deepEqual(left, { days: 2, parts: 0 });
});

test('a day that cannot be sealed keeps no earlier one from it', async () => {
  const { game, game_id, tenant } = await startGame();
  for (const days of [2, 3]) {
    await insertPastEvents(server, game_id, daysAgo(days), makeEvents(300));
  }
  await game.execute(sql`
    UPDATE events SET occurred_at = '9999-01-01Z'
    WHERE game_id = ${game_id} AND received_at >= ${daysAgo(2)}::timestamptz`);
  await assert.rejects(sealAll(), /whole numbers/);
  assert.deepEqual((await listSealed(sealed, game, tenant)).days, [daysAgo(3)]);
  await game.execute(sql`UPDATE events SET occurred_at = received_at WHERE game_id = ${game_id}`);
});

test('reports on properties that are left to the rows are those from rows', async () => {
  const { made, game_id } = await startGame();
  const events = Array.from({ length: 400 }, (_, index): PastEvent => ({
    event_name: 'e',
    player_id: `p${index % 50}`,
    session_id: 's',
    properties: JSON.stringify({
      level: index % 7,
      text: `${'x'.repeat(20_000)}${index % 350}`,
      ...Object.fromEntries(
        Array.from({ length: 20 }, (__, place) => [`k${index}-${place}`, place]),
      ),
    }),
  }));
  await insertPastEvents(server, game_id, daysAgo(2), events);
  const { get } = await openReports(server, made);
  const askAll = () =>
    Promise.all(
      ['text', 'k399-19', 'k0-1', 'level', 'lacking'].flatMap((property) => [
        get('breakdown', { event_name: 'e', group_by: property, property: 'level' }),
        get('breakdown', {
          event_name: 'e',
          filter: [{ property, operator: 'exists' }],
          group_by: 'level',
        }),
        get('breakdown', { event_name: 'e', filter: [{ property, operator: 'ne', value: 1 }] }),
      ]),
    );
  const from_rows = await askAll();
  await sealAll();
  assert.deepEqual(await askAll(), from_rows);
});
