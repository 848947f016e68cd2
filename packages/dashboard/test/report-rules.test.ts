import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNews } from '../src/pages/events/quality/quality-problems.ts';
import { isDay } from '../src/reports/days/report-days.ts';
import { formatDuration } from '../src/ui/format.ts';

const day = (date: string, counts: Record<string, number>, key_id = 'live') => ({
  day: date,
  key_id,
  key_name: key_id,
  event_count: 1_000,
  late_count: 0,
  wrong_clock_count: 0,
  warned_count: 0,
  refused_count: 0,
  repeated_count: 0,
  ...counts,
});

/** Finds the problems that are news on the last day, and writes each as `key problem`. */
const newsOf = (...days: ReturnType<typeof day>[]) =>
  findNews(days, '2026-03-02').map(({ key_id, problem }) => `${key_id} ${problem.value}`);

test('a problem is news when its share has more than doubled and risen by over one percentage point', () => {
  const before = day('2026-03-01', { warned_count: 20 });
  assert.deepEqual(newsOf(before, day('2026-03-02', { warned_count: 41 })), ['live warned']);
  assert.deepEqual(newsOf(before, day('2026-03-02', { warned_count: 39 })), []);
  const clean = day('2026-03-01', {});
  assert.deepEqual(newsOf(clean, day('2026-03-02', { warned_count: 9 })), []);
  assert.deepEqual(newsOf(clean, day('2026-03-02', { late_count: 11 })), ['live late']);
});

test('a key is compared with its own earlier days, and a new key is compared with nothing', () => {
  const bad = day('2026-03-01', { refused_count: 500 }, 'old');
  const same = day('2026-03-02', { refused_count: 500 }, 'old');
  assert.deepEqual(newsOf(bad, same, day('2026-03-02', { refused_count: 500 }, 'new')), [
    'new refused',
  ]);
});

test('a problem in very few events, or in events of another day, is not news', () => {
  assert.deepEqual(newsOf(day('2026-03-02', { event_count: 4, warned_count: 4 })), []);
  assert.deepEqual(newsOf(day('2026-03-02', { event_count: 0, refused_count: 5 })), [
    'live refused',
  ]);
  assert.deepEqual(newsOf(day('2026-03-01', { warned_count: 900 })), []);
});

test('a duration is written in its two largest units', () => {
  const words = [0, 0.5, 59.6, 61, 3_599.6, 3_725, 86_400, 90_000].map(formatDuration);
  assert.deepEqual(words, [
    '0 s',
    '0.5 s',
    '1 min',
    '1 min 1 s',
    '1 h',
    '1 h 2 min',
    '1 d',
    '1 d 1 h',
  ]);
});

test('only days that exist are accepted', () => {
  for (const text of ['2026-02-28', '2024-02-29', '1970-01-01', '2100-12-31']) {
    assert.ok(isDay(text), text);
  }
  for (const text of [
    null,
    '',
    '2026-02-30',
    '2026-2-3',
    '1969-12-31',
    '2101-01-01',
    '0026-01-01',
  ]) {
    assert.ok(!isDay(text), String(text));
  }
});
