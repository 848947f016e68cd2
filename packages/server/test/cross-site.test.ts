import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { OPERATIONS } from '@overworld/contract/operations';
import { callValid, makeFullGame, ownCredentials, validRequest } from './full-game.ts';
import type { FullGame } from './full-game.ts';
import { startTestServer } from './harness.ts';
import type { TestServer } from './harness.ts';

/** What another web site can have the browser of somebody do who is logged in here. */

const ORIGIN = 'https://evil.example';

let server: TestServer;
let game: FullGame;
before(async () => {
  server = await startTestServer();
  game = await makeFullGame(server, { marker: 'm' });
});
after(() => server.close());

test('what a browser sends by itself lets nobody in: no cookie counts, and nothing in an address', async () => {
  const { token } = game.owner;
  const key = game.production_key;
  const headers = {
    origin: ORIGIN,
    cookie: `token=${token}; authorization=Bearer ${token}; x-game-api-key=${key}`,
  };
  const credentials = `token=${token}&access_token=${token}&x-game-api-key=${key}&api_key=${key}`;
  for (const operation of OPERATIONS.filter(({ access }) => access !== 'anyone')) {
    const { path, body } = validRequest(operation, game.params);
    const asked = `${path}${path.includes('?') ? '&' : '?'}${credentials}`;
    const answer = await server.request(operation.method, asked, { headers, body });
    assert.equal(answer.status, 401, `${operation.id}: ${answer.text}`);
  }
});

test('a form sends nothing that is taken, even with credentials', async () => {
  for (const operation of OPERATIONS.filter(({ body }) => body !== undefined)) {
    const { path, body } = validRequest(operation, game.params);
    const text = JSON.stringify(body);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const answer = await server.request(operation.method, path, {
        ...ownCredentials(operation, game),
        body: text,
        headers: { origin: ORIGIN, 'content-type': type },
      });
      const wanted = operation.access === 'administrator' ? [400, 403] : [400];
      assert.ok(wanted.includes(answer.status), `${operation.id} ${type}: ${answer.text}`);
    }
  }
});

test('no answer sets a cookie, and none of the API can pass for a page or a script', async () => {
  for (const operation of OPERATIONS) {
    const { headers } = await callValid(server, operation, game);
    assert.equal(headers.get('set-cookie'), null, operation.id);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', operation.id);
    assert.doesNotMatch(headers.get('content-type') ?? '', /html|javascript|xml/, operation.id);
  }
});

test('no page can be shown in a frame of another site, and each runs scripts of this server alone', async () => {
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
