import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../../test/harness.ts';

let server: TestServer;
let game: TestGame;
let token: string;
before(async () => {
  server = await startTestServer();
  game = await server.makeGame();
  token = (await server.makeAccount({ game_id: game.game_id, role: 'developer' })).token;
});
after(() => server.close());

const put = (player_id: string, app_version?: string) =>
  server.request('PUT', '/v1/saves', {
    key: game.production_key,
    headers: app_version === undefined ? {} : { 'overworld-app-version': app_version },
    body: { player_id, data: { by: app_version ?? null } },
  });
const pathOf = (player_id: string) => `/v1/games/${game.game_id}/players/${player_id}/saves`;
const listVersions = async (player_id: string): Promise<(string | null)[]> => {
  const { body } = await server.request('GET', pathOf(player_id), { token });
  return body.saves.map(({ app_version }: { app_version: string | null }) => app_version);
};

test('each version of a save keeps the version of the game that saved it', async () => {
  for (const version of ['1.4.2', undefined, '1.5.0 (beta)']) await put('p1', version);
  assert.deepEqual(await listVersions('p1'), ['1.5.0 (beta)', null, '1.4.2']);
});

test('saves of one batch keep their own versions', async () => {
  await Promise.all(['1.0', '2.0', '3.0'].map((version) => put('p2', version)));
  assert.deepEqual((await listVersions('p2')).toSorted(), ['1.0', '2.0', '3.0']);
});

test('a restored version keeps the version of the game, and an edited one has none', async () => {
  for (const version of ['1.4.2', '1.5.0']) await put('p3', version);
  const restored = await server.request('POST', `${pathOf('p3')}/1/restore`, { token });
  assert.equal(restored.body.app_version, '1.4.2');
  const body = { version: 3, data: { by: 'staff' } };
  const edited = await server.request('POST', pathOf('p3'), { token, body });
  assert.equal(edited.body.app_version, null);
  assert.deepEqual(await listVersions('p3'), [null, '1.4.2', '1.5.0', '1.4.2']);
});

test('a version that is too long or not printable is refused by name, and nothing is stored', async () => {
  for (const version of ['v'.repeat(65), '1.5\u00e9', '1\t5', '']) {
    const { status, body } = await put('p4', version);
    assert.equal(status, 400, version);
    assert.match(body.error, /^overworld-app-version must have 1 to 64/);
  }
  assert.equal((await put('p4', 'v'.repeat(64))).status, 200);
  assert.equal((await listVersions('p4')).length, 1);
});

test('a merge keeps the versions of both players', async () => {
  await put('target', '1.0');
  await put('source', '2.0');
  const admin = (await server.makeAccount({ game_id: game.game_id, role: 'admin' })).token;
  const path = `/v1/games/${game.game_id}/players/target/merge`;
  const merged = await server.request('POST', path, {
    token: admin,
    body: { from_player_id: 'source' },
  });
  assert.equal(merged.status, 200, merged.text);
  assert.deepEqual(await listVersions('target'), ['2.0', '1.0']);
});
