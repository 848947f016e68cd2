import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { sql } from '../../server/src/platform/database/sql.ts';
import { openStage, withoutBrowser } from './browser.ts';
import type { Stage } from './browser.ts';

/** The calls that a script of another site tries from a browser that reaches the server. */
const TRIES = `async (url) => {
  const body = JSON.stringify({ email: 'evil@evil.example', password: 'a good password' });
  const path = url + '/v1/auth/register';
  const outcome = (promise) => promise.then(({ type, status }) => type + ' ' + status, () => 'failed');
  const json = { 'content-type': 'application/json' };
  const sandboxed = document.createElement('iframe');
  sandboxed.sandbox = 'allow-scripts';
  sandboxed.srcdoc = '<script>fetch(' + JSON.stringify(path) + ', { method: "POST", mode: "no-cors", body: ' +
    JSON.stringify(body) + ' }).then(() => parent.postMessage("sent", "*"))</' + 'script>';
  const sent = new Promise((resolve) => addEventListener('message', resolve, { once: true }));
  document.body.append(sandboxed);
  await sent;
  return {
    plain: await outcome(fetch(path, { method: 'POST', mode: 'no-cors', body })),
    readable: await outcome(fetch(path, { method: 'POST', body })),
    json: await outcome(fetch(path, { method: 'POST', headers: json, body })),
    game: await outcome(fetch(url + '/v1/achievements', { headers: { 'x-game-api-key': 'none' } })),
  };
}`;

describe('a page of another site', { skip: withoutBrowser }, () => {
  let stage: Stage;
  const other = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<body>Another site</body>');
  });
  before(async () => {
    stage = await openStage();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    other.close();
    await stage.close();
  });

  for (const host of ['localhost', '127.0.0.1']) {
    test(`cannot make an account from ${host}, but can make the calls of games`, async () => {
      const { page, close } = await stage.visit('/favicon.svg', { expected: /./ });
      await page.goto(`http://${host}:${(other.address() as AddressInfo).port}/`);
      const outcomes = await page.evaluate(`(${TRIES})(${JSON.stringify(stage.server.url)})`);
      assert.deepEqual(outcomes, {
        plain: 'opaque 0',
        readable: 'failed',
        json: 'failed',
        game: 'cors 401',
      });
      assert.deepEqual(await stage.server.database.query(sql`SELECT email FROM accounts`), []);
      await close();
    });
  }
});
