import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MAX_EXPERIMENTS } from '@overworld/contract/remote-config/experiment-limits';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { sql } from '../../platform/database/sql.ts';
import { chooseVariant } from './assignment.ts';
import { HALVES, makeStudio } from './test/studio.ts';

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

const { name: NAME, ...MEMBERS } = HALVES;
const KEY = `production/${NAME}`;
const experiment = (more: object = {}, key = KEY): Document => ({
  kind: 'experiment',
  key,
  definition: { ...MEMBERS, ...more },
});
const variantsWith = (reward: unknown) => [
  MEMBERS.variants[0],
  { name: 'Generous', weight: 1, values: { reward } },
];

async function makeFiles() {
  const studio = await makeStudio(server);
  const plan = async (definitions: readonly object[], more: object = {}) =>
    (await studio.steer('POST', '/definitions/plan', { definitions, ...more })).body;
  return {
    ...studio,
    plan,
    async apply(definitions: readonly object[], more: object = {}) {
      const { plan: id } = await plan(definitions, more);
      return studio.steer('POST', '/definitions/apply', { definitions, ...more, plan: id });
    },
    async readFiles(): Promise<Document[]> {
      const { definitions } = (await studio.steer('GET', '/definitions')).body;
      return definitions.filter(({ kind }: Document) => kind === 'experiment');
    },
    list: async (environment = 'production') =>
      (await studio.steer('GET', `/experiments?environment=${environment}`)).body.experiments,
  };
}

/** A segment, for a prune: an empty list of files cannot be pruned by the commands. */
const SEGMENT: Document = { kind: 'segment', key: 'S', definition: { query: 'a=b' } };

test('an experiment from a file is a draft of its environment, and states change no file', async () => {
  const studio = await makeFiles();
  const condition = { has_tags: ['vip'] };
  const wanted = [
    experiment(),
    experiment({ condition, description: 'Why', share: 12.5 }, 'development/Reward'),
  ];
  assert.equal((await studio.apply(wanted)).status, 200);
  const [draft] = await studio.list();
  assert.deepEqual([draft.name, draft.state, draft.condition], [NAME, 'draft', null]);
  const [other] = await studio.list('development');
  assert.deepEqual([other.condition, other.description, other.share], [condition, 'Why', 12.5]);
  const files = await studio.readFiles();
  for (const step of ['start', 'stop']) {
    assert.equal((await studio.steer('POST', `/experiments/${draft.id}/${step}`)).status, 200);
    assert.deepEqual((await studio.plan(wanted, { prune: true })).changes, []);
    assert.deepEqual(await studio.readFiles(), files);
  }
});

test('a draft can be changed as a whole, and its values keep all digits', async () => {
  const studio = await makeFiles();
  await studio.apply([experiment()]);
  const [{ id }] = await studio.list();
  const text = JSON.stringify({ definitions: [experiment({ variants: variantsWith(0) })] }).replace(
    '"reward":0',
    '"reward":9007199254740993',
  );
  const planned = await studio.steer('POST', '/definitions/plan', text);
  const applying = `${text.slice(0, -1)},"plan":"${planned.body.plan}"}`;
  assert.equal((await studio.steer('POST', '/definitions/apply', applying)).status, 200);
  const read = await studio.steer('GET', `/experiments/${id}`);
  assert.match(read.text, /"reward":9007199254740993/);
  assert.deepEqual((await studio.steer('POST', '/definitions/plan', text)).body.changes, []);
});

