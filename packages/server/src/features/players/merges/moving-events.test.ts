import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeMergeClient } from '../test/merge-client.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

test('a merged player that is made again cannot be part of a new merge until its old events have moved', async () => {
  const client = await makeMergeClient(server);
  const { game_id } = client.game;
  for (const player_id of ['a', 'b', 'c']) await client.identify(player_id);
  await client.merge('b', { from_player_id: 'a' });
  await client.identify('a');
  await server.database.transaction(async (tx) => {
    // While this transaction locks the merge, no server completes the merge. The merge is marked as
    // incomplete again and again until it is locked, because a server may complete it between the update and
    // the lock.
    do {
      await server.database.execute(sql`
        UPDATE player_merges SET completed_at = NULL WHERE game_id = ${game_id}`);
    } while (
      (await tx.execute(sql`
        SELECT FROM player_merges
        WHERE game_id = ${game_id} AND completed_at IS NULL FOR KEY SHARE`)) === 0
    );
    for (const [player_id, from_player_id] of [
      ['c', 'a'],
      ['a', 'c'],
    ] as const) {
      const { status, body } = await client.merge(player_id, { from_player_id });
      assert.equal(status, 409);
      assert.match(body.error, /^Events of a merge are still moving/);
    }
    assert.equal((await client.merge('c', { from_player_id: 'b' })).status, 200);
  });
  await client.waitForEvents('c');
  assert.equal((await client.merge('c', { from_player_id: 'a' })).status, 200);
});
