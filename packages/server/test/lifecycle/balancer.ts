import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A minimal load balancer. It never sends a request twice, so that every failure shows. */
interface Balancer {
  url: string;
  /** The servers that get requests. */
  ready: ReadonlySet<string>;
  close(): Promise<void>;
}

const PROBE_INTERVAL_MS = 100;

/** Sends requests in turn to the servers whose `/readyz` has answered 200, over keep-alive connections. */
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
      // The header `connection` is left out, because the balancer decides about its own connection to the
      // client.
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
