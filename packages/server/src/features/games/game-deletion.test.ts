import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cloneDatabase, startTestServer } from '../../../test/harness.ts';
import { openTestDatabase } from '../../../test/test-database.ts';
import type { TestServer } from '../../../test/harness.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import type { Database } from '../../platform/database/database.ts';
import { inOneGroup } from '../../platform/database/game-groups.ts';
import { sql } from '../../platform/database/sql.ts';
import { createGameEraser } from './game-eraser.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

/**
 * Lists every table that has a column `game_id`. For each table, gives the columns that a sample row must
 * set, and a SQL expression for the value of each column. A partitioned table is listed once, and tables that
 * timers empty are left out. Each id in a sample row is the id of the game, so that the row can refer to the
 * sample rows of earlier tables.
 */
const listTables = (game: Database) =>
  game.query<{ name: string; columns: string; values: string }>(sql`
    SELECT attrelid::regclass::text AS name,
      string_agg(quote_ident(attname), ', ') AS columns,
      string_agg(CASE
        WHEN attname = 'game_id' THEN '$1'
        WHEN typtype = 'e' THEN format('enum_first(NULL::%s)', typname)
        WHEN typname = 'uuid' THEN '$1'
        WHEN typcategory = 'D' THEN 'now()'
        WHEN typcategory = 'N' THEN '1'
        WHEN typcategory = 'B' THEN 'true'
        WHEN typcategory = 'S' THEN '''sample'''
        WHEN typcategory = 'V' THEN '''1'''
        ELSE '''{}''' END, ', ') AS values
    FROM pg_attribute
    JOIN pg_class ON pg_class.oid = attrelid
    JOIN pg_type ON pg_type.oid = atttypid
    WHERE relkind IN ('r', 'p') AND NOT relispartition
      AND relname NOT IN ('storage_changes', 'player_name_changes', 'player_name_builds')
      AND relnamespace = ANY (current_schemas(false)::text[]::regnamespace[]) AND attnum > 0 AND NOT attisdropped
      AND (attname = 'game_id'
           OR attnotnull AND attidentity = '' AND (NOT atthasdef OR typname = 'uuid'))
    GROUP BY attrelid
    HAVING bool_or(attname = 'game_id')
    ORDER BY attrelid IN (SELECT conrelid FROM pg_constraint
                          WHERE contype = 'f' AND confrelid <> 'games'::regclass), attrelid`);

/** Counts the rows of a game in each table, and leaves out the tables without such rows. */
async function countRows(game_id: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const game = server.database.ofGame(game_id);
  for (const { name } of await listTables(game)) {
    const text = `SELECT count(*) FROM ${name} WHERE game_id = $1`;
    const row = await game.queryOne<{ count: number }>({ text, values: [game_id] });
    if (row!.count > 0) counts[name] = row!.count;
  }
  return counts;
}

/**
 * Tables in which the tests insert no sample row. In the first table, a row would
 * mark the game as deleted. In the next two, a row would make a server rebuild rollups. In the last one, a row
 * needs a token of a member, and goes with the member.
 */
const LEFT_EMPTY = ['game_deletions', 'event_holds', 'time_zone_changes', 'access_token_games'];

/**
 * Inserts a sample row of a game into each table that has no row of the game, except those in `LEFT_EMPTY`.
 */
async function fillEveryTable(game_id: string): Promise<void> {
  const counts = await countRows(game_id);
  const game = server.database.ofGame(game_id);
  for (const { name, columns, values } of await listTables(game)) {
    if (name in counts || LEFT_EMPTY.includes(name)) continue;
    // The index of names may have made the same row meanwhile, for the sample player.
    const text = `INSERT INTO ${name} (${columns}) SELECT ${values} ON CONFLICT DO NOTHING`;
    await game.execute({ text, values: [game_id] });
  }
}

/** Inserts this many players. A deletion needs several batches for 5,000 players. */
const insertPlayers = (game_id: string, count: number, database: Database = server.database) =>
  database.execute(sql`
    INSERT INTO players (game_id, environment, player_id)
    SELECT ${game_id}, 'production', 'player-' || number
    FROM generate_series(1, ${count}::integer) AS number`);

