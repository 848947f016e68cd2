import assert from 'node:assert/strict';
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
