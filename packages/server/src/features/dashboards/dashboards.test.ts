import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PINNED_REPORTS, REPORTS } from '@overworld/contract/analytics/reports';
import type { PinnedReport } from '@overworld/contract/analytics/reports';
import { MAX_CARDS, MAX_DASHBOARDS } from '@overworld/contract/dashboards/limits';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';
import { makeDashboardStudio } from './test/studio.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const CARD = { title: 'Sessions', report: 'sessions', chart: 'count' };
const RESULTS = { title: 'Test', report: 'results', chart: 'difference' };
const UNUSED = '00000000-0000-4000-8000-000000000000';

const makeStudio = () => makeDashboardStudio(server);

test('a dashboard is created, shown, renamed, arranged and deleted', async () => {
  const studio = await makeStudio();
  const { status, body } = await studio.create({
    name: ' Launch ',
    cards: [CARD, { ...CARD, chart: 'lengths', width: 'full', last_days: 7 }],
  });
  assert.equal(status, 201);
  const [first, second] = body.cards;
  assert.deepEqual(body, {
    id: body.id,
    name: 'Launch',
    position: 1,
    version: 1,
    link_count: 0,
    updated_at: body.updated_at,
    updated_by: studio.email,
    cards: [
      { ...CARD, id: first.id, query: '', width: 'half', last_days: 30, from: null, to: null },
      { ...second, chart: 'lengths', width: 'full', last_days: 7 },
    ],
  });
  assert.deepEqual(await studio.get(body.id), body);

  const changed = await studio.patch(body.id, {
    version: 1,
    name: 'Week 1',
    cards: [second, first],
  });
  assert.deepEqual(changed.body, {
    ...body,
    ...pick(changed.body),
    name: 'Week 1',
    cards: [second, first],
  });
  assert.equal(changed.body.version, 2);
  assert.equal((await studio.delete(body.id)).status, 204);
  const gone = await studio.delete(body.id);
  assert.deepEqual([gone.status, gone.body], [404, { error: 'Dashboard not found' }]);
  assert.deepEqual(await studio.names(), []);
});

const pick = ({ version, updated_at }: { version: number; updated_at: string }) => ({
  version,
  updated_at,
});

test('a change that is based on an old version is refused, and nothing changes', async () => {
  const studio = await makeStudio();
  const { id } = (await studio.create({ name: 'Both', cards: [CARD] })).body;
  const answers = await Promise.all(
    ['a', 'b', 'c'].map((name) => studio.patch(id, { version: 1, name })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
  const refused = answers.find(({ status }) => status === 409)!;
  assert.deepEqual(refused.body, { error: 'Version conflict', server_version: 2 });
  const won = answers.find(({ status }) => status === 200)!;
  assert.equal((await studio.get(id)).name, won.body.name);
  assert.equal((await studio.patch(id, { name: 'd' })).body.version, 3);
});

test('charts that are pinned at the same time are all kept, up to the limit', async () => {
  const studio = await makeStudio();
  const cards = Array.from({ length: MAX_CARDS - 3 }, () => CARD);
  const { id } = (await studio.create({ name: 'Full', cards })).body;
  const answers = await Promise.all(
    ['a', 'b', 'c', 'd', 'e'].map((title) => studio.pin(id, { ...CARD, title })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 409, 409]);
  const { cards: stored, version } = await studio.get(id);
  assert.deepEqual([stored.length, version], [MAX_CARDS, 4]);
  const refused = answers.find(({ status }) => status === 409)!.body.error;
  assert.equal(refused, `A dashboard may have at most ${MAX_CARDS} cards: remove one first`);
  const many = await studio.patch(id, { cards: [...stored, CARD] });
  assert.deepEqual(
    [many.status, many.body.error],
    [400, `cards must have at most ${MAX_CARDS} entries`],
  );
});

test('dashboards still have the positions 1, 2, 3… after one was moved or deleted', async () => {
  const studio = await makeStudio();
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c', 'd']) ids.push((await studio.create({ name })).body.id);
  assert.equal((await studio.patch(ids[3]!, { position: 1 })).body.position, 1);
  assert.deepEqual(await studio.names(), ['1 d', '2 a', '3 b', '4 c']);
  const moved = await studio.patch(ids[0]!, { position: 99, version: 1 });
  assert.deepEqual([moved.body.position, moved.body.version], [4, 1]);
  await studio.delete(ids[1]!);
  assert.deepEqual(await studio.names(), ['1 d', '2 c', '3 a']);
});

test('a name is unique in its game, but a dashboard may change the case of its own name', async () => {
  const studio = await makeStudio();
  const { id } = (await studio.create({ name: 'Launch' })).body;
  const taken = await studio.create({ name: 'LAUNCH ' });
  assert.deepEqual(
    [taken.status, taken.body],
    [409, { error: 'A dashboard of this name exists already' }],
  );
  assert.equal((await studio.patch(id, { name: 'launch' })).body.name, 'launch');
  assert.equal((await (await makeStudio()).create({ name: 'Launch' })).status, 201);
});

test(`a game has at most ${MAX_DASHBOARDS} dashboards, also after parallel requests`, async () => {
  const studio = await makeStudio();
  await server.database.execute(sql`
    INSERT INTO dashboards (game_id, name, position, cards)
    SELECT ${studio.game_id}, number::text, number, '[]'
    FROM generate_series(1, ${MAX_DASHBOARDS - 2}::integer) AS number`);
  const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => studio.create({ name })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 409, 409]);
});

