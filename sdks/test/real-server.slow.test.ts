import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startTestServer } from '../../packages/server/test/harness.ts';
import type { TestGame, TestServer } from '../../packages/server/test/harness.ts';
import { sql } from '../../packages/server/src/platform/database/sql.ts';
import type { Game, GameOptions } from './engine.ts';
import { engines } from './engines.ts';
import { openGate } from './gate.ts';
import type { Gate } from './gate.ts';

/** A save with numbers that no double can hold, escapes, spaces, an emoji, and an empty key. */
const HARD_SAVE =
  '{"id":9007199254740993,"least":-9223372036854775808,"π":"\\u00e9 🦊\\n","":[ 1.10, 1e2 ],"deep":{"a":[[]]}}';

let server: TestServer;
let gate: Gate;
let folder: string;

before(async () => {
  server = await startTestServer();
  gate = await openGate(server.url);
  folder = await mkdtemp(join(tmpdir(), 'overworld-sdks-'));
});
after(async () => {
  await gate.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

for (const engine of engines) {
  describe(`${engine.name} and a real server`, { skip: engine.skip }, () => {
    let nextFolder = 1;
    let game: TestGame;
    const games: Game[] = [];

    const start = async (options: Partial<GameOptions> = {}) => {
      const started = await engine.start({
        base_url: server.url,
        api_key: game.production_key,
        player_id: 'juno',
        folder: join(folder, `${engine.name}-${nextFolder++}`),
        ...options,
      });
      games.push(started);
      return started;
    };
    const request = async (method: string, path: string) =>
      (await server.request(method, path, { key: game.production_key })).body;
    /** Lists the names of a player's stored events, the oldest first. */
    const listEvents = async (player_id = 'juno'): Promise<string[]> => {
      const { events } = await request('GET', `/v1/players/${player_id}/timeline?limit=500`);
      return events.map((event: { event_name: string }) => event.event_name).toReversed();
    };

    before(async () => {
      game = await server.makeGame();
    });
    after(() => Promise.all(games.map((each) => each.kill())));

    test('properties are merged, and tags are added and removed', async () => {
      const play = await start();
      await play.call('identify', { properties: { name: 'Juno', level: 4 } });
      const merged = await play.call('identify', { properties: { level: 5, ratio: 0.1 } });
      assert.deepEqual(merged, { name: 'Juno', level: 5, ratio: 0.1 });
      assert.deepEqual(await play.call('tags.add', { tag: ' Beta/Früh ' }), ['beta/früh']);
      assert.deepEqual(await play.call('tags.add', { tag: 'vip' }), ['beta/früh', 'vip']);
      await play.call('tags.remove', { tag: 'beta/früh' });
      await play.call('tags.remove', { tag: 'never had' });
      assert.deepEqual((await request('GET', '/v1/players/juno')).tags, ['vip']);
    });

    test('achievements are listed and unlocked', async () => {
      await server.database.execute(sql`
        INSERT INTO achievements (game_id, key, name, description, points, position)
        VALUES (${game.game_id}, 'first_light', 'First Light', '', 10, 1)`);
      const play = await start();
      assert.equal(await play.call('achievements.unlock', { key: 'first_light' }), false);
      assert.equal(await play.call('achievements.unlock', { key: 'first_light' }), true);
      assert.equal(await play.call('achievements.list'), 10);
      await assert.rejects(play.call('achievements.unlock', { key: 'no such' }), {
        code: 'not_found',
        status: 404,
      });
    });

    test('scores are submitted, pages are read, and neighbours are found', async () => {
      const play = await start();
      const other = await start({ player_id: 'p/2 ü' });
      const board = 'best run?';
      const metadata = { character: 'fox' };
      const first = await play.call('leaderboards.submit', { board, score: 12.5, metadata });
      assert.deepEqual(first, { rank: 1, score: 12.5, updated: true });
      const better = await other.call('leaderboards.submit', { board, score: 9007199254740991 });
      assert.deepEqual(better, { rank: 1, score: 9007199254740991, updated: true });
      const worse = await play.call('leaderboards.submit', { board, score: 3 });
      assert.deepEqual(worse, { rank: 2, score: 12.5, updated: false });
      assert.deepEqual(await play.call('leaderboards.page', { board, limit: 1 }), [
        { rank: 1, player_id: 'p/2 ü', score: 9007199254740991 },
      ]);
      const leader = { rank: 1, player_id: 'p/2 ü', score: 9007199254740991 };
      const own = { rank: 2, player_id: 'juno', score: 12.5 };
      assert.deepEqual(await play.call('leaderboards.around', { board }), [leader, own]);
      assert.deepEqual(await play.call('leaderboards.around', { board, above: 0 }), [own]);
      const player_ids = ['stranger', 'juno', 'p/2 ü'];
      assert.deepEqual(await play.call('leaderboards.players', { board, player_ids }), [
        { player_id: 'p/2 ü', rank: 1 },
        { player_id: 'juno', rank: 2 },
        { player_id: 'stranger', rank: null },
      ]);
    });

    test('a player has several save slots, which can be listed, and deleted separately', async () => {
      const play = await start({ player_id: 'of many slots' });
      const write = (slot: string | undefined, level: number) =>
        play.call('saves.save', { slot, text: `{"level":${level}}` });
      await write('zoo', 1);
      await write(undefined, 2);
      await write('main', 3);
      const list = () => play.call('saves.list');
      assert.deepEqual(await list(), [
        { slot: 'main', version: 2, size_bytes: 11 },
        { slot: 'zoo', version: 1, size_bytes: 11 },
      ]);
      assert.equal((await play.call('saves.load', { slot: 'zoo' })).text, '{"level":1}');
      await play.call('saves.delete', { slot: 'zoo' });
      assert.equal(await play.call('saves.load', { slot: 'zoo' }), null);
      assert.equal((await list()).length, 1);
    });

    test('a device never overwrites a save that it has not seen, and texts stay unchanged', async () => {
      const desk = await start({ player_id: 'saver' });
      const phone = await start({ player_id: 'saver' });
      assert.equal(await desk.call('saves.load'), null);
      const first = await desk.call('saves.save', { text: HARD_SAVE });
      assert.deepEqual([first.version, first.was_conflict], [1, false]);
      const refused = phone.call('saves.save', { text: '{"level":1}' });
      await assert.rejects(refused, { code: 'conflict', status: 409 });
      const loaded = await phone.call('saves.load');
      assert.equal(engine.keepsSaveText ? loaded.text : first.text, first.text);
      const again = await phone.call('saves.save', { text: loaded.text });
      assert.equal(again.version, 2);

      const kept = await desk.call('saves.save', { text: '{"level":9}', policy: 'theirs' });
      assert.deepEqual([kept.version, kept.was_conflict], [2, true]);
      await desk.call('saves.save', { text: '{"gold":1,"level":1,"hat":true}' });
      await phone.call('saves.save', { text: '{"gold":1,"level":1}', policy: 'ours' });
      await desk.call('saves.load');
      await phone.call('saves.save', { text: '{"gold":8,"level":1,"hat":false}' });
      const merged = await desk.call('saves.save', {
        text: '{"gold":1,"level":7}',
        policy: 'per-field',
      });
      assert.deepEqual(JSON.parse(merged.text), { gold: 8, level: 7, hat: false });
      assert.equal(merged.was_conflict, true);
      const stored = await request('GET', '/v1/saves?player_id=saver');
      assert.deepEqual(stored.data, { gold: 8, level: 7, hat: false });
      await desk.call('saves.delete');
      await desk.call('saves.delete');
      assert.equal(await phone.call('saves.load'), null);
    });

    test('events survive a crash of the game and are stored once, in order', async () => {
      const kept = {
        folder: join(folder, `${engine.name}-kept`),
        player_id: 'traveller',
        base_url: gate.url,
      };
      gate.isShut = true;
      const offline = await start(kept);
      for (let i = 1; i <= 130; i++) {
        await offline.call('track', { event_name: `step-${i}`, properties: { i } });
      }
      assert.equal(await offline.call('flush'), false);
      assert.equal((await offline.call('reports')).queued, 131);
      await offline.kill();
      gate.isShut = false;

      const online = await start(kept);
      await online.call('track', { event_name: 'back' });
      assert.equal(await online.call('flush'), true);
      const steps = Array.from({ length: 130 }, (_, i) => `step-${i + 1}`);
      assert.deepEqual(await listEvents('traveller'), ['session_start', ...steps, 'back']);
      await online.call('close');
      assert.deepEqual((await listEvents('traveller')).slice(-2), ['back', 'session_end']);
    });

    test('refused events are dropped, and the others are stored', async () => {
      const play = await start({ player_id: 'clumsy' });
      await play.call('track', { event_name: 'good' });
      await play.call('track', { event_name: 'x'.repeat(256) });
      await play.call('track', { event_name: 'also good', properties: { text: 'a "b" \\ ü' } });
      assert.equal(await play.call('flush'), true);
      assert.deepEqual(await listEvents('clumsy'), ['session_start', 'good', 'also good']);
      const { dropped } = await play.call('reports');
      assert.equal(dropped.length, 1);
      assert.deepEqual(dropped[0].events, ['x'.repeat(256)]);
      assert.equal(dropped[0].reason, 'rejected');
      assert.match(dropped[0].messages[0], /event_name/);
    });

    test('an anonymous player stays the same after a restart', async () => {
      const options = { folder: join(folder, `${engine.name}-anonymous`), player_id: undefined };
      const first = await start(options);
      await first.call('identify', { properties: {} });
      const id = await first.call('player_id');
      await first.kill();
      const second = await start(options);
      assert.equal(await second.call('player_id'), id);
      assert.match(id, /^[0-9a-f]{32}$/);
    });
  });
}
