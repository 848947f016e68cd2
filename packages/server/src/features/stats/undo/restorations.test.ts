import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';
import { insertSpoiledValues } from './test/spoiled-values.ts';
import { hourBefore, makeStatRestorationGame } from './test/stat-restoration-game.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const JOINS = { coins: 'sum', level: 'max', lap: 'min', mood: 'latest' };

test('the changes of some hours are found, taken back and brought back, whatever their aggregation', async () => {
  const game = await makeStatRestorationGame(server, JOINS);
  const { play, count, start, waitFor, act, valuesOf, listHours } = game;
  await play(
    'ada',
    { coins: 100, level: 3, lap: 50, mood: 1 },
    { coins: 10_000, level: 90, lap: 2, mood: 9 },
    { coins: -30, level: 4, lap: 40 },
  );
  await play('idle', { coins: 7 }, null, { coins: 1 });
  const spoiled = { coins: 10_070, level: 90, lap: 2, mood: 9 };
  assert.deepEqual(await valuesOf('ada'), spoiled);

  const counted = await count();
  assert.equal(counted.words, '1 of 2 players has changes in these hours, of 4 values.');
  assert.deepEqual(
    counted.examples.map((each: Record<string, unknown>) => [
      each.player_id,
      each.key,
      each.value,
      each.value_after,
    ]),
    [
      ['ada', 'coins', 10_070, 70],
      ['ada', 'lap', 2, 40],
      ['ada', 'level', 90, 4],
      ['ada', 'mood', 9, 1],
    ],
  );
  assert.deepEqual(await valuesOf('ada'), spoiled, 'nothing is changed by a count');

  await start(counted);
  const done = await waitFor(counted.restoration_id, 'done');
  assert.deepEqual([done.restored_count, done.skipped_count], [4, 0]);
  assert.deepEqual(await valuesOf('ada'), { coins: 70, level: 4, lap: 40, mood: 1 });
  assert.deepEqual(await valuesOf('idle'), { coins: 8 });
  await listHours('ada');
  assert.equal((await count()).value_count, 0);

  await game.change('ada', { coins: 5, level: 6 });
  assert.equal((await act(counted, 'undo')).status, 200);
  const undone = await waitFor(counted.restoration_id, 'undone');
  assert.deepEqual([undone.undone_count, undone.kept_count], [4, 0]);
  assert.deepEqual(await valuesOf('ada'), { ...spoiled, coins: 10_075 });
  const hours = await listHours('ada');
  assert.deepEqual(
    hours.filter(({ key }) => key === 'coins').map(({ value }) => value),
    [100, 10_000, -25],
  );
  const log = await server.request('GET', `/v1/games/${game.game_id}/audit-log`, {
    token: game.token,
  });
  assert.deepEqual(
    log.body.audit_log
      .map(({ action }: { action: string }) => action)
      .filter((action: string) => action.includes('restoration')),
    [
      'undo_stat_restoration',
      'create_stat_restoration',
      'start_stat_restoration',
      'create_stat_restoration',
    ],
  );
});

test('a player without other changes has no value any more, until an undo', async () => {
  const game = await makeStatRestorationGame(server, JOINS);
  const { play, count, start, waitFor, act, valuesOf, listHours } = game;
  await play('new', null, { coins: 5, level: 2 });
  const counted = await count();
  assert.equal(counted.examples[0].value_after, null);
  await start(counted);
  await waitFor(counted.restoration_id, 'done');
  assert.deepEqual(await valuesOf('new'), {});
  assert.deepEqual(await listHours('new'), []);
  await game.change('new', { level: 1 });
  await act(counted, 'undo');
  await waitFor(counted.restoration_id, 'undone');
  assert.deepEqual(await valuesOf('new'), { coins: 5, level: 2 });
  await listHours('new');
});

test('older changes that are joined to one stay', async () => {
  const { play, count, start, waitFor, valuesOf, listHours, game_id } =
    await makeStatRestorationGame(server, JOINS);
  await play('old', { coins: 10, level: 2 }, { coins: 50, level: 9 });
  await server.database.execute(sql`
    WITH first AS (
      DELETE FROM player_stat_hours AS hours
      WHERE game_id = ${game_id} AND hour < ${hourBefore(6)}::timestamptz
      RETURNING *
    )
    UPDATE player_stats AS known SET base = first.value, base_at = first.changed_at FROM first
    WHERE known.game_id = ${game_id} AND known.player_id = first.player_id AND known.key = first.key`);
  const counted = await count();
  await start(counted);
  await waitFor(counted.restoration_id, 'done');
  assert.deepEqual(await valuesOf('old'), { coins: 10, level: 2 });
  await listHours('old');
});

