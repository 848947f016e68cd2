import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';
import { DOCUMENTS, SETTINGS } from './test/documents.ts';
import { makeFilesStudio } from './test/studio.ts';
import type { TestDocument } from './test/studio.ts';

suite('large plans and the limits of a game', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const makeStudio = () => makeFilesStudio(server);

  const makeMany = (count: number, prefix = 'a') =>
    Array.from({ length: count }, (_, index) => ({
      kind: 'achievement',
      key: `${prefix}${index}`,
      definition: { name: 'One of many' },
    }));

  test('the audit log leaves out members of large changes', async () => {
    const studio = await makeStudio();
    const parameters = { p: { value: 'x'.repeat(70_000) } };
    const large = { kind: 'remote_config', key: 'production', definition: { parameters } };
    assert.equal((await studio.planAndApply([large, DOCUMENTS[0]!])).status, 200);
    const { audit_log } = (await studio.call('GET', '/audit-log')).body;
    const { changes } = audit_log[0].details as { changes: { fields?: object[] }[] };
    assert.deepEqual(
      changes.map(({ fields }) => fields !== undefined),
      [true, false],
    );
  });

  test('a folder with more than the game may have is refused as a whole', async () => {
    const studio = await makeStudio();
    const { status, body } = await studio.planAndApply(makeMany(501));
    assert.equal(status, 403);
    assert.deepEqual(
      [body.error, body.code, body.resource, body.limit, body.used],
      [
        'achievement: the plan makes 501. This game has reached its limit of 500 achievements: delete one, or ask an administrator of this installation for more',
        'LIMIT_REACHED',
        'achievements',
        500,
        0,
      ],
    );
    assert.equal((await studio.read()).definitions.length, SETTINGS);
  });

  test('a plan that would hold up other changes for long is refused as a whole', async () => {
    const studio = await makeStudio();
    const limits = JSON.stringify({ achievements: 2_000, leaderboards: 200 });
    await server.database.execute(
      sql`UPDATE games SET limit_overrides = ${limits} WHERE id = ${studio.game_id}`,
    );
    const { status, body } = await studio.planAndApply(makeMany(1_001));
    assert.equal(status, 409);
    assert.equal(
      body.error,
      'An apply may make changes, at most 1,000, and this plan has 1,001: take some of the files first',
    );
    const boards = (max_score: number) =>
      Array.from({ length: 101 }, (_, index) => ({
        kind: 'leaderboard',
        key: `b${index}`,
        definition: { max_score },
      }));
    assert.equal((await studio.planAndApply(boards(1))).status, 200);
    const refused = await studio.planAndApply(boards(2));
    assert.equal(refused.status, 409);
    assert.match(refused.body.error, /^An apply may change or delete leaderboards, at most 100,/);
    assert.equal((await studio.planAndApply(boards(2).slice(1))).status, 200);
  });

  test('of very many members that differ, the member around them is shown', async () => {
    const studio = await makeStudio();
    const make = (value: unknown) => [
      { kind: 'remote_config', key: 'production', definition: { parameters: { p: { value } } } },
    ];
    const long = 'x'.repeat(16_000);
    const leaves = Object.fromEntries(
      Array.from({ length: 11_000 }, (_, index) => [`${index}`, 0]),
    );
    await studio.planAndApply(make({ [long]: {} }));
    const deep = await studio.plan(make({ [long]: leaves }));
    assert.deepEqual(
      deep.body.changes[0].fields.map(({ path }: { path: string }) => path),
      ['parameters.p.value'],
    );
    assert.ok(deep.text.length < 300_000, `${deep.text.length}`);
    await studio.planAndApply(make({}));
    const wide = await studio.plan(make({ leaves }));
    assert.equal(wide.body.changes[0].fields[0].path, 'parameters.p.value.leaves');
    const several = Object.fromEntries(Array.from({ length: 999 }, (_, index) => [`${index}`, 0]));
    assert.equal((await studio.plan(make(several))).body.changes[0].fields.length, 999);
    const more = await studio.plan(make(leaves));
    assert.equal(more.body.changes[0].fields.length, 1);
  });

  test('everything can be replaced at the limits of the game', async () => {
    const studio = await makeStudio();
    const limits = JSON.stringify({ achievements: 2, leaderboards: 1, event_schemas: 1 });
    await server.database.execute(
      sql`UPDATE games SET limit_overrides = ${limits} WHERE id = ${studio.game_id}`,
    );
    const { token } = await server.makeAccount({ game_id: studio.game_id, role: 'admin' });
    const make = (suffix: string) => [
      ...makeMany(2, suffix),
      { kind: 'leaderboard', key: suffix, definition: {} },
      { kind: 'event_schema', key: suffix, definition: { schema: {} } },
    ];
    for (const definitions of [make('old'), make('new')]) {
      const body = { definitions, prune: true };
      const planned = await studio.send('plan', body, token);
      const actions = planned.body.changes.map(({ action }: { action: string }) => action);
      assert.deepEqual(actions, actions.toSorted().toReversed());
      const applied = await studio.send('apply', { ...body, plan: planned.body.plan }, token);
      assert.equal(applied.status, 200, applied.text);
    }
    const { definitions } = await studio.read();
    assert.deepEqual(definitions.map(({ key }: TestDocument) => key).slice(0, -5), [
      'new0',
      'new1',
      'new',
      'new',
      'development',
      'production',
    ]);
  });
});
