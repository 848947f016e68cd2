import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import type { RequestOptions, TestAnswer } from '../test-request.ts';

const LIMIT = 5;
const TOO_MANY = {
  error: 'Too Many Requests',
  statusCode: 429,
  message: 'Rate limit exceeded, retry in 60 seconds',
};

let server: TestServer;
before(async () => {
  server = await startTestServer({
    env: { RATE_LIMIT_PER_MINUTE: String(LIMIT), TRUST_PROXY: 'true' },
  });
});
after(() => server.close());

let addresses = 0;
/** Headers with a network address that has sent no request yet. */
const newAddress = () => ({ 'x-forwarded-for': `192.0.2.${++addresses}` });

/** Sends the request as often as a minute allows, and expects no 429. */
async function useUp(send: () => Promise<TestAnswer>): Promise<void> {
  for (let left = LIMIT - 1; left >= 0; left--) {
    const { status, headers, text } = await send();
    assert.notEqual(status, 429, text);
    assert.equal(headers.get('x-ratelimit-limit'), String(LIMIT));
    assert.equal(headers.get('x-ratelimit-remaining'), String(left));
    const reset = Number(headers.get('x-ratelimit-reset'));
    assert.ok(reset > 50 && reset <= 60, `the window resets in ${reset} s`);
    assert.equal(headers.get('retry-after'), null);
  }
}

async function assertLimited(send: () => Promise<TestAnswer>): Promise<void> {
  const { status, headers, body, text } = await send();
  assert.equal(status, 429, text);
  assert.deepEqual(body, TOO_MANY);
  assert.equal(Object.keys(body)[0], 'error');
  assert.equal(headers.get('x-ratelimit-limit'), String(LIMIT));
  assert.equal(headers.get('x-ratelimit-remaining'), '0');
  const reset = headers.get('x-ratelimit-reset');
  assert.ok(Number(reset) > 50 && Number(reset) <= 60);
  assert.equal(headers.get('retry-after'), reset);
}

const get = (path: string, options: RequestOptions) => () => server.request('GET', path, options);

test('429 has the exact body and headers, and the answers before it have these headers too', async () => {
  const { production_key } = await server.makeGame();
  const send = get('/v1/achievements', { key: production_key });
  await useUp(send);
  await assertLimited(send);
  await assertLimited(send);
});

test('an API key has one count over all routes and addresses, and each key of a game has its own count', async () => {
  const { production_key: key, development_key } = await server.makeGame();
  const routes = ['/v1/achievements', '/v1/saves?player_id=p', '/v1/config'];
  let calls = 0;
  const send = () =>
    server.request('GET', routes[calls++ % routes.length]!, { key, headers: newAddress() });
  await useUp(send);
  await assertLimited(send);
  await useUp(get('/v1/achievements', { key: development_key }));
});

test('an account has one count over its tokens and addresses, and each account has its own count', async () => {
  const { game_id } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id });
  const { token: other } = await server.makeAccount({ game_id });
  const send = () => server.request('GET', '/v1/games', { token, headers: newAddress() });
  await useUp(send);
  await assertLimited(send);
  await assertLimited(get(`/v1/games/${game_id}`, { token }));
  await useUp(get('/v1/games', { token: other }));
});

test('per address, open routes, unknown routes and failed authentication have one count together', async () => {
  const headers = newAddress();
  const sends = [
    get('/v1/auth/options', { headers }),
    get('/v1/no-such-route', { headers }),
    get('/v1/achievements', { headers }),
    get('/v1/achievements', { headers, key: 'ow_live_unknown' }),
    get('/v1/games', { headers: { ...headers, authorization: 'Bearer garbage' } }),
  ];
  assert.equal(sends.length, LIMIT);
  const statuses: number[] = [];
  let calls = 0;
  await useUp(async () => {
    const answer = await sends[calls++]!();
    statuses.push(answer.status);
    return answer;
  });
  assert.deepEqual(statuses, [200, 404, 401, 401, 401]);
  for (const send of sends) await assertLimited(send);
  await useUp(get('/v1/auth/options', { headers: newAddress() }));
});

