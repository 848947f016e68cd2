import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A load balancer as small as can be: it never sends a request twice, so that each failure shows. */
export interface Balancer {
  url: string;
  /** Servers that it sends requests to. */
  ready: ReadonlySet<string>;
  close(): Promise<void>;
}

const PROBE_INTERVAL_MS = 100;

/**
 * Sends requests in turn to those servers whose `/readyz` has answered 200, over connections that
 * it keeps.
 */
export async function startBalancer(servers: string[]): Promise<Balancer> {
  const ready = new Set<string>();
  const agent = new Agent({ keepAlive: true });
  let turn = 0;

  const probe = async (server: string) => {
    const answer = await fetch(`${server}/readyz`).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.status === 200) ready.add(server);
    else ready.delete(server);
  };
  const probeAll = () => Promise.all(servers.map(probe));
  await probeAll();
  const timer = setInterval(() => void probeAll(), PROBE_INTERVAL_MS);

  const balancer = createServer((incoming, outgoing) => {
    const choices = [...ready];
    const server = choices[turn++ % choices.length];
    const fail = () => {
      if (!outgoing.headersSent) outgoing.writeHead(502);
      outgoing.end();
    };
    if (server === undefined) return fail();
    const { method, url, headers } = incoming;
    const onward = request(`${server}${url}`, { method, headers, agent }, (answer) => {
      // The connection to the client is the balancer's own affair.
      const { connection: _connection, ...passed } = answer.headers;
      outgoing.writeHead(answer.statusCode!, passed);
      answer.pipe(outgoing);
    });
    onward.on('error', fail);
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => balancer.listen(0, '127.0.0.1', resolve));
  return {
    ready,
    url: `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`,
    async close() {
      clearInterval(timer);
      agent.destroy();
      balancer.closeAllConnections();
      await new Promise((resolve) => balancer.close(resolve));
    },
  };
}
