import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExactly, writeExactly, writeOddNumbers } from './exact-json.ts';
import { scanJson } from './json-scan.ts';

test('whole numbers beyond 2^53 keep their digits, and everything else is parsed as by JSON.parse', () => {
  const text = String.raw`{"id":-76561198000000001234,"a":[1e300,0.1234567890123456789,12],"t":"\"123\\u0000","\n":1}`;
  assert.equal(
    writeExactly(parseExactly(text)),
    String.raw`{"id":-76561198000000001234,"a":[1e300,0.12345678901234568,12],"t":"\"123\\u0000","\n":1}`,
  );
});

test('numbers in unusual forms are rewritten as JSON.stringify writes them, but whole numbers keep their digits', () => {
  const write = (text: string) => {
    const bytes = Buffer.from(text);
    return writeOddNumbers(bytes, scanJson(bytes)!.odd_numbers);
  };
  const long = `1${'0'.repeat(250)}`;
  assert.equal(
    write(`{"名":[1e-20000, 1e300,${long},1.50,"1e-999",0.${long}]}`),
    `{"名":[0, 1e300,${long},1.50,"1e-999",0.1]}`,
  );
});

test('a text that has more long numbers than the caller allows is refused', () => {
  assert.throws(() => parseExactly('[1e20,12345678901234567]', 1), { status: 400 });
  parseExactly('[1e20,0.12345678901234567,1]', 1);
});
