import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { HALVES, makeStudio } from '../../src/features/experiments/test/studio.ts';
import type { Studio } from '../../src/features/experiments/test/studio.ts';
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
const shop = { value: { open: true } };
const has = (change: string) =>
  `the parameter ${change}, and the running experiment "Reward" has it: stop the experiment first`;

/** Sends a change. @returns its status and its error. */
async function send(studio: Studio, method: string, path: string, body?: unknown) {
  const answer = await studio.steer(method, path, body);
  return [answer.status, answer.body.error] as const;
}

test('a parameter of a running experiment can be neither removed nor given another type', async () => {
  const studio = await makeStudio(server);
  const put = (parameters: object) => send(studio, 'PUT', '/config', { parameters });
  await put({ shop });
  await put({ shop, reward: { value: 1 } });
  const id = await studio.start(HALVES);
  const removed = [409, `With this change, ${has('reward would be removed')}`];
  assert.deepEqual(await put({ shop }), removed);
  assert.deepEqual(await send(studio, 'POST', '/config/versions/2/rollback'), removed);
  assert.deepEqual(await put({ shop, reward: { value: '1' } }), [
    409,
    `With this change, ${has('reward would change from number to string')}`,
  ]);
  assert.equal((await studio.steer('GET', '/config')).body.version, 3);
  assert.deepEqual(await put({ reward: { value: 2.5 } }), [200, undefined]);
  await studio.steer('POST', `/experiments/${id}/stop`);
  assert.deepEqual(await put({ shop }), [200, undefined]);
});

test('a scheduled change does not break the parameters of experiments that run when it is due', async () => {
  const studio = await makeStudio(server);
  const plan = async (fields: object) => {
    const answer = await studio.steer('POST', '/config/schedules', { name: 'Weekend', ...fields });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.id as string;
  };
  const retype = { starts_at: inHours(1), parameters: { reward: { value: null } } };
  const failing = await plan(retype);
  const ending = await plan({ ends_at: inHours(1), parameters: { bonus: { value: 1 }, shop } });
  const variants = [
    HALVES.variants[0],
    { name: 'Generous', weight: 1, values: { reward: 200, bonus: 2 } },
  ];
  await studio.start({ ...HALVES, variants });
  assert.deepEqual(
    await send(studio, 'POST', '/config/schedules', {
      name: 'Late',
      ...retype,
      starts_at: inHours(2),
    }),
    [409, `With this change, ${has('reward would change from number to null')}`],
  );

  now += HOUR;
  const { parameters } = (await studio.steer('GET', '/config')).body;
  assert.deepEqual(parameters.bonus, { value: 1 });
  assert.equal(parameters.reward.value, 100);
  const show = async (id: string) => (await studio.steer('GET', `/config/schedules/${id}`)).body;
  const { state, problem } = await show(failing);
  assert.deepEqual([state, problem], ['failed', has('reward would change from number to null')]);
  const ended = await show(ending);
  assert.deepEqual([ended.state, ended.kept_keys], ['done', ['bonus']]);
});
