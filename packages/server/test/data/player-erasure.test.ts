import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Environment } from '@overworld/contract/common';
import type { Operation } from '@overworld/contract/operation';
import { OPERATIONS } from '@overworld/contract/operations';
import { sql } from '../../src/platform/database/sql.ts';
import { makeFullGame } from '../full-game.ts';
import { callValid } from '../valid-request.ts';
import type { FullGame } from '../full-game.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { waitUntil } from '../wait-until.ts';
import { searchDatabase } from '../whole-database.ts';

/** Exports and erases one player, and searches every column of every table for the player. */

/**
 * Tables in which the worker of the player search stores its progress: the players that it still has to read,
 * and the last player that it has read.
 */
const PASSING = ['player_name_changes', 'player_name_builds'];

const PLAYER = 'erase-me-7f3a91';
const MARKER = 'kept-of-them';
const BYSTANDER = 'bystander';

let server: TestServer;
let game: FullGame;
before(async () => {
  server = await startTestServer();
  game = await makeFullGame(server, { marker: MARKER, player_id: PLAYER });
});
after(() => server.close());

const find = async () => searchDatabase(server.database, PLAYER);

const dashboard = (method: string, environment: Environment, more = '') =>
  server.request(
    method,
    `/v1/games/${game.game_id}/players/${PLAYER}${more}?environment=${environment}`,
    { token: game.owner.token },
  );

const track = (player_id: string, idempotency_key: string) =>
  server.request('POST', '/v1/track', {
    key: game.production_key,
    headers: { 'idempotency-key': idempotency_key },
    body: { event_name: 'e', session_id: `session of ${player_id}`, player_id },
  });

/** Waits until the search knows all changes of players. */
const searchFollows = () =>
  waitUntil('the search knows the players', async () => {
    const row = await server.database
      .ofGame(game.game_id)
      .queryOne<{ is_open: boolean }>(
        sql`SELECT EXISTS (SELECT FROM player_name_changes) AS is_open`,
      );
    return !row!.is_open;
  });

/** Inserts quarantined requests that PostgreSQL could not read, one with escaped characters in the id. */
async function quarantine(): Promise<void> {
  const escaped = PLAYER.replace('e', String.raw`\u0065`);
  const bodies = [PLAYER, escaped, BYSTANDER].map((id) => `[{"player_id":"${id}"}]`);
  for (const [inbox_id, body] of bodies.entries()) {
    await server.database.execute(sql`
      INSERT INTO event_quarantine (game_id, inbox_id, environment, key_id, received_at,
                                    event_count, body, reason, quarantined_at)
      VALUES (${game.game_id}, ${inbox_id}, 'production', gen_random_uuid(), now(), 1, ${body},
              'test', now())`);
  }
}

/**
 * Inserts rows that the calls of this test cannot cause. Such rows need a
 * long time, boards with rules, or other players.
 */
async function keepRarerRows(): Promise<void> {
  const tenant = sql`${game.game_id}, 'production'`;
  const { board_name } = game.params;
  await server.database.execute(sql`
    INSERT INTO older_save_versions (game_id, environment, player_id, slot, version, data, saved_at)
    VALUES (${tenant}, ${PLAYER}, 'main', 1, '{}', now())`);
  await server.database.execute(sql`
    INSERT INTO leaderboard_submits (game_id, environment, player_id, board_name, version, place,
      season, score, outcome, submitted_at, key_id, is_verified, network)
    VALUES (${tenant}, ${PLAYER}, ${board_name}, 1, 1, 1, 9, 'new', now(), gen_random_uuid(), false,
            '192.0.2.1')`);
  await server.database.execute(sql`
    INSERT INTO leaderboard_held_scores (game_id, environment, player_id, board_name, season, score,
      seq, reached_at)
    VALUES (${tenant}, ${PLAYER}, ${board_name}, 1, 9, 1, now())
    ON CONFLICT DO NOTHING`);
  await server.database.execute(sql`
    INSERT INTO leaderboard_submit_keys (game_id, environment, player_id, board_name, submit_key,
      body_hash, expires_at)
    VALUES (${tenant}, ${PLAYER}, ${board_name}, 'hash', 'hash', now() + interval '1 day')`);
  await server.database.execute(sql`
    INSERT INTO leaderboard_rewarded_players (game_id, environment, player_id, board_name, season, rank,
      reward, state)
    VALUES (${tenant}, ${PLAYER}, ${board_name}, 1, 1, 0, 'given')`);
  await server.database.execute(sql`
    INSERT INTO sealed_players (game_id, environment, player_id, number)
    VALUES (${tenant}, ${PLAYER}, 0)`);
  await server.database.execute(sql`
    INSERT INTO granted_players (game_id, environment, player_id, grant_id, unlocked_at)
    VALUES (${tenant}, ${PLAYER}, gen_random_uuid(), now())`);
  await server.database.execute(sql`
    INSERT INTO player_merges (game_id, environment, from_player_id, player_id, completed_at,
      event_count, changes)
    VALUES (${tenant}, 'guest', ${PLAYER}, now(), 0, '{}')`);
  await server.database.execute(sql`
    INSERT INTO leaderboard_decisions (game_id, environment, board_name, decision_id, kind, player_id)
    VALUES (${tenant}, ${board_name}, gen_random_uuid(), 'accept', ${PLAYER})`);
}

const namesPlayer = ({ path, query, body }: Operation) =>
  path.includes('{player_id}') ||
  Object.hasOwn(query?.properties ?? {}, 'player_id') ||
  Object.hasOwn((body as { properties?: object } | undefined)?.properties ?? {}, 'player_id');

