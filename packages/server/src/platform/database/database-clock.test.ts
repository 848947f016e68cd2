import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import { createDatabaseClock } from './database-clock.ts';

test('the clock has the time of PostgreSQL on a machine whose own clock is an hour fast', async () => {
  await using server = await startTestServer();
  const fast = () => new Date(Date.now() + 3_600_000);
  const clock = await createDatabaseClock(server.database, { everyHere() {} }, fast);
  const early_ms = clock().getTime() - Date.now();
  assert.ok(early_ms <= 1 && early_ms > -600_000, String(early_ms));
});
