import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS } from '@overworld/contract/operations';
import { attackByFuzzing } from './fuzz.ts';
import { createReport } from './suite.ts';

test('mutated requests get only answers that the contract states, without any 5xx and without data of another game', async () => {
  const report = createReport(() => undefined);
  // About seven requests an operation let most operations succeed at least once.
  const count = 7 * OPERATIONS.length;
  await attackByFuzzing(report, { first: 0, count, max_duration_ms: 60_000, seed: 1 });
  assert.deepEqual(report.violations, []);
  const succeeded = Number.parseInt(report.figures.get('operations that also succeeded')!, 10);
  assert.ok(succeeded > 0.6 * OPERATIONS.length, `${succeeded} of ${OPERATIONS.length} operations`);
});
