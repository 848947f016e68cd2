import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import { refuseOnce } from '../../../../test/refusal.ts';
import { IS_SPREAD } from '../../../../test/test-database.ts';
import { listLockWaits, waitForLocks } from '../../../../test/wait-for-lock.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';
import { storePuts } from './change-store.ts';
import type { SavePuts } from './save-puts.ts';
import { createSaveWriter } from './save-writer.ts';
import type { SaveWriter } from './save-writer.ts';
import { listSaves } from '../store.ts';

/**
 * Tests of saves when PostgreSQL refuses their statements, when other writers are faster, or when
 * erasures interrupt them.
 */

let server: TestServer;
let game: TestGame;
let token: string;
before(async () => {
  server = await startTestServer();
  game = await server.makeGame();
  ({ token } = await server.makeAccount({ game_id: game.game_id }));
});
after(() => server.close());

/** The database of the game. */
const database = () => server.database.ofGame(game.game_id);
const saveOf = (player_id: string) => ({
  game_id: game.game_id,
  environment: 'production' as const,
  player_id,
  slot: 'main',
});
const putBy = (writer: SaveWriter, player_id: string, expected_version: number | null = null) =>
  writer.put(saveOf(player_id), {
    data: '{}',
    app_version: null,
    size_bytes: 2,
    expected_version,
    limit_reached: null,
  });
const put = (player_id: string, version?: number) =>
  server.request('PUT', '/v1/saves', {
    key: game.production_key,
    body: `{"player_id":"${player_id}","data":{}${version === undefined ? '' : `,"version":${version}`}}`,
  });
const erase = (player_id: string) =>
  server.request('DELETE', `/v1/games/${game.game_id}/players/${player_id}`, { token });

/** Opens a connection that asks for locks. Once it has the locks, it holds them until `release` is called. */
async function askFor(statement: string, values: string[] = []) {
  const holder = await database().connect();
  let isHeld = true;
  const release = async () => {
    if (!isHeld) return;
    isHeld = false;
    await holder.query('COMMIT');
    holder.release();
  };
  const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  await holder.query('BEGIN');
  const locked = holder.query(statement, values);
  return {
    /** Resolves when this connection has its locks. */
    locked,
    /** Resolves when this connection waits for locks that others hold. */
    waitUntilWaiting: () =>
      waitUntil(`this waits for others: ${statement}`, async () => {
        const waits = await listLockWaits(server.database);
        return waits.some(({ pid }) => pid === rows[0]!.pid);
      }),
    /**
     * Waits until another statement of this test waits for these locks.
     * Resolves to the id of the PostgreSQL process that runs that statement.
     */
    async waitForWaiting(): Promise<number> {
      let pid = 0;
      await waitUntil(`a statement waits for: ${statement}`, async () => {
        const waits = await listLockWaits(server.database);
        const waiting = waits.find(
          ({ blocker_pid, application_name }) =>
            blocker_pid === rows[0]!.pid && application_name === 'test',
        );
        pid = waiting?.pid ?? 0;
        return waiting !== undefined;
      });
      return pid;
    },
    release,
    [Symbol.asyncDispose]: release,
  };
}

/**
 * Opens a connection that holds locks until `release` is called. Until then other statements wait for the
 * locks.
 */
async function hold(statement: string, values?: string[]) {
  const held = await askFor(statement, values);
  await held.locked;
  return held;
}
const holdSave = (player_id: string) =>
  hold('SELECT FROM saves WHERE player_id = $1 FOR UPDATE', [player_id]);

/**
 * Functions that run `write` and meanwhile make PostgreSQL refuse one statement. The writer first stores
 * the saves of the batch that need no look-up. The refused statement is in the round after that.
 */
const refusals: Record<
  string,
  (write: () => Promise<unknown>, player_id: string) => Promise<void>
> = {
  async 'look-up'(write, player_id) {
    await using round = await holdSave(player_id);
    const written = write();
    await round.waitForWaiting();
    await using table = await askFor('LOCK TABLE saves IN ACCESS EXCLUSIVE MODE');
    await table.waitUntilWaiting();
    await round.release();
    await table.locked;
    const pid = await table.waitForWaiting();
    await server.database.execute(sql`SELECT pg_cancel_backend(${pid}::integer)`);
    await table.release();
    await written;
  },
  async write(write) {
    await refuseOnce(database(), sql`saves`, sql`NEW.deleted_at IS NOT NULL`);
    await write();
  },
};

