import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { MAX_SAMPLED_PLAYERS } from '@overworld/contract/remote-config/rule-preview';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';
import { locate } from './rules.ts';

suite('the preview of rules', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  async function makeStudio() {
    const game = await server.makeGame();
    const { token } = await server.makeAccount({ game_id: game.game_id, role: 'viewer' });
    const path = `/v1/games/${game.game_id}/config/preview/rules`;
    return {
      ...game,
      /**
       * Makes players `p1`, `p2`…, each seen a second earlier than the previous one. The number of a player
       * is its level.
       */
      makePlayers: (count: number) =>
        server.database.execute(sql`
          INSERT INTO players (game_id, environment, player_id, tags, properties, last_seen_at)
          SELECT ${game.game_id}, 'production', 'p' || n,
                 CASE WHEN n % 2 = 0 THEN '{even}'::text[] ELSE '{}' END,
                 jsonb_build_object('level', n), now() - n * interval '1 s'
          FROM generate_series(1, ${count}::integer) AS n`),
      preview: (body: object) =>
        server.request('POST', path, { token, body: { key: 'gold', ...body } }),
    };
  }

  test('each rule counts the players to whom it gives its value, in the order of the rules', async () => {
    const studio = await makeStudio();
    await studio.makePlayers(250);
    const even = { has_tags: ['EVEN'], value: 1 };
    const low = { properties: [{ property: 'level', operator: 'lte', value: 100 }], value: 2 };
    const first = (await studio.preview({ rules: [even, low] })).body;
    assert.deepEqual(first, {
      sample_size: 250,
      by_rule: [125, 50],
      by_default: 75,
      experiment: null,
      player: null,
    });
    const swapped = (await studio.preview({ rules: [low, even] })).body;
    assert.deepEqual([swapped.by_rule, swapped.by_default], [[100, 75], 75]);
    const none = (await studio.preview({ rules: [] })).body;
    assert.deepEqual([none.by_rule, none.by_default], [[], 250]);
    const share = (await studio.preview({ rules: [{ percentage: 30, value: 1 }] })).body;
    const expected = Array.from({ length: 250 }, (_, n) => locate('gold', `p${n + 1}`));
    assert.equal(share.by_rule[0], expected.filter((place) => place < 30).length);
  });

  test('the sample consists of the players who were seen last', async () => {
    const studio = await makeStudio();
    await studio.makePlayers(MAX_SAMPLED_PLAYERS + 50);
    const rules = [
      {
        properties: [{ property: 'level', operator: 'lte', value: MAX_SAMPLED_PLAYERS }],
        value: 1,
      },
    ];
    const { body } = await studio.preview({ rules });
    assert.deepEqual(
      [body.sample_size, body.by_rule, body.by_default],
      [MAX_SAMPLED_PLAYERS, [MAX_SAMPLED_PLAYERS], 0],
    );
  });

  test('for a named player, the preview shows the matching rule and why each other rule does not apply', async () => {
    const studio = await makeStudio();
    await studio.makePlayers(2);
    const rules = [
      { properties: [{ property: 'level', operator: 'gt', value: 5 }], value: 1 },
      { percentage: 0, value: 2 },
      { has_tags: ['even'], value: 3 },
      { lacks_tags: ['even'], value: 4 },
    ];
    const { player } = (await studio.preview({ rules, player_id: 'p2' })).body;
    assert.deepEqual(player, {
      is_known: true,
      rule: 2,
      variant_name: null,
      rules: [
        { unmatched: 'properties', place: null },
        { unmatched: 'percentage', place: locate('gold', 'p2') },
        { unmatched: null, place: null },
        { unmatched: 'lacks_tags', place: null },
      ],
      tags: ['even'],
      properties: { level: 2 },
      stats: {},
    });
    const unknown = (await studio.preview({ rules, player_id: 'nobody' })).body.player;
    assert.deepEqual([unknown.is_known, unknown.rule], [false, 3]);
  });

  test('invalid rules are refused, and the error names their place', async () => {
    const studio = await makeStudio();
    const cases: [object, string][] = [
      [
        { rules: [{ value: 1 }] },
        'rules[0] must state has_tags, lacks_tags, properties or percentage',
      ],
      [{ rules: [{ percentage: 101, value: 1 }] }, 'rules[0].percentage must be at most 100'],
      [{ rules: 5 }, 'rules must be a list'],
      [{}, 'rules is required'],
      [{ rules: [], key: '' }, 'key must not be empty'],
      [{ rules: [], player_id: 'a\0' }, 'player_id must not contain \\u0000'],
    ];
    for (const [body, error] of cases) {
      const answer = await studio.preview(body);
      assert.deepEqual([answer.status, answer.body.error], [400, error]);
    }
    const odd = await studio.preview({ key: '__proto__', rules: [{ percentage: 100, value: 1 }] });
    assert.deepEqual(odd.body.by_rule, [0]);
  });
});
