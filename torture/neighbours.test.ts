import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attackByNeighbours } from './neighbours.ts';
import { ATTACKS } from './neighbours/attacks.ts';
import { createReport } from './suite.ts';

/** Limits that allow slow answers, because other tests run at the same time. */
const LOOSE = {
  slower: 10,
  slower_by_player: 10,
  least_usual_ms: 2_000,
  least_usual_login_ms: 2_000,
  more_memory_mb: 200,
};

test('while all neighbours attack at once, every honest request is answered correctly, and memory stays bounded', async () => {
  const report = createReport(() => undefined);
  await attackByNeighbours(report, {
    seconds: 3,
    calm_seconds: 1,
    rounds: [{ name: 'all at once', attacks: ATTACKS.map(({ name }) => name) }],
    accounts: 6,
    events: 2_000,
    bars: LOOSE,
    retries_busy: true,
  });
  assert.deepEqual(report.violations, []);
});
