import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

interface Balancer extends AsyncDisposable {
  port: number;
}

/**
 * Hands connections to servers in turn, and skips a server that takes no connections. A connection ends
 * with its server, and the client has to connect again.
 */
export function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const sockets = new Set<Socket>();
  let turn = 0;

  const forward = (client: Socket, attempts: number) => {
    if (attempts === 0) return void client.destroy();
    const port = ports[turn++ % ports.length]!;
    const server = connect(port, '127.0.0.1');
    let connected = false;
    sockets.add(server);
    server.on('connect', () => {
      connected = true;
      client.pipe(server);
      server.pipe(client);
    });
    server.on('error', () => undefined);
    server.on('close', () => {
      sockets.delete(server);
      if (connected) client.destroy();
      else forward(client, attempts - 1);
    });
    client.on('close', () => server.destroy());
  };

  const balancer = createServer((client) => {
    sockets.add(client);
    client.on('error', () => undefined);
    client.on('close', () => sockets.delete(client));
    forward(client, ports.length);
  });
  return new Promise((resolve) => {
    balancer.listen(0, '127.0.0.1', () => {
      resolve({
        port: (balancer.address() as AddressInfo).port,
        async [Symbol.asyncDispose]() {
          for (const socket of sockets) socket.destroy();
          await new Promise((closed) => balancer.close(closed));
        },
      });
    });
  });
}
