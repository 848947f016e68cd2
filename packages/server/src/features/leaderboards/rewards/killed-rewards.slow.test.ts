import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { cloneDatabase } from '../../../../test/harness.ts';
import { startVictim } from '../../../../test/run-cli.ts';
import { openTestDatabase } from '../../../../test/test-database.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { makeTaskDue } from '../../../platform/background/task-store.ts';
import { sql } from '../../../platform/database/sql.ts';

const PLAYERS = 6_000;
const KILLS = 4;

test('servers that are killed while they send rewards send each one once', async () => {
  const { url: database_url, drop } = await cloneDatabase();
  await using stack = new AsyncDisposableStack();
  stack.defer(drop);
  const options = { application_name: 'test', max_connections: 4 };
  const database = openTestDatabase({ url: database_url }, options);
  stack.defer(() => database.close());
  const game = await database.queryOne<{ id: string }>(sql`
    INSERT INTO games (name, time_zone) VALUES ('Test', 'UTC') RETURNING id`);
  const { id } = game!;
  const rewards = [{ top_percent: 100, title: 'All', text: '', rewards: [] }];
  await database.execute(sql`INSERT INTO leaderboards (game_id, board_name) VALUES (${id}, 'b')`);
  await database.execute(sql`
    INSERT INTO leaderboard_seasons (game_id, environment, board_name, season, sort_order, version,
      total_entries, next_entry_number, next_seq, started_at, ended_at)
    VALUES (${id}, 'production', 'b', 1, 'descending', 1, ${PLAYERS}, ${PLAYERS}, ${PLAYERS + 1}, now(),
      now())`);
  await database.execute(sql`
    INSERT INTO leaderboard_entries (game_id, environment, player_id, board_name, season, entry_number,
      score, seq, updated_at)
    SELECT ${id}, 'production', 'p' || n, 'b', 1, n, n % 100, n + 1, now()
    FROM generate_series(0, ${PLAYERS - 1}) AS n`);
  await database.execute(sql`
    INSERT INTO leaderboard_reward_runs (game_id, environment, board_name, season, rewards, began_at)
    VALUES (${id}, 'production', 'b', 1, ${JSON.stringify(rewards)}::json, now() - interval '1 minute')`);
  const count = async () => {
    const row = await database.queryOne<{ given: number; sent: number; done: boolean }>(sql`
      SELECT (SELECT count(*) FROM leaderboard_rewarded_players
              WHERE game_id = ${id} AND state = 'given') AS given,
        (SELECT count(*) FROM messages WHERE game_id = ${id}) AS sent,
        (SELECT state = 'done' FROM leaderboard_reward_runs WHERE game_id = ${id}) AS done`);
    return row!;
  };

  for (let run = 0; run <= KILLS; run++) {
    const { victim } = await startVictim({
      DATABASE_URL: database_url,
      PORT: '0',
      LOG_REQUESTS: 'none',
    });
    stack.defer(async () => {
      victim.child.kill('SIGKILL');
      await victim.done;
    });
    const { given: before } = await count();
    await waitUntil('rewards are sent', async () => {
      // The lease of a killed server would end only after a minute.
      await database.execute(sql`
        UPDATE background_tasks SET leased_until = now()
        WHERE name = 'giving rewards of seasons' AND ${before === (await count()).given}`);
      await database.transaction((tx) => makeTaskDue(tx, 'giving rewards of seasons'));
      const { given, done } = await count();
      return run === KILLS ? done : given > before;
    });
    if (run < KILLS) await sleep(40 * run);
    victim.child.kill('SIGKILL');
    await victim.done;
    const { given, sent } = await count();
    assert.equal(given, sent);
    if (run < KILLS) assert.ok(given < PLAYERS, 'the server was killed in the middle');
  }
  assert.equal((await count()).sent, PLAYERS);
  const twice = await database.query(sql`
    SELECT player_id FROM messages WHERE game_id = ${id} GROUP BY player_id HAVING count(*) > 1`);
  assert.deepEqual(twice, []);
});
