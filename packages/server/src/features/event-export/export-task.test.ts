import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { BackgroundTask } from '@overworld/contract/administration/tasks';
import { startTestServer } from '../../../test/harness.ts';
import { waitForIngest } from '../../../test/inbox.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { makeTaskDue } from '../../platform/background/task-store.ts';
import { ConfigError } from '../../platform/config-error.ts';
import { readConfig } from '../../platform/config.ts';
import { sql } from '../../platform/database/sql.ts';
import { forgetEndedExports } from './ended-exports.ts';
import { EXPORT_TASK } from './event-export.ts';
import { readExportLag } from './export-lag.ts';
import { createFileReader, folderPlace, listStored } from './test/exported-files.ts';

const folder = await mkdtemp(join(tmpdir(), 'overworld-events-'));
after(() => rm(folder, { recursive: true, force: true }));

test('EVENTS_EXPORT_TO is a folder or a bucket, and anything else is refused with a sentence', () => {
  const KEYS = { AWS_ACCESS_KEY_ID: 'AKIA1', AWS_SECRET_ACCESS_KEY: 'hunter2' };
  assert.equal(readConfig({}).events_export_to, null);
  assert.deepEqual(readConfig({ EVENTS_EXPORT_TO: '/srv/events' }).events_export_to, {
    folder: '/srv/events',
  });
  const { events_export_to } = readConfig({ EVENTS_EXPORT_TO: 's3://bucket/events', ...KEYS });
  assert.equal((events_export_to as { prefix: string }).prefix, 'events/');
  const wrong: [Record<string, string>, RegExp][] = [
    [{ EVENTS_EXPORT_TO: 'https://hunter2@bucket', ...KEYS }, /^EVENTS_EXPORT_TO must be a folder/],
    [{ EVENTS_EXPORT_TO: 's3://k:hunter2@b/a', ...KEYS }, /^EVENTS_EXPORT_TO must be an address/],
    [
      { EVENTS_EXPORT_TO: 's3://bucket' },
      /^AWS_ACCESS_KEY_ID must be set, because EVENTS_EXPORT_TO/,
    ],
  ];
  for (const [env, words] of wrong) {
    assert.throws(
      () => readConfig(env),
      (error: Error) => {
        assert.ok(error instanceof ConfigError);
        assert.match(error.message, words);
        assert.doesNotMatch(error.message, /hunter2/);
        return true;
      },
    );
  }
});

test('a server exports to its setting; the tasks and metrics say how that goes', async () => {
  const place = join(folder, 'later');
  await using server = await startTestServer({
    env: { EVENTS_EXPORT_TO: place, WORKERS: '1' },
  });
  const { database } = server;
  const { token } = await server.makeAccount({ is_administrator: true });
  const { game_id, production_key: key } = await server.makeGame();
  const game = database.ofGame(game_id);
  const readTask = async () => {
    const { body } = await server.request('GET', '/v1/admin/tasks', { token });
    return (body.tasks as BackgroundTask[]).find(({ name }) => name === EXPORT_TASK)!;
  };
  const track = async () => {
    const body = { event_name: 'e', session_id: 's' };
    assert.equal((await server.request('POST', '/v1/track', { key, body })).status, 202);
    await waitForIngest(game, game_id);
  };
  const runTask = async () => {
    const { last_started_at } = await readTask();
    await database.transaction((tx) => makeTaskDue(tx, EXPORT_TASK));
    await waitUntil('the task has run', async () => {
      const task = await readTask();
      return task.last_started_at !== last_started_at && !task.is_running;
    });
  };
  await waitUntil('the first run has ended', async () => (await readTask())?.last_run_ms !== null);
  await track();
  await runTask();
  await game.execute(sql`UPDATE event_exports SET created_at = now() - interval '1 hour'`);
  await track();
  await runTask();
  const { failures, last_error } = await readTask();
  assert.equal(failures, 3);
  assert.match(last_error!, /^Cannot use the folder .*: check EVENTS_EXPORT_TO/);
  const { text } = await server.request('GET', '/metrics');
  assert.match(
    text,
    /^overworld_event_export_lag_seconds 0\.\d*[1-9]|^overworld_event_export_lag_seconds [1-9]/m,
  );
  assert.match(
    text,
    new RegExp(`^overworld_background_failures_total\\{work="${EXPORT_TASK}"\\} 3$`, 'm'),
  );

  await mkdir(place);
  await runTask();
  assert.equal((await readTask()).failures, 0);
  const reader = createFileReader(folderPlace(place));
  const stored = await listStored(game, game_id);
  assert.equal(stored.length, 2);
  assert.deepEqual(await reader.listIds(game_id), stored);
  const later = await server.request('GET', '/metrics');
  assert.match(later.text, /^overworld_event_export_lag_seconds 0$/m);
});