test('DELETE /v1/games/{game_id} ends the game at once, and then erases all its data but the audit log', async () => {
  const { game_id, production_key } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id });
  await insertPlayers(game_id, 5_000);
  await fillEveryTable(game_id);
  const other = await server.makeGame();
  await server.makeAccount({ game_id: other.game_id });
  await fillEveryTable(other.game_id);
  const others = await countRows(other.game_id);
  assert.ok(Object.keys(others).length > 15, Object.keys(others).join());
  assert.equal(Object.keys(await countRows(game_id)).length, Object.keys(others).length);
  const useKey = () => server.request('GET', '/v1/achievements', { key: production_key });
  assert.equal((await useKey()).status, 200);
  const deleted = await server.request('DELETE', `/v1/games/${game_id}`, { token });
  assert.equal(deleted.status, 204);
  assert.equal(deleted.text, '');
  assert.equal((await server.request('GET', `/v1/games/${game_id}`, { token })).status, 404);
  assert.equal((await server.request('DELETE', `/v1/games/${game_id}`, { token })).status, 404);
  assert.equal((await useKey()).status, 401);
  let left = await countRows(game_id);
  await waitUntil('two tables are left', async () => {
    left = await countRows(game_id);
    return Object.keys(left).length === 2;
  });
  // Late writes are possible for some minutes, so the row that marks the deletion stays.
  const { audit_log, ...rest } = left;
  assert.ok(audit_log! >= 2);
  assert.deepEqual(rest, { game_deletions: 1 });
  const entry = await server.database.queryOne(sql`
    SELECT action, target FROM audit_log WHERE game_id = ${game_id} ORDER BY id DESC LIMIT 1`);
  assert.deepEqual(entry, { action: 'delete_game', target: 'Test game' });
  const others_left = await countRows(other.game_id);
  for (const [table, count] of Object.entries(others)) {
    // The worker may already have processed the sample row of the inbox and deleted it.
    if (table !== 'event_inbox') assert.ok(others_left[table]! >= count, table);
  }
});

test('a deletion that a crash has interrupted is finished by another server', async () => {
  const { url, drop } = await cloneDatabase();
  const database = openTestDatabase({ url }, { application_name: 'test', max_connections: 2 });
  try {
    await database.execute(sql`INSERT INTO game_deletions (game_id) VALUES (${NOBODY})`);
    await insertPlayers(NOBODY, 5_000, database);
    const countPlayers = async () =>
      (await database.queryOne<{ count: number }>(sql`SELECT count(*) FROM players`))!.count;
    const crashing = createGameEraser(
      inOneGroup({
        ...database,
        async transaction(work) {
          if ((await countPlayers()) < 5_000) throw new Error('crashed');
          return database.transaction(work);
        },
      }),
    );
    await assert.rejects(crashing.run(), /crashed/);
    assert.ok((await countPlayers()) > 0, 'it crashed in the middle');
    const next = createGameEraser(database);
    await next.run();
    assert.ok((await countPlayers()) > 0, 'the other server may still be at it');
    await database.execute(sql`UPDATE game_deletions SET next_sweep_at = now()`);
    await next.run();
    assert.equal(await countPlayers(), 0);
  } finally {
    await database.close();
    await drop();
  }
});

test('the row that marks a game as deleted is removed when late writes are no longer possible', async () => {
  const { game_id } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id });
  await server.request('DELETE', `/v1/games/${game_id}`, { token });
  await insertPlayers(game_id, 3);
  const age = sql`UPDATE game_deletions
    SET deleted_at = now() - interval '10 minutes', next_sweep_at = now()
    WHERE game_id = ${game_id}`;
  await server.database.execute(age);
  await waitUntil('its players are erased', async () => !('players' in (await countRows(game_id))));
  assert.equal((await countRows(game_id)).game_deletions, 1, 'it had rows: another sweep is due');
  await server.database.execute(age);
  await waitUntil('it is forgotten', async () => !('game_deletions' in (await countRows(game_id))));
});

test('an API key that is made while its game is being deleted does not work after the deletion', async () => {
  for (let round = 0; round < 5; round++) {
    const { game_id } = await server.makeGame();
    const { token } = await server.makeAccount({ game_id });
    const path = `/v1/games/${game_id}`;
    const body = { name: 'late', environment: 'development' };
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () =>
        server.request('POST', `${path}/api-keys`, { token, body }),
      ),
      server.request('DELETE', path, { token }),
    ]);
    assert.equal(answers.at(-1)!.status, 204);
    for (const answer of answers.slice(0, -1)) {
      assert.ok([201, 404].includes(answer.status), answer.text);
      if (answer.status === 404) continue;
      const used = await server.request('GET', '/v1/achievements', { key: answer.body.key });
      assert.equal(used.status, 401);
    }
  }
});
