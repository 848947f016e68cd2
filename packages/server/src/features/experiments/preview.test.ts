import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';
import { HALVES, makeStudio } from './test/studio.ts';
import type { Studio } from './test/studio.ts';

const PLAYERS = 120;

suite('the preview of a config with a running experiment', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const makePlayers = ({ game_id }: Studio) =>
    server.database.execute(sql`
      INSERT INTO players (game_id, environment, player_id, tags, properties, last_seen_at)
      SELECT ${game_id}, 'production', 'p' || n,
             CASE WHEN n % 5 = 0 THEN '{vip}'::text[] ELSE '{}' END,
             jsonb_build_object('level', n), now()
      FROM generate_series(1, ${PLAYERS}::integer) AS n`);

  const schedule = async (studio: Studio) => {
    const parameters = {
      shop: { value: { open: true, sale: 1 }, rules: [{ percentage: 40, value: null }] },
    };
    const body = { name: 'Sale', parameters };
    assert.equal((await studio.steer('POST', '/config/schedules', body)).status, 201);
  };

  test('gives every player the values of GET /v1/config', async () => {
    const studio = await makeStudio(server);
    await makePlayers(studio);
    await schedule(studio);
    const properties = [{ property: 'level', operator: 'lte', value: 80 }];
    const experiment_id = await studio.start({ ...HALVES, share: 70, condition: { properties } });
    let generous = 0;
    for (let n = 1; n <= PLAYERS; n++) {
      const player_id = `p${n}`;
      const { body: shown } = await studio.steer('POST', '/config/preview', { player_id });
      const { body: got } = await studio.read(player_id);
      assert.deepEqual({ config: shown.config, version: shown.version }, got, player_id);
      if (got.config.reward !== 200) continue;
      generous += 1;
      assert.deepEqual(shown.experiments, [
        {
          experiment_id,
          experiment_name: 'Reward',
          variant_name: 'Generous',
          keys: ['reward'],
        },
      ]);
    }
    assert.ok(generous > 0 && generous < 80, `${generous} players got the variant`);
  });

  test('counts the players of a rule as GET /v1/config gives them its value', async () => {
    const studio = await makeStudio(server);
    await makePlayers(studio);
    const properties = [{ property: 'level', operator: 'lte', value: 80 }];
    const id = await studio.start({ ...HALVES, share: 70, condition: { properties } });
    const rules = [{ has_tags: ['vip'], value: 150 }];
    const preview = async (player_id?: string) => {
      const sent = { key: 'reward', rules, player_id };
      return (await studio.steer('POST', '/config/preview/rules', sent)).body;
    };
    const countTakingPart = async () => {
      let count = 0;
      for (let n = 1; n <= PLAYERS; n++) {
        const sent = { player_id: `p${n}` };
        count += (await studio.steer('POST', '/config/preview', sent)).body.experiments.length;
      }
      return count;
    };
    const countAnswers = async () => {
      const counts = new Map<number, number>();
      for (let n = 1; n <= PLAYERS; n++) {
        const { reward } = (await studio.read(`p${n}`)).body.config;
        counts.set(reward, (counts.get(reward) ?? 0) + 1);
      }
      return {
        sample_size: PLAYERS,
        by_rule: [counts.get(150)],
        by_default: counts.get(100),
        experiment: { id, name: 'Reward', players: counts.get(200) },
        player: null,
      };
    };
    const at_first = await preview();
    assert.deepEqual(at_first, await countAnswers());

    // Players keep their variants when the condition no longer holds.
    await studio.waitForExposures(await countTakingPart());
    await server.database.execute(sql`
      UPDATE players SET properties = '{"level": 100}' WHERE game_id = ${studio.game_id}`);
    assert.deepEqual(await preview(), at_first);
    assert.deepEqual(await countAnswers(), at_first);

    const variants = new Set<string | null>();
    for (let n = 1; n <= 20; n++) {
      const { variant_name } = (await preview(`p${n}`)).player;
      const { reward } = (await studio.read(`p${n}`)).body.config;
      assert.equal(variant_name, reward === 200 ? 'Generous' : null, `p${n}`);
      variants.add(variant_name);
    }
    assert.equal(variants.size, 2);
  });

  test('does not count the player in the experiment', async () => {
    const studio = await makeStudio(server);
    await studio.start(HALVES);
    await studio.steer('POST', '/config/preview', { player_id: 'looked-at' });
    await studio.read('real');
    const exposed = await studio.waitForExposures(1);
    assert.deepEqual(
      exposed.map(({ player_id }) => player_id),
      ['real'],
    );
  });
});
