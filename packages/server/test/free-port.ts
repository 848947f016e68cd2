import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Systems give ports above to the connections of clients, so such a port may be taken in the moment between the
 * search and the start of its server.
 */
const PORTS = [12_000, 32_000] as const;

/** Finds a free port, for a server that must know its port before it starts. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...PORTS);
    const listener = createServer().listen(port, '127.0.0.1');
    const isFree = await once(listener, 'listening').then(
      () => true,
      () => false,
    );
    listener.close();
    if (isFree) return port;
  }
}
