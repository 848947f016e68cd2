import { startTestServer } from '../../server/test/harness.ts';
import type { TestServer } from '../../server/test/harness.ts';
import { startProxy } from './proxy.ts';
import type { Proxy } from './proxy.ts';

/** Starts a server, and a proxy through which clients reach it. */
export async function startNetwork(): Promise<{
  server: TestServer;
  proxy: Proxy;
  close(): Promise<void>;
}> {
  const server = await startTestServer();
  const proxy = await startProxy(() => Number(new URL(server.url).port));
  return {
    server,
    proxy,
    async close() {
      await proxy[Symbol.asyncDispose]();
      await server.close();
    },
  };
}
