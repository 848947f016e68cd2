import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attackServers } from './servers.ts';
import { createReport } from './suite.ts';

test('three servers are one, also while one of them is killed', async () => {
  const report = createReport(() => undefined);
  const options = { seconds: 0.7, revocations: 2, thorough: false };
  await attackServers(report, { ...options, seed: 1 });
  assert.deepEqual(report.violations, []);
});
