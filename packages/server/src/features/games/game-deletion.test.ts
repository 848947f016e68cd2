import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cloneDatabase, startTestServer } from '../../../test/harness.ts';
import { nextGroup, openTestDatabase } from '../../../test/test-database.ts';
import type { TestServer } from '../../../test/harness.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import type { Database } from '../../platform/database/database.ts';
import { inOneGroup } from '../../platform/database/game-groups.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { sql } from '../../platform/database/sql.ts';
import { createGameEraser } from './game-eraser.ts';
import { deleteGame } from './store.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

/**
 * Lists every table that has a column `game_id`, a partitioned one once, without those that triggers fill and tasks
 * empty. For each table, gives the columns that a sample row must set, and a SQL expression for the value of each column. Each id and text in a sample row is the
 * id of the game, so that the row can refer to the sample rows of earlier tables, and differs from those of another
 * game.
 */
const listTables = (game: Database) =>
  game.query<{ name: string; columns: string; values: string }>(sql`
    SELECT attrelid::regclass::text AS name,
      string_agg(quote_ident(attname), ', ') AS columns,
      string_agg(CASE
        WHEN attname = 'game_id' THEN '$1::uuid'
        WHEN typtype = 'e' THEN format('enum_first(NULL::%s)', typname)
        WHEN typname = 'uuid' THEN '$1::uuid'
        WHEN typcategory = 'D' THEN 'now()'
        WHEN typcategory = 'N' THEN '1'
        WHEN typcategory = 'B' THEN 'true'
        WHEN typcategory = 'S' THEN '$1::uuid::text'
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
async function countRows(
  game_id: string,
  database: GroupedDatabase = server.database,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const game = database.ofGame(game_id);
  for (const { name } of await listTables(game)) {
    const text = `SELECT count(*) FROM ${name} WHERE game_id = $1`;
    const row = await game.queryOne<{ count: number }>({ text, values: [game_id] });
    if (row!.count > 0) counts[name] = row!.count;
  }
  return counts;
}

/**
 * Tables in which the test inserts no sample row: the row of the first one marks a game as deleted, and a row of the
 * second one needs a token of a member, and goes with the member.
 */
const LEFT_EMPTY = ['game_deletions', 'access_token_games'];

/** Makes a game with a sample row in each table, except those in `LEFT_EMPTY`. */
async function insertFullGame(database: GroupedDatabase): Promise<string> {
  const group = nextGroup(database.groups.length);
  const row = await database.queryOne<{ id: string }>(sql`
    INSERT INTO games (name, time_zone, tenant_group) VALUES ('Full game', 'UTC', ${group}) RETURNING id`);
  const game_id = row!.id;
  await database.learnGames([game_id]);
  await database.execute(sql`
    INSERT INTO accounts (id, email, password_hash, status)
    VALUES (${game_id}, ${game_id}, 'none', 'active')`);
  const game = database.ofGame(game_id);
  for (const { name, columns, values } of await listTables(game)) {
    if (LEFT_EMPTY.includes(name)) continue;
    const text = `INSERT INTO ${name} (${columns}) VALUES (${values})`;
    await game.execute({ text, values: [game_id] });
  }
  return game_id;
}

/** Inserts this many players. A deletion needs several batches for 5,000 players. */
const insertPlayers = (game_id: string, count: number, database: Database = server.database) =>
  database.execute(sql`
    INSERT INTO players (game_id, environment, player_id)
    SELECT ${game_id}, 'production', 'player-' || number
    FROM generate_series(1, ${count}::integer) AS number`);

test('DELETE /v1/games/{game_id} ends the game at once, and then erases its data but the audit log', async () => {
  const { game_id, production_key } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id });
  await insertPlayers(game_id, 3);
  const useKey = () => server.request('GET', '/v1/achievements', { key: production_key });
  assert.equal((await useKey()).status, 200);
  const deleted = await server.request('DELETE', `/v1/games/${game_id}`, { token });
  assert.equal(deleted.status, 204);
  assert.equal(deleted.text, '');
  assert.equal((await server.request('GET', `/v1/games/${game_id}`, { token })).status, 404);
  assert.equal((await server.request('DELETE', `/v1/games/${game_id}`, { token })).status, 404);
  assert.equal((await useKey()).status, 401);
  // Late writes are possible for some minutes, so the row that marks the deletion stays.
  await waitUntil('two tables are left', async () => {
    const left = Object.keys(await countRows(game_id));
    return left.toSorted().join() === 'audit_log,game_deletions';
  });
  const entry = await server.database.queryOne(sql`
    SELECT action, target FROM audit_log WHERE game_id = ${game_id} ORDER BY id DESC LIMIT 1`);
  assert.deepEqual(entry, { action: 'delete_game', target: 'Test game' });
});

test('the eraser empties every table of a deleted game but the audit log, and takes no row of another game', async () => {
  // No server runs on this database, because its tasks would act on the sample rows: that of `player_deletions`
  // is a deletion of all players.
  const { url, drop } = await cloneDatabase();
  const database = openTestDatabase({ url }, { application_name: 'test', max_connections: 2 });
  try {
    const game_id = await insertFullGame(database);
    await insertPlayers(game_id, 5_000, database);
    const other_id = await insertFullGame(database);
    const others = await countRows(other_id, database);
    assert.ok(Object.keys(others).length > 60, Object.keys(others).join());
    assert.deepEqual(Object.keys(await countRows(game_id, database)), Object.keys(others));
    await database.transaction((tx) => deleteGame(tx, game_id));
    await createGameEraser(database).run();
    assert.deepEqual(await countRows(game_id, database), { audit_log: 1, game_deletions: 1 });
    assert.deepEqual(await countRows(other_id, database), others);
  } finally {
    await database.close();
    await drop();
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
