import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { MAX_SUBMIT_KEYS, MAX_SUM } from '@overworld/contract/leaderboards/kept-scores';
import { useTwoServers } from '../../../../test/two-servers.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { assertExactRanks } from '../test/exact-ranks.ts';
import { makeBoardClient } from '../test/board-client.ts';
import type { BoardClient } from '../test/board-client.ts';

const nodes = useTwoServers();
let server: TestServer;
let client: BoardClient;
before(() => {
  [server] = nodes;
});
beforeEach(async () => {
  client = await makeBoardClient(server);
});

const keep = async (settings: object) => {
  const { status, text } = await client.manage('PUT', '/b', settings);
  assert.equal(status, 200, text);
};

const submit = (player: string, score: number, more: object = {}, key?: string, node = server) =>
  client.submit(
    { board_name: 'b', player_id: player, score, ...more },
    node,
    key === undefined ? {} : { 'idempotency-key': key },
  );

test('of 300 submits of five players at the same time, each sum is exact', async () => {
  await keep({ keeps: 'sum' });
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, n) => submit(`p${n % 5}`, n + 1, {}, undefined, nodes[n % 2])),
  );
  for (const { status, body, text } of answers) {
    assert.ok(status <= 201, text);
    assert.equal(body.updated, true);
  }
  // Player 0 has sent 1, 6, 11, …, 296.
  const sums = [4, 3, 2, 1, 0].map((player) => `p${player} ${8_910 + 60 * player}`);
  assert.deepEqual(await client.standings('b'), sums);
  await assertExactRanks(nodes, client, 5);
});

test('a submit counts once, however often it is sent with its Idempotency-Key', async () => {
  await keep({ keeps: 'sum' });
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => {
        const run = n % 10;
        return submit(`p${run % 2}`, run + 1, {}, `round ${round}, run ${run}`, nodes[n % 2]);
      }),
    );
    for (const { status, text } of answers) assert.ok(status <= 201, text);
    assert.equal(answers.filter(({ body }) => body.updated).length, 10);
    const [evens, odds] = [25 * (round + 1), 30 * (round + 1)];
    assert.deepEqual(await client.standings('b'), [`p1 ${odds}`, `p0 ${evens}`]);
  }
  const repeated = await submit('p0', 1, {}, 'round 0, run 0');
  assert.equal(repeated.status, 200);
  assert.deepEqual([repeated.body.score, repeated.body.updated], [125, false]);
  const other = await submit('p0', 2, {}, 'round 0, run 0');
  assert.equal(other.status, 400);
  assert.equal(other.body.error, 'Idempotency-Key was already used with another body');
  await assertExactRanks(nodes, client, 2);
});

test('the answer to a submit says what a board keeps if it is not the best', async () => {
  const keeps = async () => (await submit('p1', 5)).body.keeps;
  assert.equal(await keeps(), undefined);
  for (const kept of ['latest', 'sum', 'best']) {
    await client.manage('POST', '/b/reset');
    await keep({ keeps: kept });
    assert.equal(await keeps(), kept === 'best' ? undefined : kept);
  }
});

test('a submit counts once, also when the season has ended in between', async () => {
  await keep({ keeps: 'sum' });
  await submit('p1', 5, {}, 'k');
  await client.manage('POST', '/b/reset');
  await submit('p1', 1, {}, 'another');
  const repeated = await submit('p1', 5, {}, 'k', nodes[1]);
  assert.deepEqual([repeated.body.score, repeated.body.updated], [1, false]);
  assert.deepEqual(await client.standings('b', 'season=1'), ['p1 5']);
});

test('a repeat after the end of the season says that the board has no score of the player', async () => {
  await keep({ keeps: 'sum' });
  await submit('p1', 5, {}, 'k');
  await client.manage('POST', '/b/reset');
  const repeated = await submit('p1', 5, {}, 'k');
  assert.equal(repeated.status, 409);
  assert.equal(repeated.body.error, 'The score of this Idempotency-Key is no longer on the board');
  assert.deepEqual(await client.standings('b'), []);
  assert.deepEqual(await client.standings('b', 'season=1'), ['p1 5']);
});

test('a key counts again after it has expired', async () => {
  await keep({ keeps: 'sum' });
  await submit('p1', 5, {}, 'k');
  await server.database.execute(sql`
    UPDATE leaderboard_submit_keys SET expires_at = now() - interval '1 second'
    WHERE game_id = ${client.game.game_id} AND environment = 'production'`);
  assert.equal((await submit('p1', 6, {}, 'k')).body.score, 11);
  assert.equal((await submit('p1', 6, {}, 'k')).body.score, 11);
});

