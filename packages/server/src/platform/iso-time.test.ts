import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTime } from './iso-time.ts';

test('a time is read with or without seconds, fraction and offset', () => {
  const ten = Date.UTC(2026, 10, 20, 10);
  for (const [text, expected] of [
    ['2026-11-20T10:00Z', ten],
    ['2026-11-20t10:00z', ten],
    ['2026-11-20T10:00', ten],
    ['2026-11-20T10:00:00Z', ten],
    ['2026-11-20T10:00:07.5Z', ten + 7_500],
    [`2026-11-20T10:00:00.${'1239'.repeat(20)}Z`, ten + 123],
    ['2026-11-20T15:30+05:30', ten],
    ['2026-11-20T15:30+0530', ten],
    ['2026-11-20T02:00-08', ten],
    ['2026-11-20T06:30-03:30', ten],
  ] as const) {
    assert.equal(parseTime(text), expected, text);
  }
});

test('a text that is no time, or a time that does not exist, is null', () => {
  for (const text of ['', '2026-11-20', '2026-02-29T10:00Z', '2026-11-20T10:00:00,5Z']) {
    assert.equal(parseTime(text), null, text);
  }
});
