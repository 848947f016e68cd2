import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, beforeEach, test } from 'node:test';
import { MAX_SAVE_SLOTS } from '@overworld/contract/saves/limits';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';

let server: TestServer;
let game_id: string;
let key: string;
let token: string;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());
beforeEach(async () => {
  ({ game_id } = await server.makeGame());
  key = await server.makeKey(game_id, 'production', 'server');
  ({ token } = await server.makeAccount({ game_id }));
});

/** Saves after a short wait, because two saves in the same millisecond would have no order. */
const save = async (player_id: string, data: unknown, slot?: string) => {
  await sleep(2);
  const body = { player_id, data: { is: data }, slot };
  const answer = await server.request('PUT', '/v1/saves', { key, body });
  assert.equal(answer.status, 200, answer.text);
};
const load = async (player_id: string, slot = 'main') => {
  const path = `/v1/saves?player_id=${player_id}&slot=${slot}`;
  const { status, body } = await server.request('GET', path, { key });
  return status === 200 ? [body.version, body.data.is] : null;
};
const remove = (player_id: string, slot = 'main') =>
  server.request('DELETE', `/v1/saves?player_id=${player_id}&slot=${slot}`, { key });
const merge = (saves?: string) =>
  server.request('POST', '/v1/players/b/merge', { key, body: { from_player_id: 'a', saves } });
/** Returns the data of all kept versions of a slot of `b`, the newest first. */
const listData = async (slot = 'main') => {
  const path = `/v1/games/${game_id}/players/b/saves`;
  const { body } = await server.request('GET', `${path}?slot=${slot}`, { token });
  const versions = (body.saves as { version: number }[]).map(async ({ version }) => {
    const one = await server.request('GET', `${path}/${version}?slot=${slot}`, { token });
    return one.body.data.is;
  });
  return Promise.all(versions);
};

const CASES = [
  ['newest', 'b2', ['b2', 'a1', 'b2', 'b1']],
  ['target', 'b2', ['b2', 'a1', 'b2', 'b1']],
  ['source', 'a1', ['a1', 'b2', 'b1']],
] as const;
for (const [rule, kept, versions] of CASES) {
  test(`rule ${rule} keeps ${kept}, and the other player's save is an earlier version`, async () => {
    await save('b', 'b1');
    await save('a', 'a1');
    await save('b', 'b2');
    const { body } = await merge(rule);
    const version = versions.length;
    const owner = kept.startsWith('a') ? 'source' : 'target';
    assert.deepEqual(body.changes.saves, [{ slot: 'main', kept: owner, version }]);
    assert.deepEqual(await load('b'), [version, kept]);
    assert.deepEqual(await listData(), versions);
    assert.equal(await load('a'), null);
  });
}

test('the rule `newest` compares the times at which games saved, even after an earlier merge', async () => {
  await save('b', 'oldest');
  await save('a', 'older');
  await save('c', 'newest');
  await merge();
  const body = { from_player_id: 'b' };
  const { status } = await server.request('POST', '/v1/players/c/merge', { key, body });
  assert.equal(status, 200);
  assert.deepEqual((await load('c'))?.[1], 'newest');
});

test('a device that expects the last version of the ended player gets a conflict', async () => {
  for (let n = 1; n <= 12; n++) await save('b', `b${n}`);
  for (let n = 1; n <= 14; n++) await save('a', `a${n}`);
  await merge('target');
  const [version, data] = (await load('b'))!;
  assert.deepEqual([version > 14, data], [true, 'b12']);
  const versions = ['b12', 'a14', ...Array.from({ length: 8 }, (_, n) => `b${12 - n}`)];
  assert.deepEqual(await listData(), versions);
  const body = { player_id: 'b', version: 14, data: { is: 'a15' } };
  assert.equal((await server.request('PUT', '/v1/saves', { key, body })).status, 409);
  await save('b', 'b13');
  assert.deepEqual(await load('b'), [version + 1, 'b13']);
  assert.deepEqual(await listData(), ['b13', ...versions.slice(0, 9)]);
});

test('the default rule `newest` keeps the save of the ended player if it was saved last', async () => {
  await save('b', 'b1');
  await save('a', 'a1');
  await merge();
  assert.deepEqual(await load('b'), [2, 'a1']);
});

test('a slot that only the ended player has moves with all its versions', async () => {
  await save('b', 'b1');
  for (let n = 1; n <= 12; n++) await save('a', n, 'two');
  await server.database.execute(sql`
    INSERT INTO older_save_versions (game_id, environment, player_id, slot, version, data, saved_at)
    VALUES (${game_id}, 'production', 'a', 'two', 1, '{"is":"old"}', now() - interval '2 hours')`);
  await merge();
  assert.deepEqual(await load('b', 'two'), [12, 12]);
  assert.deepEqual(await listData('two'), [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 'old']);
  await save('b', 13, 'two');
  assert.deepEqual(await load('b', 'two'), [13, 13]);
});

test('whatever the rule, a save that exists wins over a deleted save', async () => {
  for (const rule of ['newest', 'target', 'source']) {
    await save('a', 'a1');
    await save('b', 'b1');
    await remove('b');
    await merge(rule);
    assert.equal((await load('b'))?.[1], 'a1', rule);
  }
  await save('a', 'a2');
  await remove('a');
  await merge('source');
  assert.equal((await load('b'))?.[1], 'a1');
});

test('if both players together have too many slots, the answer is 409 with their number', async () => {
  for (let n = 0; n < MAX_SAVE_SLOTS; n++) await save(n % 2 ? 'a' : 'b', n, `slot ${n}`);
  await save('a', 1, 'one more');
  await save('b', 1);
  const { status, body } = await merge();
  assert.equal(status, 409);
  assert.match(body.error, new RegExp(`have ${MAX_SAVE_SLOTS + 1} save slots besides main`));
  assert.deepEqual(await load('a', 'one more'), [1, 1]);
});

test('saves of both players during a merge are kept, and the counted bytes are right', async () => {
  for (let round = 0; round < 10; round++) {
    await save('a', `a${round}`);
    await save('b', `b${round}`);
    const puts: [player_id: string, slot: string][] = [
      ['a', 'main'],
      ['a', `s${round}`],
      ['b', `s${round}`],
      ['b', 'main'],
      ['b', 'main'],
    ];
    const [merged] = await Promise.all([
      merge(),
      ...puts.map(([player_id, slot], n) => save(player_id, `${round} ${n}`, slot)),
    ]);
    assert.equal(merged.status, 200, merged.text);
    // If a save under the old id came after the merge, it created that player again. So the players are
    // merged again.
    assert.equal((await merge()).status, 200);
    const kept = new Set([...(await listData()), ...(await listData(`s${round}`))]);
    for (const n of puts.keys()) assert.ok(kept.has(`${round} ${n}`), `put ${n} of ${round}`);
  }
  const counted = await server.database.queryOne<{ counted: number; stored: number }>(sql`
    SELECT COALESCE((SELECT sum(change) FROM storage_changes
                     WHERE game_id = ${game_id} AND resource = 'save_bytes'), 0)
           + COALESCE((SELECT used FROM game_storage
                       WHERE game_id = ${game_id} AND resource = 'save_bytes'), 0) AS counted,
           (SELECT sum(octet_length(data)) FROM save_versions WHERE game_id = ${game_id})
           + COALESCE((SELECT sum(octet_length(data)) FROM older_save_versions
                       WHERE game_id = ${game_id}), 0) AS stored`);
  assert.equal(Number(counted!.counted), Number(counted!.stored));
});
