import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  compareNumbers,
  isText,
  parseExactly,
  toDouble,
  writeExactly,
  writeOddNumbers,
} from './exact-json.ts';
import { scanJson } from './json-scan.ts';

test('numbers that a double would change keep their digits, and everything else is parsed as by JSON.parse', () => {
  const text = String.raw`{"id":-76561198000000001234,"a":[1e300,0.1234567890123456789,12],"t":"\"123\\u0000","\n":1}`;
  assert.equal(
    writeExactly(parseExactly(text)),
    String.raw`{"id":-76561198000000001234,"a":[1e+300,0.1234567890123456789,12],"t":"\"123\\u0000","\n":1}`,
  );
});

test('numbers in unusual forms are rewritten as JSON.stringify writes them, but whole numbers keep their digits', () => {
  const write = (text: string) => {
    const bytes = Buffer.from(text);
    return writeOddNumbers(bytes, scanJson(bytes)!.numbers);
  };
  const long = `1${'0'.repeat(250)}`;
  assert.equal(
    write(`{"名":[1e-20000, 1e300,${long},1.50,"1e-999",0.${long}]}`),
    `{"名":[0, 1e300,${long},1.50,"1e-999",0.1]}`,
  );
});

test('a text that has more long numbers than the caller allows is refused', () => {
  assert.throws(() => parseExactly('[1e20,12345678901234567]', 1), { status: 400 });
  parseExactly('[1e20,0.1234567890123456,-1.7976931348623157e+308,1]', 1);
});

test('a part of a text is written with its own odd numbers', () => {
  const bytes = Buffer.from('[1e-20000,{"n":1e-20000},1e-20000]');
  const { numbers } = scanJson(bytes)!;
  assert.equal(writeOddNumbers(bytes, numbers, 10, 24), '{"n":0}');
});

test('all spellings of a number are one value with all its digits, and texts stay texts', () => {
  const numbers =
    '9007199254740.993e3,9007199254740993.0,1000000000.0000001e-2,0.30000000000000004';
  const text = String.raw`{"a":[${numbers}],"\"9007199254740993":"\" 9007199254740993"}`;
  const parsed = parseExactly(text) as { a: number[] };
  assert.equal(parsed.a[0], parsed.a[1]);
  const written = '9007199254740993,9007199254740993,10000000.000000001,0.30000000000000004';
  assert.equal(writeExactly(parsed), text.replace(numbers, written));
  assert.deepEqual(parsed.a.map(toDouble), JSON.parse(text).a);
  assert.deepEqual(parsed.a.filter(isText), []);
  assert.deepEqual(Object.values(parsed).filter(isText), ['" 9007199254740993']);
});

test('a number of more than 400 characters is a double', () => {
  const [tiny, long, zero] = parseExactly(`[1e-320,0.${'3'.repeat(400)},1e-99999999]`) as unknown[];
  assert.deepEqual([tiny, long, zero], [1e-320, 1 / 3, 0]);
});

test('an infinite number in a member that is given twice gives way to the later value', () => {
  const infinite = ['1e400', '-1e400', `1${'0'.repeat(310)}`];
  for (const number of infinite) {
    assert.deepEqual(parseExactly(`{"a":${number},"b":1e16,"a":9007199254740993}`), {
      a: '\u{0}9007199254740993',
      b: 1e16,
    });
  }
});

test('numbers are compared by all their digits', () => {
  const [wide, same, less, long, point] = parseExactly(
    '[9007199254740993.0, 9007199254740993.00, 9007199254740992, 0.10000000000000001, 0.1]',
  ) as unknown[];
  assert.equal(compareNumbers(wide, same), 0);
  assert.ok(compareNumbers(less, wide) < 0);
  assert.ok(compareNumbers(long, point) > 0);
  const [negative, more] = parseExactly('[-0.10000000000000001, -0.1]') as unknown[];
  assert.ok(compareNumbers(negative, more) < 0);
  assert.ok(compareNumbers(3, 2) > 0);
  for (const other of ['3', null, true, undefined, {}]) {
    assert.ok(Number.isNaN(compareNumbers(wide, other)));
  }
});
