import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MAX_MERGED_SESSIONS, MAX_MERGED_SUBMITS } from '@overworld/contract/players/merges';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeMergeClient } from '../test/merge-client.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

test('a player with too much data cannot be merged into another, but another into it', async () => {
  const client = await makeMergeClient(server);
  const { game_id } = client.game;
  const { database } = server;
  for (const player_id of ['sessions', 'submits', 'few']) await client.identify(player_id);
  const [sessions, submits] = [MAX_MERGED_SESSIONS + 1, MAX_MERGED_SUBMITS + 1];
  await database.execute(sql`
    INSERT INTO sessions
      (game_id, environment, player_id, session_id, started_at, last_event_at, event_count)
    SELECT ${game_id}, 'production', 'sessions', n, now(), now(), 1
    FROM generate_series(1, ${sessions}::integer) AS n`);
  await database.execute(sql`
    INSERT INTO leaderboard_submits (game_id, environment, player_id, board_name, version, place,
      season, score, outcome, submitted_at, key_id, is_verified, network)
    SELECT ${game_id}, 'production', 'submits', 'b', n, 1, 1, 1, 'kept', now(), gen_random_uuid(),
           false, '192.0.2.1'
    FROM generate_series(1, ${submits}::integer) AS n`);
  for (const [player_id, has, most] of [
    ['sessions', `${sessions} sessions`, MAX_MERGED_SESSIONS],
    ['submits', `${submits} recorded submits`, MAX_MERGED_SUBMITS],
  ] as const) {
    const error = `The player of from_player_id has ${has}, and a player who ends can have at most ${most}`;
    for (const preview of [true, false]) {
      const { status, body } = await client.merge('few', { from_player_id: player_id, preview });
      assert.deepEqual([status, body], [409, { error }]);
    }
  }
  assert.equal((await client.merge('sessions', { from_player_id: 'few' })).status, 200);
});
