import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { makeGate } from '../../../test/gate.ts';
import type { Gate } from '../../../test/gate.ts';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { countLockWaits } from '../../../test/wait-for-lock.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sql } from '../../platform/database/sql.ts';
import { makeFilesStudio } from './test/studio.ts';

/** Changes definitions by the routes while an apply has compared them, and has not changed them yet. */
suite('other changes during an apply', () => {
  let server: TestServer;
  let gate: Gate;
  before(async () => {
    server = await startTestServer();
    gate = await makeGate(server.database, sql`achievements`);
  });
  after(() => server.close());

  /** Makes a board, and documents that make an achievement, at which the gate holds the apply, and change the board. */
  const prepare = async () => {
    const studio = await makeFilesStudio(server);
    const path = `/leaderboards/board`;
    await studio.call('PUT', path, { max_score: 1 });
    const definitions = [
      { kind: 'achievement', key: 'a', definition: { name: 'A' } },
      { kind: 'leaderboard', key: 'board', definition: { max_score: 2 } },
    ];
    const { plan } = (await studio.plan(definitions)).body;
    const readBoard = async () => (await studio.call('GET', `${path}?environment=production`)).body;
    return { studio, path, readBoard, apply: () => studio.apply(definitions, { plan }) };
  };

  test('settings of a board are stored before or after an apply, never between', async () => {
    const { studio, path, readBoard, apply } = await prepare();
    let is_put = false;
    const [applied, put] = await gate.close(async () => {
      const applying = apply();
      await gate.waitForChange();
      const putting = studio.call('PUT', path, { max_score: 3 });
      void putting.then(() => (is_put = true));
      // The PUT waits for the lock of the game.
      await waitUntil(
        'the PUT waits',
        async () => is_put || (await countLockWaits(server.database)) > 1,
      );
      assert.ok(!is_put, 'the PUT waits for the apply');
      return [applying, putting] as const;
    });
    assert.deepEqual([(await applied).status, (await put).status], [200, 200]);
    assert.equal((await readBoard()).max_score, 3);
  });

  test('an apply changes nothing when its board is deleted meanwhile', async () => {
    const { studio, path, apply } = await prepare();
    const { token } = await server.makeAccount({ game_id: studio.game_id, role: 'admin' });
    const applied = await gate.close(async () => {
      const applying = apply();
      await gate.waitForChange();
      const at = `/v1/games/${studio.game_id}${path}`;
      assert.equal((await server.request('DELETE', at, { token })).status, 204);
      return [applying] as const;
    });
    const { status, body } = await applied[0];
    assert.equal(status, 409);
    assert.match(body.error, /^leaderboard "board": Leaderboard not found/);
    const { definitions } = await studio.read();
    assert.equal(definitions.length, 2);
  });
});
