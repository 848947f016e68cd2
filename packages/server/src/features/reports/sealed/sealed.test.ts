import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { daysAgo } from '../../../../test/past-day.ts';
import { waitForIngest } from '../../../../test/inbox.ts';
import { joinIngest } from '../../../platform/ingest-lock.ts';
import { sql } from '../../../platform/database/sql.ts';
import { createPlayerDictionary } from './player-dictionary.ts';
import type { PlayerDictionary } from './player-dictionary.ts';
import { createSealedEvents } from './reader.ts';
import { sealDay } from './seal-day.ts';
import { runSeals } from './seal-run.ts';
import {
  exploreDatabase,
  insertPastEvents,
  listSealed,
  makeEvents,
  readRows,
  readSealed,
} from './test/sealed-game.ts';
import type { PastEvent } from './test/sealed-game.ts';
import { forgetDays, unsealGame } from './unseal.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const PROPERTIES = ['level', 'text', 'seconds', 'lacking'];
const sealed = createSealedEvents();
const sealAll = () =>
  runSeals(server.database, { joinIngest, retention_days: 0, min_events: 1, rest_times: 0 });

async function startGame() {
  const made = await server.makeGame();
  const game = server.database.ofGame(made.game_id);
  const tenant = { game_id: made.game_id, environment: 'production' as const };
  return { ...made, game, tenant };
}
type StartedGame = Pick<Awaited<ReturnType<typeof startGame>>, 'game' | 'tenant'>;

/** Compares the sealed events with all rows. */
async function requireEqual({ game, tenant }: StartedGame, properties = PROPERTIES) {
  const read = await readSealed(sealed, game, tenant, properties);
  assert.deepEqual(read.refused, []);
  assert.deepEqual(read.events, await readRows(sealed, game, tenant, properties));
  return read;
}

/** Seals one day, with work after each page. */
const sealWith = ({ game, tenant }: StartedGame, day: string, afterPage: () => Promise<unknown>) =>
  sealDay(game, { ...tenant, day }, createPlayerDictionary(game, tenant, joinIngest), {
    min_events: 1,
    max_page_events: 2_000,
    rest: async () => void (await afterPage()),
  });

test('sealed events are those of the rows, with values of all types', async () => {
  const started = await startGame();
  const values = [
    '{"v": 3}',
    '{"v": 3.0, "w": [1.50, {"a": 2.0}]}',
    '{"v": "3.0"}',
    '{"v": 9007199254740993}',
    '{"v": 1e400, "long": 0.10000000000000000555}',
    '{"v": null}',
    '{"v": true, "": "empty name"}',
    '{"v": {"a": "b, \\"c\\": }", "d": []}}',
    '{"v": "tab\\t \\\\ \\" quote \\u00e4 \\ud83d\\ude00"}',
    '{"a\\"b": 1, "__proto__": 2}',
    '{}',
  ];
  const events: PastEvent[] = values.map((properties, index) => ({
    event_name: index % 2 === 0 ? 'a' : '__proto__',
    player_id: index % 3 === 0 ? null : `p${index}`,
    session_id: `s${index % 2}`,
    properties,
  }));
  await insertPastEvents(server, started.tenant.game_id, daysAgo(3), events);
  await insertPastEvents(server, started.tenant.game_id, daysAgo(2), makeEvents(5_000));
  await sealAll();
  const names = ['v', 'w', 'long', '', 'a"b', '__proto__', ...PROPERTIES];
  const { days, events: read } = await requireEqual(started, names);
  assert.deepEqual(days, [daysAgo(3), daysAgo(2)]);
  assert.equal(read.length, values.length + 5_000);
});

test('days that are not over for a day, and small ones, are left to the rows', async () => {
  const { game_id, game, tenant } = await startGame();
  await insertPastEvents(server, game_id, daysAgo(1), makeEvents(2_000));
  await insertPastEvents(server, game_id, daysAgo(2), makeEvents(1_500));
  await insertPastEvents(server, game_id, daysAgo(3), makeEvents(900));
  await runSeals(server.database, { joinIngest, retention_days: 0, rest_times: 0 });
  assert.deepEqual((await listSealed(sealed, game, tenant)).days, [daysAgo(2)]);
});

