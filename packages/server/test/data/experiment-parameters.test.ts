import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { HALVES, makeStudio } from '../../src/features/experiments/test/studio.ts';
import type { Studio } from '../../src/features/experiments/test/studio.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';

const HOUR = 3_600_000;

let now = Date.now();
let server: TestServer;
before(async () => {
  server = await startTestServer({ clock: () => new Date(now) });
});
after(() => server.close());

const inHours = (count: number) => new Date(now + count * HOUR).toISOString();
const reward = { value: 100, rules: [{ has_tags: ['vip'], value: 150 }] };
const shop = { value: { open: true } };
const has = (change: string) =>
  `the parameter ${change}, and the running experiment "Reward" has it: stop or ship the experiment first`;

/** Sends a change. @returns its status and its error. */
async function send(studio: Studio, method: string, path: string, body?: unknown) {
  const answer = await studio.steer(method, path, body);
  return [answer.status, answer.body.error] as const;
}

const getConfig = async (studio: Studio) => (await studio.steer('GET', '/config')).body;

test('the value and the rules of a parameter stay as they are while an experiment runs on it', async () => {
  const studio = await makeStudio(server);
  const put = (parameters: object) => send(studio, 'PUT', '/config', { parameters });
  await put({ shop, reward: { value: 1 } });
  await put({ shop, reward });
  const id = await studio.start(HALVES);
  const changed = [409, `With this change, ${has('reward would change')}`];
  const others = [
    { ...reward, value: 200 },
    { ...reward, value: '100' },
    { ...reward, rules: [] },
    { ...reward, rules: [{ has_tags: ['vip'], value: 200 }] },
    { ...reward, rules: [{ percentage: 10, value: 5 }, ...reward.rules] },
  ];
  for (const other of others) assert.deepEqual(await put({ shop, reward: other }), changed);
  assert.deepEqual(await send(studio, 'POST', '/config/versions/2/rollback'), changed);
  const removed = await studio.steer('PUT', '/config', { parameters: { shop } });
  assert.deepEqual(removed.body, {
    error: `With this change, ${has('reward would be removed')}`,
    experiment_id: id,
    key: 'reward',
  });
  assert.equal((await getConfig(studio)).version, 3);

  // Everything else can change: other parameters, and a note.
  assert.deepEqual(await put({ reward: { ...reward, description: 'Coins' } }), [200, undefined]);
  await studio.steer('POST', `/experiments/${id}/stop`);
  assert.deepEqual(await put({ shop }), [200, undefined]);
});

test('an experiment is not shipped into a parameter of another running experiment', async () => {
  const studio = await makeStudio(server);
  const id = await studio.start(HALVES);
  await studio.steer('POST', `/experiments/${id}/stop`);
  const other = await studio.start(HALVES);
  const ship = () => send(studio, 'POST', `/experiments/${id}/ship`, { variant: 1 });
  assert.deepEqual(await ship(), [409, `With this change, ${has('reward would change')}`]);
  assert.equal((await studio.steer('GET', `/experiments/${id}`)).body.state, 'stopped');
  assert.deepEqual((await getConfig(studio)).parameters.reward, reward);
  await studio.steer('POST', `/experiments/${other}/stop`);
  assert.deepEqual(await ship(), [200, undefined]);
});

test('a parameter has either an experiment or a scheduled change', async () => {
  const studio = await makeStudio(server);
  const sale = { name: 'Sale', starts_at: inHours(1), ends_at: inHours(3) };
  const plan = (parameters: object) =>
    studio.steer('POST', '/config/schedules', { ...sale, parameters });
  const planned = await plan({ reward: { value: 5 } });
  const { id } = (await studio.steer('POST', '/experiments', HALVES)).body;
  const start = () => studio.steer('POST', `/experiments/${id}/start`);
  assert.deepEqual((await start()).body, {
    error: `The scheduled change "Sale" will change the parameter reward at ${sale.starts_at}: wait until it is over, or cancel it first`,
    schedule_id: planned.body.id,
    key: 'reward',
  });
  now += HOUR;
  assert.equal((await getConfig(studio)).parameters.reward.value, 5);
  assert.equal(
    (await start()).body.error,
    `The scheduled change "Sale" has changed the parameter reward until ${sale.ends_at}: wait for its end, or end it first`,
  );
  await studio.steer('POST', `/config/schedules/${planned.body.id}/cancel`);
  assert.equal((await start()).body.state, 'running');

  Object.assign(sale, { starts_at: inHours(1), ends_at: inHours(3) });
  const refused = `With this change, ${has('reward would change')}`;
  assert.equal((await plan({ reward: { value: 5 } })).body.error, refused);
  const other = await plan({ shop });
  const path = `/config/schedules/${other.body.id}`;
  const parameters = { reward: { value: 5 } };
  assert.deepEqual(await send(studio, 'PATCH', path, { parameters }), [409, refused]);
});

test('a scheduled change from an earlier release leaves the parameters of a running experiment', async () => {
  const studio = await makeStudio(server);
  const plan = async (name: string, fields: object) => {
    const answer = await studio.steer('POST', '/config/schedules', { name, ...fields });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.id as string;
  };
  const coming = await plan('Late', {
    starts_at: inHours(1),
    parameters: { reward: { value: 5 }, shop: { value: 1 } },
  });
  const ending = await plan('Weekend', {
    ends_at: inHours(1),
    parameters: { bonus: { value: 1 }, free: { value: 1 } },
  });
  const variants = [
    HALVES.variants[0],
    { name: 'Generous', weight: 1, values: { reward: 200, bonus: 2 } },
  ];
  const { id } = (await studio.steer('POST', '/experiments', { ...HALVES, variants })).body;
  // An earlier release started experiments on such parameters.
  await server.database.execute(sql`
    UPDATE experiments SET state = 'running', started_at = now()
    WHERE game_id = ${studio.game_id} AND experiment_id = ${id}`);

  now += HOUR;
  const { parameters } = await getConfig(studio);
  assert.deepEqual(parameters, { bonus: { value: 1 }, reward, shop });
  const show = async (schedule_id: string) =>
    (await studio.steer('GET', `/config/schedules/${schedule_id}`)).body;
  const { state, problem } = await show(coming);
  assert.deepEqual([state, problem], ['failed', has('reward would change')]);
  const [failed] = await server.database.query<{ target: string; details: object }>(sql`
    SELECT target, details FROM audit_log
    WHERE game_id = ${studio.game_id} AND action = 'fail_config_schedule'`);
  const environment = 'production';
  const keys = ['reward', 'shop'];
  assert.deepEqual(failed, {
    target: 'Late',
    details: { environment, edge: 'start', state, problem, keys },
  });
  const ended = await show(ending);
  assert.deepEqual([ended.state, ended.kept_keys], ['done', ['bonus']]);
});

test('of a start and a change at the same time, one is refused', async () => {
  const studio = await makeStudio(server);
  const { id } = (await studio.steer('POST', '/experiments', HALVES)).body;
  const start = studio.steer('POST', `/experiments/${id}/start`);
  const schedule = { name: 'Sale', starts_at: inHours(1), parameters: { reward: { value: 5 } } };
  const planned = studio.steer('POST', '/config/schedules', schedule);
  const statuses = (await Promise.all([start, planned])).map(({ status }) => status);
  assert.ok(['200,409', '409,201'].includes(statuses.join()), statuses.join());
});
