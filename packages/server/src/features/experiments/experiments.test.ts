import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { HALVES, makeStudio } from './test/studio.ts';
import { WRONG_DEFINITIONS } from './test/wrong-definitions.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const [CONTROL, GENEROUS] = HALVES.variants;

test('a draft is stored as it was sent, and listed, changed and deleted', async () => {
  const { steer } = await makeStudio(server);
  const sent = {
    ...HALVES,
    description: 'Why',
    condition: { has_tags: ['vip'], properties: [{ property: 'level', operator: 'lt', value: 5 }] },
    metrics: [
      { kind: 'retention', days: 1 },
      {
        kind: 'event_sum',
        days: 7,
        event_name: 'buy',
        property: 'price',
        cap: 99.5,
        guardrail: true,
      },
    ],
  };
  const created = await steer('POST', '/experiments', sent);
  assert.equal(created.status, 201);
  const { id, created_at, created_by, ...rest } = created.body;
  const nothing = { started_at: null, stopped_at: null, shipped_variant: null };
  assert.deepEqual(rest, { ...sent, state: 'draft', ...nothing });
  assert.ok(created_at && created_by);
  assert.deepEqual((await steer('GET', `/experiments/${id}`)).body, created.body);

  const changed = await steer('PATCH', `/experiments/${id}`, { share: 12.5, condition: null });
  assert.deepEqual(changed.body, { ...created.body, share: 12.5, condition: null });
  const second = await steer('POST', '/experiments', { ...HALVES, name: 'Second' });
  const list = async (query: string) => (await steer('GET', `/experiments${query}`)).body;
  assert.deepEqual((await list('')).experiments, [second.body, changed.body]);
  const page = await list('?limit=1');
  assert.deepEqual(page.experiments, [second.body]);
  const next = await list(`?limit=1&cursor=${page.next_cursor}`);
  assert.deepEqual(next, { experiments: [changed.body], next_cursor: null });
  assert.deepEqual((await list('?state=running')).experiments, []);
  assert.deepEqual((await list('?environment=development')).experiments, []);

  assert.equal((await steer('DELETE', `/experiments/${id}`)).status, 204);
  const gone = await steer('GET', `/experiments/${id}`);
  assert.deepEqual([gone.status, gone.body.error], [404, 'Experiment not found']);
});

test('numbers of any size in values reach the dashboard and the game with all digits', async () => {
  const studio = await makeStudio(server);
  const large = '12345678901234567890';
  const body = JSON.stringify(HALVES).replace(
    '"reward":200',
    `"reward":{"__proto__":[${large},1.50]}`,
  );
  const path = `/v1/games/${studio.game_id}/experiments`;
  const headers = { authorization: `Bearer ${studio.token}`, 'content-type': 'application/json' };
  const created = await fetch(server.url + path, { method: 'POST', headers, body });
  const text = await created.text();
  assert.ok(text.includes(`{"__proto__":[${large},1.5]}`), text);
  const { id } = JSON.parse(text) as { id: string };
  await studio.steer('POST', `/experiments/${id}/start`);
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, number) => (await studio.read(`p${number}`)).text),
  );
  assert.ok(answers.some((answer) => answer.includes(`"reward":{"__proto__":[${large},1.5]}`)));
});

suite('a wrong definition is 400 and names the place', () => {
  for (const [name, change, error] of WRONG_DEFINITIONS) {
    test(name, async () => {
      const { steer } = await makeStudio(server);
      const created = await steer('POST', '/experiments', { ...HALVES, ...change });
      assert.deepEqual([created.status, created.body.error], [400, error]);
      assert.deepEqual((await steer('GET', '/experiments')).body.experiments, []);
    });
  }

  test('a text that PostgreSQL cannot store', async () => {
    const { steer } = await makeStudio(server);
    const variants = [CONTROL, { ...GENEROUS, values: { reward: 'a\u0000' } }];
    const created = await steer('POST', '/experiments', { ...HALVES, variants });
    const error = 'variants[1].values.reward must not contain \\u0000';
    assert.deepEqual([created.status, created.body.error], [400, error]);
  });
});

test('an experiment goes from draft to running to stopped, and never back', async () => {
  const { steer } = await makeStudio(server);
  const { id } = (await steer('POST', '/experiments', HALVES)).body;
  const path = `/experiments/${id}`;
  const refused = async (action: string, error: string, body?: unknown) => {
    const answer = await steer('POST', `${path}/${action}`, body);
    assert.deepEqual([answer.status, answer.body.error], [409, error]);
  };
  await refused('stop', 'The experiment is not running');
  await refused('ship', 'The experiment has not been started', { variant: 1 });
  const started = await steer('POST', `${path}/start`);
  assert.equal(started.body.state, 'running');
  assert.ok(started.body.started_at);
  await refused('start', 'The experiment has been started before');
  const running = await steer('DELETE', path);
  assert.deepEqual(
    [running.status, running.body.error],
    [409, 'Stop the experiment before you delete it'],
  );
  const stopped = await steer('POST', `${path}/stop`);
  assert.equal(stopped.body.state, 'stopped');
  assert.ok(stopped.body.stopped_at);
  await refused('stop', 'The experiment is not running');
  await refused('start', 'The experiment has been started before');
  assert.equal((await steer('DELETE', path)).status, 204);
});

