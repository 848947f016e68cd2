import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { searchDatabase } from '../../../../test/whole-database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeMergeClient } from '../test/merge-client.ts';
import type { MergeClient } from '../test/merge-client.ts';

let server: TestServer;
let client: MergeClient;
let token: string;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());
beforeEach(async () => {
  client = await makeMergeClient(server);
  ({ token } = await server.makeAccount({ game_id: client.game.game_id }));
});

const erase = (player_id: string) =>
  server.request('DELETE', `/v1/games/${client.game.game_id}/players/${player_id}`, { token });

/** Marks the merge of the game as complete, or as one that still moves events. */
const setMoving = (is_moving: boolean) =>
  server.database.execute(sql`
    UPDATE player_merges SET completed_at = CASE WHEN ${!is_moving} THEN moment END
    FROM (SELECT now() AS moment) AS clock
    WHERE game_id = ${client.game.game_id}`);

test('an erasure also erases the players who were merged into the player', async () => {
  await client.identify('guest-erased');
  await client.identify('erased');
  await client.track('guest-erased', 's');
  const path = `/v1/games/${client.game.game_id}/players/guest-erased`;
  await server.request('PATCH', path, { token, body: { add_tags: ['x'] } });
  await server.database.execute(sql`
    INSERT INTO event_quarantine (game_id, inbox_id, environment, key_id, received_at, event_count,
                                  body, reason, quarantined_at)
    VALUES (${client.game.game_id}, 1, 'production', gen_random_uuid(), now(), 1,
            '[{"player_id":"guest-erased"}]', 'test', now())`);
  await client.merge('erased', { from_player_id: 'guest-erased' });
  await client.waitForEvents('erased');
  const exported = await server.request('GET', path.replace('guest-', '') + '/export', { token });
  assert.equal(exported.body.merges[0].from_player_id, 'guest-erased');
  assert.equal(exported.body.events.length, 1);
  assert.equal(exported.body.quarantined_requests.length, 1);

  assert.equal((await erase('erased')).status, 204);
  const { audit_log, ...others } = await searchDatabase(server.database, 'erased"');
  assert.deepEqual(others, {});
  assert.deepEqual(
    audit_log!.map((row) => JSON.parse(row).action),
    ['delete_player'],
  );
});

test('the erasure of a player to whom events still move is refused and changes nothing', async () => {
  await client.identify('a', { level: 1 });
  await client.identify('b');
  await client.merge('b', { from_player_id: 'a' });
  await client.identify('a', { level: 2 });
  await server.database.transaction(async (tx) => {
    // While the merge is locked here, no server completes it. The merge is marked as moving and then locked.
    // If a server has completed it between these two statements, both are repeated.
    do await setMoving(true);
    while (
      (await tx.execute(sql`
        SELECT FROM player_merges
        WHERE game_id = ${client.game.game_id} AND completed_at IS NULL FOR KEY SHARE`)) === 0
    );
    for (const player_id of ['a', 'b']) {
      const { status, body } = await erase(player_id);
      assert.equal(status, 409);
      assert.match(body.error, /^Events of a merge are still moving/);
    }
  });
  assert.deepEqual((await client.show('b')).properties, { level: 1 });
  await setMoving(false);
  assert.equal((await erase('b')).status, 204);
});

test('the dashboard can merge players and list merges, and only admins may merge', async () => {
  await client.identify('a');
  await client.identify('b');
  const { game_id } = client.game;
  const path = `/v1/games/${game_id}/players/b`;
  const body = { from_player_id: 'a' };
  const developer = await server.makeAccount({ game_id, role: 'developer' });
  const refused = await server.request('POST', `${path}/merge`, { token: developer.token, body });
  assert.equal(refused.status, 403);
  assert.equal((await server.request('POST', `${path}/merge`, { token, body })).status, 200);
  const listed = await server.request('GET', `${path}/merges`, { token: developer.token });
  assert.deepEqual(
    listed.body.merges.map(({ from_player_id, state }: Record<string, string>) => [
      from_player_id,
      state,
    ]),
    [['a', 'complete']],
  );
  const elsewhere = `${path}/merges?environment=development`;
  assert.equal((await server.request('GET', elsewhere, { token })).status, 404);
});
