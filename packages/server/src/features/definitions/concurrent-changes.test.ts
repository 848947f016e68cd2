import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import type { TestAnswer } from '../../../test/test-request.ts';
import { countLockWaits, waitForLock } from '../../../test/wait-for-lock.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sql } from '../../platform/database/sql.ts';
import { makeFilesStudio } from './test/studio.ts';

/** Changes definitions by the routes while an apply has compared them, and has not changed them yet. */
suite('other changes during an apply', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  /** Makes a schema and a board, and an apply that changes both. */
  const prepare = async () => {
    const studio = await makeFilesStudio(server);
    const path = `/leaderboards/board`;
    await studio.call('PUT', path, { max_score: 1 });
    await studio.call('PUT', '/event-schemas/a', { schema: {} });
    const definitions = [
      { kind: 'event_schema', key: 'a', definition: { schema: { type: 'object' } } },
      { kind: 'leaderboard', key: 'board', definition: { max_score: 2 } },
    ];
    const { plan } = (await studio.plan(definitions)).body;
    const readBoard = async () => (await studio.call('GET', `${path}?environment=production`)).body;
    /**
     * Calls `work` while the apply waits for the schema, after it has compared everything.
     * @returns the answer to the apply, and the result of `work`.
     */
    const duringApply = async <T>(work: () => Promise<readonly T[]>) => {
      const applying = { answer: null as Promise<TestAnswer> | null };
      const results = await server.database.transaction(async (tx) => {
        await tx.execute(sql`
          SELECT FROM event_schemas WHERE game_id = ${studio.game_id} FOR UPDATE`);
        applying.answer = studio.apply(definitions, { plan });
        await waitForLock(server.database);
        return work();
      });
      return [await applying.answer!, ...results] as const;
    };
    return { studio, path, readBoard, duringApply };
  };

  test('settings of a board are stored before or after an apply, never between', async () => {
    const { studio, path, readBoard, duringApply } = await prepare();
    let is_put = false;
    const [applied, put] = await duringApply(async () => {
      const putting = studio.call('PUT', path, { max_score: 3 });
      void putting.then(() => (is_put = true));
      // The PUT waits for the lock of the game.
      await waitUntil(
        'the PUT waits',
        async () => is_put || (await countLockWaits(server.database)) > 1,
      );
      assert.ok(!is_put, 'the PUT waits for the apply');
      return [putting];
    });
    assert.deepEqual([applied.status, (await put!).status], [200, 200]);
    assert.equal((await readBoard()).max_score, 3);
  });

  test('players are not kept from a board by the other changes of an apply', async () => {
    const { studio, readBoard, duringApply } = await prepare();
    const submit = (player_id: string, score: number) =>
      server.request('POST', '/v1/leaderboards', {
        key: studio.production_key,
        body: { board_name: 'board', player_id, score },
      });
    assert.equal((await submit('a', 0.5)).status, 201);
    const [applied, submitted] = await duringApply(async () => [await submit('b', 0.75)]);
    assert.deepEqual([applied.status, submitted!.status], [200, 201]);
    assert.equal((await readBoard()).max_score, 2);
  });

  test('an apply changes nothing when its board is deleted meanwhile', async () => {
    const { studio, path, duringApply } = await prepare();
    const { token } = await server.makeAccount({ game_id: studio.game_id, role: 'admin' });
    const at = `/v1/games/${studio.game_id}${path}`;
    const [applied, deleted] = await duringApply(async () => [
      await server.request('DELETE', at, { token }),
    ]);
    assert.deepEqual([applied.status, deleted!.status], [409, 204]);
    assert.match(applied.body.error, /^leaderboard "board": Leaderboard not found/);
    const { definitions } = await studio.read();
    const schema = definitions.find(({ key }: { key: string }) => key === 'a');
    assert.deepEqual(schema.definition, { schema: {} });
  });
});
