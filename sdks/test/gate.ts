import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A proxy in front of a server. A test can shut the proxy, as if the network were gone. */
export interface Gate {
  readonly url: string;
  isShut: boolean;
  close(): Promise<void>;
}

export async function openGate(target: string): Promise<Gate> {
  const sockets = new Set<Socket>();
  const { hostname, port } = new URL(target);
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    if (gate.isShut) return void socket.destroy();
    const onward = connect(Number(port), hostname);
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
    socket.pipe(onward).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  let isShut = false;
  const gate: Gate = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get isShut() {
      return isShut;
    },
    set isShut(isNow) {
      isShut = isNow;
      if (isNow) for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return gate;
}
