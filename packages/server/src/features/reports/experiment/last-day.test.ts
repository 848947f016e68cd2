import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLastDay } from './last-day.ts';

const RANGE = { from: '2026-03-01', closed_to: '2026-03-20', to: '2026-03-31', waited_days: 5 };

test('a report counts as many closed days as fit, at least one, and all open days together', () => {
  const lastOf = (a_day: number, range: Partial<typeof RANGE> = {}) =>
    findLastDay({ ...RANGE, ...range }, () => a_day, 100);
  // The report reads the events of these days and of the five days that follow.
  assert.equal(lastOf(10), '2026-03-06');
  assert.equal(lastOf(1_000), '2026-03-01');
  assert.equal(lastOf(4), RANGE.to);
  assert.equal(lastOf(1_000, { from: '2026-03-20' }), RANGE.to);
  assert.equal(lastOf(4, { to: '2026-03-10' }), '2026-03-10');
});