/** Erases a player, whom the events that are stored by hand have not made. */
async function erase(
  { game, tenant: { game_id } }: StartedGame,
  token: string,
  player_id: string,
): Promise<void> {
  await game.execute(sql`
    INSERT INTO players (game_id, environment, player_id)
    VALUES (${game_id}, 'production', ${player_id})`);
  const path = `/v1/games/${game_id}/players/${player_id}`;
  const { status, text } = await server.request('DELETE', path, { token });
  assert.equal(status, 204, text);
}
const eraseP1 = (started: StartedGame, token: string) => erase(started, token, 'p1');

test('an erased player is in no sealed day, and the others are sealed again', async () => {
  const started = await startGame();
  const { game_id, game, tenant } = started;
  const { token } = await server.makeAccount({ game_id });
  await insertPastEvents(server, game_id, daysAgo(3), makeEvents(300, 3));
  await insertPastEvents(
    server,
    game_id,
    daysAgo(2),
    makeEvents(300, 3).map((event) => ({ ...event, player_id: 'other' })),
  );
  await sealAll();
  await eraseP1(started, token);
  assert.deepEqual((await listSealed(sealed, game, tenant)).days, [daysAgo(2)]);
  const left = await game.query<{ player_id: string }>(sql`
    SELECT player_id FROM sealed_players WHERE game_id = ${game_id} ORDER BY player_id`);
  assert.deepEqual(
    left,
    ['other', 'p0', 'p2'].map((player_id) => ({ player_id })),
  );
  await sealAll();
  assert.equal((await requireEqual(started)).days.length, 2);
});

test('a run seals each day once, however many players were erased since the last one', async () => {
  const started = await startGame();
  const { token } = await server.makeAccount({ game_id: started.game_id });
  for (const days of [3, 2]) {
    await insertPastEvents(server, started.game_id, daysAgo(days), makeEvents(300, 4));
  }
  await sealAll();
  assert.equal((await sealAll()).days, 0);
  for (const player_id of ['p1', 'p2', 'p3']) await erase(started, token, player_id);
  assert.equal((await sealAll()).days, 2);
  await requireEqual(started);
});

test('a part whose day was unsealed, or sealed again, after it was listed is read from rows', async () => {
  const started = await startGame();
  const { game_id, game, tenant } = started;
  await insertPastEvents(server, game_id, daysAgo(2), makeEvents(300));
  await sealAll();
  const { parts } = await listSealed(sealed, game, tenant);
  const read = async () => {
    let count = 0;
    const wanted = { times: true, properties: ['level'] };
    const refused = await sealed.read(
      exploreDatabase(game),
      tenant,
      parts,
      wanted,
      (columns) => (count += columns.count),
      new AbortController().signal,
    );
    return { count, refused: refused.length };
  };
  assert.deepEqual(await read(), { count: 300, refused: 0 });
  await game.transaction((tx) => unsealGame(tx, game_id));
  assert.deepEqual(await read(), { count: 0, refused: 3 });
  await sealAll();
  assert.deepEqual(await read(), { count: 0, refused: 3 });
});

const insertLate = (game_id: string, day: string) =>
  server.database.ofGame(game_id).execute(sql`
    INSERT INTO event_inbox (game_id, environment, key_id, received_at, event_count, body)
    VALUES (${game_id}, 'production', ${randomUUID()}, ${`${day}T23:00:00Z`}, 1,
            ${JSON.stringify([{ event_name: 'late', session_id: 's', player_id: 'p0' }])})`);

test('an event that is ingested days after its receipt unseals its day', async () => {
  const started = await startGame();
  const { game_id, game, tenant } = started;
  await insertPastEvents(server, game_id, daysAgo(4), makeEvents(100));
  await insertPastEvents(server, game_id, daysAgo(3), makeEvents(100));
  await sealAll();
  await insertLate(game_id, daysAgo(3));
  await waitForIngest(game, game_id);
  assert.deepEqual((await listSealed(sealed, game, tenant)).days, [daysAgo(4)]);
  await sealAll();
  assert.equal((await requireEqual(started)).events.length, 201);
});