test('all addresses of an IPv6 network have one count, and each other network has its own count', async () => {
  let calls = 0;
  const from = (network: string) => () => {
    const headers = { 'x-forwarded-for': `${network}:${(++calls).toString(16)}::1` };
    return server.request('GET', '/v1/auth/options', { headers });
  };
  await useUp(from('2001:db8:0:1'));
  await assertLimited(from('2001:db8:0:1'));
  await useUp(from('2001:db8:0:2'));
});

test('when a proxy names addresses with ports, each address has one count, whatever the port', async () => {
  let port = 50_000;
  const from = (address: string) => () =>
    server.request('GET', '/v1/auth/options', {
      headers: { 'x-forwarded-for': `${address}:${++port}` },
    });
  await useUp(from('198.51.100.1'));
  await assertLimited(from('198.51.100.1'));
  await useUp(from('198.51.100.2'));
  await useUp(from('[2001:db8:1:1::1]'));
});

test('/healthz and /readyz are never rate limited', async () => {
  const headers = newAddress();
  for (let call = 0; call < 3 * LIMIT; call++) {
    for (const path of ['/healthz', '/readyz']) {
      const answer = await server.request('GET', path, { headers });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('x-ratelimit-limit'), null);
    }
  }
  await useUp(get('/v1/auth/options', { headers }));
});

test('unknown routes answer 404 in JSON with the rate limit headers, whatever the method', async () => {
  const headers = newAddress();
  const methods = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
  let calls = 0;
  await useUp(async () => {
    const method = methods[calls++ % methods.length]!;
    const answer = await server.request(method, '/v1/nothing', { headers });
    assert.deepEqual([answer.status, answer.body], [404, { error: 'Route not found' }], method);
    return answer;
  });
  await assertLimited(() => server.request('POST', '/v1/nothing', { headers }));
});

test('a valid key or token passes from an address that has used up its own count', async () => {
  const { game_id, production_key: key } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id });
  const headers = newAddress();
  await useUp(get('/v1/auth/options', { headers }));
  await assertLimited(get('/v1/auth/options', { headers }));
  await useUp(get('/v1/achievements', { headers, key }));
  await useUp(get('/v1/games', { headers, token }));
});

test('the rate limit answers 429 after the check for 401, and before those for 413, 400, 404 and 403', async () => {
  const { game_id, production_key: key } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id, role: 'viewer' });
  await useUp(get('/v1/achievements', { key }));
  await useUp(get('/v1/games', { token }));
  const identify = (options: RequestOptions) => () =>
    server.request('POST', '/v1/identify', options);
  await assertLimited(identify({ key, body: '{' }));
  await assertLimited(identify({ key, body: ' '.repeat(2 * 1024 * 1024) }));
  await assertLimited(get('/v1/saves?player_id=nobody', { key }));
  await assertLimited(get('/v1/games/00000000-0000-4000-8000-000000000000', { token }));
  await assertLimited(() => server.request('DELETE', `/v1/games/${game_id}`, { token }));
  const stranger = await identify({ key: 'unknown', body: '{', headers: newAddress() })();
  assert.equal(stranger.status, 401);
});

test('of 40 simultaneous requests, exactly as many as the limit allows pass', async () => {
  const { production_key: key } = await server.makeGame();
  const answers = await Promise.all(Array.from({ length: 40 }, get('/v1/achievements', { key })));
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  assert.deepEqual(statuses, [...Array(LIMIT).fill(200), ...Array(40 - LIMIT).fill(429)]);
});

test('when a caller goes on despite refusals, further refusals are delayed', async () => {
  const headers = newAddress();
  const send = get('/v1/auth/options', { headers });
  await Promise.all(Array.from({ length: LIMIT + 100 }, send));
  const started = performance.now();
  await assertLimited(send);
  assert.ok(performance.now() - started >= 400);
});

test('preflights are not counted', async () => {
  const headers = newAddress();
  for (let call = 0; call < 3 * LIMIT; call++) {
    const preflight = await server.request('OPTIONS', '/v1/track', {
      headers: {
        ...headers,
        origin: 'https://game.example',
        'access-control-request-method': 'POST',
      },
    });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get('x-ratelimit-limit'), null);
  }
  await useUp(get('/v1/auth/options', { headers }));
});
