import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { makeNamedGame } from '../test/named-game.ts';
import type { Listed } from '../test/named-game.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

/** More players than a search reads before it uses the index. */
const MANY = 1_200;

const makeGame = (property?: string | null) => makeNamedGame(server, property);

test('the name of a player is the property that the game has chosen, cut to 100 characters', async () => {
  const game = await makeGame();
  await game.identify('a', { nick: '  Ada ' });
  await game.identify('b', { nick: 'ü'.repeat(150) });
  await game.identify('c', { nick: 7 });
  await game.identify('d', { nick: ' ' });
  const list = async () => {
    const { body } = await server.request('GET', `${game.at}/players?sort=player_id`, game);
    return body.players.map(({ name }: Listed) => name);
  };
  assert.deepEqual(await list(), ['Ada', 'ü'.repeat(100), null, null]);
  const detail = await server.request('GET', `${game.at}/players/a`, game);
  assert.equal(detail.body.name, 'Ada');
  await game.set(null);
  assert.deepEqual(await list(), [null, null, null, null]);
});

test('a call returns the names of up to 200 players of one environment, each once', async () => {
  const game = await makeGame();
  await game.identify('__proto__', { nick: 'Ada' });
  await game.identify('b', { level: 3 });
  const ask = (player_ids: unknown, query = '') =>
    server.request('POST', `${game.at}/player-names${query}`, {
      token: game.token,
      body: { player_ids },
    });
  const { body } = await ask(['b', '__proto__', 'nobody', '__proto__']);
  assert.deepEqual(body, { players: [{ player_id: '__proto__', name: 'Ada' }] });
  const elsewhere = await ask(['__proto__'], '?environment=development');
  assert.deepEqual(elsewhere.body, { players: [] });
  for (const sent of [[], Array.from({ length: 201 }, (_, id) => `${id}`), [7], ['a\0'], 'b']) {
    const refused = await ask(sent);
    assert.equal(refused.status, 400);
    assert.match(refused.body.error, /^player_ids/);
  }
});

test('a new player is found immediately by parts of name or id; once renamed, by the new name', async () => {
  const game = await makeGame();
  await game.addOldPlayers(MANY);
  await game.waitForIndex();
  await game.identify('Xq-1', { nick: 'Grünwölfin 小明' });
  const here = { player_id: 'Xq-1', name: 'Grünwölfin 小明' };
  for (const text of ['xq-', 'GRÜNW', 'wölf', 'n 小明', 'Xq', 'g']) {
    assert.deepEqual(await game.find(text), [here], text);
  }
  assert.deepEqual(await game.find('小明'), []);
  await game.waitForIndex();
  assert.deepEqual(await game.find('wölfi'), [here]);
  await game.identify('Xq-1', { nick: 'Somebody' });
  assert.deepEqual(await game.find('wölfi'), []);
  assert.deepEqual(await game.find('omebod'), [{ player_id: 'Xq-1', name: 'Somebody' }]);
});

test('searches in another game or environment do not find the player', async () => {
  const game = await makeGame();
  const other = await makeGame();
  await game.identify('somebody', { nick: 'Ada' });
  await game.waitForIndex();
  assert.deepEqual(await other.find('Ada'), []);
  assert.deepEqual(await game.find('Ada', { environment: 'development' }), []);
});

test('a player whose name was changed in the dashboard is found by the new name', async () => {
  const game = await makeGame();
  await game.addOldPlayers(MANY);
  await game.waitForIndex();
  const changed = await server.request('PATCH', `${game.at}/players/id-3`, {
    token: game.token,
    body: { properties: { nick: 'Renamed' } },
  });
  assert.equal(changed.body.name, 'Renamed');
  assert.deepEqual(await game.find('enam'), [{ player_id: 'id-3', name: 'Renamed' }]);
  await game.waitForIndex();
  assert.deepEqual(await game.find('enam'), [{ player_id: 'id-3', name: 'Renamed' }]);
});

test('developers may change the setting, which is checked and recorded in the audit log', async () => {
  const game = await makeGame(null);
  const viewer = await server.makeAccount({ game_id: game.game_id, role: 'viewer' });
  const body = { player_name_property: 'nick' };
  const refused = await server.request('PATCH', game.at, { token: viewer.token, body });
  assert.equal(refused.status, 403);
  for (const [sent, error] of [
    ['', 'player_name_property must not be empty'],
    ['x'.repeat(256), 'player_name_property must have at most 255 characters'],
    ['a\0', 'player_name_property must not contain \\u0000'],
  ]) {
    const answer = await game.set(sent);
    assert.deepEqual([answer.status, answer.body], [400, { error }]);
  }
  assert.equal((await game.set(7)).status, 400);
  assert.equal((await game.set('nick')).body.player_name_property, 'nick');
  const renamed = await server.request('PATCH', game.at, {
    token: game.token,
    body: { name: 'G' },
  });
  assert.equal(renamed.body.player_name_property, 'nick');
  const log = await server.request('GET', `${game.at}/audit-log`, game);
  assert.deepEqual(log.body.audit_log[1].details, { player_name_property: 'nick' });
});

test('suggestions begin with properties that usually hold names, and skip those with one value for all players', async () => {
  const game = await makeGame(null);
  const players = [
    { clan: 'Foxes', Display_Name: 'Ada', email: 'ada@game.example', level: 3 },
    { clan: 'Foxes', Display_Name: 'Eva', email: 'eva@game.example', bio: 'x'.repeat(101) },
    { clan: 'Foxes', email: 'ida@game.example' },
    { clan: 'Foxes', name: ' ' },
  ];
  for (const [index, each] of players.entries()) await game.identify(`p${index}`, each);
  const { body } = await server.request('GET', `${game.at}/player-names`, game);
  assert.deepEqual(body, {
    player_name_property: null,
    suggestions: [
      { property: 'Display_Name', share: 0.5, example: 'Ada' },
      { property: 'email', share: 0.75, example: 'ada@game.example' },
    ],
    indexing: null,
  });
});