test('of each report that a dashboard may show, the first chart can be pinned', async () => {
  const studio = await makeStudio();
  const { id } = (await studio.create({ name: 'All' })).body;
  const queries: Record<PinnedReport, string> = {
    'active-players': '',
    sessions: '',
    events: '',
    'data-quality': '',
    revenue: '',
    funnel: `steps=${encodeURIComponent('[{"event_name":"a"},{"event_name":"b"}]')}`,
    breakdown: 'event_name=purchase&property=price',
    metric: 'metric_key=payers',
    retention: 'cohort=week',
    'lifetime-value': 'cohort=week',
    path: 'event_name=purchase&hide=a&hide=b',
    progression: 'start_event=level_started&property=level',
    results: `experiment_id=${UNUSED}&metric=1`,
  };
  for (const report of PINNED_REPORTS) {
    const [chart] = REPORTS[report].charts;
    const query = queries[report];
    const { status, text } = await studio.pin(id, { title: report, report, chart, query });
    assert.equal(status, 201, `${report}: ${text}`);
  }
});

test('a wrong card is refused with a message that names the field, and nothing changes', async () => {
  const studio = await makeStudio();
  const made = (await studio.create({ name: 'Strict', cards: [CARD] })).body;
  const other = (await studio.create({ name: 'Other', cards: [CARD] })).body;
  const fixed = { from: '2026-03-01', to: '2026-03-31' };
  const wrong: [unknown, string][] = [
    [{ ...CARD, title: ' ' }, 'title must not be empty'],
    [{ ...CARD, title: undefined }, 'title is required'],
    [{ ...CARD, report: 'segment' }, `report must be one of ${PINNED_REPORTS.join(', ')}`],
    [{ ...CARD, chart: 'daily' }, 'chart must be one of count, per_player, length, lengths'],
    [{ ...CARD, width: 'third' }, 'width must be one of half, full'],
    [
      { ...CARD, query: 'environment=production' },
      'query: "environment" is no parameter of this report',
    ],
    [{ ...CARD, query: 'from=2026-01-01' }, 'query: "from" is no parameter of this report'],
    [{ ...CARD, query: '__proto__=1' }, 'query: "__proto__" is no parameter of this report'],
    [{ ...CARD, query: 'cohort=week' }, 'query: "cohort" is no parameter of this report'],
    [{ ...CARD, report: 'breakdown', chart: 'sum' }, 'query: event_name is required'],
    [RESULTS, 'query: experiment_id is required'],
    [{ ...RESULTS, query: `game_id=${UNUSED}` }, 'query: "game_id" is no parameter of this report'],
    [
      { ...CARD, report: 'breakdown', chart: 'sum', query: 'event_name=a&filter=%7B' },
      'query: filter is not valid JSON',
    ],
    [
      {
        ...CARD,
        report: 'breakdown',
        chart: 'sum',
        query: 'event_name=a&group_by=b&split_by=tag:c',
      },
      'query: split_by is not allowed with group_by',
    ],
    [
      { ...CARD, report: 'breakdown', chart: 'sum', query: 'event_name=a%00' },
      'query: event_name must not contain \\u0000',
    ],
    [
      { ...CARD, report: 'funnel', chart: 'steps', query: 'steps=%5B%5D' },
      'query: steps must have at least 2 entries',
    ],
    [
      { ...CARD, report: 'retention', chart: 'curve', query: 'cohort=week&cohort=day' },
      'query: cohort must be given once',
    ],
    [{ ...CARD, last_days: 0 }, 'last_days must be at least 1'],
    [{ ...CARD, last_days: 367 }, 'last_days must be at most 366'],
    [{ ...CARD, ...fixed, last_days: 7 }, 'last_days must not stand beside from and to'],
    [{ ...CARD, from: fixed.from }, 'to is required beside the other day'],
    [{ ...CARD, to: fixed.to }, 'from is required beside the other day'],
    [{ ...CARD, from: '2026-02-30', to: fixed.to }, 'from must be a valid date'],
    [{ ...CARD, from: fixed.to, to: fixed.from }, 'to must not be before from'],
    [{ ...CARD, from: '2025-01-01', to: fixed.to }, 'from must be at most 365 days before to'],
  ];
  for (const [card, words] of wrong) {
    const pinned = await studio.pin(made.id, card);
    assert.deepEqual([pinned.status, pinned.body], [400, { error: words }]);
    const listed = await studio.patch(made.id, { cards: [CARD, card] });
    assert.deepEqual([listed.status, listed.body], [400, { error: `cards[1].${words}` }]);
  }
  const strange = 'is not a card of this dashboard, or is given twice';
  const [card] = made.cards;
  for (const cards of [[{ ...CARD, id: UNUSED }], [{ ...CARD, id: other.cards[0].id }]]) {
    const { status, body } = await studio.patch(made.id, { cards });
    assert.deepEqual([status, body.error], [400, `cards[0].id ${strange}`]);
  }
  const twice = await studio.patch(made.id, { cards: [card, card] });
  assert.equal(twice.body.error, `cards[1].id ${strange}`);
  assert.equal((await studio.patch(made.id, { version: 1 })).status, 400);
  assert.deepEqual(await studio.get(made.id), made);
});

test('a viewer may read but not change dashboards, and games do not share dashboards', async () => {
  const studio = await makeStudio();
  const made = (await studio.create({ name: 'Ours', cards: [CARD] })).body;
  const viewer = await server.makeAccount({ game_id: studio.game_id, role: 'viewer' });
  const at = `${studio.path}/${made.id}`;
  const asViewer = (method: string, path: string, body?: unknown) =>
    server.request(method, path, { token: viewer.token, body });
  assert.deepEqual((await asViewer('GET', at)).body, made);
  for (const [method, path, body] of [
    ['POST', studio.path, { name: 'x' }],
    ['PATCH', at, { name: 'x' }],
    ['DELETE', at],
    ['POST', `${at}/cards`, CARD],
  ] as const) {
    assert.equal((await asViewer(method, path, body)).status, 403, `${method} ${path}`);
  }
  const other = await makeStudio();
  assert.equal((await other.patch(made.id, { name: 'x' })).status, 404);
  assert.equal((await other.pin(made.id, CARD)).status, 404);
  assert.deepEqual(await studio.get(made.id), made);
});
