import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useTwoServers } from '../../../../test/two-servers.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeMergeBoard } from '../test/merge-board.ts';

const nodes = useTwoServers();

test('scores of past seasons and of other boards move too', async () => {
  const client = await makeMergeBoard(nodes[0]);
  await client.submitOf(1, 5);
  await client.submitOf(2, 9);
  await client.manage('POST', '/b/reset');
  await client.submitOf(1, 4);
  await client.submit({ board_name: 'c', player_id: 'p2', score: 1 });
  await client.standings('b', '', nodes[1]);
  const { body } = await client.merge(2, 1);
  assert.deepEqual(body.changes.scores, [
    { board_name: 'b', season: 1, score: 9, kept: 'target' },
    { board_name: 'b', season: 2, score: 4, kept: 'source' },
  ]);
  for (const node of nodes) {
    assert.deepEqual(await client.standings('b', 'season=1', node), ['p2 9']);
    assert.deepEqual(await client.standings('b', '', node), ['p2 4']);
    assert.deepEqual(await client.standings('c', '', node), ['p2 1']);
  }
  const counted = await nodes[0].database.queryOne<{ count: number }>(sql`
    SELECT sum(total_entries)::integer AS count FROM leaderboard_seasons
    WHERE game_id = ${client.game.game_id}`);
  assert.equal(counted!.count, 3);
});
