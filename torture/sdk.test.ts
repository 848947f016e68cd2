import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFreePort } from '../packages/server/test/free-port.ts';
import { cloneDatabase } from '../packages/server/test/harness.ts';
import { makeFolder } from './machine/folder.ts';
import { godot } from '../sdks/test/godot/godot.ts';
import { attackClients } from './sdk/attack.ts';
import { createReport } from './suite.ts';

test('events and saves survive a bad network, and kills of the server, of tabs and of games', async (t) => {
  const report = createReport(() => undefined);
  await using folder = await makeFolder();
  const database = await cloneDatabase();
  const seed = 1;
  t.diagnostic(`seed ${seed}`);
  try {
    await attackClients(report, {
      rounds: 10,
      within_seconds: 60,
      seed,
      server: {
        port: await findFreePort(),
        data_dir: folder.path,
        env: { DATABASE_URL: database.url },
      },
      chromium_path: process.env.CHROMIUM_PATH || null,
    });
  } finally {
    await database.drop();
  }
  assert.deepEqual(report.violations, []);
  assert.notEqual(report.figures.get('events accepted by node'), '0');
  if (!godot.skip) assert.notEqual(report.figures.get('events accepted by godot'), '0');
});
