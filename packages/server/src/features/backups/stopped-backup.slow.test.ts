import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import { waitForLock } from '../../../test/wait-for-lock.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { listTaskStates } from '../../platform/background/task-store.ts';

test('a stop in the middle of a backup leaves no backup, and the next start makes one', async (t) => {
  const place = await mkdtemp(join(tmpdir(), 'overworld-backups-'));
  t.after(() => rm(place, { recursive: true, force: true }));
  await using first = await startTestServer();
  const held = await first.database.connect();
  await held.query('BEGIN');
  await held.query('LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE');
  const { database_url } = first;
  const env = { BACKUP_TO: place, WORKERS: '1' };
  const stopped = await startTestServer({ env, database_url });
  await waitForLock(first.database);
  const began = performance.now();
  await stopped.close();
  assert.ok(performance.now() - began < 15_000, 'the stop does not wait for the backup');
  await held.query('ROLLBACK');
  held.release();
  const [task] = await listTaskStates(first.database, ['making backups']);
  assert.deepEqual([task!.is_running, task!.failures, task!.last_error], [false, 0, null]);
  assert.ok((await readdir(place)).every((name) => name.endsWith('.unfinished')));
  const next = await startTestServer({ env, database_url });
  t.after(() => next.close());
  await waitUntil('the next start makes one', async () =>
    (await readdir(place)).some((name) => name.endsWith('.gz')),
  );
  assert.equal((await readdir(place)).length, 1, 'the remains are removed');
});
