import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hoursAfter } from '../src/reports/days/report-days.ts';
import { formatAgo, formatMoment, formatZone } from '../src/ui/time/format-time.ts';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
];
const DAY_MS = 86_400_000;
const formats = new Map(
  ZONES.map((timeZone) => [timeZone, new Intl.DateTimeFormat('en-GB', { timeZone })]),
);

/** Returns the day, month and year of a moment. */
const dateOf = (time: number, zone: string) =>
  formats.get(zone)!.format(time).split('/').map(Number) as [number, number, number];

/** Counts the days between two dates of a zone by stepping from day to day. */
function naiveDays(from: number, to: number, zone: string): number {
  const noonOf = (time: number) => {
    const [day, month, year] = dateOf(time, zone);
    return Date.UTC(year, month - 1, day, 12);
  };
  const last = noonOf(to);
  let days = 0;
  for (let noon = noonOf(from); noon < last; noon += DAY_MS) days += 1;
  return days;
}

test('relative times agree with a calendar in every zone', () => {
  const told = new Set<string>();
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      // Dates near the end of a year, and around the changes of clocks in spring and autumn.
      fc.constantFrom('2026-03-29', '2026-11-01', '2026-11-22', '2027-01-02', '2028-03-01'),
      fc.integer({ min: 0, max: DAY_MS }),
      fc.oneof(fc.integer({ min: 0, max: 72 * 60 }), fc.integer({ min: 0, max: 800 * 24 * 60 })),
      (zone, date, ms, minutes) => {
        const now = Date.parse(date) + ms;
        const at = now - minutes * 60_000;
        const words = formatAgo(new Date(at).toISOString(), zone, now);
        const days = naiveDays(at, now, zone);
        const [, month, year] = dateOf(at, zone);
        const [, this_month, this_year] = dateOf(now, zone);
        const months = (this_year - year) * 12 + this_month - month;
        const count = Number.parseInt(words, 10);
        told.add(words.replace(/^\d+ /, ''));
        const context = `${words}: ${formatMoment(new Date(at).toISOString(), zone)} seen at ${formatMoment(new Date(now).toISOString(), zone)}`;
        if (words === 'just now') assert.equal(minutes, 0, context);
        else if (/minutes? ago/.test(words)) assert.ok(count === minutes && minutes < 60, context);
        else if (/hours? ago/.test(words)) {
          assert.equal(count, Math.floor(minutes / 60), context);
          assert.ok(count < 12 || days === 0, context);
        } else if (words === 'yesterday') assert.equal(days, 1, context);
        else if (/days ago/.test(words)) assert.ok(count === days && days <= 30, context);
        else if (words === 'last month') assert.equal(months, 1, context);
        else if (/months ago/.test(words)) assert.equal(count, months, context);
        else if (words === 'last year') assert.equal(this_year - year, 1, context);
        else assert.ok(/years ago/.test(words) && count === this_year - year, context);
      },
    ),
    { numRuns: 5_000 },
  );
  for (const words of ['yesterday', 'days ago', 'last month', 'months ago', 'last year']) {
    assert.ok(told.has(words), `no time was told as ${words}`);
  }
});

test('times around midnight, in other months and in the future follow the calendar', () => {
  const ago = (at: string, now: string, zone = 'UTC') => formatAgo(at, zone, Date.parse(now));
  assert.equal(ago('2026-11-20T13:00Z', '2026-11-22T12:00Z'), '2 days ago');
  assert.equal(ago('2026-09-26T12:00Z', '2026-11-22T12:00Z'), '2 months ago');
  assert.equal(ago('2026-10-02T12:00Z', '2026-11-22T12:00Z'), 'last month');
  assert.equal(ago('2026-11-21T23:00Z', '2026-11-22T00:30Z'), '1 hour ago');
  assert.equal(ago('2026-11-21T01:00Z', '2026-11-21T23:30Z'), '22 hours ago');
  assert.equal(ago('2026-11-21T01:00Z', '2026-11-21T23:30Z', 'Europe/Berlin'), 'yesterday');
  assert.equal(ago('2026-11-23T14:00Z', '2026-11-22T00:30Z'), 'tomorrow');
  assert.equal(ago('2026-12-30T14:00Z', '2026-11-22T00:30Z'), 'next month');
});

test('clock times and zones are written with their offset', () => {
  assert.equal(
    formatMoment('2026-07-01T22:30:05Z', 'Europe/Berlin'),
    'Jul 2, 2026, 00:30:05 GMT+2',
  );
  assert.equal(formatZone('Asia/Kathmandu', new Date('2026-07-01')), 'Asia/Kathmandu (GMT+5:45)');
  assert.equal(formatZone('UTC'), 'UTC');
});

test('the remaining hours of a day are listed up to midnight, also on days with a change of clocks', () => {
  assert.equal(hoursAfter('2026-10-25T00:00:00Z', '2026-10-25', 'Europe/Berlin').length, 22);
  assert.equal(hoursAfter('2026-03-29T00:00:00Z', '2026-03-29', 'Europe/Berlin').length, 21);
  assert.deepEqual(hoursAfter('2026-03-29T23:00:00Z', '2026-03-29', 'UTC'), []);
});