test('a running experiment keeps its groups, whatever its file says', async () => {
  const studio = await makeFiles();
  const id = await studio.start({ ...HALVES, share: 1 });
  const variantAt = (share: number, player_id: string) =>
    chooseVariant({ id, share, variants: HALVES.variants }, player_id);
  const player_id = Array.from({ length: 100 }, (_none, index) => `p${index}`).find(
    (it) => variantAt(1, it) === null && variantAt(100, it) === 1,
  );
  const readReward = async () => (await studio.read(player_id)).body.config.reward;
  assert.equal(await readReward(), 100);
  for (const [more, words] of [
    [{ share: 1, variants: variantsWith(300) }, 'variants can be changed in a draft only'],
    [{ share: 1, condition: { has_tags: ['a'] } }, 'condition can be changed in a draft only'],
    [{ share: 1, metrics: [{ kind: 'retention', days: 2 }] }, 'metrics can be changed in a'],
    [{ share: 0.5 }, 'The share of a running experiment can only be raised'],
  ] as const) {
    const planned = await studio.plan([SEGMENT, experiment(more)]);
    const said = planned.effects.find(({ kind }: { kind: string }) => kind === 'experiment');
    const refusal = `The experiment has started, so an apply is refused: ${words}`;
    assert.ok(said.words.startsWith(refusal), said.words);
    const { status, body } = await studio.apply([SEGMENT, experiment(more)]);
    assert.equal(status, 409);
    assert.ok(body.problems[0].error.startsWith(words), body.problems[0].error);
    assert.deepEqual([body.problems[0].kind, body.problems[0].key], ['experiment', KEY]);
  }
  const digest = (await studio.plan([])).digest;
  assert.equal((await studio.apply([experiment({ share: 100, description: 'More' })])).status, 200);
  assert.notEqual((await studio.plan([])).digest, digest);
  assert.equal(await readReward(), 200);
});

test('an apply and a start at the same moment leave one of both definitions, whole', async () => {
  const studio = await makeFiles();
  await studio.apply([experiment()]);
  const [{ id }] = await studio.list();
  const changed = experiment({ variants: variantsWith(300) });
  const [applied, started] = await Promise.all([
    studio.apply([changed]),
    studio.steer('POST', `/experiments/${id}/start`),
  ]);
  assert.equal(started.status, 200);
  const { variants } = (await studio.list())[0];
  assert.equal(variants[1].values.reward, applied.status === 200 ? 300 : 200);
  assert.ok([200, 409].includes(applied.status), applied.text);
});

test('a prune deletes drafts alone, and none that a card shows', async () => {
  const studio = await makeFiles();
  const id = await studio.start(HALVES);
  const stopped = await studio.start({ ...HALVES, name: 'Shop', variants: withShop() });
  await studio.steer('POST', `/experiments/${stopped}/stop`);
  await studio.apply([experiment({}, 'production/New')]);
  const draft = (await studio.list()).find(({ name }: { name: string }) => name === 'New');
  const query = `experiment_id=${draft.id}&metric=1`;
  const cards = [{ title: 'Which', report: 'results', chart: 'difference', query }];
  const made = await studio.steer('POST', '/dashboards', { name: 'Main', cards });
  assert.equal(made.status, 201, made.text);
  const { definitions } = (await studio.steer('GET', '/definitions')).body;
  const dashboards = definitions.filter(({ kind }: Document) => kind === 'dashboard');
  const { changes, effects } = await studio.plan(dashboards, { prune: true });
  const [{ action, key }] = changes;
  assert.deepEqual([changes.length, action, key], [1, 'delete', 'production/New']);
  assert.match(effects[0].words, /^1 card uses it: the card "Which" of the dashboard "Main"/);
  const refused = await studio.apply(dashboards, { prune: true });
  assert.equal(refused.status, 409);
  assert.deepEqual(refused.body.used_by, ['the card "Which" of the dashboard "Main"']);
  assert.equal((await studio.apply([SEGMENT], { prune: true })).status, 200);
  assert.deepEqual(
    (await studio.list()).map((it: { id: string }) => it.id).toSorted(),
    [id, stopped].toSorted(),
  );
});

test('experiments of one name are told apart, also when the first of them is deleted', async () => {
  const studio = await makeFiles();
  for (const share of [1, 2]) await studio.steer('POST', '/experiments', { ...HALVES, share });
  const files = await studio.readFiles();
  assert.deepEqual(
    files.map(({ key, definition }) => [key, (definition as { share: number }).share]),
    [
      [KEY, 1],
      [`${KEY} (2)`, 2],
    ],
  );
  const left = files.slice(1);
  assert.equal((await studio.apply(left, { prune: true })).status, 200);
  assert.deepEqual((await studio.plan(left, { prune: true })).changes, []);
  assert.deepEqual(
    (await studio.list()).map(({ name, share }: { name: string; share: number }) => [name, share]),
    [[`${NAME} (2)`, 2]],
  );
});

