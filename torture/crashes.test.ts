import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attackByKills } from './crashes.ts';
import { FAULTS } from './crashes/faults.ts';
import { createReport } from './suite.ts';

test('what was acknowledged is there after kills of server and database and after a stop', async () => {
  const report = createReport(() => undefined);
  await attackByKills(report, { kills: FAULTS.length, seconds: 0.6, seed: Date.now() });
  assert.deepEqual(report.violations, []);
  assert.ok(Number(report.figures.get('writes acknowledged')?.replaceAll(',', '')) > 500);
});
