import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { waitForLock } from '../../../../test/wait-for-lock.ts';
import { sql } from '../../../platform/database/sql.ts';
import { forgetDaysOfGame } from '../results/day-store.ts';
import { HALVES, makeStudio } from '../test/studio.ts';
import type { Studio } from '../test/studio.ts';

/** Changes of players that mark days of an experiment, while a transaction deletes the experiment. */

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

/** Makes a game with an exposure of each player in two experiments; the first one is stopped. */
async function makeExposed(players: readonly string[]) {
  const studio = await makeStudio(server);
  const deleted = await studio.start(HALVES);
  const [control, generous] = HALVES.variants;
  const variants = [control, { ...generous, values: { shop: 1 } }];
  const kept = await studio.start({ ...HALVES, variants });
  for (const player of players) await studio.read(player);
  await studio.waitForExposures(2 * players.length);
  await studio.steer('POST', `/experiments/${deleted}/stop`);
  const key = await server.makeKey(studio.game_id, 'production', 'server');
  return { studio, deleted, kept, key };
}

/** Runs `change` while the experiment is being deleted: the deletion commits when the change waits for it. */
async function runDuringDeletion<T>(
  { game_id }: Studio,
  experiment_id: string,
  change: () => Promise<T>,
): Promise<T> {
  const deleter = await server.database.ofGame(game_id).connect();
  try {
    await deleter.query('BEGIN');
    await deleter.query(
      `DELETE FROM experiments
       WHERE game_id = $1 AND environment = 'production' AND experiment_id = $2`,
      [game_id, experiment_id],
    );
    const changing = change();
    await waitForLock(server.database);
    await deleter.query('COMMIT');
    return await changing;
  } finally {
    deleter.release();
  }
}

/** Lists the experiments of the game that have a marked day. */
const listMarked = ({ game_id }: Studio) =>
  server.database.query<{ experiment_id: string }>(sql`
    SELECT experiment_id FROM experiment_days
    WHERE game_id = ${game_id} AND environment = 'production' AND changes > 0`);

test('a player is erased while an experiment of the player is deleted', async () => {
  const { studio, deleted, kept, key } = await makeExposed(['ann']);
  const { status, text } = await runDuringDeletion(studio, deleted, () =>
    server.request('POST', '/v1/players/ann/erase', { key }),
  );
  assert.equal(status, 204, text);
  assert.deepEqual(await listMarked(studio), [{ experiment_id: kept }]);
});

test('players are merged while an experiment of both is deleted', async () => {
  const { studio, deleted, kept, key } = await makeExposed(['ann', 'ben']);
  const { status, text } = await runDuringDeletion(studio, deleted, () =>
    server.request('POST', '/v1/players/ann/merge', { key, body: { from_player_id: 'ben' } }),
  );
  assert.equal(status, 200, text);
  assert.deepEqual(await listMarked(studio), [{ experiment_id: kept }]);
});

test('the days of a game are forgotten while an experiment of the game is deleted', async () => {
  const { studio, deleted, kept } = await makeExposed([]);
  await runDuringDeletion(studio, deleted, () =>
    server.database
      .ofGame(studio.game_id)
      .transaction((tx) => forgetDaysOfGame(tx, studio.game_id)),
  );
  assert.deepEqual(await listMarked(studio), [{ experiment_id: kept }]);
});
