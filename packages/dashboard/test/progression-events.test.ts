import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareNaturally } from '@overworld/contract/natural-order';
import {
  findProgressionEvents,
  findStepProperty,
} from '../src/pages/analytics/progression/find-events.ts';

test('the events of levels are found by their names', () => {
  assert.deepEqual(
    findProgressionEvents([
      'session_start',
      'session_end',
      'tutorial_start',
      'tutorial_complete',
      'level_complete',
      'level_start',
      'purchase',
      'level_fail',
    ]),
    { start_event: 'level_start', fail_event: 'level_fail', complete_event: 'level_complete' },
  );
  assert.deepEqual(findProgressionEvents(['MissionStarted', 'missionwon']), {
    start_event: 'MissionStarted',
    fail_event: '',
    complete_event: 'missionwon',
  });
  assert.equal(findProgressionEvents(['session_start', 'purchase']).start_event, '');
  assert.equal(findStepProperty('level_start', ['seconds', 'level_id', 'level']), 'level');
  assert.equal(findStepProperty('quest_started', ['hero', 'quest_name']), 'quest_name');
  assert.equal(findStepProperty('run_start', ['stage', 'seed']), 'stage');
});

test('steps are in the order in which people count', () => {
  const order = [
    '-2',
    '-1',
    '1',
    '1.25',
    '1.3',
    '2',
    '10',
    '1-2',
    '1-10',
    '2-1',
    'boss',
    'boss 2',
    'boss 10',
  ];
  assert.deepEqual(order.toReversed().toSorted(compareNaturally), order);
  assert.notEqual(compareNaturally('01-1', '1-1'), 0);
});
