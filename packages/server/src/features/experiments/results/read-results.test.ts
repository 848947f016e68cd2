import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { unavailable } from '../../../platform/errors.ts';
import { HALVES, makeStudio } from '../test/studio.ts';
import { makeOutcomes } from './outcomes.ts';
import { readResults } from './read-results.ts';
import type { ResultServices } from './read-results.ts';

test('a look that takes too long keeps the days that it has counted, and the next one goes on', async () => {
  await using server = await startTestServer();
  const studio = await makeStudio(server);
  const experiment_id = await studio.start(HALVES);
  await server.database.execute(sql`
    UPDATE experiments SET started_at = now() - interval '12 days'
    WHERE game_id = ${studio.game_id}`);
  const { database } = server;
  const key = { game_id: studio.game_id, environment: 'production', experiment_id } as const;
  const asker = { owner: ['n', 'a', 'g'], signal: new AbortController().signal };
  const asked: string[] = [];
  let reports = 3;
  const services: ResultServices = {
    database,
    waitForInbox: async () => {},
    findRevenueSettings: async () => null,
    async addUp({ from }) {
      if (reports-- === 0) throw unavailable('too late');
      asked.push(from);
      return [{ ...makeOutcomes(2, 1), exposed: [1, 0], day: from }];
    },
  };
  const look = () => readResults(services, key, asker as never);

  await assert.rejects(look, {
    message:
      'The results take longer: 3 days of the experiment were counted now and are kept. Ask again to count the others',
  });
  reports = 100;
  const { variants } = await look();
  assert.equal(variants[0]!.exposed_players, 13);
  assert.deepEqual(asked, asked.toSorted());
  assert.equal(new Set(asked).size, asked.length);

  asked.length = 0;
  assert.equal((await look()).variants[0]!.exposed_players, 13);
  // One day and three more must pass before a day is kept.
  assert.equal(asked.length, 5);
});