test('events that wait for a history are late only if no file of it comes', async () => {
  await using server = await startTestServer({ env: { WORKERS: '1' } });
  const { database } = server;
  const { game_id } = await server.makeGame();
  const game = database.ofGame(game_id);
  assert.equal(await readExportLag(database), 0);
  await game.execute(sql`
    INSERT INTO event_exports (game_id, environment, created_at, last_file_at)
    VALUES (${game_id}, 'production', now() - interval '9 hours', now())`);
  assert.equal(await readExportLag(database), 0);
  await game.execute(sql`
    INSERT INTO event_export_batches
      (game_id, environment, first_received_at, day, inbox_ids, received_at, event_count, bytes, stored_at)
    SELECT ${game_id}, 'production', at, at, ARRAY[1], ARRAY[at], 1, 1, at
    FROM (SELECT now() - interval '4 hours' AS at) AS clock`);
  const readHours = async () => Math.floor((await readExportLag(database)) / 3_600);
  assert.equal(await readHours(), 0);
  await game.execute(sql`UPDATE event_exports SET last_file_at = now() - interval '5 hours'`);
  assert.equal(await readHours(), 5);
  await game.execute(sql`UPDATE event_exports SET is_history_done = true`);
  assert.equal(await readHours(), 4);
});

test('an export that no server runs for a month is forgotten, and so are batches of dropped events', async () => {
  await using server = await startTestServer({ env: { WORKERS: '1' } });
  const { database } = server;
  const { game_id } = await server.makeGame();
  const game = database.ofGame(game_id);
  const count = async () => {
    const row = await game.queryOne<{ exports: number; batches: number }>(sql`
      SELECT (SELECT count(*) FROM event_exports) AS exports,
             (SELECT count(*) FROM event_export_batches) AS batches`);
    return [row!.exports, row!.batches];
  };
  await game.execute(sql`
    INSERT INTO event_exports (game_id, environment) VALUES (${game_id}, 'production')`);
  for (const days of [10, 70]) {
    await game.execute(sql`
      INSERT INTO event_export_batches
        (game_id, environment, first_received_at, day, inbox_ids, received_at, event_count, bytes)
      SELECT ${game_id}, 'production', at, at, ARRAY[1], ARRAY[at], 1, 1
      FROM (SELECT now() - ${days}::integer * interval '1 day' AS at) AS clock`);
  }
  await forgetEndedExports(database, EXPORT_TASK, 0);
  assert.deepEqual(await count(), [1, 2]);
  await forgetEndedExports(database, EXPORT_TASK, 30);
  assert.deepEqual(await count(), [1, 1]);
  await game.execute(sql`UPDATE event_exports SET created_at = now() - interval '31 days'`);
  await database.execute(sql`
    INSERT INTO background_tasks (name, last_started_at) VALUES (${EXPORT_TASK}, now())`);
  await forgetEndedExports(database, EXPORT_TASK, 0);
  assert.deepEqual(await count(), [1, 1]);
  await database.execute(sql`
    UPDATE background_tasks SET last_started_at = now() - interval '31 days'
    WHERE name = ${EXPORT_TASK}`);
  await forgetEndedExports(database, EXPORT_TASK, 0);
  assert.deepEqual(await count(), [0, 0]);
});
