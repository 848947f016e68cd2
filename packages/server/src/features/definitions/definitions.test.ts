import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';
import { APPLIED, DOCUMENTS } from './test/documents.ts';
import { makeFilesStudio } from './test/studio.ts';
import type { TestDocument } from './test/studio.ts';

suite('definitions as documents', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const makeStudio = () => makeFilesStudio(server);

  test('what one game has can be applied to another, which then has the same', async () => {
    const first = await makeStudio();
    const applied = await first.planAndApply(DOCUMENTS);
    assert.equal(applied.status, 200, JSON.stringify(applied.body));
    const read = await first.read();
    assert.equal(read.definitions.length, APPLIED);
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
    assert.equal((await studio.read()).definitions.length, APPLIED);
    const boards = DOCUMENTS.filter(({ kind }) => kind === 'leaderboard');
    assert.equal((await studio.planAndApply(boards, { prune: true })).status, 200);
    const left = (await studio.read()).definitions as TestDocument[];
    const kinds = left.map(({ kind, key }) => `${kind} ${key}`);
    assert.deepEqual(kinds, [
      'achievement a',
      'leaderboard high scores',
      'remote_config development',
      'remote_config production',
      'player_verification development',
      'player_verification production',
      'shares development',
      'shares production',
      'revenue_settings game',
      'game_settings game',
    ]);
  });

  test('one plan may delete an achievement and the rewards of a board that give it', async () => {
    const studio = await makeStudio();
    const season_rewards = [
      {
        from_rank: 1,
        to_rank: 1,
        title: 'First',
        text: '',
        rewards: [{ type: 'achievement', key: 'champion' }],
      },
    ];
    const board = { kind: 'leaderboard', key: 'cup', definition: { reset_schedule: 'weekly' } };
    const rewarding = { ...board, definition: { ...board.definition, season_rewards } };
    const achievement = { kind: 'achievement', key: 'champion', definition: { name: 'Champion' } };
    const made = await studio.planAndApply([achievement, rewarding]);
    assert.equal(made.status, 200, made.text);
    const refused = await studio.planAndApply([rewarding], { prune: true });
    assert.equal(refused.status, 409, refused.text);
    assert.match(refused.body.error, /is used by the rewards of the board "cup"/);
    const applied = await studio.planAndApply([board], { prune: true });
    assert.equal(applied.status, 200, applied.text);
  });

  test('every mistake is named with its definition, and nothing is changed', async () => {
    const studio = await makeStudio();
    const bad: TestDocument[] = [
      { kind: 'achievement', key: 'x', definition: { name: 'X', points: 'many' } },
      { kind: 'achievement', key: 'y', definition: { name: 'Y', pionts: 1 } },
      { kind: 'leaderboard', key: 'z', definition: { min_score: 2, max_score: 1 } },
      { kind: 'event_schema', key: 'e', definition: { schema: { pattern: 'x' } } },
      { kind: 'remote_config', key: 'staging', definition: { parameters: {} } },
      { kind: 'segment', key: 's', definition: {} },
      { kind: 'saved_report', key: 'segment/s', definition: { query: 'a=b' } },
      { kind: 'saved_report', key: 'funnel/ ', definition: { query: 'a=b' } },
      { kind: 'saved_report', key: `funnel/${'x'.repeat(256)}`, definition: { query: 'a=b' } },
      {
        kind: 'dashboard',
        key: 'd',
        definition: { cards: [{ title: 'T', report: 'retention', chart: 'pie' }] },
      },
      { kind: 'dashboard', key: ' d', definition: { cards: [] } },
      { kind: 'player_verification', key: 'staging', definition: {} },
      { kind: 'shares', key: 'production', definition: { player_requests_per_minute: 9 } },
      { kind: 'revenue_settings', key: 'game', definition: { event_name: 'buy' } },
      { kind: 'game_settings', key: 'game', definition: { time_zone: 'Mars/Olympus' } },
      { kind: 'game_settings', key: 'other', definition: { time_zone: 'UTC' } },
      DOCUMENTS[0]!,
      DOCUMENTS[0]!,
      { kind: 'saved_report', key: 'funnels', definition: { query: 'a=b' } },
    ];
    const { status, body } = await studio.plan(bad);
    assert.equal(status, 400);
    assert.deepEqual(
      body.problems.map(({ index }: { index: number }) => index),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 18],
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

  test('other documents have another plan, also if their members look alike', async () => {
    const studio = await makeStudio();
    const config = (value: object) => [
      { kind: 'remote_config', key: 'production', definition: { parameters: { p: { value } } } },
    ];
    await studio.planAndApply(config({ a: {} }));
    const plans = [
      await studio.plan(config({ a: { b: 1 } })),
      await studio.plan(config({ a: {}, 'a.b': 1 })),
      await studio.plan(config({ a: {}, 'a"]["b': 1 })),
    ];
    assert.equal(new Set(plans.map(({ body }) => body.plan)).size, 3);
    assert.deepEqual(
      plans.map(({ body }) => body.changes[0].fields[0].path),
      ['parameters.p.value.a.b', 'parameters.p.value["a.b"]', 'parameters.p.value["a\\"][\\"b"]'],
    );
    const other = await studio.apply(config({ a: {}, 'a.b': 1 }), { plan: plans[0]!.body.plan });
    assert.equal(other.status, 409);
  });

  test('a config stays when no file has it, also with a prune', async () => {
    const studio = await makeStudio();
    await studio.planAndApply(DOCUMENTS.filter(({ kind }) => kind === 'remote_config').slice(0, 1));
    const { body } = await studio.plan([], { prune: true });
    assert.deepEqual(body.changes, []);
  });

  test('achievements that no file names keep their places among the others', async () => {
    const studio = await makeStudio();
    const make = (key: string) => ({ kind: 'achievement', key, definition: { name: key } });
    await studio.planAndApply(['a0', 'a1', 'a2', 'a3'].map(make));
    const some: TestDocument[] = [
      { kind: 'achievement', key: 'a2', definition: { name: 'Third', position: 3 } },
      { kind: 'achievement', key: 'b', definition: { name: 'Between', position: 1 } },
    ];
    assert.equal((await studio.planAndApply(some)).status, 200);
    const { definitions } = await studio.read();
    const keys = definitions.map(({ key }: TestDocument) => key).slice(0, 5);
    assert.deepEqual(keys, ['b', 'a0', 'a2', 'a1', 'a3']);
    assert.deepEqual((await studio.plan(definitions, { prune: true })).body.changes, []);
  });

  test('the schema of a file is served to everybody, and asks for the key', async () => {
    const { status, body } = await server.request('GET', '/v1/definition-schemas/leaderboard');
    assert.equal(status, 200);
    assert.deepEqual(body.required, ['key']);
    assert.equal(body.additionalProperties, false);
    assert.equal(body.properties.order.default, 'descending');
  });
});
