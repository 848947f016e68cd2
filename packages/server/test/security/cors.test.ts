import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isReadByTokens, takesKey } from '@overworld/contract/operation';
import { OPERATIONS } from '@overworld/contract/operations';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { samplePath, UNUSED_ID } from '../sample-request.ts';

const ORIGIN = 'https://game.example';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const preflight = (on: TestServer, method: string, path: string, origin = ORIGIN) =>
  on.request('OPTIONS', path, {
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'content-type,idempotency-key,x-game-api-key',
    },
  });

test('web games of any origin may call every route that takes an API key, and read the headers of its answers, but may call no other route', async () => {
  for (const operation of OPERATIONS) {
    const { id, method } = operation;
    const path = samplePath(operation, { game_id: UNUSED_ID });
    const { headers } = await server.request(method, path, { headers: { origin: ORIGIN } });
    const byKey = takesKey(operation);
    assert.equal(headers.get('access-control-allow-origin'), byKey ? '*' : null, id);
    assert.equal(headers.get('access-control-allow-credentials'), null, id);
    const exposed = headers.get('access-control-expose-headers')?.toLowerCase().split(', ') ?? [];
    for (const name of [
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
      'retry-after',
      'etag',
      'x-request-id',
      'overworld-server',
      'date',
    ]) {
      assert.equal(exposed.includes(name), byKey, `${id} ${name}`);
    }
  }
});

test('web games can read answers of every status: 200, 400, 401 and 404', async () => {
  const { production_key: key } = await server.makeGame();
  const headers = { origin: ORIGIN };
  for (const [status, answer] of [
    [200, await server.request('GET', '/v1/achievements', { key, headers })],
    [400, await server.request('POST', '/v1/identify', { key, headers, body: '{' })],
    [401, await server.request('GET', '/v1/achievements', { headers })],
    [404, await server.request('GET', '/v1/saves?player_id=nobody', { key, headers })],
  ] as const) {
    assert.equal(answer.status, status);
    assert.equal(answer.headers.get('access-control-allow-origin'), '*', String(status));
  }
});

test('answers to requests with an API key forbid caching, although the requests of the SDK do not forbid it', async () => {
  const { production_key: key } = await server.makeGame();
  for (const path of ['/v1/achievements', '/v1/saves?player_id=nobody']) {
    const { headers } = await server.request('GET', path, { key });
    assert.equal(headers.get('cache-control'), 'no-store', path);
  }
});

test('a preflight of a route that takes an API key gets 204 with the allowed methods and headers, valid for a day', async () => {
  const { status, headers, text } = await preflight(server, 'POST', '/v1/track');
  assert.deepEqual([status, text], [204, '']);
  assert.equal(headers.get('access-control-allow-origin'), '*');
  const methods = new Set(headers.get('access-control-allow-methods')!.split(', '));
  for (const operation of OPERATIONS.filter(takesKey)) {
    assert.ok(methods.has(operation.method), operation.id);
  }
  assert.equal(
    headers.get('access-control-allow-headers'),
    'content-type,idempotency-key,x-game-api-key',
  );
  assert.equal(headers.get('access-control-max-age'), '86400');
});

test('a preflight is refused for each operation that takes no API key, except those that access tokens read, so other sites may not call the operations of the dashboard', async () => {
  for (const operation of OPERATIONS) {
    const { id, method } = operation;
    const path = samplePath(operation, { game_id: UNUSED_ID, board_name: 'a%2Fb', player_id: 'é' });
    const { status, headers } = await preflight(server, method, path);
    const isOpen = takesKey(operation) || isReadByTokens(operation);
    assert.equal(status, isOpen ? 204 : 404, id);
    assert.equal(headers.get('access-control-allow-origin'), isOpen ? '*' : null, id);
  }
  for (const [method, path] of [
    ['DELETE', '/v1/track'],
    ['POST', '/v1/trackx'],
    ['POST', '/x/v1/track'],
    ['POST', '/v1/nothing'],
    ['PUT', '/v1/saves/'],
  ] as const) {
    assert.equal((await preflight(server, method, path)).status, 404, `${method} ${path}`);
  }
  assert.equal((await preflight(server, 'HEAD', '/v1/achievements?x=/')).status, 204);
});

