import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  formatPercent,
  formatShare,
  formatSignedShare,
  formatWholeShare,
} from '@overworld/contract/percents';

test('percents have no space, at most one decimal, and the sign of a change', () => {
  assert.deepEqual([0, 0.125, 0.66666, 12.3456].map(formatShare), [
    '0%',
    '12.5%',
    '66.7%',
    '1,234.6%',
  ]);
  assert.deepEqual([0.125, 0.004].map(formatWholeShare), ['13%', '0%']);
  assert.deepEqual([0.75123, 0.17, 0, -0.2134].map(formatSignedShare), [
    '+75.1%',
    '+17%',
    '0%',
    '−21.3%',
  ]);
  assert.deepEqual([20, 12.345, 0.001, 1500].map(formatPercent), [
    '20%',
    '12.345%',
    '0.001%',
    '1,500%',
  ]);
});

const PACKAGES = join(import.meta.dirname, '../../..');

test('one module writes all percents of the server, the contract and the dashboard', () => {
  const found = ['contract/src', 'server/src', 'dashboard/src'].flatMap((folder) =>
    readdirSync(join(PACKAGES, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /(?<!\.test)\.tsx?$/.test(path) && path !== 'percents.ts')
      .flatMap((path) =>
        readFileSync(join(PACKAGES, folder, path), 'utf8')
          .split('\n')
          .filter((line) => /style: 'percent'|\} %/.test(line))
          .map((line) => `${folder}/${path}: ${line.trim()}`),
      ),
  );
  assert.deepEqual(found, []);
});
