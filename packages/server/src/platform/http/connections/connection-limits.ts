import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { WorkerPool } from '../../workers/worker-pool.ts';
import { networkOf } from '../../network/network-address.ts';
import { CUT_OFF_WINDOW_MS, MAX_CUT_OFF, MAX_TOLD_CONNECTIONS } from '../limits.ts';

interface ConnectionLimits {
  /** The greatest number of open connections. Further connections are closed without an answer. */
  max_connections: number;
  /** The greatest number of open connections of one network, such as an office behind one address. */
  max_connections_per_address: number;
  /** Tells whether an address belongs to a proxy, whose connections carry requests of many clients. */
  isProxy(address: string): boolean;
}

const ALL = 'connections of all';

const cut_off = new WeakSet<Socket>();

/**
 * Cuts off a client that keeps sending after a refusal or leaves too many bytes unread. A network with 20
 * such clients gets no new connection for the rest of the minute.
 */
export function cutOff(socket: Socket): void {
  cut_off.add(socket);
  socket.destroy();
}

/**
 * Refuses new connections of a network that is at its limit, and all new connections while the server is at
 * its limit.
 */
export function limitConnections(
  server: Server,
  connections: { refuseBroken(error: { code: string }, socket: Socket): void },
  { inUse, windows }: Pick<WorkerPool, 'inUse' | 'windows'>,
  { max_connections, max_connections_per_address, isProxy }: ConnectionLimits,
): void {
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    const all = inUse.add(ALL, 1);
    socket.once('close', () => inUse.remove(ALL, 1));
    if (all > max_connections) return void socket.destroy();
    // A connection that is closed already has no address.
    if (remoteAddress === undefined || isProxy(remoteAddress)) return;
    const network = networkOf(remoteAddress);
    const cut_off_clients = `cut off ${network}`;
    const cut_off_count = windows.read(cut_off_clients, CUT_OFF_WINDOW_MS);
    if (cut_off_count >= MAX_CUT_OFF) return void socket.destroy();
    const open = `connections ${network}`;
    const count = inUse.add(open, 1);
    socket.once('close', () => {
      if (cut_off.has(socket)) windows.add(cut_off_clients, 1, CUT_OFF_WINDOW_MS);
      inUse.remove(open, 1);
    });
    if (count > max_connections_per_address + MAX_TOLD_CONNECTIONS) socket.destroy();
    else if (count > max_connections_per_address) {
      connections.refuseBroken({ code: 'TOO_MANY_CONNECTIONS' }, socket);
    }
  });
}