test('after an erasure the player is found nowhere but in the audit entries of the erasures', async () => {
  for (const operation of OPERATIONS.filter(namesPlayer)) {
    if (['deletePlayer', 'erasePlayer', 'banLeaderboardPlayer'].includes(operation.id)) continue;
    const { status, text } = await callValid(server, operation, game);
    assert.ok(status < 500, `${operation.id}: ${text}`);
  }
  // Some of the calls above have deleted data, which the following calls make again.
  const key = game.production_key;
  const play = (method: string, path: string, body: unknown) =>
    server.request(method, path, { key, body });
  const { board_name, stat_key, key: achievement_key } = game.params;
  await play('PUT', '/v1/saves', { player_id: PLAYER, data: { text: `${MARKER} save` } });
  await play('POST', '/v1/achievements/unlock', { player_id: PLAYER, achievement_key });
  const changes = [{ key: stat_key, value: 1 }];
  await play('POST', '/v1/stats', { player_id: PLAYER, changes });
  const nick = { player_name: `${MARKER} nick`, metadata: { text: `${MARKER} metadata` } };
  await play('POST', '/v1/leaderboards', { player_id: PLAYER, board_name, score: 9, ...nick });
  await play('POST', `/v1/players/${PLAYER}/tags`, { tag: `${MARKER} tag` });
  await track(PLAYER, `${PLAYER}-1`);
  await track(BYSTANDER, 'another');
  await quarantine();
  await keepRarerRows();
  await dashboard('GET', 'production');
  await searchFollows();

  const found = await find();
  const tables = await server.database.ofGame(game.game_id).query<{ name: string }>(sql`
    SELECT relname AS name FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE attname = 'player_id' AND relkind IN ('r', 'p') AND NOT relispartition
      AND relnamespace = current_schema()::regnamespace`);
  assert.ok(tables.length >= 8);
  for (const { name } of tables) {
    if (PASSING.includes(name)) continue;
    assert.ok(name in found, `${name} has nothing of the player`);
  }
  assert.ok(found.audit_log!.length >= 3 && found.event_quarantine!.length === 1);
  assert.equal(found.event_idempotency_keys, undefined, 'idempotency keys are hashed');

  const exported = await dashboard('GET', 'production', '/export');
  for (const text of ['value', 'tag', 'save', 'nick', 'metadata', 'happening']) {
    assert.ok(exported.text.includes(`${MARKER} ${text}`), text);
  }
  for (const member of ['sessions', 'activity', 'stats', 'achievements']) {
    assert.ok(Object.keys(exported.body[member] ?? {}).length > 0, member);
  }

  assert.equal((await dashboard('DELETE', 'production')).status, 204);
  await searchFollows();
  const left = await find();
  for (const [table, rows] of Object.entries(left)) {
    for (const row of rows) {
      assert.match(row, /"environment": "development"|delete_player|player\.erased/, table);
    }
  }
  assert.equal((await dashboard('GET', 'development')).status, 200);

  assert.equal((await dashboard('DELETE', 'development')).status, 204);
  await searchFollows();
  const { audit_log, webhook_deliveries, ...others } = await find();
  assert.deepEqual(others, {});
  // These messages tell other systems of the studio to erase the player too.
  const messages = webhook_deliveries!.map((row) => JSON.parse(row) as { event_type: string });
  assert.deepEqual(
    messages.map(({ event_type }) => event_type),
    ['player.erased', 'player.erased'],
  );
  assert.deepEqual(
    audit_log!.map((row) => (JSON.parse(row) as { action: string }).action),
    ['delete_player', 'delete_player'],
  );
  const quarantined = await server.database.query<{ body: string }>(
    sql`SELECT body FROM event_quarantine WHERE game_id = ${game.game_id}`,
  );
  assert.deepEqual(quarantined, [{ body: `[{"player_id":"${BYSTANDER}"}]` }]);
});

test("rollups no longer count the erased player, and other players' counts are right", async () => {
  const { game_id } = game;
  const counts = await server.database.queryOne<Record<string, number>>(sql`
    SELECT (SELECT count(*) FROM events WHERE game_id = ${game_id}) AS events,
           (SELECT sum(event_count) FROM event_counts WHERE game_id = ${game_id})::int AS quarters,
           (SELECT sum(event_count) FROM daily_event_counts WHERE game_id = ${game_id})::int AS days,
           (SELECT sum(session_count) FROM daily_sessions WHERE game_id = ${game_id})::int AS sessions,
           (SELECT sum(active_players) FROM daily_players WHERE game_id = ${game_id})::int AS active,
           (SELECT sum(new_players) FROM daily_players WHERE game_id = ${game_id})::int AS fresh,
           (SELECT sum(player_count) FROM retention_counts
            WHERE game_id = ${game_id} AND day_number = 0)::int AS cohort`);
  assert.deepEqual(counts, {
    events: 1,
    quarters: 1,
    days: 1,
    sessions: 1,
    active: 1,
    fresh: 1,
    cohort: 1,
  });
});

test('audit entries of changes to the player keep author and time, without the player', async () => {
  const { body } = await server.request('GET', `/v1/games/${game.game_id}/audit-log?limit=200`, {
    token: game.owner.token,
  });
  const changes = (body.audit_log as { action: string; target: string; details: object }[]).filter(
    ({ details }) => Object.hasOwn(details, 'player_id'),
  );
  assert.ok(changes.length >= 3);
  for (const { details } of changes) {
    assert.deepEqual(Object.keys(details).toSorted(), ['environment', 'player_id']);
    assert.equal((details as { player_id: string }).player_id, '(erased player)');
  }
});
