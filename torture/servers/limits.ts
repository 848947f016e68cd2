import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../packages/server/src/platform/database/sql.ts';
import { withDatabase } from '../../packages/server/src/cli/installation.ts';
import { Connection } from '../load/connection.ts';
import { makeGame } from '../load/game.ts';
import type { Report } from '../suite.ts';
import type { Cluster } from './cluster.ts';

const CONNECTIONS_TO_EACH = 10;

/**
 * Sends this many requests to each server, all at once and
 * with one new key. @returns the number of admitted requests.
 */
export async function countAdmitted(cluster: Cluster, requests_to_each: number): Promise<number> {
  const { key } = await withDatabase(cluster.servers[0]!.connection, (database) =>
    makeGame(database, 'UTC'),
  );
  let admitted = 0;
  const clients = cluster.ports.flatMap((port) =>
    Array.from({ length: CONNECTIONS_TO_EACH }, async () => {
      const connection = new Connection(port, { 'x-game-api-key': key });
      for (let sent = 0; sent < requests_to_each / CONNECTIONS_TO_EACH; sent++) {
        const { status } = await connection.send({ method: 'GET', path: '/v1/achievements' });
        if (status === 200) admitted += 1;
        else if (status !== 429) throw new Error(`A request was answered ${status}`);
      }
      connection.close();
    }),
  );
  await Promise.all(clients);
  return admitted;
}

/** Revokes keys on one server, and measures how soon each key stops working on all servers. */
export async function attackRevocation(
  report: Report,
  cluster: Cluster,
  { revocations, revoked_within_ms }: { revocations: number; revoked_within_ms: number },
): Promise<void> {
  const { url, connection } = cluster.servers[0]!;
  const call = async (method: string, path: string, token: string | null, body?: unknown) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.status === 204 ? {} : ((await response.json()) as Record<string, string>);
  };
  const email = `torture-${Date.now()}@studio.example`;
  const account = { email, password: 'correct horse battery staple' };
  const { token } = await call('POST', '/v1/auth/register', null, account);
  const { id: game_id } = await call('POST', '/v1/games', token!, { name: 'Revocations' });
  let longest_ms = 0;
  for (let number = 0; number < revocations; number++) {
    const path = `/v1/games/${game_id}/api-keys`;
    const made = await call('POST', path, token!, { name: 'key', environment: 'production' });
    const key = made.key!;
    // From here on each server has the key in its cache.
    for (const server of cluster.servers) await expectStatus(report, server.url, key, 200);
    // Just before every second revocation, the servers lose
    // the connection over which they learn of revocations.
    if (number % 2 === 1) await cutListeners(connection);
    await call('DELETE', `${path}/${made.id}`, token!);
    const revoked_at = performance.now();
    const took = await Promise.all(
      cluster.servers.map(async (server) => {
        while ((await ask(server.url, key)) !== 401) {
          if (performance.now() - revoked_at > 60_000) return Infinity;
          await sleep(5);
        }
        return performance.now() - revoked_at;
      }),
    );
    longest_ms = Math.max(longest_ms, ...took);
  }
  report.figure('longest that a revoked key worked anywhere, ms', Math.round(longest_ms));
  if (longest_ms > revoked_within_ms) report.violation(`a revoked key worked for ${longest_ms} ms`);
}

async function ask(url: string, key: string): Promise<number> {
  const response = await fetch(`${url}/v1/achievements`, { headers: { 'x-game-api-key': key } });
  await response.arrayBuffer();
  return response.status;
}

async function expectStatus(report: Report, url: string, key: string, expected: number) {
  const status = await ask(url, key);
  if (status !== expected) report.violation(`a key was answered ${status}, and not ${expected}`);
}

const cutListeners = (connection: Parameters<typeof withDatabase>[0]) =>
  withDatabase(connection, (database) =>
    database.execute(sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE query LIKE 'LISTEN %' OR (application_name = 'overworld' AND query = 'SELECT 1')`),
  );
