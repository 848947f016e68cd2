import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import type { TestGame, TestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';

interface Studio extends TestGame {
  token: string;
  path: string;
}

suite('remote config', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  async function makeStudio(): Promise<Studio> {
    const game = await server.makeGame();
    const { token } = await server.makeAccount({ game_id: game.game_id, role: 'developer' });
    return { ...game, token, path: `/v1/games/${game.game_id}/config` };
  }

  const put = ({ path, token }: Studio, parameters: unknown, query = '', version?: number) =>
    server.request('PUT', path + query, { token, body: { version, parameters } });
  const read = (key: string, player_id?: string, headers?: Record<string, string>) => {
    const query = player_id === undefined ? '' : `?player_id=${encodeURIComponent(player_id)}`;
    return server.request('GET', `/v1/config${query}`, { key, headers });
  };
  const identify = (game_id: string, player_id: string, tags: string[], properties: object) =>
    server.database.execute(sql`
      INSERT INTO players (game_id, environment, player_id, tags, properties)
      VALUES (${game_id}, 'production', ${player_id}, ${tags}, ${JSON.stringify(properties)})`);

  test('GET /v1/config before anything is stored answers version 0 and no values', async () => {
    const studio = await makeStudio();
    const { status, body } = await read(studio.production_key);
    assert.equal(status, 200);
    assert.deepEqual(body, { config: {}, version: 0 });
    const dashboard = await server.request('GET', studio.path, studio);
    assert.deepEqual(dashboard.body, {
      version: 0,
      created_at: null,
      created_by: null,
      restored_version: null,
      schedule: null,
      parameters: {},
    });
  });

  test('of a member that is given twice, the later value counts, even if the first is no double', async () => {
    const { path, token } = await makeStudio();
    const answer = await fetch(server.url + path, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"parameters":{"a":{"value":1e400,"value":1}}}',
    });
    assert.equal(answer.status, 200);
    const { parameters } = (await answer.json()) as { parameters: unknown };
    assert.deepEqual(parameters, { a: { value: 1 } });
  });

  test('each environment has its own values, and a value may be any JSON', async () => {
    const studio = await makeStudio();
    const values = [null, true, -1.5, 'x', [], {}, { a: [{ b: null }] }];
    const parameters = Object.fromEntries(values.map((value, n) => [`k${n}`, { value }]));
    assert.equal((await put(studio, parameters)).status, 200);
    const production = await read(studio.production_key);
    assert.deepEqual(Object.values(production.body.config), values);
    assert.equal(production.body.version, 1);
    assert.deepEqual((await read(studio.development_key)).body, { config: {}, version: 0 });
    await put(studio, { only: { value: 1 } }, '?environment=development');
    assert.deepEqual((await read(studio.development_key)).body.config, { only: 1 });
  });

  test('any characters in keys and values, and numbers beyond 2^53, are returned as sent', async () => {
    const studio = await makeStudio();
    const parameters =
      '{"__proto__":{"value":{"__proto__":1}},"a/b %":{"value":76561198000000001234},"🦊\\n":{"value":"\'; <b>"}}';
    const stored = await server.request('PUT', studio.path, {
      token: studio.token,
      body: `{"parameters":${parameters}}`,
    });
    assert.equal(stored.status, 200);
    assert.ok(stored.text.includes(`"parameters":${parameters}`), stored.text);
    const { text } = await read(studio.production_key);
    assert.equal(
      text,
      '{"config":{"__proto__":{"__proto__":1},"a/b %":76561198000000001234,"🦊\\n":"\'; <b>"},"version":1}',
    );
  });

  test('when tags or properties of a player change, the rules look at the new ones at once', async () => {
    const studio = await makeStudio();
    await put(studio, {
      reward: {
        value: 1,
        rules: [
          { has_tags: ['VIP'], value: 3 },
          { properties: [{ property: 'level', operator: 'gte', value: 10 }], value: 2 },
        ],
      },
    });
    const reward = async (player?: string) =>
      (await read(studio.production_key, player)).body.config.reward;
    await identify(studio.game_id, 'vip', ['vip'], { level: 50 });
    await identify(studio.game_id, 'pro', [], { level: 10 });
    assert.deepEqual(
      [await reward(), await reward('unknown'), await reward('vip'), await reward('pro')],
      [1, 1, 3, 2],
    );
    await server.database.execute(
      sql`UPDATE players SET properties = '{"level":9}' WHERE game_id = ${studio.game_id}`,
    );
    assert.equal(await reward('pro'), 1);
  });

  test('a percentage always selects the same players, and a higher percentage also selects these players', async () => {
    const studio = await makeStudio();
    const players = Array.from({ length: 60 }, (_, n) => `p${n}`);
    const inGroup = async (percentage: number) => {
      await put(studio, { trial: { value: false, rules: [{ percentage, value: true }] } });
      const answers = await Promise.all(players.map((id) => read(studio.production_key, id)));
      return players.filter((_, n) => answers[n]!.body.config.trial);
    };
    const few = await inGroup(25.5);
    assert.ok(few.length > 2 && few.length < 35, String(few.length));
    assert.deepEqual(await inGroup(25.5), few);
    const more = await inGroup(60);
    assert.ok(few.every((id) => more.includes(id)) && more.length > few.length);
    assert.equal((await inGroup(100)).length, 60);
    assert.equal((await inGroup(0)).length, 0);
  });

  test('If-None-Match with the ETag answers 304 without a body until something changes for this caller', async () => {
    const studio = await makeStudio();
    const rules = [{ has_tags: ['vip'], value: 2 }];
    await put(studio, { a: { value: 1, rules } });
    const first = await read(studio.production_key, 'p1');
    const etag = first.headers.get('etag')!;
    assert.match(etag, /^"[\w-]+"$/);
    assert.equal(first.headers.get('cache-control'), 'private, no-cache');
    for (const header of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await read(studio.production_key, 'p1', { 'if-none-match': header });
      assert.equal(again.status, 304, header);
      assert.equal(again.text, '');
      assert.equal(again.headers.get('etag'), etag);
    }
    const other = await read(studio.production_key, 'p1', { 'if-none-match': '"x"' });
    assert.equal(other.status, 200);
    assert.equal((await read(studio.production_key)).headers.get('etag'), etag);
    await identify(studio.game_id, 'p1', ['vip'], {});
    const changed = await read(studio.production_key, 'p1', { 'if-none-match': etag });
    assert.equal(changed.status, 200);
    assert.equal(changed.body.config.a, 2);
    assert.equal((await read(studio.production_key, 'p2', { 'if-none-match': etag })).status, 304);
    await put(studio, { a: { value: 5, rules } });
    assert.equal((await read(studio.production_key, 'p2', { 'if-none-match': etag })).status, 200);
  });

  test('the node that made a change sees it at once, other nodes after a notification', async () => {
    const studio = await makeStudio();
    await put(studio, { a: { value: 'old' } });
    await using secondNode = await startTestServer({ database_url: server.database_url });
    const readOn = async (node: TestServer) =>
      (await node.request('GET', '/v1/config', { key: studio.production_key })).body.config.a;
    assert.equal(await readOn(secondNode), 'old');
    assert.equal(await readOn(server), 'old');
    await put(studio, { a: { value: 'new' } });
    assert.equal(await readOn(server), 'new');
    await waitUntil('the other node shows it', async () => (await readOn(secondNode)) === 'new');
  });

  test('GET /v1/config without a valid API key answers 401', async () => {
    const missing = await server.request('GET', '/v1/config');
    assert.deepEqual(missing.body, { error: 'Missing x-game-api-key header' });
    assert.equal((await read('ow_live_wrong')).status, 401);
  });

  test('a preview shows the values of a player and the rules that chose them', async () => {
    const studio = await makeStudio();
    await put(studio, {
      plain: { value: 1 },
      reward: {
        value: 1,
        rules: [
          { name: 'VIPs', has_tags: ['vip'], value: 3 },
          { properties: [{ property: 'level', operator: 'gte', value: 10 }], value: 2 },
          { percentage: 0, value: 9 },
        ],
      },
    });
    await identify(studio.game_id, 'p1', ['vip'], { level: 20 });
    const preview = async (body: object) => {
      const options = { token: studio.token, body };
      const answer = await server.request('POST', `${studio.path}/preview`, options);
      assert.equal(answer.status, 200);
      assert.equal(answer.body.version, 1);
      const [decision] = answer.body.decisions;
      return [answer.body.config.reward, decision.rule, decision.rule_name, decision.unmatched];
    };
    assert.deepEqual(await preview({ player_id: 'p1' }), [3, 0, 'VIPs', []]);
    assert.deepEqual(await preview({ player_id: 'p1', tags: [] }), [2, 1, null, ['has_tags']]);
    assert.deepEqual(await preview({ tags: [' VIP '] }), [3, 0, 'VIPs', []]);
    assert.deepEqual(await preview({ properties: { level: 10 } }), [2, 1, null, ['has_tags']]);
    const none = ['has_tags', 'properties', 'percentage'];
    assert.deepEqual(await preview({ player_id: 'new' }), [1, null, null, none]);
    assert.deepEqual(await preview({}), [1, null, null, ['player', 'player', 'player']]);
  });
});
