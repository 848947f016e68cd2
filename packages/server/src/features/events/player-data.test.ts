import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import pino from 'pino';
import { cloneDatabase } from '../../../test/harness.ts';
import { openTestGroup } from '../../../test/test-database.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { sql } from '../../platform/database/sql.ts';
import { writeJson } from '../../platform/http/write-json.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import { makeComingPartitions } from './event-partitions.ts';
import { createIngester } from './inbox/ingester.ts';
import { eraseData } from '../../platform/players/player-tables.ts';
import { EVENT_SOURCES } from './player-data.ts';

let database: GroupedDatabase;
let drop: () => Promise<void>;

before(async () => {
  const cloned = await cloneDatabase();
  ({ drop } = cloned);
  database = openTestGroup({ url: cloned.url }, { application_name: 'test', max_connections: 6 });
  await makeComingPartitions(database);
});
after(async () => {
  await database.close();
  await drop();
});

/** Puts a request into the inbox, which only the test processes. */
const receive = (game_id: string, event_count: number, ...player_ids: (string | null)[]) =>
  database.execute(sql`
    INSERT INTO event_inbox (game_id, environment, key_id, received_at, event_count, body)
    VALUES (${game_id}, 'production', ${randomUUID()}, clock_timestamp(), ${event_count},
            ${JSON.stringify(
              player_ids.map((player_id, index) => ({
                event_name: `e${index}`,
                session_id: 's',
                player_id,
                properties: { big: 1 },
              })),
            ).replaceAll('"big":1', '"big":76561198000000001234')})`);

const makeIngester = () => createIngester({ database, logger: pino({ level: 'silent' }) });

const pagesOf = (player: PlayerKey) =>
  EVENT_SOURCES[0]!.exportPlayer(database, player) as AsyncGenerator<unknown[]>;

async function exportText(player: PlayerKey): Promise<string> {
  const events: unknown[] = [];
  for await (const page of pagesOf(player)) events.push(...page);
  return writeJson(events);
}

const exportEvents = async (player: PlayerKey): Promise<{ event_name: string }[]> =>
  JSON.parse(await exportText(player));

const erase = (player: PlayerKey) =>
  database.transaction(async (tx) => {
    for (const source of EVENT_SOURCES) await eraseData(tx, source, player);
  });

const countRows = async (game_id: string) => {
  const row = await database.queryOne<Record<string, number>>(sql`
    SELECT (SELECT count(*) FROM event_inbox WHERE game_id = ${game_id}) AS inbox,
           (SELECT count(*) FROM events WHERE game_id = ${game_id}) AS events,
           (SELECT count(*) FROM sessions WHERE game_id = ${game_id}) AS sessions`);
  return row!;
};

test('an export has the sessions, and has each event once, whether it is stored or still in the inbox', async () => {
  const game_id = randomUUID();
  const player = { game_id, environment: 'production' as const, player_id: 'p' };
  await receive(game_id, 3, 'p', 'q', 'p');
  const ingester = makeIngester();
  await ingester.processInbox();
  await ingester.close();
  await receive(game_id, 2, 'p', null, 'p');
  const events = await exportEvents(player);
  assert.deepEqual(
    events.map(({ event_name }) => event_name),
    ['e0', 'e2', 'e0'],
  );
  assert.match(await exportText(player), /"properties":\{"big": ?76561198000000001234\}/);
  const [, , sessions] = EVENT_SOURCES;
  const pages = sessions!.exportPlayer(database, player) as AsyncGenerator<
    { event_count: number }[]
  >;
  const { value: page } = await pages.next();
  assert.deepEqual(
    page.map(({ event_count }: { event_count: number }) => event_count),
    [2],
  );
});

test('an export comes in pages and has each event once, even if events are ingested meanwhile', async () => {
  const game_id = randomUUID();
  const player = { game_id, environment: 'production' as const, player_id: 'p' };
  const ingester = makeIngester();
  for (let request = 0; request < 6; request++) {
    await receive(game_id, 100, ...Array.from({ length: 100 }, () => 'p'));
  }
  await ingester.processInbox();
  for (let request = 0; request < 3; request++) {
    await receive(game_id, 100, ...Array.from({ length: 100 }, () => 'p'));
  }
  const sizes: number[] = [];
  for await (const page of pagesOf(player)) {
    sizes.push(page.length);
    if (sizes.length === 1) await ingester.processInbox();
  }
  await ingester.close();
  assert.equal((await countRows(game_id)).inbox, 0);
  assert.equal(sizes[0], 250);
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    900,
  );
});

