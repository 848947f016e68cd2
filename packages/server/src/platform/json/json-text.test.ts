import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_NESTING, readJsonBody } from './parse-json.ts';

const nest = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

const read = (text: string) => readJsonBody(Buffer.from(text)).value;

test('a body that is not JSON is refused, with the place of the mistake if it is known', () => {
  const refused = (text: string, message: string) => assert.throws(() => read(text), { message });
  refused('{"a":1,\n b}', 'The request body is not valid JSON (line 2 column 2)');
  refused('x', 'The request body is not valid JSON');
});

test('values that PostgreSQL cannot store are refused, with their place', () => {
  assert.throws(() => read('{"a":{"b":"x\\u0000"}}'), /^ApiError: a\.b must not contain \\u0000/);
  assert.throws(() => read('{"a":["\\ud800"]}'), /a\[0\] must not contain lone surrogates/);
  assert.throws(() => read('{"a\\u0000":1}'), /A key in the request body must not contain/);
  assert.throws(() => read('{"a":{"\\ud800":1}}'), /A key in a must not contain lone surrogates/);
  assert.throws(() => read('{"a":1e999}'), /a is too large/);
  assert.throws(() => read('1E+400'), /The request body is too large/);
  assert.throws(() => read(`[ -1.5e309]`), /\[0\] is too large/);
  assert.throws(() => read(`{"a":${'9'.repeat(400)}}`), /a is too large/);
  assert.throws(() => read(`{"a":${'9'.repeat(299)}e99}`), /a is too large/);
});

test('strings that cannot be stored are refused even if a later member of the object has the same key and replaces them', () => {
  assert.throws(() => read('{"a":"\\u0000","a":1}'), /given twice must not contain/);
  assert.throws(() => read(`{"a":${nest(64)},"a":1}`), /nested deeper than 64 levels/);
  assert.deepEqual(read('{"a":1e999,"a":1}'), { a: 1 });
});

test('the error shortens the path of a value if the path is long', () => {
  const message = `${'k'.repeat(255)}… must not contain \\u0000`;
  assert.throws(() => read(`{"${'k'.repeat(10_000)}":"\\u0000"}`), { message });
});

test('values that can be stored are accepted even if they look like values that cannot', () => {
  for (const text of [
    '{"a":"\\\\u0000"}',
    '{"a":"\\ud83d\\ude00"}',
    '{"a":1e308,"b":-1e-999}',
    '{"id":"4e1234567890","t":"[[[{{{"}',
  ]) {
    assert.deepEqual(read(text), JSON.parse(text));
  }
});

test('nesting deeper than 64 levels is refused, and brackets in strings do not count', () => {
  read(nest(MAX_NESTING));
  for (const depth of [MAX_NESTING + 1, 100_000]) {
    assert.throws(() => read(nest(depth)), /nested deeper than 64 levels/);
  }
  read(JSON.stringify(['['.repeat(100), '\\"[{', '\\'.repeat(7)]));
  const hidden = `["]]]]\\\\","\\"]]]",${nest(MAX_NESTING)}]`;
  assert.throws(() => read(hidden), /nested deeper than 64 levels/);
});

test('at most a thousand keys may need an escape, but any number of keys may have escapes that they do not need', () => {
  const repeat = (key: string, count: number) => `[${Array(count).fill(`{"${key}":0}`).join(',')}]`;
  read(repeat('\\n', 1_000));
  assert.throws(
    () => read(repeat('\\n', 1_001)),
    /At most 1,000 keys of a request may have quotation/,
  );
  read(repeat('\\u540d\\/', 20_000));
});

test('at most five thousand numbers may have an exponent of three digits', () => {
  const numbers = (count: number) => `[${Array(count).fill('1e-300').join(',')}]`;
  read(numbers(5_000));
  assert.throws(() => read(numbers(5_001)), /At most 5,000 numbers of a request/);
});