test('a day whose events change while it is sealed is not stored', async () => {
  const day = daysAgo(2);
  const changes: Record<string, (started: StartedGame, token: string) => Promise<unknown>> = {
    erasure: eraseP1,
    async 'late event'({ game, tenant: { game_id } }) {
      await insertLate(game_id, day);
      await waitForIngest(game, game_id);
    },
    rebuild: ({ game, tenant }) => game.transaction((tx) => unsealGame(tx, tenant.game_id)),
  };
  for (const [name, change] of Object.entries(changes)) {
    for (const page of [1, 2]) {
      const started = await startGame();
      const { game_id, game, tenant } = started;
      const { token } = await server.makeAccount({ game_id });
      await insertPastEvents(server, game_id, day, makeEvents(4_500));
      let pages = 0;
      const outcome = await sealWith(started, day, async () => {
        if (++pages === page) await change(started, token);
      });
      assert.equal(outcome, 'changed', name);
      const left = await game.queryOne(sql`
        SELECT count(*) FILTER (WHERE player_id = 'p1')::integer AS players,
               (SELECT count(*)::integer FROM sealed_events WHERE game_id = ${game_id}) AS parts
        FROM sealed_players WHERE game_id = ${game_id}`);
      assert.deepEqual(left, { players: name === 'erasure' ? 0 : 1, parts: 0 }, name);
      assert.deepEqual((await listSealed(sealed, game, tenant)).days, []);
      await sealAll();
      await requireEqual(started);
    }
  }
});

test('a player who is erased after the events were read gets no number', async () => {
  const started = await startGame();
  const { game_id, game, tenant } = started;
  const { token } = await server.makeAccount({ game_id });
  await insertPastEvents(server, game_id, daysAgo(2), makeEvents(100));
  const dictionary = createPlayerDictionary(game, tenant, joinIngest);
  const erasing: PlayerDictionary = {
    async numbersOf(...wanted) {
      await eraseP1(started, token);
      return dictionary.numbersOf(...wanted);
    },
  };
  const of = { ...tenant, day: daysAgo(2) };
  assert.equal(await sealDay(game, of, erasing, { min_events: 1 }), 'changed');
  const numbered = await game.query(sql`
    SELECT number FROM sealed_players WHERE game_id = ${game_id}`);
  assert.deepEqual(numbered, []);
});

test('of two servers that seal a day, only the last to begin stores it', async () => {
  const started = await startGame();
  await insertPastEvents(server, started.tenant.game_id, daysAgo(2), makeEvents(4_500));
  let outcome: string | undefined;
  const first = await sealWith(started, daysAgo(2), async () => {
    outcome ??= await sealWith(started, daysAgo(2), async () => undefined);
  });
  assert.deepEqual([first, outcome], ['changed', 'sealed']);
  await requireEqual(started);
});

test('no day begins to be sealed while a transaction changes past days', async () => {
  const started = await startGame();
  const { game_id, game } = started;
  await insertPastEvents(server, game_id, daysAgo(2), makeEvents(10));
  await game.transaction(async (tx) => {
    await unsealGame(tx, game_id);
    assert.equal(await sealWith(started, daysAgo(2), async () => undefined), 'changed');
  });
  assert.equal(await sealWith(started, daysAgo(2), async () => undefined), 'sealed');
});

test('a run that ends early leaves nothing that is read, and the next one seals the day', async () => {
  const started = await startGame();
  const { game_id, game, tenant } = started;
  await insertPastEvents(server, game_id, daysAgo(2), makeEvents(6_000));
  for (const page of [1, 2, 3]) {
    let pages = 0;
    const fail = async () => {
      if (++pages === page) throw new Error('a fault');
    };
    await assert.rejects(sealWith(started, daysAgo(2), fail), /a fault/);
    assert.deepEqual((await listSealed(sealed, game, tenant)).days, []);
  }
  await sealAll();
  await requireEqual(started);
});

