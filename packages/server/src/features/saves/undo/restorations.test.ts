import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';
import { LOST_COINS, makeRestorationGame } from './test/restoration-game.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const question = { app_versions: ['1.5.0'], data: LOST_COINS };

test('saves that a build spoiled are counted, restored, and taken back as a whole', async () => {
  const { save, load, spoil, count, start, waitFor, send, game_id, token } =
    await makeRestorationGame(server);
  for (const player of ['ada', 'bob']) await spoil(player);
  await spoil('ada', 'second');
  await save('rich', { coins: 100 }, { app_version: '1.4.2' });
  await save('rich', { coins: 90 }, { app_version: '1.5.0' });
  await save('old', { coins: 100 }, { app_version: '1.4.1' });
  await save('old', { coins: 1 }, { app_version: '1.4.2' });

  const counted = await count(question);
  assert.deepEqual(counted.players, { count: 2, of: 4 });
  assert.deepEqual(
    [counted.save_count, counted.played_on_count, counted.hopeless_count],
    [3, 0, 0],
  );
  assert.equal(counted.words, '2 of 4 players have 3 bad saves.');
  const [example] = counted.examples;
  assert.deepEqual(
    [example.player_id, example.slot, example.version, example.good_version, example.app_version],
    ['ada', 'main', 2, 1, '1.5.0'],
  );
  assert.deepEqual(await load('ada'), { coins: 10 }, 'nothing is changed before the start');

  await start(counted);
  const done = await waitFor(counted.restoration_id, 'done');
  assert.deepEqual(
    [done.restored_count, done.skipped_count, done.progress],
    [3, 0, { done: 3, of: 3 }],
  );
  for (const slot of ['main', 'second']) assert.deepEqual(await load('ada', slot), { coins: 100 });
  assert.deepEqual(await load('rich'), { coins: 90 });
  const versions = await send('GET', 'players/ada/saves');
  assert.deepEqual(
    versions.body.saves.map(({ version, app_version }: Record<string, unknown>) => [
      version,
      app_version,
    ]),
    [
      [3, '1.4.2'],
      [2, '1.5.0'],
      [1, '1.4.2'],
    ],
  );
  const listStory = async () => {
    const { body } = await send('GET', 'players/ada/story?kind=save');
    return body.entries
      .filter(({ slot }: { slot: string }) => slot === 'main')
      .map(({ version, restoration_id }: Record<string, unknown>) => [version, restoration_id]);
  };
  assert.deepEqual(await listStory(), [
    [3, counted.restoration_id],
    [2, null],
    [1, null],
  ]);
  const again = await count(question);
  assert.equal(again.save_count - again.played_on_count, 0, 'no save is bad now');

  const undo = await send('POST', `save-restorations/${counted.restoration_id}/undo`);
  assert.equal(undo.status, 200);
  const undone = await waitFor(counted.restoration_id, 'undone');
  assert.deepEqual([undone.undone_count, undone.kept_count], [3, 0]);
  assert.deepEqual(await load('ada'), { coins: 10 });
  assert.deepEqual(await listStory(), [
    [4, counted.restoration_id],
    [3, counted.restoration_id],
    [2, null],
    [1, null],
  ]);
  const log = await server.request('GET', `/v1/games/${game_id}/audit-log`, { token });
  assert.deepEqual(
    log.body.audit_log
      .map(({ action }: { action: string }) => action)
      .filter((action: string) => action.includes('save')),
    [
      'undo_save_restoration',
      'create_save_restoration',
      'start_save_restoration',
      'create_save_restoration',
    ],
  );
});

test('a game that runs meets the restored save as a conflict', async () => {
  const { save, spoil, count, start, waitFor } = await makeRestorationGame(server);
  await spoil('ada');
  const counted = await count(question);
  await start(counted);
  await waitFor(counted.restoration_id, 'done');
  const { status, body } = await save('ada', { coins: 11 }, { version: 2 });
  assert.equal(status, 409);
  assert.deepEqual([body.server_version, body.server_data], [3, { coins: 100 }]);
});

