import assert from 'node:assert/strict';
import { test } from 'node:test';
import pino from 'pino';
import { startTestServer } from '../../../test/harness.ts';
import { systemClock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { closeHttpServer } from '../http/close-server.ts';
import { createHttpServer } from '../http/server.ts';
import { openedParts } from '../opened-parts.ts';
import { openPlatform } from '../platform.ts';
import { makeSoleWorkerPool } from '../workers/worker-pool.ts';
import { createAuthenticator } from './authenticate.ts';

test('a route that no operation describes takes no access token, and no client key in place of a server key', async () => {
  await using server = await startTestServer();
  const { game_id, production_key } = await server.makeGame();
  const owner = await server.makeAccount({ game_id });
  const made = await server.makeAccessToken(owner.account_id, [game_id], 'owner');

  await using stack = new AsyncDisposableStack();
  const logger = pino({ level: 'silent' });
  const config = readConfig({ RATE_LIMIT_PER_MINUTE: '1000' });
  const platform = await openPlatform(openedParts(stack, logger), {
    config,
    connection: { url: server.database_url },
    logger,
    clock: systemClock,
    workerPool: makeSoleWorkerPool(config),
  });
  const authenticate = createAuthenticator(platform);
  const http = createHttpServer(config, logger);
  stack.defer(() => closeHttpServer(http, 500));
  for (const access of ['account', 'server_key'] as const) {
    http.mount({
      method: 'GET',
      path: `/${access}`,
      admit: (exchange) => authenticate(exchange, { access }),
      handle: (exchange) => exchange.send(204),
    });
  }
  const url = await http.listen({ host: '127.0.0.1', port: 0 });
  const statusOf = async (path: string, headers: Record<string, string>) =>
    (await fetch(url + path, { headers })).status;
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  assert.equal(await statusOf('/account', bearer(owner.token)), 204);
  assert.equal(await statusOf('/account', bearer(made.token)), 403);
  const server_key = await server.makeKey(game_id, 'production', 'server');
  assert.equal(await statusOf('/server_key', { 'x-game-api-key': server_key }), 204);
  assert.equal(await statusOf('/server_key', { 'x-game-api-key': production_key }), 403);
});
