import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { makeBoardClient } from '../test/board-client.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

interface Score {
  board_name: string;
  season: number;
  rank: number;
  total_entries: number;
  ended_at: string | null;
}

async function makeLister() {
  const client = await makeBoardClient(server);
  const { game_id } = client.game;
  const { token } = await server.makeAccount({ game_id, role: 'viewer' });
  const list = (player_id: string, query = '') =>
    server.request(
      'GET',
      `/v1/games/${game_id}/players/${encodeURIComponent(player_id)}/leaderboards?environment=production&${query}`,
      { token },
    );
  return { client, list };
}

const short = ({ board_name, season, rank, total_entries, ended_at }: Score) =>
  `${board_name} ${season}: ${rank} of ${total_entries}${ended_at ? ', ended' : ''}`;

test('the list of a player has all entries, with the ranks that the boards show', async () => {
  const { client, list } = await makeLister();
  await client.manage('PUT', '/laps', { order: 'ascending' });
  for (const board_name of ['laps', 'points']) {
    for (const [player_id, score] of [
      ['fox', 20],
      ['owl', 20],
      ['wren', 10],
      ['newt', 30],
    ] as const) {
      await client.submit({ board_name, player_id, score, player_name: 'A', metadata: { n: 1 } });
    }
  }
  await client.submit({ board_name: 'alone', player_id: 'wren', score: 0 });
  for (const player_id of ['fox', 'owl', 'wren', 'newt']) {
    const { status, body, text } = await list(player_id);
    assert.equal(status, 200, text);
    for (const score of body.scores as Score[]) {
      const { body: page } = await client.page(score.board_name, `player_id=${player_id}`);
      const { board_name, season, total_entries, ended_at, ...entry } = score;
      assert.deepEqual(entry, page.player);
      assert.deepEqual(
        [season, total_entries, ended_at],
        [page.season, page.total_entries, null],
        board_name,
      );
    }
  }
  const owl = (await list('owl')).body.scores as Score[];
  assert.deepEqual(owl.map(short), ['laps 1: 3 of 4', 'points 1: 3 of 4']);
  assert.deepEqual((await list('nobody')).body, { scores: [], next_cursor: null });
});

test('the list of a player has past seasons after the current ones, and can be read page by page', async () => {
  const { client, list } = await makeLister();
  for (const board_name of ['a', 'b/1']) {
    await client.submit({ board_name, player_id: 'fox', score: 1 });
    await client.manage('POST', `/${encodeURIComponent(board_name)}/reset?environment=production`);
    await client.submit({ board_name, player_id: 'owl', score: 2 });
    await client.submit({ board_name, player_id: 'fox', score: 1 });
  }
  const found: string[] = [];
  let page = '';
  do {
    const { status, body, text } = await list('fox', `limit=1${page}`);
    assert.equal(status, 200, text);
    found.push(...(body.scores as Score[]).map(short));
    page = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
  } while (page !== '');
  assert.deepEqual(found, [
    'a 2: 2 of 2',
    'a 1: 1 of 1, ended',
    'b/1 2: 2 of 2',
    'b/1 1: 1 of 1, ended',
  ]);
  assert.equal((await list('fox', 'cursor=x')).status, 400);
});

test('the list of a player has only entries of the chosen environment', async () => {
  const { client, list } = await makeLister();
  await client.submit({ board_name: 'a', player_id: 'fox', score: 1 });
  const { status } = await server.request('POST', '/v1/leaderboards', {
    key: client.game.development_key,
    body: { board_name: 'a', player_id: 'owl', score: 9 },
  });
  assert.equal(status, 201);
  assert.deepEqual(((await list('fox')).body.scores as Score[]).map(short), ['a 1: 1 of 1']);
  assert.deepEqual((await list('owl')).body.scores, []);
});
