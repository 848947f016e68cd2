import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  findUnstorable,
  MAX_NESTING,
  mayHoldLongNumber,
  mayHoldUnstorable,
  parseJson,
  refuseUnstorable,
} from './json-text.ts';

const nest = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

const refuse = (text: string) => refuseUnstorable(JSON.parse(text), text);

test('what is not JSON is refused by its place, where that is known', () => {
  const refused = (text: string, message: string) =>
    assert.throws(() => parseJson(text), { message });
  refused('{"a":1,\n b}', 'The request body is not valid JSON (line 2 column 2)');
  refused('x', 'The request body is not valid JSON');
});

test('what PostgreSQL cannot store is refused by its place', () => {
  assert.throws(() => refuse('{"a":{"b":"x\\u0000"}}'), /^ApiError: a\.b must not contain \\u0000/);
  assert.throws(() => refuse('{"a":["\\ud800"]}'), /a\[0\] must not contain lone surrogates/);
  assert.throws(() => refuse('{"a\\u0000":1}'), /A key in the request body must not contain/);
  assert.throws(() => refuse('{"a":1e999}'), /a is too large/);
  assert.throws(() => refuse('1E+400'), /The request body is too large/);
  assert.throws(() => refuse(`[ -1.5e309]`), /\[0\] is too large/);
  assert.throws(() => refuse(`{"a":${'9'.repeat(400)}}`), /a is too large/);
  assert.throws(() => refuse(`{"a":${'9'.repeat(299)}e99}`), /a is too large/);
});

test('what is only similar is let through', () => {
  for (const text of [
    '{"a":"\\\\u0000"}',
    '{"a":"\\ud83d\\ude00"}',
    '{"a":1e308,"b":-1e-999}',
    '{"id":"4e1234567890","t":"[[[{{{"}',
  ]) {
    refuse(text);
  }
});

test('a text whose strings and ids only look like numbers is not worth a walk', () => {
  assert.equal(mayHoldUnstorable('[{"id":"9c4e1234-4e99-4e12-8e99-1e9999999999"}]'), false);
  assert.equal(mayHoldUnstorable(`[${'{"a":[1]},'.repeat(99)}{}]`), false);
});

test('nesting is refused over 64 levels and counted outside strings', () => {
  refuse(nest(MAX_NESTING));
  assert.throws(() => refuse(nest(MAX_NESTING + 1)), /nested deeper than 64 levels/);
  refuse(JSON.stringify(['['.repeat(100), '\\"[{', '\\'.repeat(7)]));
  const hidden = `["]]]]\\\\","\\"]]]",${nest(MAX_NESTING)}]`;
  assert.throws(() => refuse(hidden), /nested deeper than 64 levels/);
});

test('no text that holds something unstorable is taken for harmless', () => {
  const strings = fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ']', '}', 'e9', 'a') });
  const numbers = fc.constantFrom(
    '1e400',
    '-2.5E+999',
    '1e308',
    '0',
    `1${'0'.repeat(310)}`,
    `${'9'.repeat(210)}e99`,
  );
  const values = fc.oneof(
    strings.map((text) => JSON.stringify(text)),
    numbers,
    fc.constantFrom('"\\u0000"', '"\\udfff"', nest(70)),
  );
  fc.assert(
    fc.property(
      fc.array(fc.tuple(strings, values)),
      fc.constantFrom('', ' ', '\n'),
      (members, space) => {
        const text = `{${members.map(([key, value]) => `${JSON.stringify(key)}:${space}${value}`).join(',')}}`;
        const problem = findUnstorable(JSON.parse(text), '', 1);
        if (problem !== null) assert.equal(mayHoldUnstorable(text), true);
      },
    ),
  );
});

test('a long number is seen wherever it stands, and at any length', () => {
  const numbers = fc.oneof(
    fc.integer({ min: 200, max: 500 }).map((digits) => '7'.repeat(digits)),
    fc.integer({ min: 200, max: 500 }).map((digits) => `0.${'7'.repeat(digits)}`),
    fc
      .tuple(fc.constantFrom('e', 'E', 'e+', 'E-'), fc.integer({ min: 10, max: 20_000 }))
      .map(([sign, exponent]) => `-1.5${sign}${exponent}`),
  );
  const ends = fc.constantFrom(',"b":1}', '}', ' }', '\n}', ']}');
  fc.assert(
    fc.property(fc.nat({ max: 300 }), numbers, ends, (before, number, end) => {
      const text = `{"${'x'.repeat(before)}":${end === ']}' ? '[' : ''}${number}${end}`;
      JSON.parse(text);
      assert.equal(mayHoldLongNumber(text), true);
      assert.equal(mayHoldLongNumber(number), true);
    }),
  );
});
