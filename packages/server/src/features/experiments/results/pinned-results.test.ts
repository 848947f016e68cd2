import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { HALVES, makeStudio } from '../test/studio.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const [RETENTION] = HALVES.metrics;
const SECRET = { kind: 'event_share', days: 1, event_name: 'secret_event' };

test('a link to a dashboard shows only the pinned metric, and only in its own game and environment', async () => {
  const studio = await makeStudio(server);
  const other = await makeStudio(server);
  const experiment_id = await studio.start({ ...HALVES, metrics: [RETENTION, SECRET] });
  const others = await other.start(HALVES);
  const queries = [
    `experiment_id=${experiment_id}&metric=1`,
    `experiment_id=${experiment_id}&metric=3`,
    `experiment_id=${others}&metric=1`,
  ];
  const cards = queries.map((query) => ({
    title: 'Reward',
    report: 'results',
    chart: 'difference',
    query,
  }));
  const made = await studio.steer('POST', '/dashboards', { name: 'Tests', cards });
  assert.equal(made.status, 201, made.text);
  const { game_id } = studio;
  const { token } = await server.makeAccount({ game_id, role: 'admin' });
  const open = async (environment: string, card: number) => {
    const path = `/v1/games/${game_id}/dashboards/${made.body.id}/links`;
    const { body } = await server.request('POST', path, { token, body: { environment } });
    return server.request('GET', `/v1/shared-dashboard/cards/${made.body.cards[card].id}`, {
      headers: { 'x-dashboard-link': body.link.split('#')[1] },
    });
  };
  const shown = await open('production', 0);
  assert.equal(shown.status, 200, shown.text);
  assert.deepEqual(
    shown.body.report.metrics.map(({ metric }: { metric: object }) => metric),
    [RETENTION],
  );
  assert.doesNotMatch(shown.text, /secret_event/);
  const missing = { error: 'Experiment not found' };
  assert.deepEqual((await open('development', 0)).body, missing);
  assert.deepEqual((await open('production', 2)).body, missing);
  assert.deepEqual((await open('production', 1)).body, {
    error: 'metric must be at most 2, the number of metrics',
  });
});
