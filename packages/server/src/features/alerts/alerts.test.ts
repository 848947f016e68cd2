import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Alert } from '@overworld/contract/alerts/alerts';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { waitForMail } from '../../../test/mailbox.ts';
import { daysAgo, makeTestPartition } from '../../../test/past-day.ts';
import { sql } from '../../platform/database/sql.ts';
import { askAlertTrial } from './alert-trial.ts';
import { createAlerts } from './alerts.ts';
import { makeStudio, RULE } from './test/studio.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer({ env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
  await makeTestPartition(server, daysAgo(2));
});
after(() => server.close());

test('an alert can watch every metric in each of its periods', async () => {
  const studio = await makeStudio(server);
  await studio.setPlayers(40, 1);
  await studio.setPlayers(1, 5);
  const { game_id } = studio;
  const day = sql`(now() - interval '15 minutes')::date - 1`;
  const hour = sql`date_trunc('hour', now() - interval '5 minutes') - interval '1 hour'`;
  await server.database.execute(sql`
    INSERT INTO daily_track_problems (game_id, environment, day, key_id, event_name, warned_count,
      refused_count, repeated_count)
    VALUES (${game_id}, 'production', ${day}, ${game_id}, 'e', 0, 3, 0)`);
  await server.database.execute(sql`
    INSERT INTO hourly_save_counts (game_id, environment, hour, saves, conflicts)
    VALUES (${game_id}, 'production', ${hour}, 20, 3)`);
  await server.database.execute(sql`
    INSERT INTO event_counts (game_id, environment, quarter, event_name, key_id, event_count)
    SELECT ${game_id}, 'production', ${hour} + n * interval '15 minutes', name, ${game_id}, 2
    FROM generate_series(0, 3) AS n, unnest('{e,error}'::text[]) AS name`);
  const cases: [object, number | null][] = [
    [{ metric: 'active_players' }, 5],
    [{ metric: 'new_players' }, 0],
    [{ metric: 'sessions' }, 0],
    [{ metric: 'events' }, 1],
    [{ metric: 'events', event_name: 'error' }, 0],
    [{ metric: 'events', period: 'hour' }, 16],
    [{ metric: 'events', event_name: 'error', period: 'hour' }, 8],
    [{ metric: 'refused_events_percent' }, 75],
    [{ metric: 'wrong_clock_percent' }, null],
    [{ metric: 'save_conflict_percent', period: 'hour' }, 15],
  ];
  for (const [more, value] of cases) {
    const body = { ...RULE, comparison: 'above', threshold: 1, ...more };
    const answer = await studio.tryRule(body);
    const is_met = value === null ? null : value > 1;
    assert.deepEqual(
      [answer.status, answer.value, answer.is_met],
      [200, value, is_met],
      JSON.stringify(more),
    );
  }
  await server.request('PUT', `/v1/games/${game_id}/revenue-settings`, {
    token: studio.token,
    body: {
      event_name: 'purchase',
      filter: [],
      amount_property: 'price',
      amount_unit: 'major',
      currency_property: null,
      currency: 'EUR',
      report_currency: null,
      rates: [],
    },
  });
  await server.database.execute(sql`
    INSERT INTO events (id, received_at, occurred_at, environment, game_id, key_id, event_name,
      session_id, player_id, properties)
    SELECT n, moment, moment, 'production', ${game_id}, ${game_id}, 'purchase', 's', player_id,
           jsonb_build_object('price', price)
    FROM (SELECT (${day})::timestamp + interval '1 minute' AS moment) AS at_noon,
         (VALUES (1, 'ann', '5'::jsonb), (2, 'ann', '1'), (3, 'ben', '-5'), (4, 'cora', '"5"'),
                 (5, 'dan', '0.5'), (6, NULL, '5'), (7, 'eva', '100000001'),
                 (8, 'fay', '0.0000001')) AS bought (n, player_id, price)`);
  const payers = { ...RULE, metric: 'payers', comparison: 'below', threshold: 3 };
  const paying = await studio.tryRule(payers);
  assert.deepEqual([paying.value, paying.is_met], [2, true]);
  assert.equal(paying.trial.words, 'The last full day: It was 2. The alert would fire.');
  assert.deepEqual(
    paying.trial.examples.map(({ player_id, words }: Record<string, unknown>) => [
      player_id,
      words,
    ]),
    [[null, 'It was 2.']],
  );
  await server.database.execute(sql`
    INSERT INTO event_usage (game_id, month, used, last_accepted, quota)
    VALUES (${game_id}, date_trunc('month', now() AT TIME ZONE 'UTC')::date, 500, 0, 1000)`);
  const forecast = await studio.tryRule({
    ...RULE,
    metric: 'quota_forecast_percent',
    comparison: 'above',
    threshold: 10,
  });
  assert.equal(forecast.status, 200);
  const isFirstDay = new Date().getUTCDate() === 1;
  assert.equal(forecast.value === null, isFirstDay);
  if (!isFirstDay) assert.ok(forecast.value >= 50 && forecast.value < 1_600);
  assert.deepEqual(await studio.list(), []);
});

