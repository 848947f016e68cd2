import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJsonText } from './parse-json.ts';

test('JSON.parse still mistakes a key with an escape for another key, so this parser is still needed', () => {
  JSON.parse('{"a":0,"\\\\":1}');
  const keys = Object.keys(JSON.parse('{"a":0,"\\"":1}') as object);
  const advice =
    'Node is mended: replace parseJsonText by JSON.parse, and delete the other functions of its file';
  assert.deepEqual(keys, ['a', '\\'], advice);
});

test('a key with an escape is never taken for another key', () => {
  parseJsonText('{"a":0,"\\\\":1}');
  JSON.parse('{"a":0,"\\\\":1}');
  for (const key of ['"', '\n', '名', 'b', '\\', '\\\\', '\\x']) {
    for (const written of [JSON.stringify(key), writeInHex(key)]) {
      assert.deepEqual(parseJsonText(`{"a":0,${written}:1}`), { a: 0, [key]: 1 });
    }
  }
});

test('any value is parsed correctly, whether its keys are written with or without escapes', () => {
  const keys = fc.string({
    unit: fc.constantFrom('\\', '"', '\n', 'a', 'é', '_', '0'),
    maxLength: 3,
  });
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue({ maxDepth: 0 }),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc
        .array(fc.tuple(keys, fc.boolean(), tie('tree')), { maxLength: 4 })
        .map((members) => new Members(members as Member[])),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      assert.deepEqual(parseJsonText(write(value)), read(value));
    }),
    { numRuns: 3_000 },
  );
});

test('when a key repeats in an object, the member has the last value, at the place of the first', () => {
  const value = parseJsonText('{"b":1,"a":1,"\\u0061":2,"a":3,"\\u0062":4}');
  assert.equal(JSON.stringify(value), '{"b":4,"a":3}');
  assert.deepEqual(Object.keys(parseJsonText('{"\\u005f_proto__":1}') as object), ['__proto__']);
});

test('text that is not JSON is refused, with or without an escape in a key', () => {
  for (const text of ['', '{', '{"\\u0061":}', '{"\\x":1}', '"\\', '{"a\\":1}', '{"\\n":1}}']) {
    assert.throws(() => parseJsonText(text), SyntaxError, text);
  }
});

/** A member of an object as written in the JSON text: keys may repeat, and may have escapes. */
type Member = [key: string, in_hex: boolean, value: unknown];
class Members {
  readonly list: Member[];
  constructor(list: Member[]) {
    this.list = list;
  }
}

const writeInHex = (text: string) =>
  `"${text.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;

function write(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(write).join(' , ')}]`;
  if (!(value instanceof Members)) return JSON.stringify(value);
  const members = value.list.map(
    ([key, in_hex, member]) =>
      `${in_hex ? writeInHex(key) : JSON.stringify(key)} : ${write(member)}`,
  );
  return `{ ${members.join(',')} }`;
}

function read(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(read);
  // JSON.stringify writes -0 as 0.
  if (!(value instanceof Members)) return JSON.parse(JSON.stringify(value));
  return Object.fromEntries(value.list.map(([key, , member]) => [key, read(member)]));
}