test('damaged columns are left to the rows, with all parts of their name', async () => {
  const started = await startGame();
  const { game_id, game, tenant } = started;
  await insertPastEvents(server, game_id, daysAgo(2), makeEvents(3_000));
  await sealAll();
  await game.execute(sql`
    UPDATE sealed_events SET data = set_byte(data, 20, (get_byte(data, 20) + 1) % 256)
    WHERE game_id = ${game_id} AND event_name = 'e0' AND column_name = 'time'`);
  await game.execute(sql`
    UPDATE sealed_events AS damaged SET data = other.data
    FROM sealed_events AS other
    WHERE damaged.game_id = ${game_id} AND damaged.event_name = 'e1' AND damaged.column_name = 'time'
      AND other.game_id = ${game_id} AND other.event_name = 'e2' AND other.column_name = 'time'`);
  const { refused, events } = await readSealed(sealed, game, tenant, PROPERTIES);
  assert.deepEqual(refused.map(({ event_name }) => event_name).toSorted(), ['e0', 'e1']);
  assert.ok(events.length > 0 && events.every(([, event_name]) => event_name === 'e2'));
});

test('properties that do not pay are left to the rows, however many and long they are', async () => {
  const started = await startGame();
  const { game_id, game, tenant } = started;
  const long = 'x'.repeat(30_000);
  const events = Array.from({ length: 300 }, (_, index) => ({
    event_name: 'e',
    player_id: `p${index}`,
    session_id: 's',
    properties: JSON.stringify({
      level: index,
      text: `${long}${index}`,
      ...Object.fromEntries(Array.from({ length: 20 }, (__, number) => [`k${index}-${number}`, 1])),
    }),
  }));
  await insertPastEvents(server, game_id, daysAgo(2), events);
  await sealAll();
  await requireEqual(started, ['level']);
  for (const property of ['text', 'k299-19', 'lacking']) {
    const { refused } = await readSealed(sealed, game, tenant, [property]);
    assert.equal(refused.length, 1, property);
  }
});

test('days that are dropped, and days that are not over, are forgotten', async () => {
  const { game_id, game, tenant } = await startGame();
  for (const day of [daysAgo(100), daysAgo(2), daysAgo(0)]) {
    await game.execute(sql`
      INSERT INTO sealed_days (game_id, environment, day, version, sealed_at, event_count)
      VALUES (${game_id}, 'production', ${day}::date, ${randomUUID()}, now(), 0)`);
  }
  await game.transaction((tx) => forgetDays(tx, 0));
  assert.deepEqual((await listSealed(sealed, game, tenant)).days, [daysAgo(100), daysAgo(2)]);
  await game.transaction((tx) => forgetDays(tx, 50));
  assert.deepEqual((await listSealed(sealed, game, tenant)).days, [daysAgo(2)]);
});

test('a sealed day is not read once its events may have been dropped', async () => {
  const { game_id, game, tenant } = await startGame();
  for (const day of [daysAgo(8), daysAgo(7), daysAgo(6)]) {
    await insertPastEvents(server, game_id, day, makeEvents(30));
  }
  await sealAll();
  // This is stored before the events are dropped, while the days may be sealed.
  await server.database.execute(sql`
    UPDATE games SET events_kept_since = ${`${daysAgo(7)}T00:00:00Z`} WHERE id = ${game_id}`);
  const { days, parts } = await listSealed(sealed, game, tenant);
  assert.deepEqual(days, [daysAgo(7), daysAgo(6)]);
  assert.deepEqual([...new Set(parts.map(({ day }) => day))], days);
});

test('a day with thousands of names is sealed in bounded pieces', async () => {
  const started = await startGame();
  const { game_id, game, tenant } = started;
  const events = makeEvents(6_000).map((event, index) => ({
    ...event,
    event_name: `name ${index % 3_000}`,
  }));
  await insertPastEvents(server, game_id, daysAgo(2), events);
  await sealAll();
  await requireEqual(started);
  assert.equal((await listSealed(sealed, game, tenant)).parts.length, 3_000);
});
