import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { OPERATIONS } from '@overworld/contract/operations';
import { HALVES } from '../../src/features/experiments/test/studio.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { sampleBody, samplePath } from '../sample-request.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const IN_OTHER = 'not found in production: it is in development, so send environment=development';

test('a call for a thing of the other environment is answered 404, and the error names the environment', async () => {
  const { game_id } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id });
  const make = async (path: string, body: object, environment: string) => {
    const query = `?environment=${environment}`;
    const answer = await server.request('POST', `/v1/games/${game_id}${path}${query}`, {
      token,
      body,
    });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.id as string;
  };
  const schedule = {
    name: 'Weekend',
    starts_at: '2098-11-20T10:00:00Z',
    parameters: { gold: { value: 2 } },
  };
  const params = {
    game_id,
    experiment_id: await make('/experiments', HALVES, 'development'),
    schedule_id: await make('/config/schedules', schedule, 'development'),
  };
  const things = { '{experiment_id}': 'Experiment', '{schedule_id}': 'Scheduled change' };
  for (const [name, thing] of Object.entries(things)) {
    const operations = OPERATIONS.filter(({ path }) => path.includes(name));
    assert.ok(operations.length >= 3, name);
    for (const operation of operations) {
      const path = samplePath(operation, params).split('?')[0]!;
      const body = operation.body && sampleBody(operation);
      const { status, body: said } = await server.request(operation.method, path, { token, body });
      // Links to dashboards show these results to strangers, of one environment alone.
      const isPlain = operation.id === 'getExperimentResults';
      const error = isPlain ? `${thing} not found` : `${thing} ${IN_OTHER}`;
      assert.deepEqual([status, said.error], [404, error], operation.id);
    }
  }
  const path = `/v1/games/${game_id}/experiments/${params.experiment_id}?environment=development`;
  assert.equal((await server.request('GET', path, { token })).status, 200);
});
