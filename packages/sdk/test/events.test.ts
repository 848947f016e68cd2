import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../server/test/harness.ts';
import type { TestServer } from '../../server/test/harness.ts';
import { listStored, makeClient } from './client.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

test('events are stored in the order they were tracked, in batches of 100', async () => {
  const game = await server.makeGame();
  const { overworld } = makeClient(server, game);
  for (let n = 0; n < 250; n++) overworld.track('step', { n });
  assert.equal(await overworld.flush(), true);
  const stored = await listStored(server, game);
  assert.deepEqual(
    stored.map(({ properties }) => properties.n),
    Array.from({ length: 250 }, (_, n) => n),
  );
  await overworld.close();
});
