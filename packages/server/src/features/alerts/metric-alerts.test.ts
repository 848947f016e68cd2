import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { waitForIngest } from '../../../test/inbox.ts';
import { makeStudio } from './test/studio.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer({ env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
});
after(() => server.close());

const ON_CONVERSION = {
  name: 'Fewer payers',
  metric: 'metric',
  metric_key: 'conversion',
  comparison: 'falls',
  threshold: 20,
  baseline: 'previous',
};

/** Makes a game of ten players, of whom five bought something two days ago, and two yesterday. */
async function makePayingStudio() {
  const studio = await makeStudio(server);
  const define = async (key: string, metric: object) => {
    const answer = await studio.send('PUT', `/metrics/${key}`, { name: key, ...metric });
    assert.equal(answer.status, 200, answer.text);
  };
  await define('payers', { kind: 'players', event_name: 'buy' });
  await define('active', { kind: 'players' });
  await define('conversion', {
    name: 'Conversion',
    kind: 'ratio',
    numerator: 'payers',
    denominator: 'active',
    unit: 'percent',
  });
  const key = await server.makeKey(studio.game_id, 'production');
  // A day is finished 15 minutes after midnight.
  const now_ms = Date.now() - 15 * 60_000;
  const noon = (days: number) =>
    `${new Date(now_ms - days * 86_400_000).toISOString().slice(0, 10)}T12:00:00.000Z`;
  const events = [2, 1].flatMap((days) =>
    Array.from({ length: 10 }, (_, player) => {
      const of = { session_id: 's', player_id: `p${player}`, client_timestamp: noon(days) };
      const buys = player < (days === 2 ? 5 : 2);
      return [{ ...of, event_name: 'open' }, ...(buys ? [{ ...of, event_name: 'buy' }] : [])];
    }).flat(),
  );
  const tracked = await server.request('POST', '/v1/track', { key, body: events });
  assert.equal(tracked.status, 202, tracked.text);
  await waitForIngest(server.database, studio.game_id);
  return studio;
}

test('an alert on a ratio fires with its numbers in percent, and its webhook hears of it', async () => {
  const studio = await makePayingStudio();
  const webhook_ids = [await studio.makeWebhook()];
  const made = await studio.make({ ...ON_CONVERSION, webhook_ids });
  assert.deepEqual(made.defined_metric, {
    name: 'Conversion',
    kind: 'ratio',
    unit: 'percent',
    currency: null,
  });
  const { state, last_value, last_baseline_value } = await studio.check();
  assert.deepEqual([state, last_value, last_baseline_value], ['firing', 20, 50]);
  const [{ data }] = await studio.listMessages();
  assert.deepEqual(
    [data.metric, data.metric_key, data.rule, data.reading],
    [
      'metric',
      'conversion',
      'Conversion of a day: down by 20% or more against the day before',
      'It was 20%, −60% against the day before, 50%.',
    ],
  );
});

test('a trial reads the metric of the last day, and the alert is kept as a file', async () => {
  const studio = await makePayingStudio();
  const rule = { ...ON_CONVERSION, environment: 'production', comparison: 'above', threshold: 19 };
  const { value, is_met, trial } = await studio.tryRule(rule);
  assert.deepEqual([value, is_met], [20, true]);
  assert.match(trial.words, /It was 20%\. The alert would fire\.$/);
  await studio.make(ON_CONVERSION);
  const { definitions } = (await studio.send('GET', '/definitions')).body;
  const file = definitions.find(({ kind }: { kind: string }) => kind === 'alert');
  assert.equal(file.definition.metric_key, 'conversion');
});

test('a metric that an alert watches is not deleted, and unknown metrics are refused', async () => {
  const studio = await makePayingStudio();
  await studio.make(ON_CONVERSION);
  const refused = await studio.send('DELETE', '/metrics/conversion');
  assert.deepEqual(
    [refused.status, refused.body.used_by],
    [409, ['the alert "Fewer payers" of production']],
  );
  const wrong: [object, string][] = [
    [{ metric_key: 'none' }, 'metric_key: the game has no metric "none"'],
    [{ metric_key: undefined }, 'metric_key is required for metric'],
    [{ metric: 'sessions' }, 'metric_key must be left out for sessions'],
    [{ period: 'hour' }, 'period must be day for metric'],
  ];
  for (const [more, error] of wrong) {
    const body = { environment: 'production', ...ON_CONVERSION, ...more };
    const answer = await studio.send('POST', '/alerts', body);
    assert.deepEqual([answer.status, answer.body.error], [400, error]);
  }
});