test('the API call that tests an alert notifies all recipients, at most once a minute', async () => {
  const studio = await makeStudio(server);
  const webhook_id = await studio.makeWebhook();
  const recipients = { account_ids: [studio.account_id], webhook_ids: [webhook_id] };
  const { id } = await studio.make({ ...recipients, muted: true });
  const answers = await Promise.all([1, 2].map(() => studio.send('POST', `/alerts/${id}/test`)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 409]);
  const mail = await waitForMail(server.data_dir, studio.email);
  assert.equal(mail.subject, 'Test of an alert: Players stay away');
  const [message] = await studio.listMessages();
  assert.deepEqual([message.type, message.data.test], ['alert.fired', true]);
  assert.equal((await studio.list())[0]!.state, 'unknown');
});

test('an alert says which of its webhooks are disabled, and its test reaches only the others', async () => {
  const studio = await makeStudio(server);
  const webhook_ids = [await studio.makeWebhook(), await studio.makeWebhook()];
  const { id, disabled_webhook_ids } = await studio.make({ webhook_ids });
  assert.deepEqual(disabled_webhook_ids, []);
  await studio.send('PATCH', `/webhooks/${webhook_ids[0]}`, { enabled: false });
  const [alert] = await studio.list();
  assert.deepEqual(alert!.webhook_ids, webhook_ids);
  assert.deepEqual(alert!.disabled_webhook_ids, [webhook_ids[0]]);
  assert.equal((await studio.send('POST', `/alerts/${id}/test`)).status, 202);
  const sent = await server.database.query<{ webhook_id: string }>(sql`
    SELECT webhook_id FROM webhook_deliveries WHERE game_id = ${studio.game_id}`);
  assert.deepEqual(sent, [{ webhook_id: webhook_ids[1] }]);
});

test('invalid settings, and recipients of other games, get a 400 that names the field', async () => {
  const studio = await makeStudio(server);
  const other = await makeStudio(server);
  const webhook_id = await other.makeWebhook();
  const { id } = await studio.make();
  const cases: [object, string][] = [
    [{ period: 'hour' }, 'period'],
    [{ event_name: 'error' }, 'event_name'],
    [{ threshold: 0 }, 'threshold'],
    [{ threshold: 101 }, 'threshold'],
    [{ threshold: -1 }, 'threshold'],
    [{ threshold: '1' }, 'threshold'],
    [{ metric: 'quota_forecast_percent' }, 'comparison'],
    [{ metric: 'payments' }, 'metric'],
    [{ cool_down_hours: 0 }, 'cool_down_hours'],
    [{ account_ids: [other.account_id] }, 'account_ids'],
    [{ webhook_ids: [webhook_id] }, 'webhook_ids'],
    [{ webhook_ids: ['x'] }, 'webhook_ids'],
    [{ name: '' }, 'name'],
  ];
  for (const [more, field] of cases) {
    for (const [method, path] of [
      ['POST', '/alerts'],
      ['PUT', `/alerts/${id}`],
    ] as const) {
      const { status, body } = await studio.send(method, path, { ...RULE, ...more });
      const isNamed = String(body.error).startsWith(field);
      assert.deepEqual(
        [status, isNamed],
        [400, true],
        `${method} ${JSON.stringify(more)}: ${body.error}`,
      );
    }
  }
  assert.equal((await studio.list()).length, 1);
});

