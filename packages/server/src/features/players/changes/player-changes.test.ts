import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';

let server: TestServer;
let game: TestGame;
let key: string;
const tokens = { viewer: '', developer: '', admin: '' };
let player_id: string;
let players = 0;

before(async () => {
  server = await startTestServer();
  game = await server.makeGame();
  key = game.production_key;
  for (const role of ['viewer', 'developer', 'admin'] as const) {
    tokens[role] = (await server.makeAccount({ game_id: game.game_id, role })).token;
  }
});
after(() => server.close());
beforeEach(() => {
  player_id = `a/b%25 ${++players}`;
});

const pathOf = (more = '') =>
  `/v1/games/${game.game_id}/players/${encodeURIComponent(player_id)}${more}`;
const identify = (properties: object, api_key = key) =>
  server.request('POST', '/v1/identify', { key: api_key, body: { player_id, properties } });
const patch = (body: unknown, token = tokens.developer) =>
  server.request('PATCH', pathOf(), { token, body });
const get = (more = '', token = tokens.viewer) => server.request('GET', pathOf(more), { token });
const erase = () => server.request('DELETE', pathOf(), { token: tokens.admin });
const findAudit = (action: string) =>
  server.database.queryOne<{ details: unknown }>(sql`
    SELECT details FROM audit_log
    WHERE game_id = ${game.game_id} AND action = ${action} AND target = ${player_id}`);

describe('GET /v1/games/{game_id}/players/{player_id}', () => {
  test('answers like GET /v1/players/{player_id}, in the given environment', async () => {
    await identify({ in: 'production' });
    await identify({ in: 'development' }, game.development_key);
    const path = `/v1/players/${encodeURIComponent(player_id)}`;
    const detail = await server.request('GET', path, { key });
    assert.deepEqual((await get()).body, detail.body);
    assert.deepEqual((await get('?environment=development')).body.properties, {
      in: 'development',
    });
    const other = await server.makeGame();
    assert.deepEqual((await get(`?game_id=${other.game_id}&player_id=x`)).body, detail.body);
  });

  test('an unknown player is 404', async () => {
    const answer = await get();
    assert.deepEqual([answer.status, answer.body], [404, { error: 'Player not found' }]);
  });
});

