import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { TestGame, TestServer } from '../../../test/harness.ts';
import type { TestAnswer } from '../../../test/test-request.ts';
import { makeGate } from '../../../test/gate.ts';
import type { Gate } from '../../../test/gate.ts';
import { countLockWaits } from '../../../test/wait-for-lock.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { IS_SPREAD } from '../../../test/test-database.ts';
import { useTwoServers } from '../../../test/two-servers.ts';
import { sql } from '../../platform/database/sql.ts';

const unlock = (node: TestServer, key: string, achievement_key: string) =>
  node.request('POST', '/v1/achievements/unlock', {
    key,
    body: { achievement_key, player_id: 'p1' },
  });

suite('unlocks that are inserted and not yet committed', () => {
  const nodes = useTwoServers();
  let server: TestServer;
  let secondNode: TestServer;
  let gate: Gate;
  before(async () => {
    [server, secondNode] = nodes;
    gate = await makeGate(server.database, sql`achievement_unlocks`);
  });

  /**
   * Sends requests while the gate is closed. Each request
   * is sent as soon as the previous one waits at the gate.
   */
  async function sendHeld(...requests: (() => Promise<TestAnswer>)[]): Promise<TestAnswer[]> {
    const sent: Promise<TestAnswer>[] = [];
    await gate.close(async () => {
      for (const request of requests) {
        sent.push(request());
        await waitUntil(
          `${sent.length} statements wait`,
          async () => (await countLockWaits(server.database)) >= sent.length,
        );
      }
    });
    return Promise.all(sent);
  }

  async function makeGame(): Promise<TestGame> {
    const game = await server.makeGame();
    await server.database.execute(sql`
      INSERT INTO achievements (game_id, key, name, points, position)
      VALUES (${game.game_id}, 'a', 'A', 1, 1), (${game.game_id}, 'b', 'B', 2, 2)`);
    await server.database.execute(sql`
      INSERT INTO players (game_id, environment, player_id)
      VALUES (${game.game_id}, 'production', 'p1')`);
    return game;
  }

  test('two unlocks by one player on two nodes are both counted in the total of the later answer', async () => {
    const { production_key } = await makeGame();
    const answers = await sendHeld(
      () => unlock(server, production_key, 'a'),
      () => unlock(secondNode, production_key, 'b'),
    );
    assert.equal(Math.max(...answers.map(({ body }) => body.total_points)), 3);
  });

  test('two unlocks of one achievement on two nodes become one, and the later answer has already_unlocked', async () => {
    const { production_key } = await makeGame();
    const answers = await sendHeld(
      () => unlock(server, production_key, 'a'),
      () => unlock(secondNode, production_key, 'a'),
    );
    assert.deepEqual(answers.map(({ body }) => body.already_unlocked).toSorted(), [false, true]);
  });

  test('an achievement that is unlocked during its deletion is archived, and not deleted', async () => {
    const { game_id, production_key } = await makeGame();
    const { token } = await server.makeAccount({ game_id, role: 'developer' });
    const path = `/v1/games/${game_id}/achievements/a`;
    const [unlocked, deleted] = await sendHeld(
      () => unlock(server, production_key, 'a'),
      () => server.request('DELETE', path, { token }),
    );
    assert.equal(unlocked!.status, 200);
    assert.deepEqual(deleted!.body, { key: 'a', result: 'archived' });
  });

  // Skipped on a cluster: an unlock there locks the player
  // only after its insertion, so the erasure comes first.
  test(
    'an unlock is erased together with a player who is erased meanwhile',
    { skip: IS_SPREAD },
    async () => {
      const { game_id, production_key } = await makeGame();
      const { token } = await server.makeAccount({ game_id });
      const [unlocked, erased] = await sendHeld(
        () => unlock(server, production_key, 'a'),
        () => server.request('DELETE', `/v1/games/${game_id}/players/p1`, { token }),
      );
      assert.deepEqual([unlocked!.status, erased!.status], [200, 204]);
      const list = await server.request('GET', '/v1/achievements?player_id=p1', {
        key: production_key,
      });
      assert.equal(list.body.unlocked_points, 0);
    },
  );
});
