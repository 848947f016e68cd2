import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type pg from 'pg';
import { makeEmptyDatabase } from '../../../test/copy-database.ts';
import { cloneDatabase, startTestServer } from '../../../test/harness.ts';
import { waitForIngest } from '../../../test/inbox.ts';
import { callCli } from '../../../test/run-cli.ts';
import { makeGroups, openTestDatabase } from '../../../test/test-database.ts';
import { waitForLock } from '../../../test/wait-for-lock.ts';
import { openDatabase } from '../../platform/database/open-database.ts';
import type { Database } from '../../platform/database/database.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { schemaOf } from '../../platform/database/group-directory.ts';
import { selectCount } from '../../platform/database/select-count.ts';
import { sql } from '../../platform/database/sql.ts';
import { withNewGame } from './load-transaction.ts';
import { atOneMoment } from '../../features/backups/archive/moment.ts';
import { fillEmptyTables, readAll, readPlaces, readStorage } from './test/whole-database.ts';

const run = async (args: string[], url: string, env: Record<string, string> = {}) => {
  const result = await callCli(args, { DATABASE_URL: url, ...env });
  assert.equal(result.code, 0, result.stderr);
};

/**
 * Finds the highest id of the requests of a group: those that wait, those that were stored, and unreadable
 * ones.
 */
async function findHighestInboxId(group: Database): Promise<number> {
  const row = await group.queryOne<{ highest: number }>(sql`
    SELECT GREATEST((SELECT max(id) FROM event_inbox),
                    (SELECT max(inbox_id) FROM event_quarantine),
                    (SELECT max(id) / 128 FROM events), 0) AS highest`);
  return row!.highest;
}

const eventOf = (event_name: string) => ({ event_name, session_id: 's', player_id: 'p' });

test('a backup of an installation with groups restores each row into its group', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'overworld-archive-'));
  const [source, target] = [await cloneDatabase(), await makeEmptyDatabase()];
  await makeGroups(source.url, 2);
  await fillEmptyTables(source.url);
  const file = join(folder, 'groups.ndjson');
  await run(['backup', file, '--with-secrets'], source.url);

  await run(['restore', file], target.url);
  const places = await readPlaces(source.url);
  assert.ok(places.includes(`${schemaOf(1)}.players`));
  assert.deepEqual(await readPlaces(target.url), places);
  assert.deepEqual(await readAll(target.url), await readAll(source.url));
  await source.drop();
  await target.drop();
  await rm(folder, { recursive: true, force: true });
});

test('a backup that is restored into another number of groups has every row once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'overworld-archive-'));
  let { url, drop } = await cloneDatabase();
  const played = await startTestServer({ database_url: url });
  const games = [await played.makeGame(), await played.makeGame(), await played.makeGame()];
  for (const { production_key: key } of games) {
    await played.request('POST', '/v1/track', { key, body: eventOf('before') });
    await played.request('PUT', '/v1/saves', { key, body: { player_id: 'p', data: { level: 1 } } });
  }
  await played.close();
  // In each group the same rows would be made, and only one group can keep them after the restore.
  await fillEmptyTables(url, /^group_[1-9]/);

  for (const groups of [3, 2, 1]) {
    const file = join(folder, `${groups}.ndjson`);
    await run(['backup', file, '--with-secrets'], url);
    const target = await makeEmptyDatabase();
    await run(['restore', file], target.url, { TENANT_GROUPS: String(groups) });
    assert.deepEqual(await readAll(target.url, false), await readAll(url, false));
    assert.deepEqual(await readStorage(target.url), await readStorage(url));
    await drop();
    ({ url, drop } = target);

    // The next id of a group must differ from all earlier ids of the group.
    const database = openTestDatabase(
      { url },
      { application_name: 'test', max_connections: 1 },
      groups,
    );
    for (const { game_id } of games) {
      const group = database.ofGame(game_id);
      const highest = await findHighestInboxId(group);
      assert.equal(await selectCount(group, sql`saves WHERE game_id = ${game_id}`), 1);
      const row = await group.queryOne<{ id: number }>(sql`
        INSERT INTO event_inbox (game_id, environment, key_id, received_at, event_count, body)
        VALUES (${game_id}, 'production', gen_random_uuid(), now(), 1,
                ${JSON.stringify([eventOf(`waiting in ${groups}`)])})
        RETURNING id`);
      assert.ok(row!.id > highest, `${row!.id} is after ${highest}`);
    }
    await database.close();
  }

  const server = await startTestServer({ database_url: url });
  const database = openDatabase({ url }, { application_name: 'test', max_connections: 1 });
  for (const { game_id, production_key: key } of games) {
    await waitForIngest(database, game_id);
    const { body } = await server.request('GET', '/v1/players/p/timeline', { key });
    assert.deepEqual(
      body.events.map(({ event_name }: { event_name: string }) => event_name).toSorted(),
      ['before', 'waiting in 1', 'waiting in 2', 'waiting in 3'],
    );
  }
  await server.close();
  await database.close();
  await drop();
  await rm(folder, { recursive: true, force: true });
});

