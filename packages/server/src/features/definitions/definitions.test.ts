import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';

interface Doc {
  kind: string;
  key: string;
  definition: Record<string, unknown>;
}

const DOCUMENTS: Doc[] = [
  { kind: 'achievement', key: 'b', definition: { name: 'Bee', points: 5, position: 1 } },
  { kind: 'achievement', key: 'a', definition: { name: 'Ant', position: 7, archived: true } },
  {
    kind: 'leaderboard',
    key: 'high scores',
    definition: { reset_schedule: 'weekly', max_gain: 10.5, required_metadata: ['level'] },
  },
  {
    kind: 'event_schema',
    key: 'purchase',
    definition: { schema: { type: 'object', properties: { item: { type: 'string' } } } },
  },
  {
    kind: 'remote_config',
    key: 'production',
    definition: {
      parameters: { reward: { value: 100, rules: [{ percentage: 12.5, value: null }] } },
    },
  },
  {
    kind: 'remote_config',
    key: 'development',
    definition: { parameters: { shop: { value: { open: true } } } },
  },
  { kind: 'segment', key: 'Whales', definition: { query: 'has_tags=whale' } },
];

suite('definitions as documents', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const makeStudio = async () => {
    const { game_id } = await server.makeGame();
    const { token } = await server.makeAccount({ game_id, role: 'developer' });
    const path = `/v1/games/${game_id}/definitions`;
    const post = (what: string, body: unknown) =>
      server.request('POST', `${path}/${what}`, { token, body });
    const plan = (definitions: unknown, more = {}) => post('plan', { definitions, ...more });
    return {
      game_id,
      token,
      plan,
      read: async () => (await server.request('GET', path, { token })).body,
      apply: (definitions: unknown, more: object) => post('apply', { definitions, ...more }),
      async planAndApply(definitions: unknown, more = {}) {
        const { body } = await plan(definitions, more);
        return post('apply', { definitions, plan: body.plan, ...more });
      },
    };
  };

  test('what one game has can be applied to another, which then has the same', async () => {
    const first = await makeStudio();
    const applied = await first.planAndApply(DOCUMENTS);
    assert.equal(applied.status, 200, JSON.stringify(applied.body));
    const read = await first.read();
    assert.equal(read.definitions.length, DOCUMENTS.length);
    const second = await makeStudio();
    assert.equal((await second.planAndApply(read.definitions)).status, 200);
    assert.deepEqual(await second.read(), read);
    for (const documents of [DOCUMENTS, read.definitions]) {
      const { body } = await second.plan(documents, { prune: true });
      assert.deepEqual(body.changes, []);
    }
  });

  test('a plan names the members that differ, and changes nothing', async () => {
    const studio = await makeStudio();
    await studio.planAndApply(DOCUMENTS);
    const before_plan = await studio.read();
    const changed = structuredClone(DOCUMENTS);
    changed[0]!.definition.points = 20;
    const { body } = await studio.plan(changed);
    assert.deepEqual(body.changes, [
      {
        action: 'update',
        kind: 'achievement',
        key: 'b',
        fields: [{ path: 'points', before: 5, after: 20 }],
      },
    ]);
    assert.deepEqual(await studio.read(), before_plan);
  });

  test('an apply is refused when the game or the documents are not those of the plan', async () => {
    const studio = await makeStudio();
    const { body } = await studio.plan(DOCUMENTS);
    const others = await studio.apply(DOCUMENTS.slice(1), { plan: body.plan });
    assert.equal(others.status, 409);
    const both = await Promise.all([1, 2].map(() => studio.apply(DOCUMENTS, { plan: body.plan })));
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409]);
    const entries = await server.database.query<{ details: Record<string, unknown> }>(sql`
      SELECT details FROM audit_log
      WHERE game_id = ${studio.game_id} AND action = 'apply_definitions'`);
    assert.equal(entries.length, 1);
    assert.equal(entries[0]!.details.count, DOCUMENTS.length);
  });

  test('definitions stay unless a prune is asked for, and a board needs an admin', async () => {
    const studio = await makeStudio();
    await studio.planAndApply(DOCUMENTS);
    assert.deepEqual((await studio.plan([])).body.changes, []);
    const refused = await studio.planAndApply([], { prune: true });
    assert.equal(refused.status, 403);
    assert.match(
      refused.body.error,
      /^leaderboard "high scores": Deleting it needs the role admin/,
    );
    assert.equal((await studio.read()).definitions.length, DOCUMENTS.length);
    const boards = DOCUMENTS.filter(({ kind }) => kind === 'leaderboard');
    assert.equal((await studio.planAndApply(boards, { prune: true })).status, 200);
    const left = (await studio.read()).definitions as Doc[];
    const kinds = left.map(({ kind, key }) => `${kind} ${key}`);
    assert.deepEqual(kinds, [
      'achievement a',
      'leaderboard high scores',
      'remote_config development',
      'remote_config production',
    ]);
  });

  test('every mistake is named with its definition, and nothing is changed', async () => {
    const studio = await makeStudio();
    const bad: Doc[] = [
      { kind: 'achievement', key: 'x', definition: { name: 'X', points: 'many' } },
      { kind: 'achievement', key: 'y', definition: { name: 'Y', pionts: 1 } },
      { kind: 'leaderboard', key: 'z', definition: { min_score: 2, max_score: 1 } },
      { kind: 'event_schema', key: 'e', definition: { schema: { pattern: 'x' } } },
      { kind: 'remote_config', key: 'staging', definition: { parameters: {} } },
      { kind: 'segment', key: 's', definition: {} },
      DOCUMENTS[0]!,
      DOCUMENTS[0]!,
    ];
    const { status, body } = await studio.plan(bad);
    assert.equal(status, 400);
    assert.deepEqual(
      body.problems.map(({ index }: { index: number }) => index),
      [0, 1, 2, 3, 4, 5, 7],
    );
    assert.match(body.problems[0].error, /^points must be a whole number/);
    assert.match(body.problems[1].error, /^pionts is not allowed/);
  });

  test('numbers beyond 2^53 keep their digits', async () => {
    const studio = await makeStudio();
    const text = `{"definitions":[{"kind":"remote_config","key":"production","definition":{"parameters":{"id":{"value":9007199254740993}}}}]`;
    const path = `/v1/games/${studio.game_id}/definitions`;
    const send = (what: string, body: string) =>
      fetch(`${server.url}${path}/${what}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${studio.token}`, 'content-type': 'application/json' },
        body,
      });
    const { plan } = (await (await send('plan', `${text}}`)).json()) as { plan: string };
    const applied = await send('apply', `${text},"plan":"${plan}"}`);
    assert.match(await applied.text(), /"value":9007199254740993|9007199254740993/);
    const again = await send('plan', `${text}}`);
    assert.match(await again.text(), /"changes":\[\]/);
  });

  test('a folder of 10,000 things past the limit of the game is refused as a whole', async () => {
    const studio = await makeStudio();
    const many = Array.from({ length: 10_000 }, (_, index) => ({
      kind: 'achievement',
      key: `a${index}`,
      definition: { name: 'One of many' },
    }));
    const planned = await studio.plan(many);
    assert.equal(planned.body.changes.length, 10_000);
    const { status, body } = await studio.apply(many, { plan: planned.body.plan });
    assert.equal(status, 403);
    assert.match(body.error, /^achievement "a\d+": /);
    assert.equal((await studio.read()).definitions.length, 2);
    const more = await studio.plan([...many, DOCUMENTS[0]]);
    assert.equal(more.status, 400);
  });

  test('the schema of a file is served to everybody, and asks for the key', async () => {
    const { status, body } = await server.request('GET', '/v1/definition-schemas/leaderboard');
    assert.equal(status, 200);
    assert.deepEqual(body.required, ['key']);
    assert.equal(body.additionalProperties, false);
    assert.equal(body.properties.order.default, 'descending');
  });

  test('a token that is revoked after the plan applies nothing', async () => {
    const studio = await makeStudio();
    const { body } = await studio.plan(DOCUMENTS);
    await server.database.execute(sql`
      DELETE FROM game_members WHERE game_id = ${studio.game_id} AND role = 'developer'`);
    const refused = await studio.apply(DOCUMENTS, { plan: body.plan });
    assert.equal(refused.status, 404);
  });
});
