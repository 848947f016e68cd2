import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Alert } from '@overworld/contract/alerts/alerts';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { listMails, waitForMail } from '../../../test/mailbox.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sql } from '../../platform/database/sql.ts';
import { createAlerts } from './alerts.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer({ env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
});
after(() => server.close());

const RULE = {
  name: 'Players stay away',
  environment: 'production',
  metric: 'active_players',
  comparison: 'falls',
  threshold: 20,
};

async function makeStudio() {
  const { game_id } = await server.makeGame();
  const { token, email, account_id } = await server.makeAccount({ game_id });
  const send = (method: string, path: string, body?: unknown) =>
    server.request(method, `/v1/games/${game_id}${path}`, { token, body });
  const list = async (): Promise<Alert[]> => (await send('GET', '/alerts')).body.alerts;
  return {
    game_id,
    token,
    email,
    account_id,
    send,
    list,
    async make(more: object = {}): Promise<Alert> {
      const { status, body } = await send('POST', '/alerts', { ...RULE, ...more });
      assert.equal(status, 201, JSON.stringify(body));
      return body;
    },
    /** Players who are active so many days ago. */
    setPlayers: (days_ago: number, count: number) =>
      server.database.execute(sql`
        WITH events AS (
          INSERT INTO daily_event_counts
            (game_id, environment, day, event_name, key_id, event_count)
          VALUES (${game_id}, 'production', (now() - interval '15 minutes')::date
                  - ${days_ago}::integer, 'e', ${game_id}, 1)
          ON CONFLICT DO NOTHING
        )
        INSERT INTO daily_players
          (game_id, environment, day, active_players, new_players, weekly_change, monthly_change)
        VALUES (${game_id}, 'production', (now() - interval '15 minutes')::date
                - ${days_ago}::integer, ${count}, 0, 0, 0)
        ON CONFLICT (game_id, environment, day) DO UPDATE SET active_players = ${count}`),
    /** Makes all alerts due, and waits until they were checked. */
    async check(): Promise<Alert> {
      await server.database.execute(sql`
        UPDATE alerts SET next_check_at = now() WHERE game_id = ${game_id}`);
      let alert: Alert | undefined;
      await waitUntil('the alert is checked', async () => {
        [alert] = await list();
        return Date.parse(alert!.next_check_at) > Date.now();
      });
      return alert!;
    },
  };
}

type Studio = Awaited<ReturnType<typeof makeStudio>>;

/** The rule's messages to a webhook, without the texts. */
const listMessages = async ({ game_id }: Studio) => {
  const rows = await server.database.query<{ body: string }>(sql`
    SELECT body FROM webhook_deliveries WHERE game_id = ${game_id} ORDER BY created_at`);
  return rows.map(({ body }) => JSON.parse(body));
};

describe('a fall of active players', () => {
  test('against the usual fires once by mail and webhook, and resolves', async () => {
    const studio = await makeStudio();
    const webhook = await studio.send('POST', '/webhooks', {
      url: 'http://127.0.0.1:1/',
      events: [],
    });
    for (const [weeks, count] of [90, 100, 110, 1_000].entries()) {
      await studio.setPlayers(1 + 7 * (weeks + 1), count);
    }
    await studio.setPlayers(1, 84);
    const made = await studio.make({
      account_ids: [studio.account_id],
      webhook_ids: [webhook.body.id],
    });
    assert.deepEqual([made.state, made.last_value], ['unknown', null]);
    // The median is 105, of which 84 is 20 % less.
    const fired = await studio.check();
    assert.deepEqual(
      [fired.state, fired.last_value, fired.last_baseline_value],
      ['firing', 84, 105],
    );
    const mail = await waitForMail(server.data_dir, studio.email);
    assert.equal(mail.subject, 'Alert: Players stay away');
    assert.match(mail.text!, /84, −20 % against the usual of this weekday, 105/);
    await studio.check();
    await studio.setPlayers(1, 85);
    const resolved = await studio.check();
    assert.equal(resolved.state, 'ok');
    const second = await waitForMail(server.data_dir, studio.email, 2);
    assert.equal(second.subject, 'Alert resolved: Players stay away');
    const messages = await listMessages(studio);
    assert.deepEqual(
      messages.map(({ type, data }) => [type, data.value, data.baseline_value, data.test]),
      [
        ['alert.fired', 84, 105, false],
        ['alert.resolved', 85, 105, false],
      ],
    );
    const { body } = await studio.send('GET', `/alerts/${made.id}/history`);
    assert.deepEqual(
      body.changes.map(({ state, value, notified }: Record<string, unknown>) => [
        state,
        value,
        notified,
      ]),
      [
        ['ok', 85, true],
        ['firing', 84, true],
      ],
    );
  });

  test('is told again only after the cool-down', async () => {
    const studio = await makeStudio();
    await studio.make({ comparison: 'below', threshold: 50, account_ids: [studio.account_id] });
    const setAndCheck = async (count: number) => {
      await studio.setPlayers(1, count);
      return (await studio.check()).state;
    };
    const states = [await setAndCheck(10), await setAndCheck(60), await setAndCheck(10)];
    assert.deepEqual(states, ['firing', 'ok', 'firing']);
    await waitForMail(server.data_dir, studio.email, 2);
    assert.equal(await setAndCheck(60), 'ok');
    await server.database.execute(sql`
      UPDATE alerts SET notified_at = notified_at - interval '25 hours'
      WHERE game_id = ${studio.game_id}`);
    assert.equal(await setAndCheck(10), 'firing');
    await waitForMail(server.data_dir, studio.email, 3);
    const subjects = (await listMails(server.data_dir, studio.email)).map(({ subject }) => subject);
    assert.deepEqual(subjects, [
      'Alert: Players stay away',
      'Alert resolved: Players stay away',
      'Alert: Players stay away',
    ]);
  });

  test('of a muted alert is in the history alone', async () => {
    const studio = await makeStudio();
    await studio.setPlayers(1, 10);
    const rule = { comparison: 'below', threshold: 50, account_ids: [studio.account_id] };
    const { id } = await studio.make({ ...rule, muted: true });
    assert.equal((await studio.check()).state, 'firing');
    const { body } = await studio.send('GET', `/alerts/${id}/history`);
    assert.deepEqual([body.changes.length, body.changes[0].notified], [1, false]);
    assert.deepEqual(await listMails(server.data_dir, studio.email), []);
  });

  test('with too little earlier data says nothing', async () => {
    const studio = await makeStudio();
    await studio.setPlayers(8, 100);
    await studio.setPlayers(1, 10);
    await studio.make();
    const checked = await studio.check();
    assert.deepEqual(
      [checked.state, checked.last_value, checked.last_baseline_value],
      ['unknown', 10, null],
    );
    await studio.setPlayers(15, 100);
    assert.equal((await studio.check()).state, 'firing');
  });
});

