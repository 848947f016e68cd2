import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attackServers } from './servers.ts';
import { createReport } from './suite.ts';

test('three servers act as one while one of them is killed', async () => {
  const report = createReport(() => undefined);
  const options = { seconds: 0.7, revocations: 2, revoked_within_ms: 60_000, thorough: false };
  await attackServers(report, { ...options, seed: 1 });
  assert.deepEqual(report.violations, []);
});
