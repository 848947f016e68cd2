import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { waitForLock } from '../../../../test/wait-for-lock.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';
import { rebuildPlayerNames, tryLockNames } from '../../../platform/players/player-names.ts';
import { makeNamedGame } from '../test/named-game.ts';
import type { Listed } from '../test/named-game.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

/** A number of players that needs more than one step when the index is built. */
const MANY = 1_200;

const makeGame = () => makeNamedGame(server);

test('names that are written during the build of the index for a new name property are in that index', async () => {
  const game = await makeGame();
  await game.addOldPlayers(MANY);
  const writes = Array.from({ length: 200 }, (_, index) => async () => {
    await game.identify(`id-${index * 5 + 1}`, { other: `New ${index}`, nick: `Nick ${index}` });
    if (index === 60) assert.equal((await game.set('other')).status, 200);
  });
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let write = writes.pop(); write; write = writes.pop()) await write();
    }),
  );
  assert.deepEqual(await game.find('New 199'), [{ player_id: 'id-996', name: 'New 199' }]);
  await game.waitForIndex();
  const players = await server.database.query<Listed>(sql`
    SELECT player_id, properties ->> 'other' AS name FROM players
    WHERE game_id = ${game.game_id} ORDER BY player_id`);
  assert.equal(players.length, MANY);
  assert.deepEqual(await game.listIndexed(), players);
  assert.deepEqual(await game.find('nick'), []);
});

test('if a build of the index waits while the name property changes, the build then reads the new property', async () => {
  const game = await makeGame();
  await game.addOldPlayers(1);
  await game.waitForIndex();
  const { game_id } = game;
  const group = server.database.ofGame(game_id);
  await group.transaction(async (change) => {
    await group.transaction(async (pause) => {
      await waitUntil('the index pauses', () => tryLockNames(pause));
      await group.execute(sql`
        UPDATE player_name_builds SET next_step_at = now()
        WHERE game_id = ${game_id} AND environment = 'production'`);
      await change.execute(sql`
        UPDATE games SET player_name_property = 'other' WHERE id = ${game_id}`);
      await rebuildPlayerNames(change, game_id);
    });
    await waitForLock(server.database);
  });
  await game.waitForIndex();
  assert.deepEqual(await game.listIndexed(), [{ player_id: 'id-1', name: 'Other 1' }]);
});

test('the erasure of a player also removes the player from the index, in the same transaction', async () => {
  const game = await makeGame();
  await game.identify('gone', { nick: 'Ada' });
  await game.waitForIndex();
  assert.equal((await game.listIndexed()).length, 1);
  await game.identify('gone', { nick: 'Eva' });
  const erased = await server.request('DELETE', `${game.at}/players/gone`, game);
  assert.equal(erased.status, 204);
  const left = await server.database.query(sql`
    SELECT player_id FROM player_names WHERE game_id = ${game.game_id}
    UNION ALL SELECT player_id FROM player_name_changes WHERE game_id = ${game.game_id}`);
  assert.deepEqual(left, []);
});

test('after a merge, a search for the name of the merged player finds only the player who stays', async () => {
  const game = await makeGame();
  await game.identify('kept', { level: 3 });
  await game.identify('ended', { nick: 'Ada' });
  await game.waitForIndex();
  const merged = await server.request('POST', `${game.at}/players/kept/merge`, {
    token: game.token,
    body: { from_player_id: 'ended' },
  });
  assert.equal(merged.status, 200, merged.text);
  assert.deepEqual(await game.find('Ada'), [{ player_id: 'kept', name: 'Ada' }]);
  await game.waitForIndex();
  assert.deepEqual(await game.listIndexed(), [{ player_id: 'kept', name: 'Ada' }]);
});
