import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { cloneDatabase } from '../../../../test/harness.ts';
import { openTestDatabase } from '../../../../test/test-database.ts';
import type { Database } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { isClientTimestamp } from './track-request.ts';

let database: Database;
let drop: () => Promise<void>;

before(async () => {
  const cloned = await cloneDatabase();
  ({ drop } = cloned);
  database = openTestDatabase(
    { url: cloned.url },
    { application_name: 'test', max_connections: 1 },
  );
});
after(async () => {
  await database.close();
  await drop();
});

test('an ISO 8601 timestamp with an optional fraction and offset is accepted', () => {
  for (const text of [
    '2026-03-01T18:24:05Z',
    '2026-03-01T18:24Z',
    '2026-03-01T18:24',
    '2026-03-01T18:24+05:30',
    '2026-03-01t18:24:05.5z',
    `2026-03-01T18:24:05.${'1'.repeat(90)}+05:30`,
    '2026-03-01T18:24:05',
    '2026-03-01T18:24:05.1Z',
    '2026-03-01T18:24:05.123456789+05:30',
    '2026-03-01T18:24:05-0800',
    '2026-03-01T18:24:05+02',
    '2024-02-29T00:00:00Z',
    '1970-01-01T00:00:00Z',
    '2100-12-31T23:59:59.999Z',
  ]) {
    assert.equal(isClientTimestamp(text), true, text);
  }
});

test('other texts, and years outside 1970 to 2100, are refused', () => {
  for (const text of [
    '',
    'yesterday',
    '1772389445',
    '2026-03-01',
    '2026-03-01 18:24:05Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T18:60:00Z',
    '2026-03-01T18Z',
    '2026-03-01T18:24:Z',
    '2026-03-01T18:24.5Z',
    '0050-03-01T18:24:05Z',
    '2026-03-01T18:24:60Z',
    '2026-03-01T18:24:05+16:00',
    '2026-03-01T18:24:05+02:60',
    '2026-03-01T18:24:05.Z',
    '2026-03-01T18:24:05Z ',
    '1969-12-31T23:59:59Z',
    '1970-01-01T00:00:00+01:00',
    '2101-01-01T00:00:00Z',
    '2100-12-31T23:59:59-01:00',
    '+002026-03-01T18:24:05Z',
    '9999-12-31T23:59:59Z',
    `2026-03-01T18:24:05.${'1'.repeat(200)}Z`,
  ]) {
    assert.equal(isClientTimestamp(text), false, text);
  }
});

const two = (minimum: number, maximum: number) =>
  fc.integer({ min: minimum, max: maximum }).map((number) => String(number).padStart(2, '0'));

test('PostgreSQL reads every accepted text as the same time', async () => {
  const texts = fc
    .tuple(
      fc.integer({ min: 1969, max: 2101 }),
      fc.tuple(two(0, 13), two(0, 32)),
      fc.tuple(two(0, 24), two(0, 60), fc.option(two(0, 60))),
      fc.constantFrom('', '.1', '.999', '.123456', '.000000001', `.${'4'.repeat(90)}`),
      fc.tuple(fc.constantFrom('+', '-'), two(0, 16), fc.constantFrom('', ':'), two(0, 60)),
      fc.constantFrom('Z', 'z', 'none', 'hours', 'full'),
    )
    .map(([year, date, time, fraction, [sign, hours, colon, minutes], kind]) => {
      const offset = {
        Z: 'Z',
        z: 'z',
        none: '',
        hours: sign + hours,
        full: sign + hours + colon + minutes,
      };
      const [hour, minute, second] = time;
      const seconds = second === null ? '' : `:${second}${fraction}`;
      return {
        text: `${year}-${date.join('-')}T${hour}:${minute}${seconds}${offset[kind as 'Z']}`,
        // The same time in a form that JavaScript reads.
        plain: `${year}-${date.join('-')}T${hour}:${minute}:${second ?? '00'}${
          kind === 'hours' || kind === 'full'
            ? `${sign}${hours}:${kind === 'full' ? minutes : '00'}`
            : 'Z'
        }`,
      };
    })
    .filter(({ text }) => isClientTimestamp(text));
  const taken = fc.sample(texts, 500);
  const rows = await database.query<{ seconds: number }>(sql`
    SELECT extract(epoch FROM date_trunc('second', text::timestamptz))::float8 AS seconds
    FROM unnest(${taken.map(({ text }) => text)}::text[]) AS text`);
  assert.deepEqual(
    rows.map(({ seconds }) => seconds),
    taken.map(({ plain }) => Date.parse(plain) / 1000),
  );
});
