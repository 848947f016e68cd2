import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { waitForLock } from '../../../test/wait-for-lock.ts';
import { retryDeadlocks } from '../../platform/database/retry-deadlocks.ts';
import { sql } from '../../platform/database/sql.ts';

suite('granting and revoking achievements', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  /** Makes a game with the achievements `a` (hidden) and `b`, a developer and the player p/1. */
  async function makeStudio() {
    const game = await server.makeGame();
    const { token } = await server.makeAccount({ game_id: game.game_id, role: 'developer' });
    await server.database.execute(sql`
      INSERT INTO achievements (game_id, key, name, points, hidden, position)
      VALUES (${game.game_id}, 'a', 'Ay', 5, true, 1), (${game.game_id}, 'b', 'Bee', 7, false, 2)`);
    await server.database.execute(sql`
      INSERT INTO players (game_id, environment, player_id)
      VALUES (${game.game_id}, 'production', 'p/1')`);
    const base = `/v1/games/${game.game_id}/players/p%2F1/achievements`;
    return {
      ...game,
      grant: (key: string, query = '') =>
        server.request('POST', `${base}/${key}${query}`, { token }),
      revoke: (key: string) => server.request('DELETE', `${base}/${key}`, { token }),
      list: () => server.request('GET', base, { token }),
      unlock: (achievement_key: string) =>
        server.request('POST', '/v1/achievements/unlock', {
          key: game.production_key,
          body: { achievement_key, player_id: 'p/1' },
        }),
      auditActions: async () => {
        const rows = await server.database.query<{ action: string; details: object }>(sql`
          SELECT action, details FROM audit_log WHERE game_id = ${game.game_id} ORDER BY id`);
        return rows;
      },
    };
  }

  test('the first grant answers 201, later ones 200, and the player has the achievement', async () => {
    const studio = await makeStudio();
    const answers = await Promise.all(Array.from({ length: 6 }, () => studio.grant('a')));
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted(),
      [200, 200, 200, 200, 200, 201],
    );
    const { unlocked_at, ...granted } = answers[0]!.body;
    assert.ok(Date.parse(unlocked_at) > 0);
    assert.deepEqual(granted, {
      key: 'a',
      name: 'Ay',
      description: '',
      icon_url: '',
      points: 5,
      hidden: true,
      archived: false,
      unlocked: true,
    });
    const again = await studio.unlock('a');
    assert.equal(again.body.already_unlocked, true);
    assert.deepEqual(await studio.auditActions(), [
      {
        action: 'grant_achievement',
        details: { environment: 'production', player_id: 'p/1' },
      },
    ]);
  });

  test("the dashboard's list of a player shows all achievements unmasked, with points", async () => {
    const studio = await makeStudio();
    await studio.unlock('b');
    const { status, body } = await studio.list();
    assert.equal(status, 200);
    assert.deepEqual(
      body.achievements.map((a: Record<string, unknown>) => [a.name, a.unlocked]),
      [
        ['Ay', false],
        ['Bee', true],
      ],
    );
    assert.equal(body.total_points, 12);
    assert.equal(body.unlocked_points, 7);
  });

  test('a revocation answers 204 and a second one 404, and the player can unlock the achievement anew', async () => {
    const studio = await makeStudio();
    await studio.unlock('b');
    assert.equal((await studio.revoke('b')).status, 204);
    const second = await studio.revoke('b');
    assert.equal(second.status, 404);
    assert.deepEqual(second.body, { error: 'The player does not have this achievement' });
    const again = await studio.unlock('b');
    assert.equal(again.body.already_unlocked, false);
    assert.equal(again.body.total_points, 7);
    assert.equal((await studio.auditActions()).length, 1);
  });

  test('for an unknown achievement or player a grant answers 404 and changes nothing', async () => {
    const studio = await makeStudio();
    const unknownKey = await studio.grant('zzz');
    assert.equal(unknownKey.status, 404);
    assert.deepEqual(unknownKey.body, { error: 'Achievement not found' });
    const unknownPlayer = await studio.grant('a', '?environment=development');
    assert.equal(unknownPlayer.status, 404);
    assert.deepEqual(unknownPlayer.body, { error: 'Player not found' });
    assert.deepEqual(await studio.auditActions(), []);
  });

  test('an archived achievement can be granted', async () => {
    const studio = await makeStudio();
    await server.database.execute(
      sql`UPDATE achievements SET archived = true WHERE game_id = ${studio.game_id} AND key = 'a'`,
    );
    const { status, body } = await studio.grant('a');
    assert.equal(status, 201);
    assert.equal(body.archived, true);
    assert.equal((await studio.list()).body.unlocked_points, 5);
  });

  test('after a grant during the revocation of the same achievement, the player has the achievement', async () => {
    const studio = await makeStudio();
    await studio.unlock('b');
    const { granted } = await server.database.transaction(async (tx) => {
      await tx.execute(sql`DELETE FROM achievement_unlocks WHERE game_id = ${studio.game_id}`);
      const sent = studio.grant('b');
      await waitForLock(server.database);
      return { granted: sent };
    });
    const { status, body } = await granted;
    assert.deepEqual([status, body.key, body.unlocked], [201, 'b', true]);
  });

  test('a grant that gets into a deadlock with an erasure is repeated, and succeeds', async () => {
    const meetErasure = async () => {
      const studio = await makeStudio();
      return server.database.transaction(async (tx) => {
        await tx.execute(sql`SELECT FROM players WHERE game_id = ${studio.game_id} FOR UPDATE`);
        const granted = studio.grant('b');
        await waitForLock(server.database);
        // This statement completes the deadlock. The grant has waited longer than this transaction, so
        // PostgreSQL aborts the grant.
        await tx.execute(sql`
          INSERT INTO achievement_unlocks (game_id, environment, player_id, achievement_key)
          VALUES (${studio.game_id}, 'production', 'p/1', 'b')`);
        return { granted };
      });
    };
    // If this process does not run for a second, PostgreSQL aborts the transaction of the test instead, and
    // the test tries again.
    const { granted } = await retryDeadlocks(meetErasure);
    const { status, body } = await granted;
    assert.deepEqual([status, body.unlocked], [200, true]);
  });

  test('each of many simultaneous grants and revocations answers whether it changed something', async () => {
    const studio = await makeStudio();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, number) =>
        number % 2 === 0 ? studio.grant('b') : studio.revoke('b'),
      ),
    );
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
    assert.equal(count(200) + count(201) + count(204) + count(404), 60);
    const { body } = await studio.list();
    const is_unlocked = body.achievements.some((a: { unlocked: boolean }) => a.unlocked);
    assert.equal(count(201) - count(204), Number(is_unlocked));
  });
});