test('of a running experiment only the name and text can change, and the share can only grow', async () => {
  const studio = await makeStudio(server);
  const id = await studio.start({ ...HALVES, share: 20 });
  const change = async (body: object) => {
    const { status, body: answer } = await studio.steer('PATCH', `/experiments/${id}`, body);
    return status === 200 ? answer : answer.error;
  };
  assert.equal((await change({ name: 'New', description: 'D' })).name, 'New');
  assert.equal((await change({ share: 60.5 })).share, 60.5);
  assert.equal(await change({ share: 60 }), 'The share of a running experiment can only be raised');
  for (const name of ['variants', 'metrics'] as const) {
    const error = `${name} can be changed in a draft only`;
    assert.equal(await change({ [name]: HALVES[name] }), error);
  }
  assert.equal(await change({ condition: null }), 'condition can be changed in a draft only');
  await studio.steer('POST', `/experiments/${id}/stop`);
  assert.equal(await change({ share: 70 }), 'The share of an experiment that has ended is fixed');
  assert.equal((await change({ name: 'Newer' })).name, 'Newer');
});

test('a parameter has at most one running experiment, and must be in the config', async () => {
  const studio = await makeStudio(server);
  const first = await studio.start(HALVES);
  const values = { shop: 1, reward: 5 };
  const both = { ...HALVES, variants: [CONTROL, { ...GENEROUS, values }] };
  const { id } = (await studio.steer('POST', '/experiments', both)).body;
  const startBoth = async () => (await studio.steer('POST', `/experiments/${id}/start`)).body;
  const taken = 'The running experiment "Reward" already has the parameter reward';
  assert.equal((await startBoth()).error, taken);
  await studio.steer('POST', `/experiments/${first}/stop`);
  await studio.steer('PUT', '/config', { parameters: { reward: { value: 1 } } });
  assert.equal((await startBoth()).error, 'The config has no parameter shop');
  await studio.steer('PUT', '/config', {
    parameters: { reward: { value: 1 }, shop: { value: 1 } },
  });
  assert.equal((await startBoth()).state, 'running');
});

test('if two experiments on one parameter start at the same time, only one of them runs', async () => {
  const { steer } = await makeStudio(server);
  const ids = await Promise.all(
    [1, 2, 3].map(async () => (await steer('POST', '/experiments', HALVES)).body.id as string),
  );
  const started = await Promise.all(ids.map((id) => steer('POST', `/experiments/${id}/start`)));
  assert.deepEqual(started.map(({ status }) => status).toSorted(), [200, 409, 409]);
});

test('values that would make the config too large are not shipped', async () => {
  const studio = await makeStudio(server);
  const values = { reward: 'x'.repeat(50_000) };
  const id = await studio.start({ ...HALVES, variants: [CONTROL, { ...GENEROUS, values }] });
  const { reward } = (await studio.steer('GET', '/config')).body.parameters;
  const full = { reward, shop: { value: 'x'.repeat(250_000) } };
  assert.equal((await studio.steer('PUT', '/config', { parameters: full })).status, 200);
  const { status, body } = await studio.steer('POST', `/experiments/${id}/ship`, { variant: 1 });
  const error = 'With this change, the config would have more than 256 KB';
  assert.deepEqual([status, body.error], [409, error]);
  assert.equal((await studio.steer('GET', `/experiments/${id}`)).body.state, 'running');
  assert.equal((await studio.steer('GET', '/config')).body.version, 2);
});

test('shipping replaces a parameter’s value and rules, or adds a first rule with a condition', async () => {
  const studio = await makeStudio(server);
  const config = async () => (await studio.steer('GET', '/config')).body;
  const ship = async (id: string, body: object) =>
    studio.steer('POST', `/experiments/${id}/ship`, body);
  const all = await studio.start(HALVES);
  assert.equal((await ship(all, { variant: 2 })).body.error, 'variant must be at most 1');
  assert.equal((await ship(all, { variant: 1, config_version: 7 })).status, 409);
  const shipped = await ship(all, { variant: 1, config_version: 1 });
  const { state, shipped_variant, stopped_at } = shipped.body;
  assert.deepEqual([state, shipped_variant, typeof stopped_at], ['shipped', 1, 'string']);
  const shop = { value: { open: true } };
  const stored = await config();
  assert.deepEqual([stored.version, stored.parameters], [2, { reward: { value: 200 }, shop }]);
  assert.equal((await studio.read('anybody')).body.config.reward, 200);
  assert.equal((await ship(all, { variant: 1 })).status, 409);

  const condition = { has_tags: ['vip'] };
  const some = await studio.start({ ...HALVES, condition });
  await studio.steer('POST', `/experiments/${some}/stop`);
  assert.equal((await ship(some, { variant: 1 })).status, 200);
  const rules = [{ name: 'Reward', ...condition, value: 200 }];
  assert.deepEqual((await config()).parameters, { reward: { value: 200, rules }, shop });
});

test('shipping, stopping and a config change at the same time are each done fully or refused', async () => {
  const studio = await makeStudio(server);
  const id = await studio.start(HALVES);
  const parameters = { reward: { value: 7 }, shop: { value: 8 } };
  const answers = await Promise.all([
    studio.steer('POST', `/experiments/${id}/ship`, { variant: 1 }),
    studio.steer('POST', `/experiments/${id}/ship`, { variant: 1 }),
    studio.steer('POST', `/experiments/${id}/stop`),
    studio.steer('PUT', '/config', { parameters, version: 1 }),
  ]);
  for (const { status, text } of answers) assert.ok([200, 409].includes(status), text);
  assert.equal((await studio.steer('GET', `/experiments/${id}`)).body.state, 'shipped');
});