for (const [what, refuse] of Object.entries(refusals)) {
  test(`a ${what} that PostgreSQL refuses is retried, and stored saves are not stored again`, async () => {
    const writer = createSaveWriter(server.database, 1_000_000);
    const of = (name: string) => `${name} of ${what}`;
    for (const name of ['kept', 'deleted', 'conflict']) await putBy(writer, of(name));
    let answers: unknown[] = [];
    await refuse(async () => {
      // The other saves come while this one is stored, so they become one batch.
      const under_way = putBy(writer, of('another'));
      const settled = await Promise.all([
        putBy(writer, of('kept')),
        writer.delete(saveOf(of('deleted'))),
        putBy(writer, of('conflict'), 7),
        putBy(writer, of('conflict'), 1),
        under_way,
      ]);
      answers = settled.map((answer) => {
        if (typeof answer === 'boolean') return answer;
        return answer.kind === 'stored' ? answer.version : answer.save.version;
      });
    }, of('kept'));
    assert.deepEqual(answers, [2, true, 1, 2, 1]);
    const saves = await listSaves(database(), ['kept', 'deleted'].map(of).map(saveOf));
    assert.deepEqual(
      saves.map((save) => save?.version),
      [2, undefined],
    );
    await writer.close();
  });
}

test('a far too large expected version is a conflict, and saves beside it are stored', async () => {
  for (const version of [2 ** 53, 2 ** 63, 1e19, 1e300]) {
    const player_id = `huge-${version}`;
    const first = await put(player_id, version);
    assert.deepEqual([first.status, first.body.version], [200, 1]);
    const refused = put(player_id, version);
    const beside = Array.from({ length: 20 }, (_, index) => put(`beside-${version}-${index}`));
    assert.equal((await refused).status, 409);
    for (const { status } of await Promise.all(beside)) assert.equal(status, 200);
  }
});

test('a first save during the erasure of its player is erased too', async () => {
  for (const player_id of ['b1', 'b2']) {
    const body = { player_id, properties: {} };
    await server.request('POST', '/v1/identify', { key: game.production_key, body });
  }
  // This request makes the server store `last_seen_at` of the players now. A later write of `last_seen_at`
  // would wait for the lock below, and the erasure would wait for that write.
  await server.request('GET', `/v1/games/${game.game_id}/players/b1`, { token });
  await using held = await hold('SELECT FROM players WHERE player_id = $1 FOR UPDATE', ['b2']);
  const stored = storePuts(
    database(),
    ['b1', 'b2'].map((player_id) => ({
      save: saveOf(player_id),
      expected_version: null,
      versions: [{ data: '{}', app_version: null }],
    })),
  );
  await held.waitForWaiting();
  const erased = erase('b1');
  await waitUntil('the erasure waits or is done', async () => {
    const waits = await listLockWaits(server.database);
    const isWaiting = waits.some(({ application_name }) => application_name !== 'test');
    return isWaiting || (await Promise.race([erased, null])) !== null;
  });
  await held.release();
  await stored;
  assert.equal((await erased).status, 204);
  assert.deepEqual(await listSaves(database(), [saveOf('b1')]), [null]);
});

test('a deletion of a save during the erasure of its player leaves no save and no player', async () => {
  await put('c1');
  const path = `/v1/games/${game.game_id}/players/c1`;
  // This request makes the server store `last_seen_at` now. A later write would wait for the locks below.
  assert.equal((await server.request('GET', path, { token })).status, 200);
  await using held = await hold('SELECT FROM players WHERE player_id = $1 FOR KEY SHARE', ['c1']);
  const erased = erase('c1');
  // The erasure has deleted the save, and now waits for the lock of the player.
  await waitForLocks(server.database, 1);
  const deleted = server.request('DELETE', '/v1/saves?player_id=c1', { key: game.production_key });
  await waitForLocks(server.database, 2);
  await held.release();
  assert.equal((await erased).status, 204);
  assert.equal((await deleted).status, 404);
  const left = sql`SELECT FROM saves WHERE game_id = ${game.game_id} AND player_id = 'c1'`;
  assert.equal(await server.database.execute(left), 0);
  assert.equal((await server.request('GET', path, { token })).status, 404);
});

test('a statement that waited during an erasure does not overwrite a save that was stored meanwhile', async () => {
  const puts = (player_id: string, ...data: string[]) => ({
    save: saveOf(player_id),
    expected_version: null,
    versions: data.map((text) => ({ data: text, app_version: null })),
  });
  const store = (saves: SavePuts[]) => storePuts(database(), saves);
  await store([puts('a1', '{}'), puts('a2', '{}')]);
  await using held = await holdSave('a1');
  const stale = store([puts('a1', '{}'), puts('a2', '{"by":"stale"}')]);
  await held.waitForWaiting();
  assert.equal((await erase('a2')).status, 204);
  const numbers = ['1', '2', '3', '4', '5'];
  const [anew] = await store([puts('a2', ...numbers)]);
  assert.equal(anew!.version, 5);
  await held.release();
  // On a cluster, a further statement reads the new save, and
  // then the save of the waiting statement is stored as well.
  const stored = IS_SPREAD ? [6, '{"by":"stale"}'] : [5, '5'];
  assert.deepEqual(
    (await stale).map((change) => change?.version),
    [2, IS_SPREAD ? 6 : undefined],
  );
  const [save] = await listSaves(database(), [saveOf('a2')]);
  assert.deepEqual([save!.version, save!.data], stored);
});
