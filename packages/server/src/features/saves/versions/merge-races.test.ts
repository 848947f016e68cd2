import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { waitForLock } from '../../../../test/wait-for-lock.ts';
import { sql } from '../../../platform/database/sql.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

test('if a player who is being merged saves to the main slot for the first time, the save is kept', async () => {
  const { game_id } = await server.makeGame();
  const key = await server.makeKey(game_id, 'production', 'server');
  const save = (player_id: string, slot?: string) =>
    server.request('PUT', '/v1/saves', { key, body: { player_id, slot, data: { slot } } });
  await save('ended', 'other');
  await save('stays');
  const merge = () =>
    server.request('POST', '/v1/players/stays/merge', { key, body: { from_player_id: 'ended' } });
  const merging = await server.database.transaction(async (tx) => {
    // When the merge waits for this version, it has already locked the saves that it found.
    await tx.execute(sql`SELECT FROM save_versions WHERE player_id = 'ended' FOR UPDATE`);
    const merged = merge();
    await waitForLock(server.database);
    assert.equal((await save('ended', 'main')).status, 200);
    return { merged };
  });
  assert.equal((await merging.merged).status, 200);
  const { body } = await server.request('GET', '/v1/saves?player_id=stays', { key });
  assert.deepEqual(body.data, { slot: 'main' });
});