test('erasing a player deletes sessions, stored events and waiting events of that player, and of no other player', async () => {
  const game_id = randomUUID();
  const [p, q] = ['p', 'q'].map((player_id) => ({
    game_id,
    environment: 'production' as const,
    player_id,
  })) as [PlayerKey, PlayerKey];
  await receive(game_id, 4, 'p', 'q', null, 'p');
  const ingester = makeIngester();
  await ingester.processInbox();
  await receive(game_id, 4, 'p', 'q', null, 'p');
  await receive(game_id, 2, 'q', 'q', 'p');
  await receive(game_id, 1, 'p');
  await erase(p);
  assert.deepEqual(await exportEvents(p), []);
  assert.equal((await exportEvents(q)).length, 4);
  await ingester.processInbox();
  await ingester.close();
  assert.deepEqual(await exportEvents(p), []);
  assert.equal((await exportEvents(q)).length, 4);
  assert.deepEqual(await countRows(game_id), { inbox: 0, events: 6, sessions: 2 });
  const [text] = await database.query<{ properties: string }>(sql`
    SELECT properties::text FROM events WHERE game_id = ${game_id} ORDER BY events.received_at DESC`);
  assert.equal(text!.properties, '{"big": 76561198000000001234}');
});

test('quarantined requests that name the player are exported and erased', async () => {
  const game_id = randomUUID();
  const bodies = ['[{"player_id":"p"', '[{"player_id":"\\u0070"}]', '[{"player_id":"pq"'];
  for (const [inbox_id, body] of bodies.entries()) {
    await database.execute(sql`
      INSERT INTO event_quarantine (game_id, inbox_id, environment, key_id, received_at,
                                    event_count, body, reason, quarantined_at)
      VALUES (${game_id}, ${inbox_id}, 'production', ${randomUUID()}, now(), 1, ${body}, 'x', now())`);
  }
  const player = { game_id, environment: 'production', player_id: 'p' } as const;
  const source = EVENT_SOURCES.find(({ name }) => name === 'quarantined_requests')!;
  const exported = (await source.exportPlayer(database, player)) as { body: string }[];
  assert.deepEqual(
    exported.map(({ body }) => body),
    bodies.slice(0, 2),
  );
  await erase(player);
  const rows = await database.query<{ body: string }>(
    sql`SELECT body FROM event_quarantine WHERE game_id = ${game_id}`,
  );
  assert.deepEqual(rows, [{ body: '[{"player_id":"pq"' }]);
});

test('erasing waits for the batch that is being ingested, and deletes its events too', async () => {
  const game_id = randomUUID();
  const player = { game_id, environment: 'production' as const, player_id: 'p' };
  await receive(game_id, 2, 'p', 'q');
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
  let isHeld = false;
  const ingester = createIngester({
    database,
    logger: pino({ level: 'silent' }),
    steps: [
      async () => {
        isHeld = true;
        await held;
      },
    ],
  });
  const pass = ingester.processInbox();
  await waitUntil('a batch is under way', async () => isHeld);
  const erased = erase(player);
  await waitUntil('erasing waits', async () => {
    const row = await database.queryOne(sql`
      SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event = 'advisory'`);
    return row !== null;
  });
  goOn();
  await Promise.all([pass, erased]);
  await ingester.close();
  assert.deepEqual(await countRows(game_id), { inbox: 0, events: 1, sessions: 1 });
});

test('two players of one request can be erased at the same time', async () => {
  const game_id = randomUUID();
  for (let request = 0; request < 5; request++) await receive(game_id, 3, 'p', 'q', 'r');
  await Promise.all(
    ['p', 'q'].map((player_id) => erase({ game_id, environment: 'production', player_id })),
  );
  const ingester = makeIngester();
  await ingester.processInbox();
  await ingester.close();
  assert.deepEqual(await countRows(game_id), { inbox: 0, events: 5, sessions: 1 });
});