test('pages of any origin may read with an access token, and with no other token, and may change nothing', async () => {
  const { game_id } = await server.makeGame();
  const owner = await server.makeAccount({ game_id });
  const { token } = await server.makeAccessToken(owner.account_id, [game_id], 'owner');
  const headers = { origin: ORIGIN, 'sec-fetch-site': 'cross-site' };
  const path = `/v1/games/${game_id}/dashboards`;
  const asked = await preflight(server, 'GET', path);
  assert.equal(asked.status, 204);
  assert.equal(asked.headers.get('access-control-allow-methods'), 'GET');

  for (const [status, sent, allowed] of [
    [200, token, '*'],
    [401, `${token.slice(0, -4)}AAAA`, '*'],
    [200, owner.token, null],
    [401, undefined, null],
  ] as const) {
    const answer = await server.request('GET', path, { token: sent, headers });
    assert.deepEqual(
      [answer.status, answer.headers.get('access-control-allow-origin')],
      [status, allowed],
    );
    assert.equal(answer.headers.get('access-control-allow-credentials'), null);
  }

  const body = { name: 'From a page', cards: [] };
  const changed = await server.request('POST', path, { token, headers, body });
  assert.deepEqual(
    [changed.status, changed.headers.get('access-control-allow-origin')],
    [403, null],
  );
  assert.equal((await preflight(server, 'POST', path)).status, 404);
});

test('no operation lets a page of another origin read an answer to the token of a login', async () => {
  const { game_id } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id, is_administrator: true });
  for (const operation of OPERATIONS.filter((each) => !takesKey(each))) {
    const path = samplePath(operation, { game_id });
    const { headers } = await server.request(operation.method, path, {
      token,
      headers: { origin: ORIGIN },
    });
    assert.equal(headers.get('access-control-allow-origin'), null, operation.id);
  }
});

test('an OPTIONS request without the headers of a preflight is answered like a request to an unknown route', async () => {
  const { status, body } = await server.request('OPTIONS', '/v1/track');
  assert.deepEqual([status, body], [404, { error: 'Route not found' }]);
});

test('only the origins in CORS_ORIGINS may call the API', async () => {
  await using strict = await startTestServer({
    database_url: server.database_url,
    env: { CORS_ORIGINS: 'https://game.example, https://beta.game.example' },
  });
  const allowed = async (origin: string) => {
    const answer = await strict.request('GET', '/v1/achievements', { headers: { origin } });
    assert.match(answer.headers.get('vary') ?? '', /origin/i);
    const asked = await preflight(strict, 'GET', '/v1/achievements', origin);
    const names = [answer, asked].map(({ headers }) => headers.get('access-control-allow-origin'));
    assert.equal(names[0], names[1]);
    return names[0];
  };
  assert.equal(await allowed('https://game.example'), 'https://game.example');
  assert.equal(await allowed('https://beta.game.example'), 'https://beta.game.example');
  assert.equal(await allowed('https://evil.example'), null);
  assert.equal(await allowed('null'), null);
  const { game_id } = await strict.makeGame();
  const owner = await strict.makeAccount({ game_id });
  const { token } = await strict.makeAccessToken(owner.account_id, [game_id], 'reports');
  const readFrom = async (origin: string) => {
    const path = `/v1/games/${game_id}/dashboards`;
    const answer = await strict.request('GET', path, { token, headers: { origin } });
    return answer.headers.get('access-control-allow-origin');
  };
  assert.equal(await readFrom('https://game.example'), 'https://game.example');
  assert.equal(await readFrom('https://evil.example'), null);
});
