import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cloneDatabase, startTestServer } from '../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../test/harness.ts';
import { poll } from '../../../test/mailbox.ts';
import { openDatabase } from '../../platform/database/database.ts';
import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { createGameEraser } from './game-eraser.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

/** Tables that still hold rows of a game, with their numbers. */
async function countRows(game_id: string): Promise<Record<string, number>> {
  const tables = await server.database.query<{ name: string }>(sql`
    SELECT attrelid::regclass::text AS name
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE attname = 'game_id' AND relkind = 'r' AND relnamespace = 'public'::regnamespace`);
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const text = `SELECT count(*) FROM ${name} WHERE game_id = $1`;
    const row = await server.database.queryOne<{ count: number }>({ text, values: [game_id] });
    if (row!.count > 0) counts[name] = row!.count;
  }
  return counts;
}

/** Players enough for several batches. */
const insertPlayers = (game_id: string, count: number, database: Database = server.database) =>
  database.execute(sql`
    INSERT INTO players (game_id, environment, player_id)
    SELECT ${game_id}, 'production', 'player-' || number
    FROM generate_series(1, ${count}::integer) AS number`);

async function makeFullGame(): Promise<TestGame & { token: string }> {
  const game = await server.makeGame();
  const { token } = await server.makeAccount({ game_id: game.game_id });
  const { production_key: key } = game;
  await insertPlayers(game.game_id, 5_000);
  const body = { player_id: 'a', data: { level: 1 } };
  assert.equal((await server.request('PUT', '/v1/saves', { key, body })).status, 200);
  const invitation = { email: 'noor@studio.example', role: 'viewer' };
  const invitations = `/v1/games/${game.game_id}/invitations`;
  await server.request('POST', invitations, { token, body: invitation });
  return { ...game, token };
}

test('DELETE /v1/games/{game_id} ends the game at once and erases every table but the audit log', async () => {
  const { game_id, production_key, token } = await makeFullGame();
  const other = await server.makeGame();
  await insertPlayers(other.game_id, 10);
  const before_deletion = Object.keys(await countRows(game_id));
  for (const table of ['players', 'save_changes', 'api_keys', 'game_members', 'invitations']) {
    assert.ok(before_deletion.includes(table), table);
  }
  const deleted = await server.request('DELETE', `/v1/games/${game_id}`, { token });
  assert.equal(deleted.status, 204);
  assert.equal(deleted.text, '');
  assert.equal((await server.request('GET', `/v1/games/${game_id}`, { token })).status, 404);
  assert.equal((await server.request('DELETE', `/v1/games/${game_id}`, { token })).status, 404);
  const used = await server.request('GET', '/v1/achievements', { key: production_key });
  assert.equal(used.status, 401);
  const left = await poll(async () => {
    const counts = await countRows(game_id);
    return 'players' in counts || 'save_changes' in counts ? null : counts;
  });
  // Writes that were under way may still arrive, so the game stays noted for some minutes.
  const { audit_log, ...rest } = left;
  assert.ok(audit_log! >= 2);
  assert.deepEqual(rest, { game_deletions: 1 });
  const entry = await server.database.queryOne(sql`
    SELECT action, target FROM audit_log WHERE game_id = ${game_id} ORDER BY id DESC LIMIT 1`);
  assert.deepEqual(entry, { action: 'delete_game', target: 'Test game' });
  assert.equal((await countRows(other.game_id)).players, 10);
});

test('a deletion that was cut off in the middle is finished by the server that comes next', async () => {
  const { url, drop } = await cloneDatabase();
  const database = openDatabase({ url }, { application_name: 'test', max_connections: 2 });
  try {
    await database.execute(sql`INSERT INTO game_deletions (game_id) VALUES (${NOBODY})`);
    await insertPlayers(NOBODY, 5_000, database);
    const countPlayers = async () =>
      (await database.queryOne<{ count: number }>(sql`SELECT count(*) FROM players`))!.count;
    const crashing = createGameEraser({
      ...database,
      async transaction(work) {
        if ((await countPlayers()) < 5_000) throw new Error('crashed');
        return database.transaction(work);
      },
    });
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

test('a game is forgotten when nothing of it can arrive any more', async () => {
  const { game_id } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id });
  await server.request('DELETE', `/v1/games/${game_id}`, { token });
  await insertPlayers(game_id, 3);
  const age = sql`UPDATE game_deletions
    SET deleted_at = now() - interval '10 minutes', next_sweep_at = now()
    WHERE game_id = ${game_id}`;
  await server.database.execute(age);
  await poll(async () => ('players' in (await countRows(game_id)) ? null : true));
  assert.equal((await countRows(game_id)).game_deletions, 1, 'it had rows: another sweep is due');
  await server.database.execute(age);
  await poll(async () => ('game_deletions' in (await countRows(game_id)) ? null : true));
});

test('keys that are made while the game is deleted do not outlive it', async () => {
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