test('players who have played on are told apart, before the count and after it', async () => {
  for (const played_on of ['skip', 'restore', 'conflict']) {
    const { save, load, spoil, count, start, waitFor, send } = await makeRestorationGame(server);
    for (const player of ['before', 'later', 'idle']) await spoil(player);
    await save('before', { coins: 300 }, { app_version: '1.5.1' });
    const counted = await count(question);
    assert.deepEqual([counted.save_count, counted.played_on_count], [3, 1]);
    await save('later', { coins: 12 }, { app_version: '1.5.1' });
    await start(counted, played_on);
    const done = await waitFor(counted.restoration_id, 'done');
    const isSkipped = played_on === 'skip';
    assert.deepEqual([done.restored_count, done.skipped_count], isSkipped ? [1, 2] : [3, 0]);
    assert.deepEqual(await load('idle'), { coins: 100 });
    assert.deepEqual(await load('before'), { coins: isSkipped ? 300 : 100 });
    assert.deepEqual(await load('later'), { coins: isSkipped ? 12 : 100 });

    const { saves } = (await send('GET', 'players/before/saves')).body;
    const [newest, , , oldest] = saves;
    if (!isSkipped) {
      const keepsTime = newest.updated_at === oldest.updated_at;
      assert.equal(keepsTime, played_on === 'conflict');
    }
  }
});

test('an undo leaves saves of players who have played on since the restoration', async () => {
  const { save, load, spoil, count, start, waitFor, send } = await makeRestorationGame(server);
  for (const player of ['played', 'idle']) await spoil(player);
  const counted = await count(question);
  await start(counted);
  await waitFor(counted.restoration_id, 'done');
  await save('played', { coins: 101 });
  await send('POST', `save-restorations/${counted.restoration_id}/undo`);
  const undone = await waitFor(counted.restoration_id, 'undone');
  assert.deepEqual([undone.undone_count, undone.kept_count], [1, 1]);
  assert.deepEqual(await load('played'), { coins: 101 });
  assert.deepEqual(await load('idle'), { coins: 10 });
});

test('saves without a kept good version, deleted saves and dropped versions stay as they are', async () => {
  const game = await makeRestorationGame(server);
  const { key, save, load, spoil, count, start, waitFor } = game;
  await save('new', { coins: 1 }, { app_version: '1.5.0' });
  for (const player of ['deleted', 'later deleted', 'dropped']) await spoil(player);
  const remove = (player_id: string) =>
    server.request('DELETE', `/v1/saves?${new URLSearchParams({ player_id })}`, { key });
  await remove('deleted');
  const counted = await count();
  assert.deepEqual([counted.save_count, counted.hopeless_count], [3, 1]);
  await remove('later deleted');
  await server.database.execute(sql`
    DELETE FROM save_versions WHERE game_id = ${game.game_id} AND player_id = 'dropped' AND version = 1`);
  await start(counted, 'restore');
  const done = await waitFor(counted.restoration_id, 'done');
  assert.deepEqual([done.restored_count, done.skipped_count, done.hopeless_count], [0, 1, 2]);
  assert.deepEqual(await load('dropped'), { coins: 10 });
  assert.deepEqual(await load('new'), { coins: 1 });
  assert.equal(await load('later deleted'), null);
});

test('a question chooses by time, slot and segment', async () => {
  const { spoil, count, send, key } = await makeRestorationGame(server);
  for (const player of ['ada', 'bob']) await spoil(player);
  await spoil('ada', 'second');
  const identify = { player_id: 'bob', properties: { country: 'NZ' } };
  await server.request('POST', '/v1/identify', { key, body: identify });
  const filter = JSON.stringify([{ property: 'country', operator: 'eq', value: 'NZ' }]);
  const query = new URLSearchParams({ filter }).toString();
  assert.ok((await send('PUT', 'saved-reports/segment/Kiwis', { query })).status < 300);

  const inSlot = await count({ ...question, slot: 'second' });
  assert.deepEqual([inSlot.save_count, inSlot.players], [1, { count: 1, of: 2 }]);
  const ofSegment = await count({ ...question, segment: 'Kiwis' });
  assert.deepEqual([ofSegment.save_count, ofSegment.players], [1, { count: 1, of: 1 }]);
  assert.equal(ofSegment.examples[0].player_id, 'bob');
  const saved_until = new Date(Date.now() - 3_600_000).toISOString();
  const earlier = await count({ saved_from: '2020-01-01T00:00:00Z', saved_until });
  assert.equal(earlier.save_count, 0);
  assert.equal(earlier.words, 'None of 2 players has a bad save.');
  const no_segment = await send('POST', 'save-restorations', { ...question, segment: 'None' });
  assert.equal(no_segment.status, 400);
  assert.match(no_segment.body.error, /^segment names no saved segment/);
});