test('the newest keys of a player are kept, and those of others stay', async () => {
  await keep({ keeps: 'sum' });
  const { game_id } = client.game;
  for (const player of ['p1', 'p2']) await submit(player, 5, {}, 'k');
  await server.database.execute(sql`
    INSERT INTO leaderboard_submit_keys
      (game_id, environment, player_id, board_name, submit_key, body_hash, expires_at)
    SELECT ${game_id}, 'production', 'p1', 'b', 'key ' || number, '',
           now() + make_interval(secs => number)
    FROM generate_series(1, ${2 * MAX_SUBMIT_KEYS}) AS number`);
  const listKeys = async (player_id: string) => {
    const keys = await server.database.query<{ submit_key: string }>(sql`
      SELECT submit_key FROM leaderboard_submit_keys
      WHERE game_id = ${game_id} AND player_id = ${player_id}`);
    return keys.map(({ submit_key }) => submit_key);
  };
  assert.equal((await submit('p1', 5, {}, 'another')).body.score, 10);
  await waitUntil('old keys are deleted', async () => {
    // Each turn looks at the players who have sent keys since the one before.
    await submit('p2', 5, {}, 'k');
    return (await listKeys('p1')).length === MAX_SUBMIT_KEYS;
  });
  const kept = await listKeys('p1');
  assert.ok(kept.includes(`key ${2 * MAX_SUBMIT_KEYS}`));
  assert.ok(!kept.includes('key 1'));
  assert.equal((await listKeys('p2')).length, 1);
  assert.equal((await submit('p1', 5, {}, 'another')).body.updated, false);
});

test('a repeat is refused when its score was taken off the board', async () => {
  await keep({ keeps: 'sum' });
  await submit('p1', 5, {}, 'k');
  await client.manage('DELETE', '/b/entries/p1?environment=production');
  const repeated = await submit('p1', 5, {}, 'k');
  assert.equal(repeated.status, 409);
  assert.equal(repeated.body.error, 'The score of this Idempotency-Key is no longer on the board');
  assert.deepEqual(await client.standings('b'), []);
});

test('a board that keeps the latest score keeps it, better or worse', async () => {
  for (const order of ['descending', 'ascending']) {
    await keep({ keeps: 'latest', order });
    await client.manage('POST', '/b/reset');
    await submit('p1', 10, { player_name: 'Ada' });
    const worse = await submit('p1', 3, {}, undefined, nodes[1]);
    assert.deepEqual([worse.body.score, worse.body.updated], [3, true]);
    assert.equal(worse.body.player_name, 'Ada');
    await submit('p2', 3);
    await submit('p1', 3);
    // The later one of equal scores ranks behind.
    assert.deepEqual(await client.standings('b'), ['p2 3', 'p1 3']);
    assert.equal((await submit('p1', 8, {}, order)).body.score, 8);
    await submit('p1', 4);
    assert.equal((await submit('p1', 8, {}, order)).body.score, 4);
    await assertExactRanks(nodes, client, 2);
  }
});

test('a sum takes whole numbers, and never passes the greatest one', async () => {
  await keep({ keeps: 'sum', min_score: -10 });
  await submit('p1', 7);
  const refusals: [score: number, error: string][] = [
    [0.5, 'score must be a whole number on a board that keeps the sum'],
    [2 ** 53, 'score must be a whole number on a board that keeps the sum'],
    [MAX_SUM, `score would make the sum of the player greater than ${MAX_SUM}`],
    [-11, 'score must be at least -10 on this board'],
  ];
  for (const [score, error] of refusals) {
    const { status, body } = await submit('p1', score, {}, `key ${score}`);
    assert.deepEqual([status, body.error], [400, error]);
  }
  assert.equal((await submit('p1', MAX_SUM - 7)).body.score, MAX_SUM);
  assert.equal((await submit('p1', -10)).body.score, MAX_SUM - 10);
  const kept = await submit('p1', 0);
  assert.deepEqual([kept.body.score, kept.body.updated], [MAX_SUM - 10, false]);
  assert.equal((await submit('p2', 0)).status, 201);
});

test('the name and the metadata of a sum are the last ones that were sent', async () => {
  await keep({ keeps: 'sum' });
  await submit('p1', 1, { player_name: 'Ada', metadata: { level: 1 } });
  await submit('p1', 1, { metadata: { level: 2 } });
  const { body } = await submit('p1', 1);
  assert.deepEqual([body.player_name, body.metadata], ['Ada', { level: 2 }]);
});

