import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attackByTime } from './soak.ts';
import { createReport } from './suite.ts';

test('a steady load loses no write', async () => {
  const report = createReport(() => undefined);
  await attackByTime(report, { seconds: 3, pause_ms: 20, seed: 1 });
  assert.deepEqual(report.violations, []);
  assert.ok(Number(report.figures.get('memory at the end, MB')) > 50);
});
