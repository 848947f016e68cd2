import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '../../src/platform/database/sql.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { waitUntil } from '../wait-until.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

/** The number of rows of other players. A look-up by a key must not read these rows. */
const OTHER_ROWS = 1_000;

async function runExperiment(game_id: string): Promise<void> {
  const { token } = await server.makeAccount({ game_id });
  const path = `/v1/games/${game_id}`;
  const steer = async (method: string, to: string, body?: unknown) => {
    const answer = await server.request(method, path + to, { token, body });
    assert.ok(answer.status < 300, answer.text);
    return answer.body as { id: string };
  };
  await steer('PUT', '/config', { parameters: { p: { value: 1 } } });
  const { id } = await steer('POST', '/experiments', {
    name: 'E',
    share: 100,
    variants: [
      { name: 'A', weight: 1 },
      { name: 'B', weight: 1, values: { p: 2 } },
    ],
    metrics: [{ kind: 'retention', days: 1 }],
  });
  await steer('POST', `/experiments/${id}/start`);
}

/** Waits until the exposure of the player is stored, and inserts exposures of other players. */
async function insertExposures(): Promise<void> {
  await waitUntil('the exposure is stored', async () => {
    const found = await server.database.query(sql`SELECT FROM experiment_exposures LIMIT 1`);
    return found.length > 0;
  });
  await server.database.execute(sql`
    INSERT INTO experiment_exposures
      (game_id, environment, player_id, experiment_id, variant, exposed_at)
    SELECT game_id, environment, 'player ' || n, experiment_id, 0, now()
    FROM experiment_exposures, generate_series(1, ${OTHER_ROWS}::integer) AS n`);
}

/** Inserts devices of other players of the same game. */
const insertIdentities = () =>
  server.database.execute(sql`
    INSERT INTO player_identities (game_id, environment, provider, subject, player_id)
    SELECT game_id, environment, provider, 'device ' || n, 'player ' || n
    FROM player_identities, generate_series(1, ${OTHER_ROWS}::integer) AS n`);

/**
 * Inserts old versions of the saves of `p1` and of other players. The next
 * write of the save of `p1` deletes some of the old versions of that save.
 */
async function insertOldVersions(): Promise<void> {
  await server.database.execute(sql`
    INSERT INTO older_save_versions (game_id, environment, player_id, slot, version, data, saved_at)
    SELECT game_id, environment, named.player_id, slot, n, '{}', now() - interval '3 days'
    FROM saves, generate_series(2, 21) AS n,
      (SELECT 'p1' UNION ALL
       SELECT 'player ' || n FROM generate_series(1, ${OTHER_ROWS / 20}::integer) AS n)
        AS named (player_id)`);
  await server.database.execute(sql`
    UPDATE saves SET version = 100, hour_ends = 511, saved_at = now() - interval '1 hour'`);
}

/** Sends, with a game's key, the requests that look up rows of a player. */
async function callAsGame(node: TestServer, key: string): Promise<void> {
  const player_id = 'p1';
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await node.request(method, path, { key, body });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
    return answer.body as { refresh_token: string };
  };
  const event = { event_name: 'e', session_id: 's', player_id };
  await send('POST', '/v1/track', event);
  await send('POST', '/v1/identify', { player_id, properties: { level: 1 } });
  await send('POST', '/v1/players/p1/tags', { tag: 'vip' });
  await send('DELETE', '/v1/players/p1/tags/vip');
  await send('PUT', '/v1/saves', { player_id, data: {} });
  await insertOldVersions();
  await send('PUT', '/v1/saves', { player_id, data: {} });
  await send('GET', '/v1/saves?player_id=p1');
  await send('DELETE', '/v1/saves?player_id=p1');
  await send('POST', '/v1/achievements/unlock', { player_id, achievement_key: 'a' });
  await send('GET', '/v1/achievements?player_id=p1');
  const changes = [{ key: 's', value: 1 }];
  await send('POST', '/v1/stats', { player_id, changes });
  await send('POST', '/v1/stats', { player_id, changes });
  await send('GET', '/v1/stats?player_id=p1');
  await send('POST', '/v1/leaderboards', { player_id, board_name: 'b', score: 1 });
  await send('POST', '/v1/leaderboards', { player_id, board_name: 'b', score: 2 });
  await send('GET', '/v1/leaderboards/b?player_id=p1');
  await send('GET', '/v1/config?player_id=p1');
  await insertExposures();
  await send('GET', '/v1/config?player_id=p1');
  const device = { provider: 'device', device_id: 'device of p1', secret: 'x'.repeat(43) };
  await send('POST', '/v1/players/login', { ...device, player_id });
  await insertIdentities();
  const { refresh_token } = await send('POST', '/v1/players/login', device);
  await send('POST', '/v1/players/refresh', { refresh_token });
  // This call first stores when the player was last seen, and then reads the player.
  await send('GET', '/v1/players/p1');
}

async function listConnections(): Promise<number[]> {
  const rows = await server.database.query<{ pid: number }>(sql`
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`);
  return rows.map(({ pid }) => pid);
}

test('queries planned on empty tables find rows by primary key, not by a less selective index', async () => {
  const game = await server.makeGame();
  await server.database.execute(sql`
    INSERT INTO achievements (game_id, key, name, position) VALUES (${game.game_id}, 'a', 'A', 1)`);
  await server.database.execute(sql`
    INSERT INTO stats (game_id, key, name, aggregation) VALUES (${game.game_id}, 's', 'S', 'sum')`);
  await runExperiment(game.game_id);
  const earlier = await listConnections();
  const node = await startTestServer({ database_url: server.database_url });
  await callAsGame(node, game.production_key);
  const ofNode = (await listConnections()).filter((pid) => !earlier.includes(pid));
  await node.close();
  // PostgreSQL adds a connection's reads to its statistics when the connection ends. Some of these
  // connections may belong to the other server, which would keep them open, so all of them are ended here.
  await server.database.query(
    sql`SELECT pg_terminate_backend(pid) FROM unnest(${ofNode}::integer[]) AS pid`,
  );
  await waitUntil('the connections end', async () => {
    const left = await listConnections();
    return !ofNode.some((pid) => left.includes(pid));
  });

  const rows = await server.database.query<{ name: string }>(sql`
    SELECT DISTINCT indexrelname AS name
    FROM pg_stat_user_indexes
    JOIN pg_index USING (indexrelid)
    WHERE idx_scan > 0 AND NOT indisprimary`);
  const used = rows.map(({ name }) => name);
  assert.ok(used.includes('leaderboard_entries_number'), 'the calls should be counted');
  const fitting = [
    'api_keys_hash',
    'config_schedules_due',
    'event_inbox_order',
    // This index finds the game of the account that starts the experiment.
    'game_members_account',
    'leaderboard_entries_number',
    'player_identities_player',
    // This index finds the statistics that events of the game move.
    'stats_with_source',
  ];
  assert.deepEqual(
    used.filter((name) => !fitting.includes(name)),
    [],
  );
  const reads = await server.database.query<{ name: string; read_rows: number }>(sql`
    SELECT indexrelname AS name, sum(idx_tup_read)::bigint AS read_rows FROM pg_stat_user_indexes
    WHERE relname IN ('older_save_versions', 'player_identities')
    GROUP BY indexrelname ORDER BY indexrelname`);
  assert.ok(
    reads.every(({ read_rows }) => read_rows > 0 && read_rows < OTHER_ROWS),
    JSON.stringify(reads),
  );
});
