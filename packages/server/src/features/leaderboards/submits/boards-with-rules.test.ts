import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeBoardClient } from '../test/board-client.ts';
import type { BoardClient } from '../test/board-client.ts';

let server: TestServer;
let client: BoardClient;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());
beforeEach(async () => {
  client = await makeBoardClient(server);
});

const put = async (settings: object) => {
  const { status, text } = await client.manage('PUT', '/b', settings);
  assert.equal(status, 200, text);
};
const submit = (player_id: string, score: number, more: object = {}) =>
  client.submit({ board_name: 'b', player_id, score, ...more });
const listLedger = () =>
  server.database.query<{ outcome: string; player_id: string }>(sql`
    SELECT player_id, score, score_before, outcome::text, rule
    FROM leaderboard_submits WHERE game_id = ${client.game.game_id}
    ORDER BY version, place`);

test('rules are stored, and a rule that the request leaves out is switched off', async () => {
  const rules = {
    writes_from: 'verified',
    on_violation: 'quarantine',
    max_gain: 100,
    first_gain_from: 0,
    max_gain_per_hour: 5_000,
    min_submit_interval_ms: 1_000,
    required_metadata: ['level'],
    keeps_ledger: true,
    ledger_days: 7,
  };
  await put(rules);
  const stored = await client.manage('GET', '/b?environment=production');
  for (const [name, value] of Object.entries(rules)) {
    assert.deepEqual(stored.body[name], value, name);
  }
  await put({});
  const { body } = await client.manage('GET', '/b?environment=production');
  assert.deepEqual(
    [body.writes_from, body.on_violation, body.max_gain, body.required_metadata],
    ['anyone', 'refuse', null, []],
  );
  assert.deepEqual([body.keeps_ledger, body.ledger_days], [false, 30]);
});

test('a misspelled setting is answered 400 with the right spelling, and changes nothing', async () => {
  await put({ max_gain: 5 });
  const wrong: Record<string, string> = {
    maxGain: 'did you mean max_gain?',
    'max-gain-per-hour': 'did you mean max_gain_per_hour?',
    wirtes_from: 'did you mean writes_from?',
    keep_ledger: 'did you mean keeps_ledger?',
    rules: 'send each setting by itself, such as max_gain',
    ledger: 'send each setting by itself, such as max_gain',
  };
  for (const [name, words] of Object.entries(wrong)) {
    const { status, body } = await client.manage('PUT', '/b', { [name]: 7 });
    assert.deepEqual([status, body], [400, { error: `${name} is not a setting: ${words}` }]);
  }
  const stored = await client.manage('GET', '/b');
  assert.equal(stored.body.max_gain, 5);
  // A client may change an answer and send it back.
  const { status } = await client.manage('PUT', '/b', { ...stored.body, max_gain: 6, note: 'x' });
  assert.equal(status, 200);
  assert.equal((await client.manage('GET', '/b')).body.max_gain, 6);
});

test('a rule about time is refused with 400 when the board has no ledger', async () => {
  const { status, body } = await client.manage('PUT', '/b', { min_submit_interval_ms: 10 });
  assert.deepEqual(
    [status, body.error],
    [400, 'min_submit_interval_ms needs the ledger: set keeps_ledger to true'],
  );
});

test('a board that refuses scores answers 403 and names the violated rule, and stores nothing', async () => {
  await put({ max_gain: 10, required_metadata: ['level'] });
  const metadata = { level: 1 };
  assert.equal((await submit('a', 5, { metadata })).status, 201);
  const great = await submit('a', 16, { metadata });
  assert.equal(great.status, 403);
  assert.deepEqual(great.body, {
    error: 'score may improve by at most 10 a submit on this board',
    code: 'SCORE_BREAKS_RULE',
    rule: 'max_gain',
  });
  const bare = await submit('a', 6);
  assert.deepEqual([bare.status, bare.body.rule], [403, 'required_metadata']);
  assert.equal((await submit('a', 15, { metadata })).body.rank, 1);
  assert.deepEqual(await client.standings('b'), ['a 15']);
});

test('the gain per hour is checked for the first submit of a season, and after a removal', async () => {
  await put({ max_gain_per_hour: 10, first_gain_from: 0 });
  const isRefused = async (player_id: string) => {
    const { status, body } = await submit(player_id, 10_000);
    assert.deepEqual([status, body.rule], [403, 'max_gain_per_hour']);
  };
  await isRefused('a');
  assert.equal((await submit('a', 10)).status, 201);
  await client.manage('POST', '/b/reset?environment=production');
  await isRefused('a');
  assert.equal((await submit('a', 9)).status, 201);
  await client.manage('DELETE', '/b/entries/a?environment=production');
  await isRefused('a');
  assert.deepEqual(await client.standings('b'), []);
});

