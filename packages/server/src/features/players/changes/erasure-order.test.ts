import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import { listLockWaits } from '../../../../test/wait-for-lock.ts';
import { waitUntil } from '../../../../test/wait-until.ts';

/**
 * Each test erases a player, and stops the erasure when it has deleted the data and waits for a lock. At this
 * moment, the dashboard changes the same data.
 */

let server: TestServer;
let game: TestGame;
let token: string;
before(async () => {
  server = await startTestServer();
  game = await server.makeGame();
  ({ token } = await server.makeAccount({ game_id: game.game_id }));
  await server.request('POST', `/v1/games/${game.game_id}/achievements`, {
    token,
    body: { key: 'first', name: 'First' },
  });
});
after(() => server.close());

for (const [change, more] of [
  ['a save is restored', '/saves/1/restore'],
  ['an achievement is granted', '/achievements/first'],
] as const) {
  test(`an erasure of a player does not deadlock while ${change}`, async () => {
    const key = game.production_key;
    const player_id = `player of ${more}`;
    await server.request('PUT', '/v1/saves', { key, body: { player_id, data: {} } });
    const unlock = { player_id, achievement_key: 'first' };
    await server.request('POST', '/v1/achievements/unlock', { key, body: unlock });
    const path = `/v1/games/${game.game_id}/players/${encodeURIComponent(player_id)}`;
    /**
     * Waits until a database session waits for a lock of the session `holder_pid`.
     * @returns the process id of the waiting session.
     */
    const waitForWaiting = async (holder_pid: number) => {
      let pid = 0;
      await waitUntil(`somebody waits for ${holder_pid}`, async () => {
        // Statements that write `last_seen_at` do not count, because they may come at any moment.
        const waits = await listLockWaits(server.database);
        const waiting = waits.find(
          ({ blocker_pid, statement }) =>
            blocker_pid === holder_pid && !statement.includes('SET last_seen_at'),
        );
        pid = waiting?.pid ?? 0;
        return waiting !== undefined || isAnswered;
      });
      return pid;
    };

    let isAnswered = false;
    const holder = await server.database.ofGame(game.game_id).connect();
    const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await holder.query('BEGIN');
    await holder.query('SELECT FROM players WHERE player_id = $1 FOR KEY SHARE', [player_id]);
    const erased = server.request('DELETE', path, { token });
    const eraser_pid = await waitForWaiting(rows[0]!.pid);
    const changed = server.request('POST', path + more, { token });
    void changed.then(() => (isAnswered = true));
    await waitForWaiting(eraser_pid);
    await holder.query('COMMIT');
    holder.release();
    const both = Promise.all([erased, changed]);
    // The loop can see a deadlock, because PostgreSQL detects and ends deadlocks only after a second.
    await waitUntil('both are answered', async () => {
      const waits = await listLockWaits(server.database);
      const waits_of_blockers = waits.filter((one) =>
        waits.some((other) => other.pid === one.blocker_pid && other.blocker_pid === one.pid),
      );
      assert.deepEqual(waits_of_blockers, [], 'each waits for the other');
      return (await Promise.race([both, null])) !== null;
    });
    assert.equal((await erased).status, 204);
    assert.equal((await changed).status, 404);
    assert.equal((await server.request('GET', path, { token })).status, 404);
  });
}
