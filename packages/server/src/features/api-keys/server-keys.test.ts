import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

type Entry = { action: string; details: { kind?: string } };

const IN_A_PAGE = {
  error:
    'A server key must never be in a page, because everybody can read it there: revoke this key, and use a client key in the game',
};

async function openStudio() {
  const { game_id, production_key } = await server.makeGame();
  const make = async (role: 'developer' | 'admin', body: object) => {
    const { token } = await server.makeAccount({ game_id, role });
    return server.request('POST', `/v1/games/${game_id}/api-keys`, {
      token,
      body: { name: 'Match server', ...body },
    });
  };
  return { game_id, production_key, make };
}

test('a server key begins with its kind and environment, and a rotation keeps the kind', async () => {
  const { game_id, make } = await openStudio();
  const { token } = await server.makeAccount({ game_id, role: 'admin' });
  for (const [environment, begin] of [
    ['development', 'ow_srv_dev_'],
    ['production', 'ow_srv_live_'],
  ]) {
    const created = await make('admin', { environment, kind: 'server' });
    assert.equal(created.status, 201);
    const { id, key, prefix, kind } = created.body;
    assert.ok(key.startsWith(prefix) && prefix.length === begin!.length + 6, prefix);
    assert.match(key, new RegExp(`^${begin}[\\w-]{32}$`));
    assert.equal(kind, 'server');
    const path = `/v1/games/${game_id}/api-keys/${id}/rotate`;
    const rotated = await server.request('POST', path, { token, body: {} });
    assert.equal(rotated.body.kind, 'server');
    assert.ok(rotated.body.key.startsWith(begin));
    for (const used of [key, rotated.body.key]) {
      assert.equal((await server.request('GET', '/v1/config', { key: used })).status, 200);
    }
  }
  const { body } = await server.request('GET', `/v1/games/${game_id}/audit-log`, { token });
  assert.deepEqual(
    body.audit_log.map(({ action, details }: Entry) => [action, details.kind]),
    ['rotate_api_key', 'create_api_key', 'rotate_api_key', 'create_api_key'].map((action) => [
      action,
      'server',
    ]),
  );
});

test('a key is a client key by default, and a request with an unknown kind gets 400', async () => {
  const { make } = await openStudio();
  const created = await make('developer', { environment: 'development' });
  assert.deepEqual([created.status, created.body.kind], [201, 'client']);
  const wrong = await make('developer', { environment: 'development', kind: 'root' });
  assert.equal(wrong.status, 400);
  assert.deepEqual(wrong.body, { error: 'kind must be one of client, server' });
});

test('a developer may make server keys for development, but server keys for production need the role admin', async () => {
  const { make } = await openStudio();
  const kind = 'server';
  assert.equal((await make('developer', { environment: 'development', kind })).status, 201);
  assert.equal((await make('developer', { environment: 'production', kind })).status, 403);
  assert.equal((await make('admin', { environment: 'production', kind })).status, 201);
});

test('a server key that a web page sends is refused, and no page can read the refusal', async () => {
  const { game_id, production_key } = await openStudio();
  const key = await server.makeKey(game_id, 'production', 'server');
  for (const headers of [
    { origin: 'https://game.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
  ] as Record<string, string>[]) {
    const refused = await server.request('GET', '/v1/config', { key, headers });
    assert.deepEqual([refused.status, refused.body], [403, IN_A_PAGE]);
    const names = [...refused.headers.keys()];
    assert.deepEqual(
      names.filter((name) => name.startsWith('access-control-')),
      [],
    );
    const served = await server.request('GET', '/v1/config', { key: production_key, headers });
    assert.equal(served.status, 200);
  }
  assert.equal((await server.request('GET', '/v1/config', { key })).status, 200);
});
