import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeStudio } from '../test/player-client.ts';
import type { PlayerClient, PlayerStudio } from '../test/player-client.ts';

let server: TestServer;
let studio: PlayerStudio;
let game: TestGame;
let player: PlayerClient;
before(async () => {
  server = await startTestServer();
  studio = await makeStudio(server);
  ({ game } = studio);
});
after(() => server.close());
beforeEach(() => {
  player = studio.nextPlayer();
});

describe('DELETE', () => {
  test('concurrent erasures and writes never answer 500, and leave no data without a player', async () => {
    await player.fill();
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        index % 4 === 0
          ? player.erase()
          : index % 4 === 1
            ? player.identify({ n: index })
            : player.fill(),
      ),
    );
    for (const answer of answers) assert.ok(!answer || answer.status < 500, answer?.text);
    // Data that was written during an erasure is either gone, or belongs to a new player with the same
    // id.
    for (const table of [sql`saves`, sql`leaderboard_entries`, sql`achievement_unlocks`]) {
      const orphans = await server.database.query(sql`
        SELECT player_id FROM ${table} AS kept
        WHERE kept.game_id = ${game.game_id} AND NOT EXISTS (
          SELECT FROM players
          WHERE players.game_id = kept.game_id AND players.environment = kept.environment
            AND players.player_id = kept.player_id)`);
      assert.deepEqual(orphans, []);
    }
    await player.identify({ last: true });
    assert.equal((await player.get()).body.properties.last, true);
  });
});
