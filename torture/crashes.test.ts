import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attackByDisk } from './crashes/disk.ts';
import { attackByKills } from './crashes/kills.ts';
import { FAULTS } from './crashes/faults.ts';
import { attackByOutages } from './crashes/outages.ts';
import { createReport } from './suite.ts';

for (const workers of [1, 2]) {
  test(`acknowledged writes survive when a server with ${workers} workers or its database is killed, and when the server stops`, async () => {
    const report = createReport(() => undefined);
    await attackByKills(report, {
      kills: workers === 1 ? FAULTS.length : FAULTS.length + 1,
      seconds: 0.4,
      least_writes: 100,
      within_seconds: Infinity,
      seed: 1,
      workers,
    });
    assert.deepEqual(report.violations, []);
    assert.ok(Number(report.figures.get('kills')) >= FAULTS.length);
  });
}

test('acknowledged writes survive a database that is away, hangs, or cuts connections', async () => {
  const report = createReport(() => undefined);
  await attackByOutages(report, { away_seconds: 0.5, back_within_ms: 60_000, seed: 1 });
  assert.deepEqual(report.violations, []);
});

const skip = process.getuid?.() === 0 ? false : 'only root can make a disk';
test('acknowledged writes survive a full disk', { skip }, async () => {
  const report = createReport(() => undefined);
  await attackByDisk(report, { fills: 1, full_seconds: 1, seed: 1 });
  assert.deepEqual(report.violations, []);
});