test('an experiment is copied to the other environment as a draft', async () => {
  const studio = await makeFiles();
  const id = await studio.start(HALVES);
  await studio.steer('POST', `/experiments/${id}/stop`);
  const copy = { from: 'production', to: 'development', kinds: ['experiment'] };
  const { plan } = (await studio.steer('POST', '/definitions/copy/plan', copy)).body;
  const copied = await studio.steer('POST', '/definitions/copy/apply', { ...copy, plan });
  assert.equal(copied.status, 200, copied.text);
  const [draft] = await studio.list('development');
  assert.deepEqual([draft.name, draft.state, draft.variants], [NAME, 'draft', HALVES.variants]);
  assert.notEqual(draft.id, id);
});

test('a file with a definition that the routes refuse is refused', async () => {
  const studio = await makeFiles();
  const long = { text: 'x'.repeat(65_000), more: 'y'.repeat(1_000) };
  const bad: [Document, RegExp][] = [
    [experiment({ state: 'running' }), /^state is not allowed/],
    [experiment({ variants: [MEMBERS.variants[0], MEMBERS.variants[0]] }), /^variants\[1\]/],
    [experiment({ condition: {} }), /^condition must state/],
    [experiment({ metrics: [{ kind: 'event_sum', days: 1 }] }), /^metrics\[0\]\.event_name is/],
    [experiment({ share: 0 }), /^share must/],
    [experiment({ variants: variantsWith(long) }), /^variants, metrics and condition must have/],
    [experiment({}, 'staging/X'), /^key must begin with development\/ or production\//],
    [experiment({}, 'production/ '), /^The name in key must/],
  ];
  const { problems } = await studio.plan(bad.map(([document]) => document));
  assert.equal(problems.length, bad.length, JSON.stringify(problems));
  for (const [index, [, expected]] of bad.entries()) assert.match(problems[index].error, expected);

  await server.database.execute(sql`
    INSERT INTO experiments (game_id, environment, name, share, definition)
    SELECT ${studio.game_id}, 'production', 'e' || n, 1, ${JSON.stringify({ condition: null, ...MEMBERS })}
    FROM generate_series(2, ${MAX_EXPERIMENTS}::integer) AS n`);
  const [first, second] = [experiment({}, 'production/A'), experiment({}, 'production/B')];
  const { status, body } = await studio.apply([first, second]);
  assert.equal(status, 409);
  assert.match(body.error, /^experiment "production\/B": An environment may have at most 200/);
  const elsewhere = experiment({}, 'development/B');
  assert.equal((await studio.apply([first, elsewhere])).status, 200);
});

test('an experiment of another game stays as it is', async () => {
  const [own, other] = [await makeFiles(), await makeFiles()];
  await other.apply([experiment()]);
  await own.apply([experiment()]);
  const before_change = await other.list();
  assert.equal((await own.apply([experiment({ share: 7 })])).status, 200);
  assert.equal((await own.apply([SEGMENT], { prune: true })).status, 200);
  assert.deepEqual(await own.list(), []);
  assert.deepEqual(await other.list(), before_change);
});

const withShop = () => [
  MEMBERS.variants[0],
  { name: 'Closed', weight: 1, values: { shop: { open: false } } },
];

test('a plan says so when a copy raises the share of a running experiment', async () => {
  const studio = await makeFiles();
  const tried = experiment({ share: 100 }, `development/${NAME}`);
  await studio.apply([experiment({ share: 10 }), tried]);
  const copy = { from: 'development', to: 'production', kinds: ['experiment'] };
  const planCopy = async () => (await studio.steer('POST', '/definitions/copy/plan', copy)).body;
  assert.deepEqual((await planCopy()).effects, []);
  const [{ id }] = await studio.list();
  const started = await studio.steer('POST', `/experiments/${id}/start?environment=production`);
  assert.equal(started.status, 200, started.text);
  const { effects } = await planCopy();
  assert.deepEqual(
    effects.map(({ key, words }: { key: string; words: string }) => [key, words]),
    [
      [
        KEY,
        'The experiment is running: 100% of the players whom it is about take part at once, instead of 10%.',
      ],
    ],
  );
});