test('achievements stay unlocked when their value is taken back', async () => {
  const game = await makeStatRestorationGame(server);
  const { steer, play, count, start, waitFor, production_key: key } = game;
  const rich = { key: 'rich', name: 'Rich', unlock_when: [{ stat: 'coins', at_least: 1_000 }] };
  assert.equal((await steer('POST', '/achievements', rich)).status, 201);
  await play('ada', { coins: 1 }, { coins: 2_000 });
  const counted = await count();
  await start(counted);
  await waitFor(counted.restoration_id, 'done');
  const { body } = await server.request('GET', '/v1/achievements?player_id=ada', { key });
  const [{ unlocked_at, progress }] = body.achievements;
  assert.notEqual(unlocked_at, null);
  assert.deepEqual(progress, { current: 1, target: 1_000 });
});

test('a value that rises because losses are taken back unlocks achievements', async () => {
  const game = await makeStatRestorationGame(server);
  const { steer, play, count, start, waitFor, production_key: key } = game;
  const rich = { key: 'rich', name: 'Rich', unlock_when: [{ stat: 'coins', at_least: 1_000 }] };
  await play('ada', { coins: 900 }, { coins: -800 }, { coins: 300 });
  assert.equal((await steer('POST', '/achievements', rich)).status, 201);
  const counted = await count();
  await start(counted);
  await waitFor(counted.restoration_id, 'done');
  const { body } = await server.request('GET', '/v1/achievements?player_id=ada', { key });
  assert.notEqual(body.achievements[0].unlocked_at, null);
});

test('a question chooses by statistic, hours and segment', async () => {
  const game = await makeStatRestorationGame(server, { coins: 'sum', wins: 'sum' });
  const { play, count, steer, question, production_key: key } = game;
  for (const player of ['ada', 'bob']) await play(player, { coins: 1 }, { coins: 5, wins: 2 });
  const identify = { player_id: 'bob', properties: { country: 'NZ' } };
  await server.request('POST', '/v1/identify', { key, body: identify });
  const filter = JSON.stringify([{ property: 'country', operator: 'eq', value: 'NZ' }]);
  const query = new URLSearchParams({ filter }).toString();
  assert.ok((await steer('PUT', '/saved-reports/segment/Kiwis', { query })).status < 300);

  const wins = await count({ ...question, stats: ['wins', 'wins'] });
  assert.deepEqual([wins.value_count, wins.question.stats], [2, ['wins']]);
  const ofSegment = await count({ ...question, segment: 'Kiwis' });
  assert.deepEqual([ofSegment.value_count, ofSegment.players], [2, { count: 1, of: 1 }]);
  const earlier = await count({ ...question, changed_until: hourBefore(5) });
  assert.equal(earlier.words, 'None of 2 players has changes in these hours.');
});

test('two restorations at once take changes back once', async () => {
  const { play, count, start, waitFor, valuesOf } = await makeStatRestorationGame(server);
  for (const player of ['a', 'b', 'c']) await play(player, { coins: 1 }, { coins: 10 });
  const [one, other] = [await count(), await count()];
  await Promise.all([start(one), start(other)]);
  const done = await waitFor(one.restoration_id, 'done');
  const done_too = await waitFor(other.restoration_id, 'done');
  assert.equal(done.restored_count + done_too.restored_count, 3);
  assert.equal(done.skipped_count + done_too.skipped_count, 3);
  assert.deepEqual(await valuesOf('a'), { coins: 1 });
});

