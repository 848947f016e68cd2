import { findFreePort } from '../packages/server/test/free-port.ts';
import { withDatabase } from '../packages/server/src/cli/installation.ts';
import { makeGame } from './load/game.ts';
import { makeFolder } from './machine/folder.ts';
import { Server } from './machine/server.ts';
import { attackByBadClients } from './overload/bad-clients.ts';
import type { BadClientsOptions } from './overload/bad-clients.ts';
import { attackByFlood, FLOOD_BARS } from './overload/flood.ts';
import type { FloodOptions } from './overload/flood.ts';
import type { Report, Suite } from './suite.ts';

export const overload: Suite = {
  name: 'overload',
  summary: 'sends ten times the load that the server can take, and behaves badly in all other ways',
  options: {
    seconds: { default: 120, meaning: 'of flood' },
    connections: { default: 2_000, meaning: 'of the flood' },
    idle: { default: 10_000, meaning: 'connections that say nothing' },
    seed: { default: 1, meaning: 'of all that is random' },
  },
  run: ({ seconds, connections, idle, seed }, report) =>
    attackByOverload(report, {
      seconds: seconds!,
      connections: connections!,
      idle: idle!,
      seed: seed!,
      slow: true,
      usual_ms: 1_000,
      bars: FLOOD_BARS,
    }),
};

export async function attackByOverload(
  report: Report,
  options: Omit<FloodOptions & BadClientsOptions, 'key'>,
): Promise<void> {
  await using folder = await makeFolder();
  // All clients of this test share the address of this machine. They represent clients with many addresses,
  // so the limit for one address is high.
  const env = { MAX_CONNECTIONS_PER_ADDRESS: '20000' };
  const server = await Server.start({ port: await findFreePort(), data_dir: folder.path, env });
  try {
    const { key } = await withDatabase(server.connection, (database) => makeGame(database, 'UTC'));
    await attackByBadClients(report, server, { ...options, key });
    report.say('bad clients');
    await attackByFlood(report, server, { ...options, key });
  } finally {
    await server.stop();
  }
}
