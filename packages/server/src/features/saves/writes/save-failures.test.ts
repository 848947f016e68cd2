import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import type { TestAnswer } from '../../../../test/test-request.ts';
import { refuseOnce } from '../../../../test/refusal.ts';
import { useTwoServers } from '../../../../test/two-servers.ts';
import { listLockWaits, waitForLocks } from '../../../../test/wait-for-lock.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeSaveBatches } from '../test/saved-batch.ts';

/**
 * Tests of saves when PostgreSQL refuses their statements, when other writers are faster, or when
 * erasures interrupt them.
 */

/** Two nodes on one database. */
const nodes = useTwoServers();
let server: TestServer;
let game: TestGame;
let token: string;
let inOneBatch: Awaited<ReturnType<typeof makeSaveBatches>>;
before(async () => {
  [server] = nodes;
  game = await server.makeGame();
  ({ token } = await server.makeAccount({ game_id: game.game_id }));
  inOneBatch = await makeSaveBatches(server, game);
});

/** The database of the game. */
const database = () => server.database.ofGame(game.game_id);
const put = (player_id: string, version?: number, data = '{}', node = server) =>
  node.request('PUT', '/v1/saves', {
    key: game.production_key,
    body: `{"player_id":"${player_id}","data":${data}${version === undefined ? '' : `,"version":${version}`}}`,
  });
const get = (player_id: string) =>
  server.request('GET', `/v1/saves?player_id=${encodeURIComponent(player_id)}`, {
    key: game.production_key,
  });
const remove = (player_id: string) =>
  server.request('DELETE', `/v1/saves?player_id=${encodeURIComponent(player_id)}`, {
    key: game.production_key,
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
        const waiting = waits.find(({ blocker_pid }) => blocker_pid === rows[0]!.pid);
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
 * Functions that run `write` and meanwhile make PostgreSQL refuse one statement. The server first stores
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
    const of = (name: string) => `${name} of ${what}`;
    for (const name of ['kept', 'deleted', 'conflict']) await put(of(name));
    let answers: TestAnswer[] = [];
    await refuse(async () => {
      const sent = await inOneBatch(() => [
        put(of('kept')),
        remove(of('deleted')),
        put(of('conflict'), 7),
        put(of('conflict'), 1),
      ]);
      answers = await Promise.all(sent);
    }, of('kept'));
    const [kept, deleted, conflict, stored] = answers;
    assert.deepEqual([kept!.status, kept!.body.version], [200, 2]);
    assert.equal(deleted!.status, 204);
    assert.equal(conflict!.status, 409);
    assert.deepEqual([stored!.status, stored!.body.version], [200, 2]);
    assert.equal((await get(of('kept'))).body.version, 2);
    assert.equal((await get(of('deleted'))).status, 404);
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
  const stored = await inOneBatch(() => ['b1', 'b2'].map((player_id) => put(player_id)));
  await held.waitForWaiting();
  const erased = erase('b1');
  await waitUntil('the erasure waits or is done', async () => {
    const waits = await listLockWaits(server.database);
    return waits.length > 1 || (await Promise.race([erased, null])) !== null;
  });
  await held.release();
  for (const { status } of await Promise.all(stored)) assert.equal(status, 200);
  assert.equal((await erased).status, 204);
  assert.equal((await get('b1')).status, 404);
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
  const deleted = remove('c1');
  await waitForLocks(server.database, 2);
  await held.release();
  assert.equal((await erased).status, 204);
  assert.equal((await deleted).status, 404);
  const left = sql`SELECT FROM saves WHERE game_id = ${game.game_id} AND player_id = 'c1'`;
  assert.equal(await server.database.execute(left), 0);
  assert.equal((await server.request('GET', path, { token })).status, 404);
});

test('a batch that waited during an erasure does not overwrite a save that another node stored meanwhile', async () => {
  await Promise.all([put('a1'), put('a2')]);
  await using held = await holdSave('a1');
  const stale = await inOneBatch(() => [put('a1'), put('a2', undefined, '{"by":"stale"}')]);
  await held.waitForWaiting();
  assert.equal((await erase('a2')).status, 204);
  for (const number of [1, 2, 3, 4, 5]) {
    const anew = await put('a2', undefined, `{"n":${number}}`, nodes[1]);
    assert.deepEqual([anew.status, anew.body.version], [200, number]);
  }
  await held.release();
  const [first, second] = await Promise.all(stale);
  assert.deepEqual([first!.body.version, second!.body.version], [2, 6]);
  const { version, data } = (await get('a2')).body;
  assert.deepEqual([version, data], [6, { by: 'stale' }]);
});
