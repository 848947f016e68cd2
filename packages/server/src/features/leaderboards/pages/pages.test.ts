import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { makeBoardClient } from '../test/board-client.ts';
import type { BoardClient } from '../test/board-client.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const ranks = (entries: { rank: number }[]) => entries.map(({ rank }) => rank);
const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe('GET /v1/leaderboards/{board_name} on a board of 120 players', () => {
  let client: BoardClient;
  before(async () => {
    client = await makeBoardClient(server);
    const submits = range(1, 120).map((n) =>
      client.submit({ board_name: 'b', player_id: `p${n}`, score: -n, metadata: { n } }),
    );
    await Promise.all(submits);
  });

  test('answers the first 50 entries by rank', async () => {
    const { status, body } = await client.page('b');
    assert.equal(status, 200);
    assert.equal(body.board_name, 'b');
    assert.equal(body.season, 1);
    assert.equal(body.total_entries, 120);
    assert.deepEqual(ranks(body.entries), range(1, 50));
    const { updated_at, ...entry } = body.entries[6];
    assert.ok(Date.parse(updated_at) > 0);
    assert.deepEqual(entry, {
      rank: 7,
      player_id: 'p7',
      player_name: null,
      score: -7,
      metadata: { n: 7 },
    });
    assert.equal(body.player, undefined);
    assert.equal(body.around, undefined);
  });

  test('takes a limit of 1 to 100 and any offset', async () => {
    assert.deepEqual(ranks((await client.page('b', 'limit=100')).body.entries), range(1, 100));
    assert.deepEqual(ranks((await client.page('b', 'limit=1&offset=119')).body.entries), [120]);
    const last = await client.page('b', 'limit=30&offset=100');
    assert.deepEqual(ranks(last.body.entries), range(101, 120));
    for (const offset of [120, 5_000_000_000, Number.MAX_SAFE_INTEGER]) {
      const { status, body } = await client.page('b', `offset=${offset}`);
      assert.deepEqual([status, body.entries, body.total_entries], [200, [], 120]);
    }
  });

  const refused: [query: string, error: string][] = [
    ['limit=101', 'limit must be at most 100'],
    ['limit=0', 'limit must be at least 1'],
    ['limit=-1', 'limit must be at least 1'],
    ['limit=ten', 'limit must be a number'],
    ['limit=1.5', 'limit must be a whole number'],
    ['limit=', 'limit must be a number'],
    ['limit=5&limit=6', 'limit must be given once'],
    ['offset=-1', 'offset must be at least 0'],
    ['offset=x', 'offset must be a number'],
    ['season=0', 'season must be at least 1'],
    ['season=99999999999', 'season must be at most 2147483647'],
    ['player_id=', 'player_id must not be empty'],
    ['player_id=%00', 'player_id must not contain \\u0000'],
  ];
  for (const [query, error] of refused) {
    test(`answers 400 to ?${query}`, async () => {
      const answer = await client.page('b', query);
      assert.deepEqual([answer.status, answer.body], [400, { error }]);
    });
  }

  test('adds the entry of a player and five neighbours to each side', async () => {
    const { body } = await client.page('b', 'limit=1&player_id=p60');
    assert.deepEqual(ranks(body.entries), [1]);
    assert.equal(body.player.player_id, 'p60');
    assert.equal(body.player.rank, 60);
    assert.deepEqual(ranks(body.around), range(55, 65));
    assert.deepEqual(body.around[5], body.player);
  });

  test('cuts the neighbours off at both ends of the board', async () => {
    const first = await client.page('b', 'player_id=p2');
    assert.deepEqual(ranks(first.body.around), range(1, 7));
    const last = await client.page('b', 'player_id=p120');
    assert.deepEqual(ranks(last.body.around), range(115, 120));
  });

  test('answers null and no neighbours for a player without an entry', async () => {
    const { body } = await client.page('b', 'player_id=nobody&limit=2');
    assert.deepEqual([body.player, body.around], [null, []]);
    assert.deepEqual(ranks(body.entries), [1, 2]);
  });

  test('answers many different pages at the same time', async () => {
    const pages = await Promise.all(
      range(0, 119).map((offset) => client.page('b', `limit=3&offset=${offset}&player_id=p9`)),
    );
    pages.forEach(({ body }, offset) => {
      assert.deepEqual(ranks(body.entries), range(offset + 1, Math.min(120, offset + 3)));
      assert.equal(body.player.rank, 9);
    });
  });

  test('answers 401 without a key and with an unknown key', async () => {
    const missing = await server.request('GET', '/v1/leaderboards/b');
    assert.deepEqual([missing.status, missing.body.error], [401, 'Missing x-game-api-key header']);
    const unknown = await server.request('GET', '/v1/leaderboards/b', { key: 'ow_live_x' });
    assert.deepEqual([unknown.status, unknown.body.error], [401, 'Invalid API key']);
  });
});

test('the list of an unknown board is empty', async () => {
  const client = await makeBoardClient(server);
  const { status, body } = await client.page('unknown', 'player_id=p1');
  assert.equal(status, 200);
  assert.deepEqual(body, {
    board_name: 'unknown',
    season: 1,
    total_entries: 0,
    entries: [],
    player: null,
    around: [],
  });
});

test('the list of a board with settings and no scores is empty, also in an unknown season', async () => {
  const client = await makeBoardClient(server);
  await client.manage('PUT', '/b', {});
  assert.deepEqual(await client.standings('b'), []);
  const { status, body } = await client.page('b', 'season=7');
  assert.deepEqual([status, body.season, body.entries], [200, 7, []]);
});

test('a board name of 256 characters answers 400', async () => {
  const client = await makeBoardClient(server);
  const { status, body } = await client.page('x'.repeat(256));
  assert.deepEqual([status, body.error], [400, 'board_name must have at most 255 characters']);
});
