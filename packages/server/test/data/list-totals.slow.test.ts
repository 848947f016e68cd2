import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Operation } from '@overworld/contract/operation';
import { OPERATIONS } from '@overworld/contract/operations';
import { sql } from '../../src/platform/database/sql.ts';
import { makeFullGame } from '../full-game.ts';
import { callValid } from '../valid-request.ts';
import type { FullGame } from '../full-game.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { samplePath } from '../sample-request.ts';

/** The board and the player that have several of everything. */
const BOARD = 'raced';
const PLAYER = 'racer';
/** Operations that make a second thing of a kind of which a full game has only one. */
const MAKERS = [
  'createAlert',
  'createApiKey',
  'createExperiment',
  'createGame',
  'createInvitation',
  'createWebhook',
];

let server: TestServer;
let game: FullGame;
let token: string;
before(async () => {
  server = await startTestServer();
  game = await makeFullGame(server, { marker: 'listed' });
  const reader = await server.makeAccount({ game_id: game.game_id, is_administrator: true });
  ({ token } = reader);
  for (const name of ['first', 'second']) {
    await server.makeAccessToken(reader.account_id, [game.game_id], 'viewer', name);
  }
  await makeMore();
});
after(() => server.close());

async function makeMore(): Promise<void> {
  const { game_id, production_key: key, params } = game;
  const send = async (method: string, path: string, body: unknown, as: object = { token }) => {
    const of_game = 'token' in as ? `/v1/games/${game_id}${path}` : path;
    const answer = await server.request(method, of_game, { ...as, body });
    assert.ok(answer.status < 300, `${path}: ${answer.text}`);
  };
  for (const id of MAKERS) {
    const answer = await callValid(
      server,
      OPERATIONS.find((each) => each.id === id)!,
      game,
    );
    assert.ok(answer.status < 300, `${id}: ${answer.text}`);
  }
  await send('PUT', '/event-schemas/second', { schema: {} });
  await send('PUT', '/saved-reports/breakdown/second', { query: 'event_name=second' });
  const rules = { max_gain: 10, on_violation: 'quarantine', keeps_ledger: true };
  await send('PUT', `/leaderboards/${BOARD}`, { order: 'descending', ...rules });
  const submit = (player_id: string, score: number, board_name = BOARD) =>
    send('POST', '/v1/leaderboards', { board_name, player_id, score }, { key });
  await submit(PLAYER, 1, params.board_name);
  await submit(PLAYER, 1);
  await send('POST', `/leaderboards/${BOARD}/reset`, undefined);
  for (const player of [PLAYER, 'other']) {
    for (const score of [1, 2, 1_000]) await submit(player, score);
    await send('DELETE', `/leaderboards/${BOARD}/entries/${player}`, undefined);
  }
  await server.database.execute(sql`
    INSERT INTO leaderboard_reward_runs (game_id, environment, board_name, season, rewards, state)
    VALUES (${game_id}, 'production', ${BOARD}, 1, '[]', 'done')`);
  await server.database.execute(sql`
    INSERT INTO leaderboard_rewarded_players (game_id, environment, player_id, board_name, season, rank,
      reward, state)
    SELECT ${game_id}, 'production', 'p' || n, ${BOARD}, 1, n, 0, 'given'
    FROM generate_series(1, 3) AS n`);
  const event = { event_name: 'second', session_id: 's', player_id: PLAYER };
  await send('POST', '/v1/track', [event, event], { key });
  await server.database.execute(sql`
    INSERT INTO alert_changes (game_id, alert_id, state, period_started_at, value, notified)
    VALUES (${game_id}, ${params.alert_id}, 'ok', now(), 1, true)`);
  const sent = await server.request('POST', `/v1/games/${game_id}/messages`, {
    token: game.owner.token,
    body: { to: { type: 'everyone' }, title: 'To many' },
  });
  const message_id: string = sent.body.id;
  for (const player_id of [PLAYER, 'other']) {
    await send('POST', `/v1/messages/${message_id}/read`, { player_id }, { key });
  }
  const { account_id } = game.owner;
  Object.assign(params, {
    season: '1',
    message_id,
    board_name: BOARD,
    player_id: PLAYER,
    account_id,
  });
}

const paged = OPERATIONS.filter(
  ({ query }: Operation) => query !== undefined && 'with_total' in query.properties,
);

async function read(operation: Operation, query: string) {
  const answer = await server.request('GET', samplePath(operation, game.params, query), { token });
  assert.equal(answer.status, 200, `${operation.id}: ${answer.text}`);
  const rows = Object.values(answer.body).find((value) => Array.isArray(value)) as unknown[];
  return { rows, ...(answer.body as { next_cursor: string | null; total?: unknown }) };
}

test('each paged list tells the number of its entries if the request asks for it', async () => {
  assert.ok(paged.length > 20);
  const counted: string[] = [];
  for (const operation of paged) {
    const whole = await read(operation, 'limit=200');
    assert.deepEqual([whole.next_cursor, whole.total], [null, undefined], operation.id);
    const total = { count: whole.rows.length, is_exact: true };
    const first = await read(operation, 'limit=1&with_total=true');
    assert.deepEqual(first.total, total, operation.id);
    if (first.next_cursor === null) continue;
    // A later page counts the whole list too.
    const second = await read(operation, `limit=1&with_total=true&cursor=${first.next_cursor}`);
    assert.deepEqual(second.total, total, operation.id);
    counted.push(operation.id);
  }
  const once = paged.map(({ id }) => id).filter((id) => !counted.includes(id));
  assert.deepEqual(once, [], 'lists of one entry do not show that they are counted');
});
