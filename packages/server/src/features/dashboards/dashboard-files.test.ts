import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

interface Document {
  kind: string;
  key: string;
  definition: object;
}

async function makeStudio() {
  const { game_id } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id, role: 'admin' });
  const call = async (method: string, path: string, body?: object) =>
    server.request(method, `/v1/games/${game_id}${path}`, { token, body });
  return {
    call,
    async apply(definitions: readonly Document[], more: object = {}) {
      const planned = await call('POST', '/definitions/plan', { definitions, ...more });
      if (planned.status !== 200) return planned;
      const sent = { definitions, ...more, plan: planned.body.plan };
      return call('POST', '/definitions/apply', sent);
    },
    /** Lists the names of the dashboards, with their versions. */
    async list(): Promise<[name: string, version: number][]> {
      const { body } = await call('GET', '/dashboards');
      return body.dashboards.map((it: Record<string, unknown>) => [it.name, it.version]);
    },
  };
}

const card = (title: string, query = '') => ({
  title,
  report: 'retention',
  chart: 'curve',
  query,
});
const dashboard = (key: string, cards: object[], position?: number): Document => ({
  kind: 'dashboard',
  key,
  definition: { cards, ...(position && { position }) },
});
const segment = (key: string): Document => ({
  kind: 'segment',
  key,
  definition: { query: 'has_tags=x' },
});
const of = (name: string) => `players=${encodeURIComponent(JSON.stringify({ segment: name }))}`;

test('a dashboard keeps its links, and its cards their ids, when files change it', async () => {
  const studio = await makeStudio();
  await studio.apply([dashboard('Main', [card('A'), card('B')])]);
  const { id } = (await studio.call('GET', '/dashboards')).body.dashboards[0];
  const read = async () => (await studio.call('GET', `/dashboards/${id}`)).body;
  const before_change = await read();
  const link = await studio.call('POST', `/dashboards/${id}/links`, { environment: 'production' });
  assert.equal(link.status, 201, link.text);
  await studio.apply([dashboard('Main', [card('C'), card('B', of('Whales')), card('A')])]);
  const changed = await read();
  const ids = ({ cards }: { cards: { id: string }[] }) => cards.map((it) => it.id);
  const [a, b] = ids(before_change);
  assert.deepEqual(ids(changed).slice(1), [b, a]);
  assert.deepEqual([before_change.version, changed.version, changed.link_count], [1, 2, 1]);
  assert.equal(changed.cards[1].query, of('Whales'));
});

test('files order dashboards without a new version, and others keep their places', async () => {
  const studio = await makeStudio();
  for (const name of ['One', 'Two', 'Three']) await studio.call('POST', '/dashboards', { name });
  await studio.apply([dashboard('Three', [], 1), dashboard('New', [])]);
  const names = [...(await studio.list())];
  assert.deepEqual(names, [
    ['Three', 1],
    ['One', 1],
    ['Two', 1],
    ['New', 1],
  ]);
});

test('two dashboards whose names differ in case alone are refused', async () => {
  const studio = await makeStudio();
  const { status, body } = await studio.apply([dashboard('Main', []), dashboard('main', [])]);
  assert.equal(status, 409);
  assert.equal(body.error, 'dashboard "main": A dashboard of this name exists already');
  assert.deepEqual(await studio.list(), []);
});

test('a segment can be renamed together with the dashboards and reports that use it', async () => {
  const studio = await makeStudio();
  const make = (name: string): Document[] => [
    segment(name),
    dashboard('Main', [card('A', of(name))]),
    { kind: 'saved_report', key: 'funnel/Shop', definition: { query: of(name) } },
  ];
  assert.equal((await studio.apply(make('Whales'))).status, 200);
  const refused = await studio.apply([segment('VIPs'), ...make('Whales').slice(1)], {
    prune: true,
  });
  assert.equal(refused.status, 409);
  assert.deepEqual(refused.body.used_by, [
    'the card "A" of the dashboard "Main"',
    'the saved funnel "Shop"',
  ]);
  assert.equal((await studio.apply(make('VIPs'), { prune: true })).status, 200);
});

test('no more dashboards and reports than a game may have are made from files', async () => {
  const studio = await makeStudio();
  const many = (count: number, make: (index: number) => Document) =>
    Array.from({ length: count }, (_, index) => make(index));
  const boards = await studio.apply(many(51, (index) => dashboard(`d${index}`, [])));
  assert.equal(boards.status, 409);
  assert.equal(
    boards.body.error,
    'dashboard: the plan makes 51. A game may have at most 50 dashboards',
  );
  const definition = { query: 'a=b' };
  const reports = await studio.apply([
    ...many(250, (index) => segment(`s${index}`)),
    ...many(251, (index) => ({ kind: 'saved_report', key: `funnel/f${index}`, definition })),
  ]);
  assert.equal(reports.status, 409);
  assert.match(reports.body.error, /^saved_report: the plan makes 251\. /);
  const { definitions } = (await studio.call('GET', '/definitions')).body;
  const kinds = definitions.map(({ kind }: Document) => kind);
  assert.ok(!kinds.some((kind: string) => /dashboard|segment|saved_report/.test(kind)));
});

test('a card about an experiment names it by its key, and shows that of its own game', async () => {
  const experiment: Document = {
    kind: 'experiment',
    key: 'production/Which & when',
    definition: {
      share: 50,
      variants: [
        { name: 'Control', weight: 1 },
        { name: 'More', weight: 1, values: { reward: 2 } },
      ],
      metrics: [{ kind: 'retention', days: 1 }],
    },
  };
  const results = { title: 'A', report: 'results', chart: 'difference', query: 'metric=1' };
  const cards = [{ ...results, experiment: experiment.key }];
  const [first, second] = [await makeStudio(), await makeStudio()];
  for (const studio of [first, second]) {
    const made = await studio.apply([experiment, dashboard('Main', cards)]);
    assert.equal(made.status, 200, made.text);
  }
  const readQuery = async ({ call }: typeof first) => {
    const { id } = (await call('GET', '/dashboards')).body.dashboards[0];
    return (await call('GET', `/dashboards/${id}`)).body.cards[0].query;
  };
  const { experiments } = (await second.call('GET', '/experiments')).body;
  const query = `experiment_id=${experiments[0].id}&metric=1`;
  assert.equal(await readQuery(second), query);
  assert.notEqual(await readQuery(first), query);
  const { definitions } = (await first.call('GET', '/definitions')).body;
  const planned = await second.call('POST', '/definitions/plan', { definitions, prune: true });
  assert.deepEqual(planned.body.changes, []);

  for (const [wrong, words] of [
    [{ ...results, experiment: 'production/None' }, /^cards\[0\]\.experiment: the game has no/],
    [{ ...card('A'), experiment: experiment.key }, /^cards\[0\]\.experiment must be left out/],
    [{ ...results, query: `${query}&metric=1`, experiment: experiment.key }, /^cards\[0\]\.query/],
  ] as const) {
    const { status, body } = await second.apply([dashboard('Main', [wrong])]);
    assert.equal(status, 400);
    assert.match(body.problems[0].error, words);
  }
  assert.equal(await readQuery(second), query);
});
