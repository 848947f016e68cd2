import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';
import { makeFilesStudio } from './test/studio.ts';
import type { TestDocument } from './test/studio.ts';

const DOCUMENTS: TestDocument[] = [
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
  {
    kind: 'experiment',
    key: 'production/Reward',
    definition: {
      share: 50,
      condition: { lacks_tags: ['staff'] },
      variants: [
        { name: 'Control', weight: 1 },
        { name: 'Generous', weight: 1, values: { reward: 200 } },
      ],
      metrics: [{ kind: 'retention', days: 1 }],
    },
  },
  { kind: 'segment', key: 'Whales', definition: { query: 'has_tags=whale' } },
  { kind: 'saved_report', key: 'funnel/First/Buy', definition: { query: 'steps=%5B%5D' } },
  {
    kind: 'dashboard',
    key: 'Main',
    definition: {
      cards: [
        { title: 'Back', report: 'retention', chart: 'curve' },
        {
          title: 'Launch',
          report: 'active-players',
          chart: 'daily',
          width: 'full',
          from: '2026-03-01',
          to: '2026-03-07',
        },
      ],
    },
  },
  {
    kind: 'alert',
    key: 'production/Players stay away',
    definition: { metric: 'active_players', comparison: 'falls', threshold: 12.5 },
  },
  {
    kind: 'player_verification',
    key: 'development',
    definition: { verification: 'claimed', allows_claims: false },
  },
  {
    kind: 'shares',
    key: 'development',
    definition: { player_requests_per_minute: 60, monthly_events_percent: 20 },
  },
  {
    kind: 'revenue_settings',
    key: 'game',
    definition: {
      event_name: 'purchase',
      amount_property: 'cents',
      amount_unit: 'minor',
      currency: 'USD',
      report_currency: 'EUR',
      rates: [{ currency: 'USD', valid_from: '2026-01-01', rate: 0.92 }],
    },
  },
  {
    kind: 'game_settings',
    key: 'game',
    definition: { time_zone: 'UTC', development_event_validation: 'reject' },
  },
];

/** The number of documents of a game in which nobody has made anything: its settings. */
const SETTINGS = 7;
/** The number of documents of a game to which the documents above were applied. */
const APPLIED = DOCUMENTS.length + 2;

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

  const makeMany = (count: number, prefix = 'a') =>
    Array.from({ length: count }, (_, index) => ({
      kind: 'achievement',
      key: `${prefix}${index}`,
      definition: { name: 'One of many' },
    }));

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
    await studio.planAndApply(DOCUMENTS.slice(4, 5));
    const { body } = await studio.plan([], { prune: true });
    assert.deepEqual(body.changes, []);
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

  test('achievements that no file names keep their places among the others', async () => {
    const studio = await makeStudio();
    await studio.planAndApply(makeMany(4));
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

  test('a member who is removed, or whose token is revoked, after the plan applies nothing', async () => {
    const studio = await makeStudio();
    const { game_id, account_id } = studio;
    const { body } = await studio.plan(DOCUMENTS);
    const made = await server.makeAccessToken(account_id, [game_id], 'developer');
    const planned = await studio.send('plan', { definitions: DOCUMENTS }, made.token);
    assert.deepEqual(planned.body, body);
    await server.database.execute(sql`DELETE FROM access_tokens WHERE id = ${made.token_id}`);
    const applying = { definitions: DOCUMENTS, plan: body.plan };
    assert.equal((await studio.send('apply', applying, made.token)).status, 401);
    await server.database.execute(sql`DELETE FROM game_members WHERE game_id = ${game_id}`);
    assert.equal((await studio.send('apply', applying)).status, 404);
    const { token } = await server.makeAccount({ game_id });
    const read = await server.request('GET', `/v1/games/${game_id}/definitions`, { token });
    assert.equal(read.body.definitions.length, SETTINGS);
  });

  test('an access token with the role of a viewer reads, and neither plans nor applies', async () => {
    const { game_id, account_id, send } = await makeStudio();
    const { token } = await server.makeAccessToken(account_id, [game_id], 'viewer');
    const read = await server.request('GET', `/v1/games/${game_id}/definitions`, { token });
    assert.equal(read.status, 200);
    const body = { definitions: DOCUMENTS, plan: 'x' };
    for (const what of ['plan', 'apply'] as const) {
      assert.equal((await send(what, body, token)).status, 403);
    }
  });

  test('a plan is good for its own game alone, and nobody learns of another game', async () => {
    const [own, other] = [await makeStudio(), await makeStudio()];
    const { body } = await other.plan(DOCUMENTS);
    const applied = await own.apply(DOCUMENTS, { plan: body.plan });
    assert.equal(applied.status, 409);
    const reached = await server.makeAccessToken(own.account_id, [own.game_id], 'developer');
    for (const token of [own.token, reached.token]) {
      for (const what of ['plan', 'apply'] as const) {
        const sent = { definitions: DOCUMENTS, plan: body.plan };
        const answer = await other.send(what, sent, token);
        assert.deepEqual([answer.status, answer.body.error], [404, 'Game not found']);
      }
    }
    assert.equal((await other.read()).definitions.length, SETTINGS);
  });

  test('documents are looked at only after the membership', async () => {
    const [own, other] = [await makeStudio(), await makeStudio()];
    const wrong = {
      definitions: [{ kind: 'achievement', key: 'x', definition: {} }, 7],
      plan: 'x',
    };
    for (const what of ['plan', 'apply'] as const) {
      assert.equal((await other.send(what, wrong, own.token)).status, 404);
      assert.equal((await own.send(what, wrong)).status, 400);
      assert.equal((await other.send(what, '{"definitions":[', own.token)).status, 400);
    }
  });

  test('the audit log names the token, the commit and the changes of an apply', async () => {
    const studio = await makeStudio();
    const { game_id, account_id, send } = studio;
    const made = await server.makeAccessToken(account_id, [game_id], 'developer', 'Build server');
    const { body } = await studio.plan(DOCUMENTS);
    const applying = { definitions: DOCUMENTS, plan: body.plan, commit: 'abc123' };
    const applied = await send('apply', applying, made.token);
    assert.equal(applied.status, 200);
    const { audit_log } = (await studio.call('GET', '/audit-log')).body;
    const [{ action, target, account_email, details }] = audit_log;
    assert.deepEqual(
      [action, target, account_email],
      ['apply_definitions', body.plan, studio.email],
    );
    const { changes, ...rest } = details;
    assert.deepEqual(rest, {
      commit: 'abc123',
      count: DOCUMENTS.length,
      access_token: 'Build server',
      access_token_id: made.token_id,
    });
    assert.deepEqual(changes, applied.body.changes);
  });
});
