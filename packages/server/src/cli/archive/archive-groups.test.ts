import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { dropEverything } from '../../../test/drop-everything.ts';
import { cloneDatabase, startTestServer } from '../../../test/harness.ts';
import { callCli } from '../../../test/run-cli.ts';
import { makeGroups } from '../../../test/test-database.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { schemaOf } from '../../platform/database/group-directory.ts';
import { sql } from '../../platform/database/sql.ts';
import { fillEmptyTables, readAll, readPlaces } from './test/whole-database.ts';

const run = async (args: string[], url: string) => {
  const result = await callCli(args, { DATABASE_URL: url });
  assert.equal(result.code, 0, result.stderr);
};

test('a backup of an installation with groups restores each row into its group', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'overworld-archive-'));
  const [source, target] = [await cloneDatabase(), await cloneDatabase()];
  await makeGroups(source.url, 2);
  await fillEmptyTables(source.url);
  const file = join(folder, 'groups.ndjson');
  await run(['backup', file, '--with-secrets'], source.url);

  const started = await callCli(['restore', file], { DATABASE_URL: target.url });
  if (process.env.TEST_GROUPS === undefined) {
    assert.match(started.stderr, /The backup has 2 groups of games .* this installation 1:/);
    await dropEverything(target.url);
    await run(['restore', file], target.url);
  }
  const places = await readPlaces(source.url);
  assert.ok(places.includes(`${schemaOf(1)}.players`));
  assert.deepEqual(await readPlaces(target.url), places);
  assert.deepEqual(await readAll(target.url), await readAll(source.url));
  await source.drop();
  await target.drop();
  await rm(folder, { recursive: true, force: true });
});

test('a deleted game can only be restored under a new id, because servers remember its group', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'overworld-archive-'));
  const { url, drop } = await cloneDatabase();
  await dropEverything(url);
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
  // The eraser has ended.
  await database.execute(sql`DELETE FROM game_deletions`);

  const refused = await callCli(['import-game', file], { DATABASE_URL: url });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /was deleted here/);
  await run(['import-game', file, '--new-id'], url);
  await database.close();
  await drop();
  await rm(folder, { recursive: true, force: true });
});
