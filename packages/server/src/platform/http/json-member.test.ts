import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { measureCompactBytes, sliceMember } from './json-member.ts';

const space = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\r'), maxLength: 3 });

/** A string as JSON, each character plain or escaped in one of the ways that JSON has. */
const stringText = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
        fc.constantFrom('"', '\\', '/', '{', '}', '[', ']', ',', ':', '\0', '\ud800', 'd', 'a'),
      ),
      fc.boolean(),
    ),
    { maxLength: 8 },
  )
  .map((characters) => `"${characters.map(([text, escape]) => write(text, escape)).join('')}"`);

function write(text: string, escape: boolean): string {
  if (escape) {
    return [...Array(text.length).keys()]
      .map((index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join('');
  }
  return JSON.stringify(text).slice(1, -1);
}

const key = fc.oneof(
  fc.constantFrom('"data"', '"d\\u0061ta"', '"\\u0064ata"', '"dat"', '"data\\\\"', '"__proto__"'),
  stringText,
);

const { value: valueText } = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom('null', 'true', '-0', '1e400', '76561198000000001234', '1.0', '{}', '[]'),
    stringText,
    tie('list'),
    tie('object'),
  ),
  list: fc
    .tuple(space, fc.array(fc.tuple(tie('value'), space), { maxLength: 3 }))
    .map(
      ([before, items]) => `[${before}${items.map((item) => item.join('')).join(`,${before}`)}]`,
    ),
  object: objectOf(tie('value')),
}));

function objectOf(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(space, fc.array(fc.tuple(key, space, space, value, space), { maxLength: 4 }))
    .map(([before, members]) => {
      const texts = members.map(([k, a, b, v, c]) => `${k}${a}:${b}${v}${c}`);
      return `{${before}${texts.join(`,${before}`)}}`;
    });
}

const bodyText = fc
  .tuple(space, objectOf(valueText), space)
  .map(([before, object, after]) => before + object + after);

test('a member is cut out as JSON.parse understands it, whatever the spelling', () => {
  fc.assert(
    fc.property(bodyText, (text) => {
      const parsed = JSON.parse(text) as Record<string, unknown>;
      for (const name of ['data', '__proto__', 'dat']) {
        const member = sliceMember(text, name);
        if (!Object.hasOwn(parsed, name)) assert.equal(member, null);
        else assert.deepEqual(JSON.parse(member!.text), parsed[name]);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a member is the very text that was sent', () => {
  fc.assert(
    fc.property(valueText, space, space, (value, before, after) => {
      const text = `{"data":0, "d\\u0061ta"${after}:${before}${value}${after}}`;
      assert.equal(sliceMember(text, 'data')!.text, value);
    }),
    { numRuns: 1_000 },
  );
});

test('nesting counts objects and arrays, not brackets within strings', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: fc.constantFrom('[', '{', '"', '\\', 'a') }), (text) => {
      const member = sliceMember(`{"data":${text}}`, 'data');
      assert.equal(member!.nesting, nestingOf(JSON.parse(text)));
    }),
  );
  const deep = '['.repeat(200_000) + ']'.repeat(200_000);
  assert.equal(sliceMember(`{"data":${deep}}`, 'data')!.nesting, 200_000);
});

function nestingOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(nestingOf));
}

test('compact bytes are those of JSON.stringify, where it can write the value', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), fc.nat(4), (text, indent) => {
      const value: unknown = JSON.parse(text);
      const compact = Buffer.byteLength(JSON.stringify(value));
      assert.equal(measureCompactBytes(JSON.stringify(value, null, indent)), compact);
    }),
  );
  const escaped = String.raw`{ "\u00e9\/" : "\u0041\ud83d\ude00\u000a\ud800" }`;
  assert.equal(measureCompactBytes(escaped), Buffer.byteLength('{"é/":"A😀\\n\\ud800"}'));
});

test('long runs of escapes take time in proportion to their length', () => {
  const text = `{"data":"${'\\\\'.repeat(500_000)}${'\\"'.repeat(500_000)}"}`;
  const started = performance.now();
  assert.equal(sliceMember(text, 'data')!.text.length, text.length - '{"data":}'.length);
  assert.ok(performance.now() - started < 1_000);
});
