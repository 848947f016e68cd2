import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { unwrap, wrap } from './envelope.ts';
import { decodeIntegers, decodeNumbers, encodeIntegers } from './integers.ts';
import { decodeSessions, encodeSessions, encodePart, openPart } from './part.ts';
import type { PartEvents } from './part.ts';
import { decodeValues, encodeValues } from './property-values.ts';
import { createPropertyReader, withoutZeros } from '../property-spans.ts';

const integer = fc.oneof(
  fc.integer({ min: -5, max: 300 }),
  fc.integer(),
  fc.integer({ min: -(2 ** 51), max: 2 ** 51 }),
);

test('whole numbers are read back as they were written', () => {
  fc.assert(
    fc.property(fc.array(integer, { maxLength: 400 }), (numbers) => {
      const values = Float64Array.from(numbers, (number) => number + 0);
      assert.deepEqual(decodeIntegers(encodeIntegers(values), values.length), values);
    }),
  );
});

test('numbers of 32 bits are read back as they were written', () => {
  const number = fc.oneof(fc.nat({ max: 300 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }));
  fc.assert(
    fc.property(fc.array(number, { maxLength: 400 }), (numbers) => {
      const bytes = encodeIntegers(Float64Array.from(numbers));
      assert.deepEqual(decodeNumbers(bytes, numbers.length), Uint32Array.from(numbers));
    }),
  );
});

test('numbers that cannot be stored exactly are refused', () => {
  for (const value of [0.5, 2 ** 60, NaN, Infinity]) {
    assert.throws(() => encodeIntegers(Float64Array.of(0, value)), RangeError);
  }
});

const json = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom('9007199254740993', '0.1000000000000000055', 'null', 'true', '""', '-0', '3'),
  fc.string().map((text) => JSON.stringify(text)),
  fc.json().map((text) => JSON.stringify(JSON.parse(text))),
);
/** Many different numbers, as far as the codec stores them as numbers. */
const decimals = fc
  .tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 257, max: 600 }))
  .map(([places, count]) =>
    Array.from({ length: count }, (_, index) => String((index * 7_919 - 99_999) / 10 ** places)),
  );
const doubles = fc
  .uniqueArray(fc.double({ noNaN: true, noDefaultInfinity: true }), {
    minLength: 257,
    maxLength: 300,
  })
  .map((numbers) => [...new Set(numbers.map((number) => String(number + 0)))]);

/** The text of each event's value; null for an event without it. */
function textsOf(bytes: Uint8Array, count: number): (string | null)[] {
  const column = decodeValues(bytes, count);
  return Array.from({ length: count }, (_, index) => {
    if ('numbers' in column) {
      return Number.isNaN(column.numbers[index]) ? null : String(column.numbers[index]);
    }
    return column.codes[index] === 0 ? null : column.values[column.codes[index]! - 1]!;
  });
}

test('values of every type are read back as the text that they had', () => {
  const values = fc.oneof(fc.uniqueArray(json, { maxLength: 40 }), decimals, doubles);
  fc.assert(
    fc.property(values, fc.array(fc.nat(), { maxLength: 500 }), (texts, picks) => {
      const codes = Uint32Array.from(picks, (pick) => pick % (texts.length + 1));
      assert.deepEqual(
        textsOf(encodeValues({ values: texts, codes }), codes.length),
        [...codes].map((code) => (code === 0 ? null : texts[code - 1])),
      );
    }),
  );
});

test('many different numbers become numbers, and those with another text do not', () => {
  const texts = Array.from({ length: 300 }, (_, index) => String(index / 10));
  const codes = Uint32Array.from({ length: 301 }, (_, index) => index);
  assert.ok('numbers' in decodeValues(encodeValues({ values: texts, codes }), 301));
  texts[7] = '9007199254740993';
  const column = decodeValues(encodeValues({ values: texts, codes }), 301);
  assert.ok('values' in column && column.values[7] === '9007199254740993');
});

