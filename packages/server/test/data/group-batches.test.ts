import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { lockIngest } from '../../src/platform/ingest-lock.ts';
import { makeDevice, makeLoginGame } from '../../src/features/player-logins/test/login-game.ts';
import type { LoginGame } from '../../src/features/player-logins/test/login-game.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { waitForIngest } from '../inbox.ts';

const PLAYERS = 12;

let server: TestServer;
let games: LoginGame[];
before(async () => {
  server = await startTestServer({ groups: 2 });
  games = [await makeLoginGame(server), await makeLoginGame(server)];
  for (const game of games) {
    const made = await game.steer('POST', '/achievements', { key: 'first', name: 'First' });
    assert.equal(made.status, 201, made.text);
    const stat = await game.steer('POST', '/stats', { key: 'wins', name: 'Wins' });
    assert.equal(stat.status, 201, stat.text);
  }
});
after(() => server.close());

const call = async (
  { production_key: key }: LoginGame,
  method: string,
  path: string,
  body?: object,
) => {
  const answer = await server.request(method, path, { key, body });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body;
};

/**
 * Sends a request for each player of each game, all at the same time, so batches have requests of both
 * games.
 */
const forAll = <T>(send: (game: LoginGame, player_id: string, index: number) => Promise<T>) =>
  Promise.all(
    Array.from({ length: PLAYERS }, (_, index) =>
      games.map((game, number) => send(game, `p${index}`, number * 100 + index)),
    ).flat(),
  );

test('when requests of two games come at the same time, each is answered and stored for its own game', async () => {
  await Promise.all([
    forAll((game, player_id) =>
      call(game, 'POST', '/v1/track', { event_name: 'e', session_id: 's', player_id }),
    ),
    forAll((game, player_id, index) =>
      call(game, 'POST', '/v1/identify', { player_id, properties: { index } }),
    ),
    forAll((game, player_id, index) =>
      call(game, 'POST', `/v1/players/${player_id}/tags`, { tag: `t${index}` }),
    ),
    forAll((game, player_id, index) =>
      call(game, 'PUT', '/v1/saves', { player_id, data: { index } }),
    ),
    forAll((game, player_id, index) =>
      call(game, 'POST', '/v1/leaderboards', { board_name: 'b', player_id, score: index }),
    ),
    forAll((game, player_id, index) =>
      call(game, 'POST', '/v1/stats', { player_id, changes: [{ key: 'wins', value: index }] }),
    ),
    forAll((game, player_id) =>
      call(game, 'POST', '/v1/achievements/unlock', { player_id, achievement_key: 'first' }),
    ),
    forAll(async (game) => {
      const { refresh_token } = (await game.logIn(makeDevice())).body;
      assert.equal((await game.refresh(refresh_token)).status, 200);
    }),
  ]);
  await forAll(async (game, player_id, index) => {
    const save = await call(game, 'GET', `/v1/saves?player_id=${player_id}`);
    assert.deepEqual([save.data, save.version], [{ index }, 1]);
    const player = await call(game, 'GET', `/v1/players/${player_id}`);
    assert.deepEqual([player.properties, player.tags], [{ index }, [`t${index}`]]);
    assert.equal(player.session_history.length, 1);
    const board = await call(game, 'GET', `/v1/leaderboards/b?player_id=${player_id}&limit=1`);
    assert.equal(board.total_entries, PLAYERS);
    assert.equal(board.player.score, index);
  });
  for (const { game_id } of games) {
    await waitForIngest(server.database, game_id);
    const counts = await server.database.queryOne(sql`
      SELECT (SELECT count(*) FROM events WHERE game_id = ${game_id}) AS events,
             (SELECT used FROM event_usage WHERE game_id = ${game_id}) AS used,
             (SELECT count(*) FROM achievement_unlocks WHERE game_id = ${game_id}) AS unlocks,
             (SELECT count(*) FROM player_stats WHERE game_id = ${game_id}) AS stats,
             (SELECT count(*) FROM player_login_sessions WHERE game_id = ${game_id}) AS sessions,
             (SELECT count(*) FROM players WHERE game_id = ${game_id}) AS players`);
    const each = PLAYERS;
    assert.deepEqual(counts, {
      events: each,
      used: each,
      unlocks: each,
      stats: each,
      sessions: each,
      players: 2 * each,
    });
  }
});

test(
  'while events of a group are being erased, events of another group are processed',
  { timeout: 20_000 },
  async () => {
    const [erasing, other] = games as [LoginGame, LoginGame];
    await server.database.ofGame(erasing.game_id).transaction(async (tx) => {
      await lockIngest(tx);
      for (const game of [erasing, other]) {
        await call(game, 'POST', '/v1/track', { event_name: 'late', session_id: 's' });
      }
      await waitForIngest(server.database, other.game_id);
      const waiting = await tx.query(sql`
      SELECT FROM event_inbox WHERE game_id = ${erasing.game_id}`);
      assert.equal(waiting.length, 1);
    });
    await waitForIngest(server.database, erasing.game_id);
  },
);