test('a deleted game can only be restored under a new id, because servers remember its group', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'overworld-archive-'));
  const { url, drop } = await makeEmptyDatabase();
  const migrated = await callCli(['migrate'], { DATABASE_URL: url, TENANT_GROUPS: '2' });
  assert.equal(migrated.code, 0, migrated.stderr);
  const database = openDatabase({ url }, { application_name: 'test', max_connections: 1 });
  const game = await database.queryOne<{ id: string }>(sql`
    INSERT INTO games (name, time_zone) VALUES ('Game', 'UTC') RETURNING id`);
  const file = join(folder, 'game.ndjson');
  await run(['export-game', game!.id, file], url);
  const server = await startTestServer({ database_url: url });
  const { token } = await server.makeAccount({ game_id: game!.id });
  const deleted = await server.request('DELETE', `/v1/games/${game!.id}`, { token });
  assert.equal(deleted.status, 204);
  await server.close();
  // The eraser deletes this row after it has erased the game.
  await database.execute(sql`DELETE FROM game_deletions`);

  const refused = await callCli(['import-game', file], { DATABASE_URL: url });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /was deleted here/);
  await run(['import-game', file, '--new-id'], url);
  await database.close();
  await drop();
  await rm(folder, { recursive: true, force: true });
});

test('games that are imported at the same time go to different groups', async () => {
  const { url, drop } = await cloneDatabase();
  const groups = { count: await makeGroups(url, 2), known: new Map<string, number>() };
  const databases = [1, 2].map(() =>
    openDatabase({ url }, { application_name: 'test', max_connections: 2, groups }),
  );
  const [one, two] = databases as [GroupedDatabase, GroupedDatabase];
  const insertGame = async (client: pg.ClientBase, game_id: string) => {
    await client.query(`INSERT INTO games (id, name, time_zone) VALUES ($1, 'Game', 'UTC')`, [
      game_id,
    ]);
  };
  const [first_id, second_id] = [randomUUID(), randomUUID()];
  let second: Promise<void> | undefined;
  await withNewGame(one, first_id, async (client) => {
    await insertGame(client, first_id);
    second = withNewGame(two, second_id, (other) => insertGame(other, second_id));
    await waitForLock(one);
  });
  await second;
  const games = await one.query<{ tenant_group: number }>(sql`
    SELECT tenant_group FROM games ORDER BY tenant_group`);
  assert.deepEqual(
    games.map(({ tenant_group }) => tenant_group),
    [0, 1],
  );
  for (const database of databases) await database.close();
  await drop();
});

test('a backup is refused while a migration of the groups or of the installation is under way', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'overworld-archive-'));
  const { url, drop } = await cloneDatabase();
  await makeGroups(url, 2);
  const database = openDatabase({ url }, { application_name: 'test', max_connections: 2 });
  await database.execute(sql`
    INSERT INTO group_migrations (tenant_group, name) VALUES (0, '9999_next.group.sql')`);
  const half = await callCli(['backup', join(folder, 'half.ndjson')], { DATABASE_URL: url });
  assert.match(half.stderr, /A migration of the database has not ended/);

  await database.execute(sql`DELETE FROM group_migrations`);
  const migrated = atOneMoment(database, [0, 1], async () => {
    const other = openDatabase({ url }, { application_name: 'test', max_connections: 1 });
    await other.execute(sql`INSERT INTO migrations (name) VALUES ('9999_next.group.sql')`);
    await other.close();
  });
  await assert.rejects(migrated, /The database was migrated while it was read/);
  await database.close();
  await drop();
  await rm(folder, { recursive: true, force: true });
});