test('two restorations at once restore a save once', async () => {
  const { spoil, count, start, waitFor, send } = await makeRestorationGame(server);
  for (const player of ['a', 'b', 'c']) await spoil(player);
  const [one, other] = [await count(question), await count(question)];
  await Promise.all([start(one), start(other)]);
  const done = await waitFor(one.restoration_id, 'done');
  const done_too = await waitFor(other.restoration_id, 'done');
  assert.equal(done.restored_count + done_too.restored_count, 3);
  assert.equal(done.skipped_count + done_too.skipped_count, 3);
  const { saves } = (await send('GET', 'players/a/saves')).body;
  assert.equal(saves.length, 3);
});

test('a restoration can be paused and go on, and a paused one can be undone', async () => {
  const { load, spoil, count, start, waitFor, send, get } = await makeRestorationGame(server);
  await Promise.all(Array.from({ length: 250 }, (_, index) => spoil(`p${index}`)));
  const counted = await count(question);
  const act = (action: string) =>
    send('POST', `save-restorations/${counted.restoration_id}/${action}`);
  await start(counted);
  await waitUntil('some are restored', async () => {
    const { restored_count } = await get(counted.restoration_id);
    return restored_count > 0;
  });
  const paused = await act('pause');
  if (paused.status === 409) assert.match(paused.body.error, /^The restoration is done/);
  else {
    assert.equal(paused.body.state, 'paused');
    const { restored_count } = await get(counted.restoration_id);
    assert.ok(restored_count > 0 && restored_count < 250, `${restored_count} are restored`);
    assert.equal((await act('start')).status, 400, 'it needs a body');
    assert.equal((await act('pause')).status, 409);
  }
  assert.equal((await act('undo')).status, 200);
  const undone = await waitFor(counted.restoration_id, 'undone');
  assert.equal(undone.undone_count, undone.restored_count);
  assert.deepEqual(await load('p249'), { coins: 10 });
  assert.equal((await act('undo')).status, 409);
});

test('a player who is erased or merged meanwhile stays erased or merged', async () => {
  const game = await makeRestorationGame(server);
  const { game_id, load, spoil, count, start, waitFor } = game;
  for (const player of ['erased', 'source', 'target', 'idle']) await spoil(player);
  const counted = await count(question);
  const { token } = await server.makeAccount({ game_id, role: 'admin' });
  const of = (path: string) => `/v1/games/${game_id}/players/${path}`;
  assert.equal((await server.request('DELETE', of('erased'), { token })).status, 204);
  const body = { from_player_id: 'source' };
  assert.equal((await server.request('POST', of('target/merge'), { token, body })).status, 200);
  await start(counted);
  const done = await waitFor(counted.restoration_id, 'done');
  assert.equal(done.restored_count, 1);
  assert.deepEqual(await load('idle'), { coins: 100 });
  assert.deepEqual(await load('target'), { coins: 10 });
  const { status } = await server.request('GET', of('erased'), { token });
  assert.equal(status, 404);
  assert.equal(await load('erased'), null);
});

test('without room for more bytes of saves the work pauses, and goes on when there is room', async () => {
  const { game_id, load, spoil, count, start, waitFor, send } = await makeRestorationGame(server);
  await spoil('ada');
  const counted = await count(question);
  const setLimit = (overrides: string) =>
    server.database.execute(sql`
      UPDATE games SET limit_overrides = ${overrides}::jsonb WHERE id = ${game_id}`);
  await setLimit('{"save_bytes":5}');
  await start(counted);
  const paused = await waitFor(counted.restoration_id, 'paused');
  assert.match(paused.problem, /no room for more bytes of saves/);
  assert.deepEqual(await load('ada'), { coins: 10 });
  await setLimit('{}');
  await send('POST', `save-restorations/${counted.restoration_id}/continue`);
  await waitFor(counted.restoration_id, 'done');
  assert.deepEqual(await load('ada'), { coins: 100 });
});

test('an undo stores only versions for which the game has room', async () => {
  const { game_id, save, load, count, start, waitFor, send } = await makeRestorationGame(server);
  const large = { coins: 10, more: 'x'.repeat(10_000) };
  await save('ada', { coins: 100 }, { app_version: '1.4.2' });
  await save('ada', large, { app_version: '1.5.0' });
  const counted = await count();
  await start(counted);
  await waitFor(counted.restoration_id, 'done');
  const setLimit = (overrides: string) =>
    server.database.execute(sql`
      UPDATE games SET limit_overrides = ${overrides}::jsonb WHERE id = ${game_id}`);
  // The game has some 10,100 bytes of saves. There is room for the good version, but not for the large one.
  await setLimit('{"save_bytes":15000}');
  const act = (action: string) =>
    send('POST', `save-restorations/${counted.restoration_id}/${action}`);
  await act('undo');
  const paused = await waitFor(counted.restoration_id, 'paused');
  assert.match(paused.problem, /no room for more bytes of saves/);
  assert.deepEqual(await load('ada'), { coins: 100 });
  await setLimit('{}');
  await act('continue');
  await waitFor(counted.restoration_id, 'undone');
  assert.deepEqual(await load('ada'), large);
});

