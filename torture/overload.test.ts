import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attackByOverload } from './overload.ts';
import { createReport } from './suite.ts';

/**
 * Generous limits, in milliseconds. Other tests run at the same time, so the times that this test measures
 * say little.
 */
const LOOSE = { usual_ms: 10_000, bars: { accepted_p99_ms: 30_000, recovery_ms: 15_000 } };

test('a flood of requests and bad clients are refused, and other clients are served', async () => {
  const report = createReport(() => undefined);
  const options = { seconds: 2, connections: 1_500, idle: 300, slow: false, ...LOOSE };
  await attackByOverload(report, { ...options, seed: 1 });
  assert.deepEqual(report.violations, []);
  assert.ok(report.figures.has('  answered 503'), 'it was a flood');
});
