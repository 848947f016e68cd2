import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lastOfDays, valuesByHour } from '../src/pages/players/stats/value-history.ts';

const NOW = Date.parse('2026-03-14T02:30:00Z');
const at = (hour: string, value: number) => ({ hour: `2026-03-${hour}:00:00.000Z`, value });

describe('the history of a statistic', () => {
  test('a sum begins at its base and adds up the hours exactly', () => {
    const values = valuesByHour(
      { aggregation: 'sum', base: 1, hours: [at('13T03', 0.1), at('14T01', 0.2)] },
      1,
      NOW,
    );
    assert.equal(values.length, 25);
    assert.deepEqual(values[0], at('13T02', 1));
    assert.deepEqual(values[1], at('13T03', 1.1));
    assert.deepEqual(values.at(-1), at('14T02', 1.3));
  });

  test('the best, least and last values begin with the first hour', () => {
    const hours = [at('13T20', 5), at('14T01', 3)];
    const ends = (aggregation: 'max' | 'min' | 'latest') => {
      const values = valuesByHour({ aggregation, base: null, hours }, 1, NOW);
      return [values[0], values.at(-1)!.value];
    };
    assert.deepEqual(ends('max'), [at('13T20', 5), 5]);
    assert.deepEqual(ends('min'), [at('13T20', 5), 3]);
    assert.deepEqual(ends('latest'), [at('13T20', 5), 3]);
  });

  test('hours before the range count, and are not shown', () => {
    const hours = [at('10T01', 7)];
    const values = valuesByHour({ aggregation: 'sum', base: null, hours }, 1, NOW);
    assert.equal(values.length, 25);
    assert.ok(values.every(({ value }) => value === 7));
  });

  test('a day ends with its last hour in the zone of the game', () => {
    const values = [at('13T22', 1), at('13T23', 2), at('14T00', 3)];
    assert.deepEqual(lastOfDays(values, 'UTC'), [values[1], values[2]]);
    assert.deepEqual(lastOfDays(values, 'Europe/Berlin'), [values[0], values[2]]);
  });
});