test('the rules of a sum are about each submit, and the ledger has what was sent', async () => {
  await keep({ keeps: 'sum', max_gain: 10, keeps_ledger: true });
  assert.equal((await submit('p1', 10)).body.score, 10);
  const refused = await submit('p1', 11);
  assert.deepEqual([refused.status, refused.body.rule], [403, 'max_gain']);
  assert.equal((await submit('p1', 9)).body.score, 19);
  const rows = await server.database.query<object>(sql`
    SELECT score, score_before, outcome::text AS outcome FROM leaderboard_submits
    WHERE game_id = ${client.game.game_id} AND environment = 'production'
    ORDER BY version, place`);
  assert.deepEqual(rows, [
    { score: 10, score_before: null, outcome: 'new' },
    { score: 11, score_before: 10, outcome: 'refused' },
    { score: 9, score_before: 10, outcome: 'improved' },
  ]);
});

test('a board that keeps the latest score or the sum lets no score wait', async () => {
  const because = 'a later score would count before one that waits';
  for (const keeps of ['latest', 'sum']) {
    const refused = await client.manage('PUT', '/b', { keeps, on_violation: 'quarantine' });
    assert.equal(refused.status, 400);
    assert.equal(
      refused.body.error,
      `on_violation must be refuse on a board that keeps the ${keeps}: ${because}`,
    );
    await keep({ keeps });
    await client.manage('POST', '/b/reset');
    await submit('p1', 4);
    const path = '/b/entries/p1/quarantine?environment=production';
    const waiting = await client.manage('POST', path, { state: 'waiting' });
    assert.equal(waiting.status, 400, waiting.text);
    assert.equal(
      waiting.body.error,
      `state must be removed on a board that keeps the ${keeps}: ${because}`,
    );
    const removed = await client.manage('POST', path, { state: 'removed' });
    assert.equal(removed.status, 201, removed.text);
    assert.deepEqual(await client.standings('b'), []);
    const { decision_id } = removed.body;
    const { game_id } = client.game;
    const { token } = await server.makeAccount({ game_id });
    const undo = `/v1/games/${game_id}/leaderboard-decisions/${decision_id}/undo`;
    assert.equal((await server.request('POST', undo, { token })).status, 200);
    assert.deepEqual(await client.standings('b'), ['p1 4']);
    await submit('p1', 2);
    assert.deepEqual(await client.standings('b'), [keeps === 'sum' ? 'p1 6' : 'p1 2']);
    await assertExactRanks(nodes, client, 1);
  }
  const first = await client.manage('PUT', '/b', { keeps: 'sum', first_gain_from: 0 });
  assert.equal(
    first.body.error,
    'first_gain_from must be null on a board that keeps the sum: each player begins at 0',
  );
});

test('what a board keeps changes with the next season, or at once before the first score', async () => {
  await keep({ keeps: 'latest' });
  await keep({ keeps: 'sum' });
  await submit('p1', 4);
  await submit('p1', 4);
  assert.deepEqual(await client.standings('b', '', nodes[1]), ['p1 8']);
  await keep({ keeps: 'best', tie_break: 'lower', on_violation: 'quarantine', max_gain: 5 });
  assert.equal((await submit('p1', 4, { tie_value: 1 })).body.score, 12);
  // Nothing waits on a board that keeps the sum, whatever the settings of the next season say.
  assert.equal((await submit('p1', 6)).status, 403);
  await client.manage('POST', '/b/reset');
  await submit('p1', 4, { tie_value: 3 });
  await submit('p1', 4, { tie_value: 2 }, undefined, nodes[1]);
  await submit('p1', 4, { tie_value: 2.5 });
  const { body } = await client.page('b', '', nodes[1]);
  assert.deepEqual(
    body.entries.map(({ score, tie_value }: Record<string, number>) => [score, tie_value]),
    [[4, 2]],
  );
  const { body: listed } = await client.manage('GET', '/b/seasons?environment=production');
  assert.deepEqual(
    listed.seasons.map(({ keeps, tie_break }: Record<string, string>) => [keeps, tie_break]),
    [
      ['best', 'lower'],
      ['sum', 'none'],
    ],
  );
});

test('a board that keeps the best ignores keys and second numbers', async () => {
  await submit('p1', 4, { tie_value: 3 }, 'k');
  const better = await submit('p1', 5, { tie_value: 3 }, 'k');
  assert.deepEqual([better.status, better.body.score, better.body.updated], [200, 5, true]);
  assert.equal('tie_value' in better.body, false);
  const { body } = await client.page('b');
  assert.equal('tie_value' in body.entries[0], false);
  assert.equal(
    (await submit('p1', 5, { tie_value: '3' })).body.error,
    'tie_value must be a number',
  );
  assert.equal(
    (await submit('p1', 5, {}, 'x'.repeat(256))).body.error,
    'Idempotency-Key must have at most 255 characters',
  );
});
