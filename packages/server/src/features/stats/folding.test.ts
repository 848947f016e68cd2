import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { TestServer } from '../../../test/harness.ts';
import { useTwoServers } from '../../../test/two-servers.ts';
import { sql } from '../../platform/database/sql.ts';
import { foldOldHours } from './folding.ts';
import { makeStatStudio } from './test/stat-studio.ts';
import type { StatStudio } from './test/stat-studio.ts';

suite('hours of statistics that are no longer kept', () => {
  const nodes = useTwoServers();
  let server: TestServer;
  before(() => {
    [server] = nodes;
  });

  const fold = ({ game_id }: StatStudio) => foldOldHours(server.database.ofGame(game_id));
  const readBases = ({ game_id }: StatStudio, player_id: string) =>
    server.database.query<{ base: number | null }>(sql`
      SELECT base::float8 AS base FROM player_stats
      WHERE game_id = ${game_id} AND player_id = ${player_id}
      ORDER BY key`);

  test('are joined to a base, again and again, and the values stay', async () => {
    const studio = await makeStatStudio(server, {
      a_sum: 'sum',
      b_max: 'max',
      c_min: 'min',
      d_latest: 'latest',
    });
    const all = (value: number) => ({ a_sum: value, b_max: value, c_min: value, d_latest: value });
    for (const value of [5, 2, 7, 4]) {
      await studio.makeOlder(12 * 24);
      await studio.change('p', all(value));
    }
    const values = { a_sum: 18, b_max: 7, c_min: 2, d_latest: 4 };
    await fold(studio);
    // The first change is 36 days old.
    const bases = async () => (await readBases(studio, 'p')).map(({ base }) => base);
    assert.deepEqual(await bases(), [5, 5, 5, 5]);
    assert.equal((await studio.listHours('p')).length, 12);
    assert.deepEqual(await studio.valuesOf('p'), values);
    await studio.makeOlder(12 * 24);
    await fold(studio);
    assert.deepEqual(await bases(), [7, 5, 2, 2]);
    await studio.makeOlder(100 * 24);
    await fold(studio);
    assert.deepEqual(await bases(), [18, 7, 2, 4]);
    assert.deepEqual(await studio.listHours('p'), []);
    assert.deepEqual(await studio.valuesOf('p'), values);
    const { body } = await studio.steer('GET', '/players/p/stats/a_sum');
    assert.deepEqual([body.value, body.base, body.hours], [18, 18, []]);
  });

  test('are folded while the statistics change, and nothing is lost', async () => {
    const studio = await makeStatStudio(server, { wins: 'sum' });
    const changeAll = () =>
      Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          studio.change(`p${index % 8}`, { wins: 1 }, { node: nodes[index % 2] }),
        ),
      );
    for (let round = 0; round < 4; round++) {
      await studio.makeOlder(31 * 24);
      await Promise.all([changeAll(), fold(studio), fold(studio)]);
    }
    for (let number = 0; number < 8; number++) {
      assert.deepEqual(await studio.valuesOf(`p${number}`), { wins: 20 });
      await studio.listHours(`p${number}`);
    }
  });
});
