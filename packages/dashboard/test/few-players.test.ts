import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeReading } from '@overworld/contract/alerts/alert-words';
import { FEW, writeShare } from '@overworld/contract/percents';
import { cameBack, lastToldDay, sayCell } from '../src/pages/analytics/retention/cohorts.ts';
import type { Retention } from '../src/pages/analytics/retention/cohorts.ts';
import { formatChange } from '../src/ui/format.ts';

const cohort = (player_count: number, active: (number | null)[]) => ({
  first_day: '2026-03-01',
  last_day: '2026-03-01',
  player_count,
  active,
});

test('a share of few players is written with its count', () => {
  assert.equal(writeShare(2, 3), '2 of 3');
  assert.equal(writeShare(0, FEW - 1), '0 of 49');
  assert.equal(writeShare(25, FEW), '50%');
  assert.equal(writeShare(0, 0), '–');
  assert.match(sayCell(cohort(3, [3, 2]), 1), /, 2 players came back the next day/);
});

test('a change from a small number has no percentage, on pages and in alerts', () => {
  assert.equal(formatChange(1, 3), null);
  assert.equal(formatChange(60, 50), '+20%');
  const rule = {
    metric: 'active_players',
    defined_metric: null,
    event_name: null,
    period: 'day',
    comparison: 'falls',
    threshold: 20,
    baseline: 'previous',
  } as const;
  assert.equal(
    describeReading(rule, { value: 1, baseline_value: 3 }),
    'It was 1, against the day before, 3.',
  );
  assert.match(describeReading(rule, { value: 80, baseline_value: 100 }), /−20%/);
});

test('the curve of retention ends at the last day that is over for enough players', () => {
  const retention = {
    cohorts: [cohort(39, [39, 10, 0]), cohort(40, [40, 20, null])],
    average: [1, 30 / 79, 0],
  } as unknown as Retention;
  assert.deepEqual(cameBack(retention.cohorts, 1), [30, 79]);
  assert.deepEqual(cameBack(retention.cohorts, 2), [0, 39]);
  assert.equal(lastToldDay(retention), 1);
});
