import type { HttpServer } from './server.ts';

/**
 * The time that requests under way may take to end when the server stops. Process
 * managers may kill us after 10 seconds.
 */
const DRAIN_TIMEOUT_MS = 5_000;

/**
 * Answers the requests under way and refuses new ones. Connections that are open after the timeout
 * are cut: a client that never ends its request, or a browser's spare connection, would keep the
 * server from stopping.
 */
export async function closeHttpServer(
  server: HttpServer,
  drain_timeout_ms = DRAIN_TIMEOUT_MS,
): Promise<void> {
  const timer = setTimeout(() => server.node.closeAllConnections(), drain_timeout_ms);
  await server.close().finally(() => clearTimeout(timer));
}