test('a restoration can be paused and go on, and a paused one can be undone', async () => {
  const { count, start, waitFor, get, act, valuesOf, game_id } =
    await makeStatRestorationGame(server);
  await insertSpoiledValues(server.database, game_id, 450);
  const counted = await count();
  assert.equal(counted.value_count, 450);
  await start(counted);
  await waitUntil('some are restored', async () => {
    const { restored_count } = await get(counted.restoration_id);
    return restored_count > 0;
  });
  const paused = await act(counted, 'pause');
  if (paused.status === 409) assert.match(paused.body.error, /^The restoration is done/);
  else {
    assert.equal(paused.body.state, 'paused');
    assert.equal((await get(counted.restoration_id)).restored_count % 100, 0);
    assert.equal((await act(counted, 'pause')).status, 409);
    assert.equal((await act(counted, 'continue')).body.state, 'running');
    await act(counted, 'pause');
  }
  assert.equal((await act(counted, 'undo')).status, 200);
  const undone = await waitFor(counted.restoration_id, 'undone');
  assert.equal(undone.undone_count, undone.restored_count);
  for (const player of ['p1', 'p99', 'p449']) {
    assert.deepEqual(await valuesOf(player), { coins: 11 });
  }
  assert.equal((await act(counted, 'undo')).status, 409);
});

test('a player who is erased or merged meanwhile stays erased or merged', async () => {
  const game = await makeStatRestorationGame(server);
  const { game_id, play, count, start, waitFor, act, valuesOf, listHours } = game;
  for (const player of ['erased', 'source', 'target', 'idle', 'later']) {
    await play(player, { coins: 1 }, { coins: 10 });
  }
  const counted = await count();
  const { token } = await server.makeAccount({ game_id, role: 'admin' });
  const of = (path: string) => `/v1/games/${game_id}/players/${path}`;
  const erase = async (player: string) =>
    assert.equal((await server.request('DELETE', of(player), { token })).status, 204);
  await erase('erased');
  const body = { from_player_id: 'source' };
  assert.equal((await server.request('POST', of('target/merge'), { token, body })).status, 200);
  assert.deepEqual(await valuesOf('target'), { coins: 22 });
  await start(counted);
  const done = await waitFor(counted.restoration_id, 'done');
  assert.equal(done.restored_count, 3);
  assert.deepEqual(await valuesOf('idle'), { coins: 1 });
  assert.deepEqual(await valuesOf('target'), { coins: 2 });
  assert.deepEqual(await valuesOf('erased'), {});
  await erase('later');
  await act(counted, 'undo');
  await waitFor(counted.restoration_id, 'undone');
  assert.deepEqual(await valuesOf('target'), { coins: 22 });
  assert.deepEqual(await valuesOf('later'), {});
  await listHours('target');
  const { status } = await server.request('GET', of('later'), { token });
  assert.equal(status, 404);
});

test('a statistic that is archived or made anew meanwhile is left alone', async () => {
  const game = await makeStatRestorationGame(server, { coins: 'sum', gone: 'sum' });
  const { steer, play, count, start, waitFor, act, valuesOf } = game;
  await play('ada', { coins: 1 }, { coins: 10, gone: 5 });
  const counted = await count();
  await steer('PATCH', '/stats/coins', { archived: true });
  await start(counted);
  const done = await waitFor(counted.restoration_id, 'done');
  assert.deepEqual([done.restored_count, done.skipped_count], [1, 1]);
  assert.equal((await steer('DELETE', '/stats/gone')).body.result, 'deleted');
  await act(counted, 'undo');
  const undone = await waitFor(counted.restoration_id, 'undone');
  assert.deepEqual([undone.undone_count, undone.kept_count], [0, 1]);
  await steer('POST', '/stats', { key: 'gone', name: 'Gone', aggregation: 'max' });
  assert.deepEqual(await valuesOf('ada'), {});
});

test('a statistic that joins otherwise when it is made anew stays without its old changes', async () => {
  const game = await makeStatRestorationGame(server, { gone: 'sum' });
  const { steer, play, count, start, waitFor, act, valuesOf } = game;
  await play('ada', null, { gone: 5 });
  const counted = await count();
  await start(counted);
  await waitFor(counted.restoration_id, 'done');
  assert.equal((await steer('PATCH', '/stats/gone', { aggregation: 'max' })).status, 200);
  await act(counted, 'undo');
  await waitFor(counted.restoration_id, 'undone');
  assert.deepEqual(await valuesOf('ada'), { gone: 5 });
});

