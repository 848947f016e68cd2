import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { TookTooLong, unavailable } from '../../../platform/errors.ts';
import { HALVES, makeStudio } from '../test/studio.ts';
import { makeOutcomes } from '../../../platform/reports/experiment-outcomes.ts';
import { readResults } from './read-results.ts';
import type { ResultServices } from './read-results.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

/**
 * Makes an experiment that was started 12 days ago. Its report of each day is a fake, which notes the day for
 * which it is asked.
 */
async function openLooks() {
  const { database } = server;
  const studio = await makeStudio(server);
  const { game_id } = studio;
  const experiment_id = await studio.start(HALVES);
  await database.execute(sql`
    UPDATE experiments SET started_at = now() - interval '12 days' WHERE game_id = ${game_id}`);
  const key = { game_id, environment: 'production', experiment_id } as const;
  const asker = { owner: ['n', 'a', 'g'], signal: new AbortController().signal };
  const reports = { asked: [] as string[], left: Infinity };
  const services: ResultServices = {
    database,
    waitForInbox: async () => {},
    findRevenueSettings: async () => null,
    async addUp({ from }) {
      if (reports.left-- === 0) throw unavailable('too late', new TookTooLong());
      reports.asked.push(from);
      return [{ ...makeOutcomes(2, 1), exposed: [1, 0], day: from }];
    },
  };
  return {
    game_id,
    experiment_id,
    reports,
    look: () => readResults(services, key, asker as never),
  };
}

test('if reading results takes too long, counted days are stored and the next try continues', async () => {
  const { look, reports } = await openLooks();
  const { asked } = reports;
  reports.left = 0;
  await assert.rejects(
    look,
    /the players from \d{4}-\d\d-\d\d on have more events than can be read/,
  );
  reports.left = 3;
  await assert.rejects(look, {
    message:
      'The results take longer: 3 days of the experiment were counted now and are kept. Ask again to count the others',
  });
  reports.left = Infinity;
  const { variants } = await look();
  assert.equal(variants[0]!.exposed_players, 13);
  assert.deepEqual(asked, asked.toSorted());
  assert.equal(new Set(asked).size, asked.length);
  asked.length = 0;
  assert.equal((await look()).variants[0]!.exposed_players, 13);
  // The last five days are not over yet for the experiment, so they are not stored and are counted each time.
  assert.equal(asked.length, 5);
});

test('while events of a player are being moved, the day of the player is counted each time', async () => {
  const { game_id, experiment_id, reports, look } = await openLooks();
  const { database } = server;
  await database.execute(sql`
    INSERT INTO experiment_exposures
      (game_id, environment, player_id, experiment_id, variant, exposed_at)
    VALUES (${game_id}, 'production', 'exposed', ${experiment_id}, 0, now() - interval '9 days')`);
  await database.execute(sql`
    INSERT INTO player_merges
      (game_id, environment, from_player_id, player_id, event_count, changes, completed_at)
    SELECT ${game_id}, 'production', 'from ' || name, name, 1, '{}', now()
    FROM unnest(ARRAY['exposed', 'other']) AS name`);
  const countReports = async () => {
    reports.asked.length = 0;
    await look();
    return reports.asked.length;
  };
  await database.transaction(async (tx) => {
    // The test marks both merges as incomplete, and then locks them so that no server can complete them. A
    // server may complete a merge before the lock. Then the test marks both again.
    do {
      await database.execute(sql`
        UPDATE player_merges SET completed_at = NULL WHERE game_id = ${game_id}`);
    } while (
      (await tx.execute(sql`
        SELECT FROM player_merges
        WHERE game_id = ${game_id} AND completed_at IS NULL FOR KEY SHARE`)) < 2
    );
    assert.deepEqual([await countReports(), await countReports()], [13, 6]);
  });
  await database.execute(sql`
    UPDATE player_merges SET completed_at = now() WHERE game_id = ${game_id}`);
  assert.deepEqual([await countReports(), await countReports()], [6, 5]);
});
