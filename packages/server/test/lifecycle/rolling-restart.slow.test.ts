import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../free-port.ts';
import { startBalancer } from './balancer.ts';
import { startTestServer } from '../harness.ts';
import { CliProcess } from '../run-cli.ts';
import { waitUntil } from '../wait-until.ts';

const CLIENTS = 4;
/**
 * The pause between requests: short enough for requests at every moment, and long enough to be light on the
 * machine.
 */
const PAUSE_MS = 10;

test('a rolling restart of servers behind a balancer fails no request', async () => {
  // This server only makes the database and the game.
  await using maker = await startTestServer();
  const { production_key: key } = await maker.makeGame();
  const ports = [await findFreePort(), await findFreePort()];
  await using started = new AsyncDisposableStack();
  const start = async (port: number) => {
    const server = new CliProcess(['start'], {
      DATABASE_URL: maker.database_url,
      PORT: String(port),
      DRAIN_SECONDS: '2',
      RATE_LIMIT_PER_MINUTE: '1000000',
      LOG_REQUESTS: 'none',
    });
    // This also ends the server if the test fails below. A server that has ended ignores the signal.
    started.defer(async () => {
      server.child.kill('SIGKILL');
      await server.done;
    });
    await server.waitFor(/Overworld is running at/);
    return server;
  };
  const servers = await Promise.all(ports.map(start));
  const balancer = await startBalancer(ports.map((port) => `http://127.0.0.1:${port}`));

  const stop = new AbortController();
  const failures: string[] = [];
  const versions = Array.from({ length: CLIENTS }, () => 0);
  const runClient = async (client: number) => {
    while (!stop.signal.aborted) {
      await sleep(PAUSE_MS);
      const answer = await fetch(`${balancer.url}/v1/saves`, {
        method: 'PUT',
        headers: { 'x-game-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({
          player_id: `client-${client}`,
          data: {},
          version: versions[client] || undefined,
        }),
      });
      const text = await answer.text();
      if (answer.status === 200) versions[client] = Number(JSON.parse(text).version);
      else failures.push(`${answer.status} ${text}`);
    }
  };
  const clients = versions.map((_version, client) => runClient(client));

  try {
    for (const [index, port] of ports.entries()) {
      const server = servers[index]!;
      const before_stop = Math.max(...versions);
      await waitUntil('clients store saves', async () => Math.max(...versions) > before_stop + 5);
      server.child.kill('SIGTERM');
      await waitUntil('the balancer skips it', async () => balancer.ready.size === 1);
      assert.equal(server.child.exitCode, null, 'it still serves while the balancer skips it');
      const { code, stderr } = await server.done;
      assert.equal(code, 0, stderr);
      servers[index] = await start(port);
      // Operators must wait for this too before they stop the next server.
      await waitUntil('the balancer has it back', async () => balancer.ready.size === ports.length);
    }
  } finally {
    stop.abort();
    await Promise.allSettled(clients);
    await balancer.close();
  }
  await Promise.all(clients);
  assert.deepEqual(failures, []);
  // Versions count up by one, so each answer has stored exactly one version.
  const { body } = await maker.request('GET', '/v1/saves?player_id=client-0', { key });
  assert.equal(body.version, versions[0]);
});
