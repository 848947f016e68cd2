import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { MAX_METADATA_BYTES } from '@overworld/contract/leaderboards/leaderboards';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeBoardClient } from '../test/board-client.ts';
import type { BoardClient } from '../test/board-client.ts';
import { REFUSED, VALID } from '../test/refused-submits.ts';

let server: TestServer;
let client: BoardClient;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());
beforeEach(async () => {
  client = await makeBoardClient(server);
});

test('a first submit answers 201 with the entry that it makes', async () => {
  const { status, body } = await client.submit({
    board_name: 'high-scores',
    player_id: 'p1',
    score: 12.5,
    player_name: 'Ada',
    metadata: { character: 'fox' },
  });
  assert.equal(status, 201);
  const { updated_at, ...rest } = body;
  assert.match(updated_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(rest, {
    board_name: 'high-scores',
    rank: 1,
    player_id: 'p1',
    player_name: 'Ada',
    score: 12.5,
    metadata: { character: 'fox' },
    updated: true,
    total_entries: 1,
  });
});

test('a higher score updates the entry and keeps the fields that are left out', async () => {
  const submit = { board_name: 'b', player_id: 'p1' };
  await client.submit({ ...submit, score: 1, player_name: 'Ada', metadata: { a: 1 } });
  const kept = await client.submit({ ...submit, score: 2 });
  assert.equal(kept.status, 200);
  assert.equal(kept.body.updated, true);
  assert.equal(kept.body.score, 2);
  assert.equal(kept.body.player_name, 'Ada');
  assert.deepEqual(kept.body.metadata, { a: 1 });
  const replaced = await client.submit({
    ...submit,
    score: 3,
    player_name: 'Grace',
    metadata: { b: 2 },
  });
  assert.equal(replaced.body.player_name, 'Grace');
  assert.deepEqual(replaced.body.metadata, { b: 2 });
  const page = await client.page('b');
  const { board_name: _b, updated: _u, total_entries: _t, ...entry } = replaced.body;
  assert.deepEqual(page.body.entries, [entry]);
});

test('a lower or equal score does not update the entry', async () => {
  const submit = { board_name: 'b', player_id: 'p1' };
  const first = await client.submit({ ...submit, score: 5, player_name: 'Ada' });
  for (const score of [4, 5, -1e308]) {
    const { status, body } = await client.submit({ ...submit, score, player_name: 'Eve' });
    assert.equal(status, 200);
    assert.deepEqual(body, { ...first.body, updated: false });
  }
});

test('on an ascending board the lower score is the better one', async () => {
  assert.equal((await client.manage('PUT', '/laps', { order: 'ascending' })).status, 200);
  await client.submit({ board_name: 'laps', player_id: 'a', score: 61.5 });
  const better = await client.submit({ board_name: 'laps', player_id: 'b', score: 59 });
  assert.equal(better.body.rank, 1);
  assert.equal(
    (await client.submit({ board_name: 'laps', player_id: 'a', score: 70 })).body.updated,
    false,
  );
  assert.equal(
    (await client.submit({ board_name: 'laps', player_id: 'a', score: 50 })).body.rank,
    1,
  );
  assert.deepEqual(await client.standings('laps'), ['a 50', 'b 59']);
});

test('among equal scores the one that was reached first ranks higher', async () => {
  for (const player_id of ['first', 'second', 'third']) {
    await client.submit({ board_name: 'b', player_id, score: 7 });
  }
  const late = await client.submit({ board_name: 'b', player_id: 'late', score: 1 });
  assert.equal(late.body.rank, 4);
  const raised = await client.submit({ board_name: 'b', player_id: 'late', score: 7 });
  assert.equal(raised.body.rank, 4);
  assert.deepEqual(await client.standings('b'), ['first 7', 'second 7', 'third 7', 'late 7']);
});

test('boards of the two environments and of other games are separate', async () => {
  const key = client.game.development_key;
  const body = { board_name: 'b', player_id: 'p1', score: 1 };
  await client.submit(body);
  const other = await server.request('POST', '/v1/leaderboards', { key, body });
  assert.equal(other.status, 201);
  const stranger = await makeBoardClient(server);
  assert.deepEqual(await stranger.standings('b'), []);
});

test('a player exists from the first submit', async () => {
  await client.submit({ board_name: 'b', player_id: 'newcomer', score: 1 });
  const known = await server.database.query(sql`
    SELECT player_id FROM players WHERE game_id = ${client.game.game_id}`);
  assert.deepEqual(known, [{ player_id: 'newcomer' }]);
});

test('answers contain metadata as the exact text that was sent', async () => {
  const text = '{"id":76561198000000001234, "a":1.0,"t":"\\u0041","__proto__":{"x":[]}}';
  const body = `{"board_name":"b","player_id":"p1","score":1,"metadata":${text}}`;
  const submitted = await server.request('POST', '/v1/leaderboards', {
    key: client.game.production_key,
    body,
  });
  assert.ok(submitted.text.includes(`"metadata":${text}`), submitted.text);
  assert.ok((await client.page('b', 'player_id=p1')).text.includes(`"metadata":${text}`));
});

test('scores may be finite doubles of any size', async () => {
  const scores = [5e-324, -5e-324, 1e308, -1e308, 2 ** 53 + 2, 0.1 + 0.2, -12];
  for (const score of scores) {
    const { body } = await client.submit({ board_name: 'b', player_id: `p ${score}`, score });
    assert.equal(body.score, score);
  }
  const zero = await server.request('POST', '/v1/leaderboards', {
    key: client.game.production_key,
    body: '{"board_name":"b","player_id":"zero","score":-0.0}',
  });
  assert.ok(zero.text.includes('"score":0,'), zero.text);
  const sorted = [...scores, 0].toSorted((a, b) => b - a);
  const { body } = await client.page('b');
  assert.deepEqual(
    body.entries.map((entry: { score: number }) => entry.score),
    sorted,
  );
});

const NAMES = [
  'a/b',
  '100%',
  '../..',
  '"; DROP TABLE leaderboards; --',
  '{a,b}',
  'NULL',
  '\\',
  '🦊'.repeat(255),
  ' spaced ',
  '<b>',
  '__proto__',
];

test('names may hold up to 255 characters of any kind', async () => {
  for (const name of NAMES) {
    const body = { board_name: name, player_id: name, score: 1, player_name: name };
    const { status, body: entry } = await client.submit(body);
    assert.equal(status, 201, name);
    assert.equal(entry.board_name, name);
    const page = await client.page(name, `player_id=${encodeURIComponent(name)}`);
    assert.equal(page.body.board_name, name);
    assert.equal(page.body.player.player_name, name);
  }
});

for (const [name, body, error] of REFUSED) {
  test(`${name} answers 400 and stores nothing`, async () => {
    const answer = await server.request('POST', '/v1/leaderboards', {
      key: client.game.production_key,
      body,
    });
    assert.equal(answer.status, 400);
    assert.deepEqual(answer.body, { error });
    assert.deepEqual(await client.standings('b'), []);
  });
}

test('optional fields that are null count as absent', async () => {
  const { status, body } = await client.submit({ ...VALID, metadata: null, player_name: null });
  assert.equal(status, 201);
  assert.equal(body.metadata, null);
  assert.equal(body.player_name, null);
});

test('a submit with metadata over 8 KB gets 413, and the answer states the size of the metadata', async () => {
  const metadata = { text: 'é'.repeat(MAX_METADATA_BYTES / 2 - 6) };
  assert.equal(Buffer.byteLength(JSON.stringify(metadata)), MAX_METADATA_BYTES - 1);
  assert.equal((await client.submit({ ...VALID, metadata })).status, 201);
  const tooLarge = { text: `${metadata.text}é` };
  const { status, body } = await client.submit({ ...VALID, score: 2, metadata: tooLarge });
  assert.equal(status, 413);
  assert.deepEqual(body, {
    error: 'metadata exceeds 8KB limit',
    size_bytes: MAX_METADATA_BYTES + 1,
    limit_bytes: MAX_METADATA_BYTES,
  });
  assert.deepEqual(await client.standings('b'), ['p1 1']);
});

test('a score outside the bounds of the board gets 400 with the bound in the error, and changes nothing', async () => {
  await client.manage('PUT', '/bounded', { min_score: -5, max_score: 100 });
  const submit = (score: number) =>
    client.submit({ board_name: 'bounded', player_id: 'p1', score });
  const low = await submit(-5.5);
  assert.deepEqual(
    [low.status, low.body],
    [400, { error: 'score must be at least -5 on this board' }],
  );
  const high = await submit(101);
  assert.deepEqual(
    [high.status, high.body],
    [400, { error: 'score must be at most 100 on this board' }],
  );
  const { body } = await client.manage('GET', '/bounded');
  assert.equal(body.started_at, null);
  assert.equal((await submit(-5)).status, 201);
  assert.equal((await submit(100)).status, 200);
  assert.equal((await submit(1e9)).status, 400);
  assert.deepEqual(await client.standings('bounded'), ['p1 100']);
});

test('a submit without a key or with an unknown key gets 401', async () => {
  const missing = await server.request('POST', '/v1/leaderboards', { body: VALID });
  assert.deepEqual(
    [missing.status, missing.body],
    [401, { error: 'Missing x-game-api-key header' }],
  );
  const unknown = await server.request('POST', '/v1/leaderboards', {
    key: 'ow_live_x',
    body: VALID,
  });
  assert.deepEqual([unknown.status, unknown.body], [401, { error: 'Invalid API key' }]);
});
