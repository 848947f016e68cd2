import { after, before } from 'node:test';
import { startTestServer } from './harness.ts';
import type { TestServer, TestServerOptions } from './harness.ts';

/**
 * Starts two servers on one database before the tests of a file or suite, and stops them after these tests.
 * @returns a list that contains the two servers as soon as the `before` hook has run.
 */
export function useTwoServers(options: TestServerOptions = {}): [TestServer, TestServer] {
  const servers = [] as unknown as [TestServer, TestServer];
  before(async () => {
    servers[0] = await startTestServer(options);
    servers[1] = await startTestServer({ ...options, database_url: servers[0].database_url });
  });
  after(async () => {
    await servers[1].close();
    await servers[0].close();
  });
  return servers;
}
