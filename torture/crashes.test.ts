import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attackByDisk } from './crashes/disk.ts';
import { attackByKills } from './crashes/kills.ts';
import { FAULTS } from './crashes/faults.ts';
import { attackByOutages } from './crashes/outages.ts';
import { createReport } from './suite.ts';

test('what was acknowledged is there after kills of server and database and after a stop', async () => {
  const report = createReport(() => undefined);
  await attackByKills(report, {
    kills: FAULTS.length,
    seconds: 0.4,
    within_seconds: 100,
    seed: 1,
  });
  assert.deepEqual(report.violations, []);
  assert.ok(
    Number(report.figures.get('writes acknowledged around kills')?.replaceAll(',', '')) > 500,
  );
});

test('what was acknowledged is there after a database that was away, hung, and cut connections', async () => {
  const report = createReport(() => undefined);
  await attackByOutages(report, { away_seconds: 0.5, seed: 1 });
  assert.deepEqual(report.violations, []);
});

const skip = process.getuid?.() === 0 ? false : 'only root can make a disk';
test('what was acknowledged is there after a full disk', { skip }, async () => {
  const report = createReport(() => undefined);
  await attackByDisk(report, { fills: 1, full_seconds: 1, seed: 1 });
  assert.deepEqual(report.violations, []);
});
