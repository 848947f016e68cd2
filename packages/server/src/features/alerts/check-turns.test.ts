import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import pino from 'pino';
import { earlier } from '../../../test/earlier.ts';
import { cloneDatabase } from '../../../test/harness.ts';
import { openTestDatabase } from '../../../test/test-database.ts';
import { sql } from '../../platform/database/sql.ts';
import { readSettings } from './alert-settings.ts';
import { insertAlert, listAlerts, updateAlert } from './alert-store.ts';
import { checkDueAlerts, NUMBERS } from './checks.ts';
import type { AlertClass } from './due-alerts.ts';
import type { ReadMetric } from './readings.ts';
import { RULE } from './test/studio.ts';

/** Opens a database whose alerts no server checks. The test supplies the numbers that alerts watch. */
async function openChecks() {
  const cloned = await cloneDatabase();
  const settings = { application_name: 'test', max_connections: 3 };
  const database = openTestDatabase({ url: cloned.url }, settings);
  const outcomes: string[] = [];
  return {
    database,
    outcomes,
    async makeGame(): Promise<string> {
      const game_id = randomUUID();
      await database.execute(sql`
        INSERT INTO games (id, name, time_zone) VALUES (${game_id}, 'Test game', 'UTC')`);
      return game_id;
    },
    make(game_id: string, name: string, due_for_s: number, more: object = {}) {
      const sent = { ...RULE, name, comparison: 'above', threshold: 0, ...more } as const;
      const due_at = new Date(Date.now() - due_for_s * 1_000).toISOString();
      return insertAlert(database, game_id, readSettings(sent), due_at);
    },
    list: (game_id: string) =>
      listAlerts(database, { game_id, environment: 'production' }, { after: null, count: 10 }),
    check(readMetric: ReadMetric, limit_ms?: number, classes: readonly AlertClass[] = NUMBERS) {
      const logger = pino({ level: 'silent' });
      const countCheck = (outcome: string) => void outcomes.push(outcome);
      return checkDueAlerts({ database, logger, readMetric, countCheck, limit_ms }, classes);
    },
    async [Symbol.asyncDispose]() {
      await database.close();
      await cloned.drop();
    },
  };
}

test('an alert that cannot be checked is put off, and other alerts are still checked', async () => {
  await using checks = await openChecks();
  const { database, outcomes } = checks;
  const game_id = await checks.makeGame();
  const failing = await checks.make(game_id, 'fails', 3_600);
  const other = await checks.make(game_id, 'is checked', 0);
  const values = [null, 7];
  await checks.check(async () => {
    const value = values.shift()!;
    if (value !== null) return [value];
    await database.execute(sql`
      UPDATE alerts SET next_check_at = now() - interval '2 hours' WHERE id = ${other.id}`);
    throw new Error('the number cannot be read');
  });
  assert.deepEqual(outcomes, ['failed', 'firing']);
  const alerts = await checks.list(game_id);
  const of = ({ id }: { id: string }) => alerts.find((alert) => alert.id === id)!;
  assert.deepEqual([of(failing).state, of(other).state], ['unknown', 'firing']);
  assert.deepEqual([of(failing).problem, of(other).problem], ['failed', null]);
  assert.ok(Date.parse(of(failing).next_check_at) > Date.now());
});

test('games take turns, and alerts that read events come after all others', async () => {
  await using checks = await openChecks();
  const [busy, other] = [await checks.makeGame(), await checks.makeGame()];
  const names = new Map([
    [busy, 'busy'],
    [other, 'other'],
  ]);
  for (const due_for_s of [30, 20, 10]) {
    await checks.make(busy, 'payers', due_for_s, { metric: 'payers' });
    await checks.make(busy, 'players', due_for_s);
  }
  await checks.make(other, 'payers', 5, { metric: 'payers' });
  await checks.make(other, 'players', 5);
  const checked: string[] = [];
  await checks.check(async (_tx, { game_id, metric }) => {
    // An alert that becomes due now waits only for the metric that is being read.
    if (checked.length === 4) await checks.make(other, 'later', 1);
    checked.push(`${names.get(game_id)} ${metric}`);
    return [1];
  });
  assert.deepEqual(checked, [
    'busy active_players',
    'other active_players',
    'busy active_players',
    'busy active_players',
    'busy payers',
    'other active_players',
    'other payers',
    'busy payers',
    'busy payers',
  ]);
});