describe('PATCH', () => {
  test('sets and removes properties, adds and removes tags, and is audited', async () => {
    await identify({ level: 1, bag: { gold: 1 }, old: true });
    const answer = await patch(
      '{"properties":{"level":76561198000000001234,"bag":{}},"remove_properties":["old","never"],"add_tags":[" VIP ","beta","vip"],"remove_tags":["never"]}',
    );
    assert.equal(answer.status, 200);
    assert.match(answer.text, /"level": ?76561198000000001234[,}]/);
    const { properties, tags } = answer.body;
    assert.deepEqual(Object.keys(properties).toSorted(), ['bag', 'level']);
    assert.deepEqual([properties.bag, tags], [{}, ['vip', 'beta']]);
    assert.deepEqual((await findAudit('update_player'))!.details, {
      environment: 'production',
      set_properties: ['level', 'bag'],
      remove_properties: ['old', 'never'],
      add_tags: ['vip', 'beta'],
      remove_tags: ['never'],
    });

    const only = await patch({ remove_properties: ['level', 'bag'], add_tags: null });
    assert.deepEqual([only.body.properties, only.body.tags], [{}, ['vip', 'beta']]);
    const removed = await patch({ remove_tags: [' VIP', 'beta'], add_tags: ['beta', 'new'] });
    assert.deepEqual(removed.body.tags, ['beta', 'new']);
  });

  test('a player has at most 100 tags, also after concurrent changes', async () => {
    await identify({});
    const many = Array.from({ length: 99 }, (_, index) => `t${index}`);
    assert.equal((await patch({ add_tags: many })).status, 200);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => patch({ add_tags: [`more${index}`] })),
    );
    const refused = answers.filter(({ status }) => status === 400);
    assert.equal(refused.length, 7);
    assert.equal(refused[0]!.body.error, 'A player may have at most 100 tags');
    assert.equal((await get()).body.tags.length, 100);
    const swap = await patch({ remove_tags: ['t0'], add_tags: ['in its place', 't1'] });
    assert.equal(swap.status, 200);
  });

  test('a game and accounts add tags at once, and no tag is lost', async () => {
    await identify({});
    const path = `/v1/players/${encodeURIComponent(player_id)}/tags`;
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2
          ? server.request('POST', path, { key, body: { tag: `t${index}` } })
          : patch({ add_tags: [`t${index}`] }),
      ),
    );
    assert.equal((await get()).body.tags.length, 20);
  });

  test('a property that is both removed and set is set', async () => {
    await identify({ a: { x: 1 } });
    const answer = await patch({ properties: { a: { y: 2 } }, remove_properties: ['a'] });
    assert.deepEqual(answer.body.properties, { a: { y: 2 } });
  });

  test('an invalid change is 400 or 413, and changes nothing', async () => {
    await identify({ level: 1 });
    const { body: before_it } = await get();
    const required = /^One of properties, remove_properties, add_tags, remove_tags is required$/;
    const cases: [unknown, number, RegExp][] = [
      [{}, 400, required],
      [{ other: 1 }, 400, required],
      [{ properties: null }, 400, required],
      [{ properties: [] }, 400, /^properties must be a JSON object$/],
      [{ properties: { a: 'x\0' } }, 400, /^properties\.a must not contain/],
      [{ remove_properties: 'level' }, 400, /^remove_properties must be a list$/],
      [{ remove_properties: [1] }, 400, /^remove_properties\[0\] must be a string$/],
      [{ add_tags: ['ok', ' '] }, 400, /^add_tags\[1\] must not be empty$/],
      [{ remove_tags: [''] }, 400, /^remove_tags\[0\] must not be empty$/],
      [{ add_tags: ['x'.repeat(65)] }, 400, /^add_tags\[0\] must have at most 64 characters$/],
      [{ add_tags: Array.from({ length: 101 }, String) }, 400, /^add_tags must have at most 100 /],
      [{ remove_tags: 'vip' }, 400, /^remove_tags must be a list$/],
      [{ properties: { a: 'x'.repeat(65_536) } }, 413, /may have at most 65536 bytes$/],
      ['{', 400, /^The request body is not valid JSON/],
      ['null', 400, /^The request body must be a JSON object$/],
    ];
    for (const [body, status, error] of cases) {
      const answer = await patch(body);
      assert.equal(answer.status, status, answer.text);
      assert.match(answer.body.error, error);
    }
    assert.deepEqual((await get()).body, before_it);
    assert.equal(await findAudit('update_player'), null);
  });

  test('a change of an unknown player is 404 and creates none', async () => {
    assert.equal((await patch({ add_tags: ['vip'] })).status, 404);
    assert.equal((await get()).status, 404);
  });

  test('concurrent identifies and changes are all kept', async () => {
    await identify({});
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const properties = { [`p${index}`]: index };
        return index % 2 ? identify(properties) : patch({ properties });
      }),
    );
    assert.equal(Object.keys((await get()).body.properties).length, 20);
  });
});

/** Data of the player in every feature. */
async function fillPlayer() {
  await identify({ level: 1 });
  const path = `/v1/players/${encodeURIComponent(player_id)}/tags`;
  await server.request('POST', path, { key, body: { tag: 'vip' } });
  await server.request('PUT', '/v1/saves', {
    key,
    body: `{"player_id":"${player_id}","data":{ "t":"\\u0000\\ud800" }}`,
  });
  await server.request('POST', '/v1/track', {
    key,
    body: [
      { event_name: 'e', session_id: 's', player_id },
      { event_name: 'other', session_id: 's', player_id: 'somebody else' },
    ],
  });
}

describe('export', () => {
  test('has the data of the player in every feature, saves with their exact text', async () => {
    await fillPlayer();
    const answer = await get('/export', tokens.developer);
    assert.equal(answer.status, 200);
    const { game_id, environment, player, saves, events } = answer.body;
    assert.deepEqual([game_id, environment], [game.game_id, 'production']);
    assert.deepEqual([player.player_id, player.properties], [player_id, { level: 1 }]);
    assert.equal(saves.length, 1);
    assert.ok(answer.text.includes('"data":{ "t":"\\u0000\\ud800" }'));
    assert.deepEqual(
      events.map(({ event_name }: { event_name: string }) => event_name),
      ['e'],
    );
    for (const member of ['sessions', 'achievements']) assert.ok(member in answer.body);
  });

  test('an unknown player is 404', async () => {
    assert.equal((await get('/export', tokens.developer)).status, 404);
  });
});

