import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { NOT_ON_CLUSTER } from './cluster-files.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('each pattern in the list of tests that do not run on a cluster matches a file', () => {
  const patterns = NOT_ON_CLUSTER.flatMap(({ files }) => files);
  const unmatched = patterns.filter((pattern) => globSync(pattern, { cwd: root }).length === 0);
  assert.deepEqual(unmatched, []);
});