test('an alert loses its state when its rule changes, and keeps its state after other changes', async () => {
  const studio = await makeStudio(server);
  await studio.setPlayers(1, 10);
  const { id } = await studio.make({ comparison: 'below', threshold: 50 });
  assert.equal((await studio.check()).state, 'firing');
  const put = async (more: object) =>
    (await studio.send('PUT', `/alerts/${id}`, { ...RULE, comparison: 'below', ...more })).body;
  const renamed = await put({ threshold: 50, name: 'Other', muted: true });
  assert.deepEqual([renamed.state, renamed.name, renamed.muted], ['firing', 'Other', true]);
  const changed = await put({ threshold: 40 });
  assert.deepEqual([changed.state, changed.last_value], ['unknown', null]);
  assert.equal((await studio.send('DELETE', `/alerts/${id}`)).status, 204);
  assert.equal((await studio.send('DELETE', `/alerts/${id}`)).status, 404);
});

test('recipients that have left the game are not shown, and are dropped with the next change', async () => {
  const studio = await makeStudio(server);
  const member = await server.makeAccount({ game_id: studio.game_id });
  const account_ids = [member.account_id, studio.account_id];
  const webhook_ids = [await studio.makeWebhook(), await studio.makeWebhook()];
  const { id } = await studio.make({ account_ids, webhook_ids });
  await studio.send('DELETE', `/members/${member.account_id}`);
  await studio.send('DELETE', `/webhooks/${webhook_ids[0]}`);
  const left = { account_ids: [studio.account_id], webhook_ids: [webhook_ids[1]] };
  const recipientsOf = (alert: Alert) => {
    const { account_ids: members, webhook_ids: webhooks } = alert;
    return { account_ids: members, webhook_ids: webhooks };
  };
  assert.deepEqual(recipientsOf((await studio.list())[0]!), left);
  const put = () =>
    studio.send('PUT', `/alerts/${id}`, { ...RULE, muted: true, account_ids, webhook_ids });
  const changed = await put();
  assert.deepEqual([changed.status, recipientsOf(changed.body)], [200, left]);
  const again = await put();
  assert.deepEqual(
    [again.status, again.body.error],
    [400, 'account_ids must be members of the game'],
  );
});

test('the game is not locked while the number of an alert is computed', async () => {
  const { game_id } = await makeStudio(server);
  const alerts = createAlerts(async () => {
    await server.database.query(sql`SELECT FROM games WHERE id = ${game_id} FOR UPDATE NOWAIT`);
    return [1];
  });
  const database = server.database.ofGame(game_id);
  const actor = { account: null, ip: null };
  const rule = { ...RULE, metric: 'payers', comparison: 'above' } as const;
  const sent = { ...rule, environment: 'production' } as const;
  const { id } = await alerts.create(database, game_id, sent, actor);
  await alerts.put(database, { game_id, alert_id: id }, { ...sent, threshold: 0 }, actor);
  const { is_met } = await alerts.test(database, { game_id, alert_id: id }, actor, {
    owner: ['network', 'account', game_id],
    signal: new AbortController().signal,
    change: (work) => work(),
  });
  assert.equal(is_met, true);
});

test('a number that waits for the turn of a report holds no other turn, and is its caller’s', async () => {
  const { game_id, send } = await makeStudio(server);
  await send('PUT', '/metrics/m', { name: 'M', kind: 'players' });
  let turns = 0;
  const asked: unknown[] = [];
  const alerts = createAlerts(async (_database, { metric, asker }) => {
    asked.push([metric, turns, asker?.owner]);
    return [1];
  });
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    turns++;
    return work().finally(() => turns--);
  };
  const database = server.database.ofGame(game_id);
  const owner = ['network', 'account', game_id];
  const asker = { owner, signal: new AbortController().signal };
  const tryRule = askAlertTrial(alerts);
  for (const watched of [{ metric: 'metric', metric_key: 'm' }, { metric: 'payers' }] as const) {
    const { name, environment, ...rule } = { ...RULE, ...watched, comparison: 'above' } as const;
    const actor = { account: null, ip: null };
    const { id } = await alerts.create(database, game_id, { name, environment, ...rule }, actor);
    await alerts.test(database, { game_id, alert_id: id }, actor, { ...asker, change: inTurn });
    await tryRule(
      { database, game_id, tried_in: environment },
      { key: `${environment}/${name}`, after: rule },
      { ...asker, database, read: (work) => inTurn(() => work(database)) },
    );
  }
  assert.deepEqual(asked, [
    ['metric', 0, owner],
    ['metric', 0, owner],
    ['payers', 1, owner],
    ['payers', 1, owner],
  ]);
});