test('hours that may be joined already are not taken', async () => {
  const { play, count, start, waitFor, act, get, valuesOf, game_id } =
    await makeStatRestorationGame(server);
  await play('ada', { coins: 1 }, { coins: 10 });
  const counted = await count();
  const from = new Date(Date.now() - 30 * 86_400_000).toISOString();
  await server.database.execute(sql`
    UPDATE stat_restorations SET question = question || jsonb_build_object('changed_from', ${from}::text)
    WHERE game_id = ${game_id}`);
  await start(counted);
  const paused = await waitFor(counted.restoration_id, 'paused');
  assert.match(paused.problem, /^The first of these hours is older than 30 days/);
  await act(counted, 'continue');
  await waitFor(counted.restoration_id, 'paused');
  assert.equal((await get(counted.restoration_id)).restored_count, 0);
  assert.deepEqual(await valuesOf('ada'), { coins: 11 });
});

test('a deleted restoration is gone with its values, and an environment has ten', async () => {
  const { game_id, play, count, steer, question } = await makeStatRestorationGame(server);
  await play('ada', { coins: 1 }, { coins: 10 });
  const counted = await count();
  for (let more = 1; more < 10; more++) {
    assert.equal((await steer('POST', '/stat-restorations', question)).status, 201);
  }
  const refused = await steer('POST', '/stat-restorations', question);
  assert.equal(refused.status, 409);
  assert.match(refused.body.error, /at most 10 restorations/);
  const path = `/stat-restorations/${counted.restoration_id}`;
  assert.equal((await steer('DELETE', path)).status, 204);
  assert.equal((await steer('GET', path)).status, 404);
  assert.equal((await steer('GET', '/stat-restorations')).body.restorations.length, 9);
  await waitUntil('its values are forgotten', async () => {
    const rows = await server.database.query(sql`
      SELECT FROM restored_stats
      WHERE game_id = ${game_id} AND restoration_id = ${counted.restoration_id}`);
    return rows.length === 0;
  });
});

test('a start needs the number of values that was found', async () => {
  const { play, count, steer, valuesOf } = await makeStatRestorationGame(server);
  await play('ada', { coins: 1 }, { coins: 10 });
  const { restoration_id } = await count();
  const body = { out_of_bounds: 'skip', value_count: 2 };
  const { status, text } = await steer('POST', `/stat-restorations/${restoration_id}/start`, body);
  assert.equal(status, 409);
  assert.match(text, /has found 1 values, not 2/);
  assert.deepEqual(await valuesOf('ada'), { coins: 11 });
});

test('bad questions are refused by the name of the field', async () => {
  const { steer, question } = await makeStatRestorationGame(server, {
    coins: 'sum',
    kills: { source: { event_name: 'kill' } },
    shut: 'sum',
  });
  await steer('PATCH', '/stats/shut', { archived: true });
  const good = { ...question, stats: ['coins'] };
  const refusal = async (more: object) => {
    const { status, body } = await steer('POST', '/stat-restorations', { ...good, ...more });
    assert.equal(status, 400, JSON.stringify(more));
    return body.error as string;
  };
  assert.match(await refusal({ stats: [] }), /^stats/);
  assert.match(await refusal({ stats: Array(11).fill('coins') }), /^stats/);
  assert.match(
    await refusal({ stats: ['coins', 'x'] }),
    /^stats\[1\]: the game has no statistic "x"/,
  );
  assert.match(
    await refusal({ stats: ['kills'] }),
    /^stats\[0\]: kills is moved by events, which would bring its changes back/,
  );
  assert.match(await refusal({ stats: ['shut'] }), /^stats\[0\]: shut is archived/);
  const half = hourBefore(5).replace(':00:00', ':30:00');
  assert.match(await refusal({ changed_from: half }), /^changed_from must be a whole hour/);
  assert.match(await refusal({ changed_until: half }), /^changed_until must be a whole hour/);
  assert.match(await refusal({ changed_from: 'soon' }), /changed_from/);
  assert.match(
    await refusal({ changed_from: hourBefore(30 * 24) }),
    /^changed_from must be in the last 30 days/,
  );
  assert.match(
    await refusal({ changed_until: hourBefore(-1) }),
    /^changed_until must not be after the beginning of the present hour/,
  );
  assert.match(
    await refusal({ changed_from: hourBefore(3) }),
    /^changed_from must be before changed_until/,
  );
  assert.match(await refusal({ segment: 'None' }), /^segment names no saved segment/);
});