test('each metric and period can be read', async () => {
  const studio = await makeStudio();
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
    const answer = await studio.send('POST', '/alerts/preview', body);
    const is_met = value === null ? null : value > 1;
    assert.deepEqual(
      [answer.status, answer.body.value, answer.body.is_met],
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
                 (5, 'dan', '0.5'), (6, NULL, '5')) AS bought (n, player_id, price)`);
  const payers = { ...RULE, metric: 'payers', comparison: 'below', threshold: 3 };
  const paying = await studio.send('POST', '/alerts/preview', payers);
  assert.deepEqual([paying.body.value, paying.body.is_met], [2, true]);
  await server.database.execute(sql`
    INSERT INTO event_usage (game_id, month, used, last_accepted, quota)
    VALUES (${game_id}, date_trunc('month', now() AT TIME ZONE 'UTC')::date, 500, 0, 1000)`);
  const forecast = await studio.send('POST', '/alerts/preview', {
    ...RULE,
    metric: 'quota_forecast_percent',
    comparison: 'above',
    threshold: 10,
  });
  assert.equal(forecast.status, 200);
  const isFirstDay = new Date().getUTCDate() === 1;
  assert.equal(forecast.body.value === null, isFirstDay);
  if (!isFirstDay) assert.ok(forecast.body.value >= 50 && forecast.body.value < 1_600);
  assert.deepEqual(await studio.list(), []);
});

test('a test goes to all recipients, at most once a minute', async () => {
  const studio = await makeStudio();
  const webhook = await studio.send('POST', '/webhooks', {
    url: 'http://127.0.0.1:1/',
    events: [],
  });
  const recipients = { account_ids: [studio.account_id], webhook_ids: [webhook.body.id] };
  const { id } = await studio.make({ ...recipients, muted: true });
  const answers = await Promise.all([1, 2].map(() => studio.send('POST', `/alerts/${id}/test`)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 409]);
  const mail = await waitForMail(server.data_dir, studio.email);
  assert.equal(mail.subject, 'Test of an alert: Players stay away');
  const [message] = await listMessages(studio);
  assert.deepEqual([message.type, message.data.test], ['alert.fired', true]);
  assert.equal((await studio.list())[0]!.state, 'unknown');
});

test('settings that do not go together, and recipients of other games, are refused by name', async () => {
  const studio = await makeStudio();
  const other = await makeStudio();
  const webhook = await other.send('POST', '/webhooks', { url: 'http://127.0.0.1:1/', events: [] });
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
    [{ webhook_ids: [webhook.body.id] }, 'webhook_ids'],
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

test('a change of the rule begins anew, and other changes keep the state', async () => {
  const studio = await makeStudio();
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

test('two servers check each alert once', async () => {
  await using second = await startTestServer({
    env: { ALLOW_PRIVATE_WEBHOOKS: 'true' },
    database_url: server.database_url,
  });
  assert.ok(second.url);
  const studio = await makeStudio();
  await studio.setPlayers(1, 10);
  const webhook = await studio.send('POST', '/webhooks', {
    url: 'http://127.0.0.1:1/',
    events: [],
  });
  for (let number = 0; number < 10; number++) {
    await studio.make({ comparison: 'below', threshold: 50, webhook_ids: [webhook.body.id] });
  }
  await server.database.execute(sql`
    UPDATE alerts SET next_check_at = now() WHERE game_id = ${studio.game_id}`);
  await waitUntil('all alerts are checked', async () =>
    (await studio.list()).every(({ state }) => state === 'firing'),
  );
  const ids = (await listMessages(studio)).map(({ data }) => data.alert_id);
  assert.deepEqual([ids.length, new Set(ids).size], [10, 10]);
});

test('no number is read while other changes of the game wait', async () => {
  const { game_id } = await makeStudio();
  const alerts = createAlerts(server.database, async () => {
    await server.database.query(sql`SELECT FROM games WHERE id = ${game_id} FOR UPDATE NOWAIT`);
    return [1];
  });
  const actor = { account: null, ip: null };
  const rule = { ...RULE, metric: 'payers', comparison: 'above' } as const;
  const sent = { ...rule, environment: 'production' } as const;
  const { id } = await alerts.create(game_id, sent, actor);
  await alerts.put({ game_id, alert_id: id }, { ...sent, threshold: 0 }, actor);
  const { is_met } = await alerts.test({ game_id, alert_id: id }, actor);
  assert.equal(is_met, true);
});
