import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const HUNDRED_TAGS = Array.from({ length: 100 }, (_, index) => `tag-${index}`);

/**
 * Makes a game with 1,200 players in each environment, whose ids are numbered and whose team is red or blue.
 */
async function makeStudio() {
  const { game_id } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id, role: 'developer' });
  await server.database.execute(sql`
    INSERT INTO players (game_id, environment, player_id, properties, tags)
    SELECT ${game_id}::uuid, environment::environment, 'p' || number,
           jsonb_build_object('team', CASE WHEN number % 2 = 0 THEN 'red' ELSE 'blue' END),
           CASE WHEN number = 2 THEN ${HUNDRED_TAGS}::text[]
                WHEN number = 4 THEN ARRAY['kept', 'left early'] ELSE ARRAY['kept'] END
    FROM generate_series(1, 1200) AS number, unnest(ARRAY['production', 'development']) AS environment`);
  const tag = (body: object, query = RED, as = token) =>
    server.request('POST', `/v1/games/${game_id}/analytics/segment/tags?${query}`, {
      token: as,
      body,
    });
  const count = async (name: string, environment = 'production') => {
    const row = await server.database.queryOne<{ count: number }>(sql`
      SELECT count(*) AS count FROM players
      WHERE game_id = ${game_id} AND environment = ${environment}::environment
        AND tags @> ARRAY[${name}::text]`);
    return row!.count;
  };
  return { game_id, tag, count };
}

const PLAYERS = JSON.stringify({ values: [{ property: 'team', value: 'red' }] });
const RED = `environment=production&players=${encodeURIComponent(PLAYERS)}`;

test('all players of a segment get a tag, and lose it again', async () => {
  const { game_id, tag, count } = await makeStudio();
  const added = await tag({ tag: ' Left Early ' });
  // One player already has the tag, and another one already has the maximum of a hundred tags.
  assert.deepEqual(
    [added.status, added.body],
    [200, { tag: 'left early', count: 600, changed: 598 }],
  );
  assert.equal(await count('left early'), 599);
  assert.equal(await count('left early', 'development'), 1);
  assert.equal((await tag({ tag: 'left early' })).body.changed, 0);
  const removed = await tag({ tag: 'left early', action: 'remove' });
  assert.deepEqual(removed.body, { tag: 'left early', count: 600, changed: 599 });
  assert.deepEqual([await count('left early'), await count('kept')], [0, 1199]);

  const entries = await server.database.query<{ target: string; details: object }>(sql`
    SELECT target, details FROM audit_log
    WHERE game_id = ${game_id} AND action = 'tag_segment' ORDER BY id`);
  assert.deepEqual(
    entries.map(({ target, details }) => [target, details]),
    ['add', 'add', 'remove'].map((action) => [
      'left early',
      { environment: 'production', action, count: 600, conditions: { players: PLAYERS } },
    ]),
  );
});

test('a change of tags reports its progress in lines, the last of which is the answer', async () => {
  const { tag } = await makeStudio();
  const answer = await tag({ tag: 'vip' }, `${RED}&format=progress`);
  const lines = answer.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(lines.at(-1), { report: { tag: 'vip', count: 600, changed: 599 } });
  const shares = lines.slice(0, -1).map(({ progress }) => progress.share);
  assert.deepEqual(shares.filter((share) => share > 0).at(-1), 1);
});

test('a wrong tag or condition answers 400, a viewer gets 403, and nothing is changed', async () => {
  const { game_id, tag, count } = await makeStudio();
  const cases: [object, string, RegExp][] = [
    [{ tag: ' ' }, RED, /^tag must not be empty$/],
    [{ tag: 'x'.repeat(65) }, RED, /^tag must have at most 64 characters$/],
    [{ tag: 'vip', action: 'toggle' }, RED, /^action must be one of add, remove$/],
    [{ tag: 'vip' }, 'environment=production&players=[', /^players is not valid JSON$/],
    [{ tag: 'vip' }, 'environment=production&from=2026-02-30', /^from must be a valid date$/],
  ];
  for (const [body, query, error] of cases) {
    const answer = await tag(body, query);
    assert.equal(answer.status, 400, answer.text);
    assert.match(answer.body.error, error);
  }
  const viewer = await server.makeAccount({ game_id, role: 'viewer' });
  assert.equal((await tag({ tag: 'vip' }, RED, viewer.token)).status, 403);
  assert.equal(await count('vip'), 0);
});
