import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { measureJson } from './json-size.ts';

function measure(text: string) {
  const bytes = Buffer.from(text);
  return measureJson(bytes, 0, bytes.length);
}

test('the size equals the number of bytes that JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), fc.nat(4), fc.boolean(), (text, indent, hex) => {
      const value: unknown = JSON.parse(text);
      const written = JSON.stringify(value, null, indent);
      const spelled = hex ? written.replaceAll(/[^\n -~]/g, writeInHex) : written;
      assert.equal(measure(spelled).bytes, Buffer.byteLength(JSON.stringify(value)));
    }),
  );
  const escaped = String.raw`{ "\u00e9\/" : "\u0041\ud83d\ude00\u000a\ud800\"\b" }`;
  assert.equal(measure(escaped).bytes, Buffer.byteLength('{"é/":"A😀\\n\\ud800\\"\\b"}'));
});

test('`omitted_digits` counts the digits for which the exponents of numbers stand', () => {
  assert.equal(measure('[1e308,-1.5E-20,3,"1e99"]').omitted_digits, 328);
});

const writeInHex = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