test('a deleted restoration is gone with its saves, and an environment has ten', async () => {
  const { game_id, spoil, count, send } = await makeRestorationGame(server);
  await spoil('ada');
  const counted = await count(question);
  for (let more = 1; more < 10; more++) {
    assert.equal((await send('POST', 'save-restorations', question)).status, 201);
  }
  const refused = await send('POST', 'save-restorations', question);
  assert.equal(refused.status, 409);
  assert.match(refused.body.error, /at most 10 restorations/);
  const path = `save-restorations/${counted.restoration_id}`;
  assert.equal((await send('DELETE', path)).status, 204);
  assert.equal((await send('GET', path)).status, 404);
  assert.equal((await send('GET', 'save-restorations')).body.restorations.length, 9);
  await waitUntil('its saves are forgotten', async () => {
    const rows = await server.database.query(sql`
      SELECT FROM restored_saves
      WHERE game_id = ${game_id} AND restoration_id = ${counted.restoration_id}`);
    return rows.length === 0;
  });
});

test('bad questions are refused by the name of the field', async () => {
  const { send } = await makeRestorationGame(server);
  const refusal = async (more: object) => {
    const { status, body } = await send('POST', 'save-restorations', more);
    assert.equal(status, 400, JSON.stringify(more));
    return body.error as string;
  };
  const on = (path: unknown, operator: string, value?: unknown) => ({
    app_versions: ['1'],
    data: [{ path, operator, value }],
  });
  assert.match(await refusal({}), /^saved_from or app_versions is required/);
  assert.match(await refusal({ saved_from: '2999-01-01T00:00:00Z' }), /begins in the future$/);
  const backwards = { saved_from: '2026-01-02T00:00:00Z', saved_until: '2026-01-01T00:00:00Z' };
  assert.match(await refusal(backwards), /^saved_from must be before saved_until/);
  assert.match(await refusal(on([], 'exists')), /data\[0\]\.path/);
  assert.match(await refusal(on(Array(17).fill('a'), 'exists')), /data\[0\]\.path/);
  assert.match(await refusal(on(['x'.repeat(256)], 'exists')), /data\[0\]\.path\[0\]/);
  assert.match(await refusal(on('coins', 'exists')), /data\[0\]\.path/);
  assert.match(await refusal(on(['a'], 'like', 1)), /data\[0\]\.operator/);
  assert.match(
    await refusal(on(['a'], 'gt', true)),
    /^data\[0\]\.value must be a number or a string/,
  );
  assert.match(await refusal(on(['a'], 'eq')), /^data\[0\]\.value is required/);
  assert.match(await refusal(on(['a'], 'went_down', 3)), /^data\[0\]\.value is not allowed/);
});

test('absurd paths and data find what they find, and nothing fails', async () => {
  const { save, key, count } = await makeRestorationGame(server);
  const texts = [
    String.raw`{"a":"\u0000\ud800","n":1e400000}`,
    `{"deep":${'['.repeat(900)}${']'.repeat(900)}}`,
    '{"a":1,"a":2}',
  ];
  for (const [index, text] of texts.entries()) {
    const body = `{"player_id":"p${index}","data":${text}}`;
    const answer = await server.request('PUT', '/v1/saves', { key, body });
    assert.equal(answer.status, 200, answer.text);
  }
  await save('plain', { a: 2 });
  const saved_from = '2020-01-01T00:00:00Z';
  const countBy = async (path: string[], operator: string, value?: unknown) =>
    (await count({ saved_from, data: [{ path, operator, value }] })).save_count;
  assert.equal(await countBy(['__proto__', 'x'], 'exists'), 0);
  assert.equal(await countBy(['deep', ...Array<string>(15).fill('0')], 'exists'), 1);
  assert.equal(await countBy(['a'], 'eq', 2), 2);
  assert.equal(await countBy(["'; DROP TABLE saves; --", '$.*[?(@)]'], 'exists'), 0);
});