/** Writes an object as PostgreSQL writes jsonb; null if that cannot be had from its text. */
function writeSpaced(properties: object): string | null {
  const spaced = JSON.stringify(properties, null, 1).replaceAll(/\n\s*/g, ' ');
  const text = spaced
    .replace(/^\{ /, '{')
    .replace(/ \}$/, '}')
    .replaceAll(/([[{]) /g, '$1');
  return JSON.stringify(JSON.parse(text)) === JSON.stringify(properties) ? text : null;
}

test('properties are found as JSON.parse finds them, whatever the objects before had', () => {
  const alike = fc.record(
    {
      a: fc.constantFrom<unknown>(1, 12, '1', '1"', '1", "b": "2', [1], [1, 2], { a: 1 }, ''),
      'a"': fc.nat({ max: 2 }),
      'a long name': fc.constantFrom<unknown>('a long value of a text', 'a', null),
      b: fc.nat({ max: 200 }),
    },
    { requiredKeys: [] },
  );
  const object = fc.oneof(alike, alike, fc.dictionary(fc.string(), fc.jsonValue()));
  fc.assert(
    fc.property(fc.array(object), (objects) => {
      const eachProperty = createPropertyReader();
      for (const properties of objects) {
        const text = writeSpaced(properties);
        if (text === null) continue;
        const found: [string, unknown][] = [];
        eachProperty(text, (name, value) => found.push([name, JSON.parse(value)]));
        assert.deepEqual(found, Object.entries(JSON.parse(text)));
      }
    }),
  );
});

test('all spellings of a number have one text, and strings stay as they are', () => {
  assert.deepEqual(
    ['3.0', '3.10', '30', '0.5000', '"3.0"', '{"a": [1.0, "1.0", 2.50]}', '-0.00'].map(
      withoutZeros,
    ),
    ['3', '3.1', '30', '0.5', '"3.0"', '{"a": [1, "1.0", 2.5]}', '-0'],
  );
});

const PART: PartEvents = {
  count: 3,
  ids: Float64Array.of(128, 256, 2 ** 50),
  times: Float64Array.of(8e14, 8e14 + 1, 8e14 - 5),
  players: Float64Array.of(0, 1, 70_000),
  sessions: Float64Array.of(2, 1, 0),
  keys: Float64Array.of(0, 0, 0),
  key_ids: ['key'],
  properties: new Map([
    ['level', () => ({ values: ['1', '"x"'], codes: Uint32Array.of(1, 0, 2) })],
  ]),
  omitted: ['text'],
  has_more: false,
};
const rowsOf = (identity: string, events = PART) =>
  new Map(encodePart(identity, events).map(({ column_name, data }) => [column_name, data]));

test('a part is read back, with the properties that it has, lacks, or leaves to the rows', () => {
  const part = openPart('part', rowsOf('part'));
  assert.equal(part.count, 3);
  for (const field of ['ids', 'times'] as const) {
    assert.deepEqual(part.integers(field), PART[field]);
  }
  for (const field of ['players', 'sessions'] as const) {
    assert.deepEqual(part.numbers(field), Uint32Array.from(PART[field]));
  }
  assert.deepEqual(part.property('level'), { values: ['1', '"x"'], codes: Uint8Array.of(1, 0, 2) });
  assert.deepEqual(part.property('other'), { values: [], codes: new Uint8Array(3) });
  assert.equal(part.property('text'), null);
  const more = openPart('part', rowsOf('part', { ...PART, has_more: true }));
  assert.equal(more.property('other'), null);
});

test('bytes that were not written for this place are refused', () => {
  const rows = rowsOf('part');
  assert.throws(() => openPart('other part', rows), RangeError);
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 255 }), (place, change) => {
      const changed = Buffer.from(rows.get('')!);
      changed[place % changed.length]! ^= change;
      assert.throws(() => openPart('part', new Map([['', changed]])), RangeError);
    }),
  );
  const wrapped = wrap('a', Buffer.from('bytes'));
  assert.equal(unwrap('a', wrapped).toString(), 'bytes');
  for (let length = 0; length < wrapped.length; length++) {
    assert.throws(() => unwrap('a', wrapped.subarray(0, length)), RangeError);
  }
});

test('the sessions of a day are read back', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer(), fc.integer(), fc.nat())), (sessions) => {
      const written = {
        hashes: Int32Array.from(sessions.flatMap(([high, low]) => [high, low])),
        players: Float64Array.from(sessions, ([, , player]) => player),
      };
      const { players, hashes } = decodeSessions('day', encodeSessions('day', written));
      assert.deepEqual([...players], [...written.players]);
      assert.deepEqual(hashes, written.hashes);
    }),
  );
});
