import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { makeBoardClient } from '../test/board-client.ts';
import type { BoardClient } from '../test/board-client.ts';

let server: TestServer;
let client: BoardClient;
before(async () => {
  server = await startTestServer();
  client = await makeBoardClient(server);
  const numbers = Array.from({ length: 120 }, (_, index) => index + 1);
  await Promise.all(
    numbers.map((n) => client.submit({ board_name: 'b', player_id: `p${n}`, score: -n })),
  );
});
after(() => server.close());

interface RankedEntry {
  rank: number;
  player_id: string;
}
const ranks = (entries: RankedEntry[]) => entries.map(({ rank }) => rank);
const get = (path: string) =>
  server.request('GET', `/v1/leaderboards/${path}`, { key: client.game.production_key });
const post = (board_name: string, body: object) =>
  server.request('POST', `/v1/leaderboards/${board_name}/players`, {
    key: client.game.production_key,
    body,
  });

describe('GET /v1/leaderboards/{board_name}/around/{player_id}', () => {
  const cases: [query: string, player: number, first: number, last: number][] = [
    ['', 60, 55, 65],
    ['?above=0&below=0', 60, 60, 60],
    ['?above=50&below=50', 60, 10, 110],
    ['?above=2', 60, 58, 65],
    ['?below=3', 60, 55, 63],
    ['?above=50&below=1', 3, 1, 4],
    ['?above=1&below=50', 119, 118, 120],
  ];
  for (const [query, player, first, last] of cases) {
    test(`answers ranks ${first} to ${last} around rank ${player} for "${query}"`, async () => {
      const { status, body } = await get(`b/around/p${player}${query}`);
      assert.equal(status, 200);
      const { entries, ...season } = body;
      assert.deepEqual(season, { board_name: 'b', season: 1, total_entries: 120 });
      const wanted = Array.from({ length: last - first + 1 }, (_, index) => first + index);
      assert.deepEqual(ranks(entries), wanted);
      const own = (entries as RankedEntry[]).find(({ rank }) => rank === player);
      assert.equal(own?.player_id, `p${player}`);
    });
  }

  test('has no entries if the player has no entry or the board is unknown', async () => {
    const unknown_player = await get('b/around/nobody');
    assert.deepEqual([unknown_player.status, unknown_player.body.entries], [200, []]);
    const unknown_board = await get('none/around/p1?season=3');
    assert.equal(unknown_board.status, 200);
    assert.deepEqual(unknown_board.body, {
      board_name: 'none',
      season: 3,
      total_entries: 0,
      entries: [],
    });
  });

  const refused: [query: string, error: string][] = [
    ['above=51', 'above must be at most 50'],
    ['below=-1', 'below must be at least 0'],
    ['below=x', 'below must be a number'],
  ];
  for (const [query, error] of refused) {
    test(`answers 400 to ?${query}`, async () => {
      const { status, body } = await get(`b/around/p1?${query}`);
      assert.deepEqual([status, body], [400, { error }]);
    });
  }

  test('shows a new score immediately', async () => {
    await client.submit({ board_name: 'moving', player_id: 'a', score: 1 });
    await client.submit({ board_name: 'moving', player_id: 'b', score: 2 });
    const first = await get('moving/around/a');
    assert.deepEqual(first.body.entries[1].player_id, 'a');
    await client.submit({ board_name: 'moving', player_id: 'a', score: 3 });
    const { body } = await get('moving/around/a');
    assert.deepEqual([body.entries[0].player_id, body.entries[0].score], ['a', 3]);
  });
});

describe('POST /v1/leaderboards/{board_name}/players', () => {
  test('answers the players by rank, then the players without an entry', async () => {
    const player_ids = ['stranger', 'p90', 'p7', 'nobody', 'p90', 'p120'];
    const { status, body } = await post('b', { player_ids });
    assert.equal(status, 200);
    const { players, ...season } = body;
    assert.deepEqual(season, { board_name: 'b', season: 1, total_entries: 120 });
    const found = players as { player_id: string; entry: RankedEntry | null }[];
    assert.deepEqual(
      found.map(({ player_id, entry }) => [player_id, entry?.rank, entry?.player_id]),
      [
        ['p7', 7, 'p7'],
        ['p90', 90, 'p90'],
        ['p120', 120, 'p120'],
        ['stranger', undefined, undefined],
        ['nobody', undefined, undefined],
      ],
    );
  });

  test('does not mistake an id with a comma for a list of ids', async () => {
    const board_name = 'commas';
    await client.submit({ board_name, player_id: 'a,b', score: 1 });
    const [one, two] = await Promise.all([
      post(board_name, { player_ids: ['a,b'] }),
      post(board_name, { player_ids: ['a', 'b'] }),
    ]);
    assert.deepEqual([one.body.players.length, two.body.players.length], [1, 2]);
    assert.equal(two.body.players[0].entry, null);
  });

  test('answers null for each player on an unknown board', async () => {
    const { status, body } = await post('none', { player_ids: ['p1'] });
    assert.equal(status, 200);
    assert.deepEqual(body.players, [{ player_id: 'p1', entry: null }]);
  });

  const refused: [body: object, error: string][] = [
    [{}, 'player_ids is required'],
    [{ player_ids: [] }, 'player_ids must have at least 1 entry'],
    [
      { player_ids: Array.from({ length: 101 }, (_, n) => `p${n}`) },
      'player_ids must have at most 100 entries',
    ],
    [{ player_ids: [7] }, 'player_ids[0] must be a string'],
  ];
  for (const [body, error] of refused) {
    test(`answers 400: ${error}`, async () => {
      const answer = await post('b', body);
      assert.deepEqual([answer.status, answer.body], [400, { error }]);
    });
  }
});
