import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { startTestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';
import { makeBrowserSecret } from './browser-secret.ts';
import { CLIENT } from './test/forging-issuer.ts';

test('logins at a provider that never answers end in seconds, hold no connection, and leave room for others', async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
  });
  await new Promise<void>((resolve) => {
    silent.listen(0, '127.0.0.1', resolve);
  });
  await using server = await startTestServer({
    env: {
      TRUST_PROXY: 'true',
      OIDC_ISSUER: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      OIDC_CLIENT_ID: CLIENT,
      OIDC_DOMAINS: 'studio.example',
    },
  });
  const finish = (ip: string) => {
    const { state, cookie } = makeBrowserSecret(server.url);
    return server.request('POST', '/v1/auth/identity/finish', {
      body: { code: 'code', state },
      headers: { cookie: cookie.split(';')[0]!, 'x-forwarded-for': ip },
    });
  };
  try {
    const started = performance.now();
    const flood = Array.from({ length: 250 }, () => finish('192.0.2.1'));
    const statuses = new Map<number, number>();
    for (const answer of flood) {
      void answer.then(({ status }) => statuses.set(status, (statuses.get(status) ?? 0) + 1));
    }
    // The flood takes only a part of the places, and the rest of the server goes on.
    const { email, password } = await server.makeAccount();
    const login = await server.request('POST', '/v1/auth/login', { body: { email, password } });
    assert.equal(login.status, 200, login.text);
    await setTimeout(2_500);
    const held = await server.database.query(sql`
      SELECT query FROM pg_stat_activity
      WHERE datname = current_database() AND state LIKE 'idle in%'
        AND xact_start < now() - interval '1 second'`);
    assert.deepEqual(held, []);
    assert.ok(sockets.size <= 51, `${sockets.size} sockets`);
    const other = await finish('198.51.100.1');
    const elapsed_ms = performance.now() - started;
    assert.equal(other.status, 503, other.text);
    assert.equal(other.body.error, 'The login provider cannot be reached, try again later');
    assert.ok(elapsed_ms > 4_000 && elapsed_ms < 15_000, `${elapsed_ms} ms`);
    await Promise.all(flood);
    assert.deepEqual([...statuses.keys()], [503]);
  } finally {
    for (const socket of sockets) socket.destroy();
    silent.close();
  }
});