test('an alert that takes too long is put off for an hour, and members are told once a day', async () => {
  await using checks = await openChecks();
  const { database } = checks;
  const game_id = await checks.makeGame();
  const account = await database.queryOne<{ id: string }>(sql`
    INSERT INTO accounts (email, password_hash, status) VALUES ('owner@studio.example', '', 'active')
    RETURNING id`);
  await database.execute(sql`
    INSERT INTO game_members (game_id, account_id, role)
    VALUES (${game_id}, ${account!.id}, 'owner')`);
  await checks.make(game_id, 'slow', 0, { account_ids: [account!.id] });
  const failSlowly = async () => {
    await checks.check(async (tx) => {
      const limit = await tx.queryOne(sql`SHOW statement_timeout`);
      assert.deepEqual(limit, { statement_timeout: '50ms' });
      await tx.query(sql`SELECT pg_sleep(600)`);
      return [1];
    }, 50);
    const [alert] = await checks.list(game_id);
    assert.deepEqual([alert!.state, alert!.problem], ['unknown', 'too_slow']);
    const wait_s = (Date.parse(alert!.next_check_at) - Date.now()) / 1_000;
    assert.ok(wait_s > 3_000 && wait_s <= 3_600, `${wait_s}`);
    await database.execute(sql`UPDATE alerts SET next_check_at = now()`);
  };
  const listMails = async () =>
    (await database.query<{ kind: string }>(sql`SELECT kind FROM mail_outbox`)).map(
      ({ kind }) => kind,
    );
  await failSlowly();
  await failSlowly();
  assert.deepEqual(checks.outcomes, ['failed', 'failed']);
  assert.deepEqual(await listMails(), ['alert_problem']);
  // The next number comes in time, and the one after it does not.
  const succeed = async () => {
    await checks.check(async () => [null]);
    assert.equal((await checks.list(game_id))[0]!.problem, null);
    await database.execute(sql`UPDATE alerts SET next_check_at = now()`);
  };
  await succeed();
  await failSlowly();
  assert.deepEqual(await listMails(), ['alert_problem']);
  await succeed();
  await database.execute(sql`
    UPDATE alerts SET problem_told_at = ${earlier(sql`problem_told_at`, sql`interval '1 day'`)}`);
  await failSlowly();
  assert.deepEqual(await listMails(), ['alert_problem', 'alert_problem']);
});

test('a server that stops begins no more checks', async () => {
  await using checks = await openChecks();
  const game_id = await checks.makeGame();
  for (const due_for_s of [20, 10]) await checks.make(game_id, 'players', due_for_s);
  let read = 0;
  await checkDueAlerts(
    {
      database: checks.database,
      logger: pino({ level: 'silent' }),
      readMetric: async () => [++read],
      countCheck: () => undefined,
      isStopping: () => read > 0,
    },
    NUMBERS,
  );
  assert.equal(read, 1);
});

test('an alert that is muted while its number is read tells nobody that it takes too long', async () => {
  await using checks = await openChecks();
  const { database } = checks;
  const game_id = await checks.makeGame();
  const account = await database.queryOne<{ id: string }>(sql`
    INSERT INTO accounts (email, password_hash, status) VALUES ('muter@studio.example', '', 'active')
    RETURNING id`);
  await database.execute(sql`
    INSERT INTO game_members (game_id, account_id, role)
    VALUES (${game_id}, ${account!.id}, 'owner')`);
  await checks.make(game_id, 'slow', 0, { account_ids: [account!.id] });
  await checks.check(async () => {
    await database.execute(sql`UPDATE alerts SET muted = true WHERE game_id = ${game_id}`);
    throw Object.assign(new Error('too late'), { code: '57014' });
  });
  const [alert] = await checks.list(game_id);
  assert.equal(alert!.problem, 'too_slow');
  assert.deepEqual(await database.query(sql`SELECT kind FROM mail_outbox`), []);
});

test('alerts that took too long wait for all others of their kind, game after game', async () => {
  await using checks = await openChecks();
  const { database } = checks;
  const [heavy, other] = [await checks.makeGame(), await checks.makeGame()];
  await database.execute(sql`
    INSERT INTO metrics (game_id, key, name, description, definition, updated_at)
    SELECT game_id, 'm', 'M', '', '{"kind": "count", "unit": "number"}', now()
    FROM unnest(${[heavy, other]}::uuid[]) AS game_id`);
  const onMetric = { metric: 'metric', metric_key: 'm' };
  for (const due_for_s of [40, 30, 20]) await checks.make(heavy, 'slow', due_for_s, onMetric);
  await database.execute(sql`UPDATE alerts SET problem = 'too_slow'`);
  await checks.make(heavy, 'new', 10, onMetric);
  await checks.make(other, 'new', 5, onMetric);
  await checks.make(other, 'players', 50);
  const checked: string[] = [];
  const read: ReadMetric = async (_database, { game_id }) => {
    checked.push(game_id === heavy ? 'heavy' : 'other');
    // An alert that becomes due while a slow one is read is next.
    if (checked.length === 3) await checks.make(other, 'later', 1, onMetric);
    return [1];
  };
  await checks.check(read, undefined, ['metrics', 'slow_metrics']);
  assert.deepEqual(checked, ['heavy', 'other', 'heavy', 'other', 'heavy', 'heavy']);
  assert.deepEqual(
    (await checks.list(other)).map(({ name, last_value }) => [name, last_value]),
    [
      ['new', 1],
      ['players', null],
      ['later', 1],
    ],
  );
});

test('while its number is read, an alert can be changed, and no other server checks it', async () => {
  await using checks = await openChecks();
  const { database, outcomes } = checks;
  const game_id = await checks.makeGame();
  const { id: alert_id } = await checks.make(game_id, 'players', 0);
  const again: ReadMetric = async () => assert.fail('another server checks the alert too');
  await checks.check(async () => {
    await checks.check(again);
    const sent = { ...RULE, name: 'higher', comparison: 'above', threshold: 5 } as const;
    const next_check_at = new Date(Date.now() + 3_600_000).toISOString();
    await updateAlert(database, { game_id, alert_id }, readSettings(sent), next_check_at);
    return [7];
  });
  const [alert] = await checks.list(game_id);
  assert.deepEqual(outcomes, []);
  assert.deepEqual([alert!.name, alert!.state, alert!.last_value], ['higher', 'unknown', null]);
  // A server that dies leaves its claim behind, which ends.
  await database.execute(sql`
    UPDATE alerts SET next_check_at = now(), claimed_until = now() - interval '1 second'`);
  await checks.check(async () => [8]);
  assert.deepEqual(outcomes, ['firing']);
});