test('the time between submits counts from the last submit that was not refused', async () => {
  await put({ min_submit_interval_ms: 86_400_000, keeps_ledger: true });
  assert.equal((await submit('a', 5)).status, 201);
  const early = await submit('a', 6);
  assert.deepEqual([early.status, early.body.rule], [403, 'min_submit_interval_ms']);
  assert.equal((await submit('b', 6)).status, 201);
  await put({ min_submit_interval_ms: 1, keeps_ledger: true });
  assert.equal((await submit('a', 7)).status, 200);
  assert.deepEqual(
    (await listLedger()).map(({ player_id, outcome }) => `${player_id} ${outcome}`),
    ['a new', 'a refused', 'b new', 'a improved'],
  );
});

test("a ledger records every submit with the player's score before it", async () => {
  await put({ keeps_ledger: true, max_gain: 100 });
  for (const score of [5, 3, 8, 500]) await submit('a', score);
  assert.deepEqual(await listLedger(), [
    { player_id: 'a', score: 5, score_before: null, outcome: 'new', rule: null },
    { player_id: 'a', score: 3, score_before: 5, outcome: 'kept', rule: null },
    { player_id: 'a', score: 8, score_before: 5, outcome: 'improved', rule: null },
    { player_id: 'a', score: 500, score_before: 8, outcome: 'refused', rule: 'max_gain' },
  ]);
  const [row] = await server.database.query<object>(sql`
    SELECT network, is_verified, key_id IS NOT NULL AS has_key
    FROM leaderboard_submits WHERE game_id = ${client.game.game_id}`);
  assert.deepEqual(row, { network: '127.0.0.1', is_verified: false, has_key: true });
});

test('a quarantined score is shown to its player, and not on the board', async () => {
  await put({ max_gain: 10, first_gain_from: 0, on_violation: 'quarantine' });
  await submit('a', 10);
  await submit('b', 8);
  const held = await submit('b', 1_000, { player_name: 'Bea' });
  assert.equal(held.status, 200);
  const { updated_at: _updated_at, ...shown } = held.body;
  assert.deepEqual(shown, {
    board_name: 'b',
    rank: 1,
    player_id: 'b',
    player_name: 'Bea',
    score: 1_000,
    metadata: null,
    updated: true,
    total_entries: 2,
  });
  assert.deepEqual(await client.standings('b'), ['a 10', 'b 8']);

  const stranger = await submit('c', 900);
  assert.deepEqual([stranger.status, stranger.body.rank], [201, 1]);
  assert.equal(stranger.body.total_entries, 3);
  assert.deepEqual(await client.standings('b'), ['a 10', 'b 8']);

  // The rules compare the next submits of the player with the public score.
  const fair = await submit('b', 12);
  assert.deepEqual([fair.body.score, fair.body.updated], [1_000, false]);
  assert.deepEqual(await client.standings('b'), ['b 12', 'a 10']);
  const less = await submit('c', 800);
  assert.deepEqual([less.body.score, less.body.updated], [900, false]);
});

test('new rules apply to the next submit at every server', async () => {
  const second = await startTestServer({ database_url: server.database_url });
  try {
    await submit('a', 1);
    assert.equal(
      (await client.submit({ board_name: 'b', player_id: 'b', score: 1 }, second)).status,
      201,
    );
    await put({ max_gain: 10 });
    for (const node of [server, second]) {
      const answers = await Promise.all(
        ['a', 'b'].map((player_id) =>
          client.submit({ board_name: 'b', player_id, score: 20 }, node),
        ),
      );
      assert.deepEqual(
        answers.map(({ status }) => status),
        [403, 403],
      );
    }
    await put({});
    for (const [index, node] of [server, second].entries()) {
      const body = { board_name: 'b', player_id: 'ab'[index], score: 20 };
      assert.equal((await client.submit(body, node)).status, 200);
    }
  } finally {
    await second.close();
  }
});

test('a board for verified players or server keys refuses all other callers', async () => {
  await put({ writes_from: 'verified' });
  const { status, body } = await submit('a', 1);
  assert.equal(status, 403);
  assert.match(body.error as string, /x-player-token/);
  await put({ writes_from: 'server' });
  assert.equal((await submit('a', 1)).status, 403);
  assert.deepEqual(await client.standings('b'), []);
});

test("each of many concurrent submits is checked against the same player's previous submit", async () => {
  await put({ max_gain: 1, first_gain_from: 0, on_violation: 'quarantine', keeps_ledger: true });
  const submits = Array.from({ length: 300 }, (_, n) =>
    submit(`p${n % 10}`, Math.floor(n / 10) + 1),
  );
  const answers = await Promise.all(submits);
  assert.ok(answers.every(({ status }) => status <= 201));
  const ledger = await server.database.query<{
    score: number;
    score_before: number | null;
    outcome: string;
  }>(sql`
    SELECT score, score_before, outcome::text FROM leaderboard_submits
    WHERE game_id = ${client.game.game_id}`);
  assert.equal(ledger.length, 300);
  for (const { score, score_before, outcome } of ledger) {
    const gain = score - (score_before ?? 0);
    if (outcome === 'new' || outcome === 'improved') assert.equal(gain, 1);
    if (outcome === 'quarantined') assert.ok(gain > 1);
  }
});
