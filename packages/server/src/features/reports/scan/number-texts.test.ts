import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readNumbers } from './number-texts.ts';

const read = (lines: readonly string[]) => {
  const into = new Float64Array(lines.length + 2).fill(7);
  readNumbers(lines.join('\n'), into, 1);
  // The cells before and after the numbers must stay as they are.
  assert.deepEqual([into[0], into.at(-1)], [7, 7]);
  return [...into.subarray(1, -1)];
};

test('numbers are read exactly as JavaScript reads them', () => {
  const whole = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map(String);
  const decimal = fc
    .tuple(fc.constantFrom('', '-'), fc.nat(10 ** 9), fc.stringMatching(/^\d{1,25}$/), fc.boolean())
    .map(([sign, before, after, is_whole]) => `${sign}${before}${is_whole ? '' : `.${after}`}`);
  fc.assert(
    fc.property(fc.array(fc.oneof(whole, decimal), { minLength: 1 }), (lines) => {
      assert.deepEqual(read(lines), lines.map(Number));
    }),
  );
});

test('values that are no numbers become NaN, whatever they look like', () => {
  const others = ['', 'null', 'true', '"12"', '"1\\n2"', '[1, 2]', '{"1": 2}', '"', '-', '""'];
  const lines = others.flatMap((other) => [other, '1.5']);
  assert.deepEqual(
    read(lines),
    lines.map((line) => (line === '1.5' ? 1.5 : NaN)),
  );
});

test('numbers with hundreds of digits stay numbers, even if the last digits are cut off', () => {
  const large = `1${'0'.repeat(300)}`;
  const small = `0.${'0'.repeat(398)}`;
  assert.deepEqual(read([large, small, '-0', `-${large}`]), [1e300, 0, -0, -1e300]);
});
