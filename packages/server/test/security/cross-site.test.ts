import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { after, before, test } from 'node:test';
import { isForOwnPages } from '@overworld/contract/operation';
import { OPERATIONS } from '@overworld/contract/operations';
import { makeFullGame } from '../full-game.ts';
import { callValid, ownCredentials, validRequest } from '../valid-request.ts';
import type { FullGame } from '../full-game.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { sweep } from '../long-forms.ts';

/** Tests of requests that another web site can cause in the browser of a logged-in account. */

/** The operations that log an account in when this test calls them. */
const LOGINS = ['registerAccount'];
const ORIGIN = 'https://evil.example';

/** Headers that browsers send for a page of another site. */
const FOREIGN: Record<string, string>[] = [
  { origin: ORIGIN },
  { origin: 'null' },
  { origin: 'http://localhost:1', 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'cross-site' },
];

let server: TestServer;
let game: FullGame;
before(async () => {
  server = await startTestServer();
  game = await makeFullGame(server, { marker: 'm' });
});
after(() => server.close());

test('credentials in cookies or in the query are ignored', async () => {
  const { token } = game.owner;
  // The owner's login needs a second step, so another account logs in.
  const { email, password } = await server.makeAccount();
  const login = await server.request('POST', '/v1/auth/login', { body: { email, password } });
  const [device] = login.headers.get('set-cookie')!.split(';');
  const key = game.production_key;
  const headers = {
    origin: ORIGIN,
    cookie: `${device}; token=${token}; authorization=Bearer ${token}; x-game-api-key=${key}`,
  };
  const credentials = `token=${token}&access_token=${token}&x-game-api-key=${key}&api_key=${key}`;
  for (const operation of sweep(OPERATIONS.filter(({ access }) => access !== 'anyone'))) {
    const { path, body } = validRequest(operation, game.params);
    const asked = `${path}${path.includes('?') ? '&' : '?'}${credentials}`;
    const answer = await server.request(operation.method, asked, { headers, body });
    assert.equal(answer.status, 401, `${operation.id}: ${answer.text}`);
  }
});

test('a page of another site cannot call operations of the dashboard, even with credentials', async () => {
  for (const operation of sweep(OPERATIONS.filter(isForOwnPages))) {
    const { path, body } = validRequest(operation, game.params);
    for (const headers of FOREIGN) {
      const as = { ...ownCredentials(operation, game), body, headers };
      const answer = await server.request(operation.method, path, as);
      assert.equal(answer.status, 403, `${operation.id} ${JSON.stringify(headers)}`);
      assert.match(answer.body.error, /^The request comes from a page of another site\./);
    }
  }
});

test('pages of this server, and programs other than browsers, may call operations of the dashboard', async () => {
  await using proxied = await startTestServer({
    database_url: server.database_url,
    env: { PUBLIC_URL: 'https://games.example', TRUST_PROXY: 'loopback' },
  });
  const { host } = new URL(proxied.url);
  const statusOf = async (headers: Record<string, string>) => {
    const body = { token: 'none', password: 'a good password' };
    return (await proxied.request('POST', '/v1/auth/reset-password', { headers, body })).status;
  };
  const own: Record<string, string>[] = [
    {},
    { 'sec-fetch-site': 'none' },
    { origin: 'https://games.example' },
    { origin: `http://${host}` },
    { origin: `https://${host}` },
    { origin: 'https://lan.example', 'x-forwarded-host': 'lan.example' },
    { origin: 'https://lan.example', 'x-forwarded-host': 'lan.example:443' },
    // The headers of a request that came through the development
    // server of the dashboard, or another proxy that changes Host.
    { origin: 'http://localhost:5173', 'sec-fetch-site': 'same-origin' },
  ];
  for (const headers of own) {
    assert.equal(await statusOf(headers), 400, JSON.stringify(headers));
  }
  for (const headers of [
    { origin: 'http://games.example' },
    { origin: 'https://games.example:8443' },
    { origin: 'https://games.example.evil.example' },
    { origin: 'https://lan.example' },
    { origin: '' },
    { origin: 'evil' },
    { origin: `//${host}` },
  ]) {
    assert.equal(await statusOf(headers), 403, JSON.stringify(headers));
  }
});

test('a server that only this machine reaches refuses requests with a foreign host name', async () => {
  const statusOf = async (on: TestServer, name: string) => {
    const { port } = new URL(on.url);
    const host = `${name}:${port}`;
    // `fetch` sets Host itself.
    const sent = request(`${on.url}/v1/auth/register`, {
      method: 'POST',
      headers: { host, origin: `http://${host}`, 'content-type': 'application/json' },
    });
    sent.end(JSON.stringify({ email: `${name}@studio.example`, password: 'a good password' }));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };
  assert.equal(await statusOf(server, 'rebound.example'), 403);
  assert.equal(await statusOf(server, 'localhost'), 201);
  // If there is a proxy, the proxy checks host names.
  await using proxied = await startTestServer({
    database_url: server.database_url,
    env: { TRUST_PROXY: 'loopback' },
  });
  assert.equal(await statusOf(proxied, 'games.example'), 201);
});

test('no operation accepts a body that a form can send, even with credentials', async () => {
  for (const operation of sweep(OPERATIONS.filter((each) => each.body || isForOwnPages(each)))) {
    const { path, body = {} } = validRequest(operation, game.params);
    const text = JSON.stringify(body);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const answer = await server.request(operation.method, path, {
        ...ownCredentials(operation, game),
        body: text,
        headers: { 'content-type': type },
      });
      assert.equal(answer.status, 400, `${operation.id} ${type}: ${answer.text}`);
      assert.deepEqual(answer.body, { error: 'Content-Type must be application/json' });
    }
  }
});

/** With this cookie the server recognises a browser. The cookie gives no access. */
const DEVICE_COOKIE =
  /^overworld_device=[\w-]{32}; Path=\/v1\/auth; Max-Age=31536000; HttpOnly; SameSite=Strict$/;

/** The end of a login with the studio's identity removes its secret from the browser. */
const NO_IDENTITY_COOKIE = 'overworld_identity=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict';

test('only logins set a cookie, and no answer of the API can be taken for a page or a script', async () => {
  for (const operation of sweep(OPERATIONS)) {
    const { headers } = await callValid(server, operation, game);
    const is_identity = operation.id.includes('Identity');
    const cookies = headers
      .getSetCookie()
      .filter((each) => !is_identity || each !== NO_IDENTITY_COOKIE);
    const cookie = cookies.join('\n');
    if (LOGINS.includes(operation.id)) assert.match(cookie, DEVICE_COOKIE, operation.id);
    else assert.equal(cookie, '', operation.id);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', operation.id);
    assert.doesNotMatch(headers.get('content-type') ?? '', /html|javascript|xml/, operation.id);
  }
});

test('no other site can frame a page, and pages run only scripts of this server', async () => {
  for (const path of ['/', '/login', '/games/x/production/players', '/docs', '/nothing/here']) {
    const { headers } = await fetch(server.url + path, { headers: { accept: 'text/html' } });
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /frame-ancestors 'none'/, path);
    assert.match(policy, /script-src 'self'(;|$)/, path);
    assert.match(policy, /object-src 'none'/, path);
    assert.match(policy, /base-uri 'self'/, path);
    assert.match(policy, /form-action 'self'/, path);
    assert.match(headers.get('x-frame-options') ?? '', /SAMEORIGIN|DENY/, path);
    assert.match(headers.get('referrer-policy') ?? '', /no-referrer/, path);
  }
});
