import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nextWeekend } from '../src/pages/remote-config/schedules/next-weekend.ts';
import { momentOf, readClock } from '../src/ui/time/zoned-time.ts';

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'];

test('the clock time of a moment converts back to the moment, in zones with any offset', () => {
  const minutes = fc.integer({ min: Date.UTC(2001, 0) / 60_000, max: Date.UTC(2080, 0) / 60_000 });
  fc.assert(
    fc.property(minutes, fc.constantFrom(...ZONES), (minute, zone) => {
      const clock = readClock(minute * 60_000, zone);
      const moment = Date.parse(momentOf(clock, zone)!);
      // A clock time that occurs twice is converted to the earlier of the two moments.
      assert.equal(readClock(moment, zone), clock);
      assert.ok(moment <= minute * 60_000 && moment >= minute * 60_000 - 3_600_000);
    }),
    { numRuns: 500 },
  );
});

test('a skipped clock time becomes a moment after the change of clocks, and a repeated one the earlier moment', () => {
  assert.equal(momentOf('2026-03-29T02:30', 'Europe/Berlin'), '2026-03-29T01:30:00.000Z');
  assert.equal(momentOf('2026-10-25T02:30', 'Europe/Berlin'), '2026-10-25T00:30:00.000Z');
  assert.equal(momentOf('2026-03-14T09:00', 'Asia/Kathmandu'), '2026-03-14T03:15:00.000Z');
  assert.equal(momentOf('tomorrow', 'UTC'), null);
});

test('the coming weekend begins on the first Saturday after today, in the time zone, and ends on Monday', () => {
  const on = (iso: string, zone = 'UTC') => nextWeekend(Date.parse(iso), zone);
  const weekend = { start: '2026-03-14T00:00', end: '2026-03-16T00:00' };
  assert.deepEqual(on('2026-03-11T12:00:00Z'), weekend);
  assert.deepEqual(on('2026-03-13T23:00:00Z'), weekend);
  assert.equal(on('2026-03-13T23:00:00Z', 'Asia/Tokyo').start, '2026-03-21T00:00');
  assert.equal(on('2026-03-14T10:00:00Z').start, '2026-03-21T00:00');
  assert.equal(on('2026-03-15T10:00:00Z').start, '2026-03-21T00:00');
});
