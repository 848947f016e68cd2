import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import pino from 'pino';
import { cloneDatabase, startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { listMails, waitForMail } from '../../../test/mailbox.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { readSettings } from './alert-settings.ts';
import { insertAlert, listAlerts } from './alert-store.ts';
import { checkDueAlerts } from './checks.ts';
import { makeStudio, RULE } from './test/studio.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer({ env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
});
after(() => server.close());

describe('a fall of active players', () => {
  test('against the usual fires once by mail and webhook, and resolves', async () => {
    const studio = await makeStudio(server);
    const webhook_id = await studio.makeWebhook();
    for (const [weeks, count] of [90, 100, 110, 1_000].entries()) {
      await studio.setPlayers(1 + 7 * (weeks + 1), count);
    }
    await studio.setPlayers(1, 84);
    const made = await studio.make({
      account_ids: [studio.account_id],
      webhook_ids: [webhook_id],
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
    assert.match(mail.text!, /84, −20% against the usual of this weekday, 105/);
    await studio.check();
    await studio.setPlayers(1, 85);
    const resolved = await studio.check();
    assert.equal(resolved.state, 'ok');
    const second = await waitForMail(server.data_dir, studio.email, 2);
    assert.equal(second.subject, 'Alert resolved: Players stay away');
    const messages = await studio.listMessages();
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
    const studio = await makeStudio(server);
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
    const studio = await makeStudio(server);
    await studio.setPlayers(1, 10);
    const rule = { comparison: 'below', threshold: 50, account_ids: [studio.account_id] };
    const { id } = await studio.make({ ...rule, muted: true });
    assert.equal((await studio.check()).state, 'firing');
    const { body } = await studio.send('GET', `/alerts/${id}/history`);
    assert.deepEqual([body.changes.length, body.changes[0].notified], [1, false]);
    assert.deepEqual(await listMails(server.data_dir, studio.email), []);
  });

  test('with too little earlier data says nothing', async () => {
    const studio = await makeStudio(server);
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

test('two servers check each alert once', async () => {
  await using second = await startTestServer({
    env: { ALLOW_PRIVATE_WEBHOOKS: 'true' },
    database_url: server.database_url,
  });
  assert.ok(second.url);
  const studio = await makeStudio(server);
  await studio.setPlayers(1, 10);
  const webhook_id = await studio.makeWebhook();
  for (let number = 0; number < 10; number++) {
    await studio.make({ comparison: 'below', threshold: 50, webhook_ids: [webhook_id] });
  }
  await server.database.execute(sql`
    UPDATE alerts SET next_check_at = now() WHERE game_id = ${studio.game_id}`);
  await waitUntil('all alerts are checked', async () =>
    (await studio.list()).every(({ state }) => state === 'firing'),
  );
  const ids = (await studio.listMessages()).map(({ data }) => data.alert_id);
  assert.deepEqual([ids.length, new Set(ids).size], [10, 10]);
});

test('an alert that cannot be checked is put off, and no other', async () => {
  const cloned = await cloneDatabase();
  const database = openDatabase(
    { url: cloned.url },
    { application_name: 'test', max_connections: 3 },
  );
  const game_id = randomUUID();
  await database.execute(sql`
    INSERT INTO games (id, name, time_zone) VALUES (${game_id}, 'Test game', 'UTC')`);
  const make = (name: string, hours: number) => {
    const sent = { ...RULE, name, comparison: 'above', threshold: 0 } as const;
    const due_at = new Date(Date.now() - hours * 3_600_000).toISOString();
    return insertAlert(database, game_id, readSettings(sent), due_at);
  };
  const failing = await make('fails', 1);
  const other = await make('is checked', 0);
  const values = [null, 7];
  const readMetric = async () => {
    const value = values.shift()!;
    if (value !== null) return [value];
    await database.execute(sql`
      UPDATE alerts SET next_check_at = now() - interval '2 hours' WHERE id = ${other.id}`);
    throw new Error('the number cannot be read');
  };
  const outcomes: string[] = [];
  await checkDueAlerts({
    database,
    logger: pino({ level: 'silent' }),
    readMetric,
    countCheck: (outcome) => outcomes.push(outcome),
  });
  assert.deepEqual(outcomes, ['failed', 'firing']);
  const alerts = await listAlerts(
    database,
    { game_id, environment: 'production' },
    { after: null, count: 10 },
  );
  const of = ({ id }: { id: string }) => alerts.find((alert) => alert.id === id)!;
  assert.deepEqual([of(failing).state, of(other).state], ['unknown', 'firing']);
  assert.ok(Date.parse(of(failing).next_check_at) > Date.now());
  await database.close();
  await cloned.drop();
});
