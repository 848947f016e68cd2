import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MAX_MERGED_SESSIONS } from '@overworld/contract/players/merges';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeMergeClient } from '../test/merge-client.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

test('a player made again is merged with a third one only when its earlier events have moved', async () => {
  const client = await makeMergeClient(server);
  const { game_id } = client.game;
  for (const player_id of ['a', 'b', 'c']) await client.identify(player_id);
  await client.merge('b', { from_player_id: 'a' });
  await client.identify('a');
  await server.database.transaction(async (tx) => {
    // Locked here, no server completes the merge. One may be faster between the two statements.
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

test('a player with too many sessions does not end, but others can be merged into it', async () => {
  const client = await makeMergeClient(server);
  for (const player_id of ['many', 'few']) await client.identify(player_id);
  const count = MAX_MERGED_SESSIONS + 1;
  await server.database.execute(sql`
    INSERT INTO sessions
      (game_id, environment, player_id, session_id, started_at, last_event_at, event_count)
    SELECT ${client.game.game_id}, 'production', 'many', n, now(), now(), 1
    FROM generate_series(1, ${count}::integer) AS n`);
  for (const preview of [true, false]) {
    const { status, body } = await client.merge('few', { from_player_id: 'many', preview });
    assert.deepEqual(
      [status, body.error],
      [
        409,
        `The player of from_player_id has ${count} sessions, and a player who ends can have at most ${MAX_MERGED_SESSIONS}`,
      ],
    );
  }
  assert.equal((await client.merge('many', { from_player_id: 'few' })).status, 200);
});