describe('DELETE', () => {
  test('erases this player alone from every table, and is audited', async () => {
    await fillPlayer();
    await identify({}, game.development_key);
    await get();
    const tables = await server.database.query<{ name: string }>(sql`
      SELECT table_name AS name FROM information_schema.columns
      JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema = 'public' AND column_name = 'player_id' AND table_type = 'BASE TABLE'`);
    assert.ok(tables.length > 5);
    const count = async () => {
      const client = await server.database.connect();
      try {
        let rows = 0;
        for (const { name } of tables) {
          const { rowCount } = await client.query(
            `SELECT FROM "${name}" WHERE player_id = $1 AND environment = 'production'`,
            [player_id],
          );
          rows += rowCount!;
        }
        return rows;
      } finally {
        client.release();
      }
    };
    assert.ok((await count()) >= 4, 'players, events, sessions, saves');

    const answer = await erase();
    assert.deepEqual([answer.status, answer.text], [204, '']);
    assert.equal(await count(), 0);
    assert.equal((await get()).status, 404);
    assert.equal((await get('?environment=development')).status, 200);
    const others = await server.request('GET', '/v1/players/somebody%20else', { key });
    assert.equal(others.body.session_history.length, 1);
    assert.deepEqual((await findAudit('delete_player'))!.details, { environment: 'production' });
    assert.equal((await erase()).status, 404);
  });

  test('events that still wait in the inbox are erased too', async () => {
    await identify({});
    const events = Array.from({ length: 100 }, () => ({
      event_name: 'e',
      session_id: 's',
      player_id,
    }));
    await Promise.all(
      Array.from({ length: 10 }, () => server.request('POST', '/v1/track', { key, body: events })),
    );
    assert.equal((await erase()).status, 204);
    // No event comes back when the inbox is processed.
    await identify({});
    const path = `/v1/players/${encodeURIComponent(player_id)}/timeline`;
    assert.deepEqual((await server.request('GET', path, { key })).body.events, []);
  });

  test('afterwards the game may use the id again, and finds no old data', async () => {
    await fillPlayer();
    assert.equal((await erase()).status, 204);
    const saved = await server.request('PUT', '/v1/saves', { key, body: { player_id, data: {} } });
    assert.equal(saved.body.version, 1);
    const { body } = await get();
    assert.deepEqual([body.properties, body.tags, body.session_history], [{}, [], []]);
  });

  test('concurrent erasures and writes answer no 500, and leave no data without its player', async () => {
    await fillPlayer();
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        index % 4 === 0 ? erase() : index % 4 === 1 ? identify({ n: index }) : fillPlayer(),
      ),
    );
    for (const answer of answers) assert.ok(!answer || answer.status < 500, answer?.text);
    // Data that was written during an erasure is gone, or belongs to a new player of the same id.
    for (const table of [sql`saves`, sql`leaderboard_entries`, sql`achievement_unlocks`]) {
      const orphans = await server.database.query(sql`
        SELECT player_id FROM ${table} AS kept
        WHERE kept.game_id = ${game.game_id} AND NOT EXISTS (
          SELECT FROM players
          WHERE players.game_id = kept.game_id AND players.environment = kept.environment
            AND players.player_id = kept.player_id)`);
      assert.deepEqual(orphans, []);
    }
    await identify({ last: true });
    assert.equal((await get()).body.properties.last, true);
  });
});

test('viewers read, developers change and export, admins erase, strangers find nothing', async () => {
  await identify({});
  assert.equal((await patch({ add_tags: [] }, tokens.viewer)).status, 403);
  assert.equal((await get('/export', tokens.viewer)).status, 403);
  assert.equal((await server.request('DELETE', pathOf(), { token: tokens.developer })).status, 403);
  const { token } = await server.makeAccount();
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const answer = await server.request(method, pathOf(), {
      token,
      body: method === 'PATCH' ? { add_tags: [] } : undefined,
    });
    assert.deepEqual([answer.status, answer.body], [404, { error: 'Game not found' }]);
  }
  assert.equal((await get()).status, 200);
});
