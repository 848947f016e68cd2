import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { makeEmptyDatabase } from '../../../test/copy-database.ts';
import { cloneDatabase, startTestServer } from '../../../test/harness.ts';
import { callCli } from '../../../test/run-cli.ts';
import { openDatabase } from '../../platform/database/open-database.ts';
import { sql } from '../../platform/database/sql.ts';
import { fillEmptyTables, readAll, readShape } from './test/whole-database.ts';

interface Cloned {
  url: string;
  drop: () => Promise<void>;
}

let folder: string;
let source: Cloned;
let game_id: string;

const run = async (args: string[], url: string) => {
  const result = await callCli(args, { DATABASE_URL: url });
  assert.equal(result.code, 0, result.stderr);
  return result;
};

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overworld-archive-'));
  source = await cloneDatabase();
  await run(['demo', '--players', '60', '--days', '10'], source.url);
  const database = openDatabase(
    { url: source.url },
    { application_name: 'test', max_connections: 1 },
  );
  const game = await database.queryOne<{ id: string }>(sql`SELECT id FROM games`);
  game_id = game!.id;
  await database.close();
  // The game is in group 0. If there are other groups, their tables stay empty.
  await fillEmptyTables(source.url, /^group_[1-9]/);
});
after(async () => {
  await source.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Groups have partitions of the same names. */
const distinct = (partitions: { name: string; bound: string }[]) => [
  ...new Set(partitions.map(({ name, bound }) => `${name} ${bound}`)),
];

describe('backup and restore', () => {
  test('an installation that is restored into an empty database has every row, and serves', async () => {
    const target = await makeEmptyDatabase();
    const file = join(folder, 'backup.ndjson.gz');
    await run(['backup', file, '--with-secrets'], source.url);
    await run(['restore', file], target.url);
    const [restored, original] = [await readAll(target.url), await readAll(source.url)];
    for (const [name, rows] of Object.entries(original)) assert.ok(rows.length > 0, name);
    assert.deepEqual(restored, original);
    const [shape, wanted] = [await readShape(target.url), await readShape(source.url)];
    // A group gets its partitions with its first rows, or when a server starts.
    assert.deepEqual(distinct(shape.partitions), distinct(wanted.partitions));
    assert.deepEqual(
      shape.sequences.map(({ name }) => name),
      wanted.sequences.map(({ name }) => name),
    );

    // Sequences go on after the restored ids, so new rows do not collide.
    const server = await startTestServer({ database_url: target.url });
    const key = await server.makeKey(game_id, 'production');
    const event = { event_name: 'after_restore', session_id: 's', player_id: 'player-00001' };
    const tracked = await server.request('POST', '/v1/track', { key, body: event });
    assert.equal(tracked.status, 202);
    const { body } = await server.request('GET', '/v1/players/player-00001/timeline', { key });
    assert.equal(body.events[0].event_name, 'after_restore');
    await server.close();
    await target.drop();
  });

  test('a backup without --with-secrets does not hold the secrets of the installation', async () => {
    const database = openDatabase(
      { url: source.url },
      { application_name: 'test', max_connections: 1 },
    );
    const file = join(folder, 'plain.ndjson.gz');
    await run(['backup', file], source.url);
    const again = await callCli(['backup', file], { DATABASE_URL: source.url });
    assert.match(again.stderr, /is there already/);
    const text = gunzipSync(await readFile(file)).toString();
    // The secret of the demo's webhook is sealed with the second of these keys, so both keys exist.
    const secrets = await database.query<{ value: string }>(sql`
      SELECT value FROM installation WHERE name IN ('jwt_secret', 'second_factor_key')`);
    await database.close();
    assert.equal(secrets.length, 2);
    for (const { value } of secrets) assert.ok(!text.includes(value));
    assert.doesNotMatch(text, /"player_login_sessions"|"player_move_codes"/);
    assert.match(text, /"player_identities"/);
  });

  test('restore refuses a truncated file, and an installation in use, and changes nothing', async () => {
    const file = join(folder, 'whole.ndjson');
    await run(['backup', file], source.url);
    const text = await readFile(file, 'utf8');
    const cut = join(folder, 'cut.ndjson');
    await writeFile(cut, text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1));
    const target = await cloneDatabase();
    const empty = await readAll(target.url);
    const failed = await callCli(['restore', cut], { DATABASE_URL: target.url });
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /not complete/);
    assert.deepEqual(await readAll(target.url), empty);

    // Rows of an older schema would lack the changes of later migrations.
    const older = join(folder, 'older.ndjson');
    await writeFile(older, text.replace(/"migration":"[^"]*"/, '"migration":"0009_games.sql"'));
    const newer = await callCli(['restore', older], { DATABASE_URL: target.url });
    assert.equal(newer.code, 1);
    assert.match(
      newer.stderr,
      Number(process.env.TEST_GROUPS ?? 1) > 1
        ? /a release without groups of games/
        : /restore into one that was never started/,
    );
    const spread = await callCli(['restore', older], {
      DATABASE_URL: target.url,
      TENANT_GROUPS: '2',
    });
    assert.match(spread.stderr, /a release without groups of games/);
    assert.deepEqual(await readAll(target.url), empty);
    await target.drop();

    const used = await callCli(['restore', file], { DATABASE_URL: source.url });
    assert.equal(used.code, 1);
    assert.match(used.stderr, /not empty/);
    const none = await callCli(['restore', join(folder, 'none')], { DATABASE_URL: source.url });
    assert.match(none.stderr, /There is no file/);
  });
});

describe('export and import of a game', () => {
  test('a copy under a new id has every row of the game, and neither keys, secrets nor members', async () => {
    const file = join(folder, 'game.ndjson');
    await run(['export-game', game_id, file], source.url);
    const text = await readFile(file, 'utf8');
    assert.doesNotMatch(
      text,
      /"api_keys"|"game_members"|"accounts"|jwt_secret|key_hash|sealed_secret/,
    );
    const before_import = await readAll(source.url);
    const { stderr, stdout } = await run(['import-game', file, '--new-id'], source.url);
    const copy = /Imported game ([0-9a-f-]{36})/.exec(stderr + stdout)![1]!;
    const contents = await readAll(source.url);
    for (const [name, rows] of Object.entries(contents)) {
      const original = rows.filter((row) => row.includes(game_id));
      const copied = rows.filter((row) => row.includes(copy)).length;
      const left_out = [
        'access_token_games',
        'alert_changes',
        'alerts',
        'api_keys',
        'attempt_counts',
        'audit_log',
        'dashboard_links',
        'event_idempotency_keys',
        'event_problems',
        'game_deletions',
        'game_members',
        'invitations',
        'time_zone_changes',
        'webhook_deliveries',
        'webhooks',
      ];
      assert.equal(copied, left_out.includes(name) ? 0 : original.length, name);
      assert.equal(rows.length, before_import[name]!.length + copied, name);
    }
    const again = await callCli(['import-game', file], { DATABASE_URL: source.url });
    assert.equal(again.code, 1);
    assert.match(again.stderr, /is here already/);
  });

  test('a game goes to another installation under its own id, with an owner', async () => {
    const file = join(folder, 'moved.ndjson.gz');
    await run(['export-game', game_id, file], source.url);
    const target = await cloneDatabase();
    await run(['create-account', 'owner@studio.example'], target.url);
    await run(['import-game', file, '--owner', 'OWNER@studio.example'], target.url);
    const [from, to] = [await readAll(source.url), await readAll(target.url)];
    const own = (rows: string[] = []) => rows.filter((row) => row.includes(game_id));
    for (const name of [
      'players',
      'events',
      'sessions',
      'saves',
      'save_versions',
      'leaderboard_entries',
    ]) {
      assert.deepEqual(own(to[name]), own(from[name]), name);
    }
    assert.equal(to.game_members?.length, 1);
    await target.drop();
  });

  test('an import is refused while the eraser still erases a game of the same id', async () => {
    const file = join(folder, 'deleted.ndjson');
    await run(['export-game', game_id, file], source.url);
    const target = await cloneDatabase();
    await run(['import-game', file], target.url);
    const server = await startTestServer({ database_url: target.url });
    const { token } = await server.makeAccount({ game_id });
    const deleted = await server.request('DELETE', `/v1/games/${game_id}`, { token });
    assert.equal(deleted.status, 204);
    const again = await callCli(['import-game', file], { DATABASE_URL: target.url });
    assert.equal(again.code, 1);
    assert.match(again.stderr, /still erasing it/);
    await run(['import-game', file, '--new-id'], target.url);
    await server.close();
    await target.drop();
  });
});
