import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { earlier } from '../../../test/earlier.ts';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { listMails, waitForMail } from '../../../test/mailbox.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sql } from '../../platform/database/sql.ts';
import { makeStudio } from './test/studio.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer({ env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
});
after(() => server.close());

describe('a fall of active players', () => {
  test('below the usual number fires once by mail and webhook, and is resolved later', async () => {
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
    // The usual number is the median, 105. The number 84 is 20 % less.
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

  test('sends notifications again only after the cool-down', async () => {
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
      UPDATE alerts SET notified_at = ${earlier(sql`notified_at`, sql`interval '25 hours'`)}
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

  test('is noted only in the history when the alert is muted', async () => {
    const studio = await makeStudio(server);
    await studio.setPlayers(1, 10);
    const rule = { comparison: 'below', threshold: 50, account_ids: [studio.account_id] };
    const { id } = await studio.make({ ...rule, muted: true });
    assert.equal((await studio.check()).state, 'firing');
    const { body } = await studio.send('GET', `/alerts/${id}/history`);
    assert.deepEqual([body.changes.length, body.changes[0].notified], [1, false]);
    assert.deepEqual(await listMails(server.data_dir, studio.email), []);
  });

  test('does not fire when there is too little earlier data', async () => {
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
