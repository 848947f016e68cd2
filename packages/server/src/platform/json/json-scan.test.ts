import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scanInChunks, scanJson, textOf, WIDE } from './json-scan.ts';
import { bodyText, space, valueText } from './test/any-json.ts';
import { countCases } from '../../../test/long-forms.ts';

const scan = (text: string, member?: string) => scanJson(Buffer.from(text), member);

/** Returns the text of a member and the levels of nesting in it, or null if there is no such member. */
function cut(text: string, name: string): { text: string; nesting: number } | null {
  const bytes = Buffer.from(text);
  const { member, member_place } = scanJson(bytes, name)!;
  const [start, end] = member_place;
  if (start === undefined) return null;
  // The scan also counts the outermost object, which is not part of the member.
  return { text: textOf(bytes, start, end!), nesting: Math.max(0, member.nesting - 1) };
}

const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test('a scan accepts the same texts as JSON.parse', () => {
  const token = fc.constantFrom(
    ...'{ } [ ] , : " "a" "a": \\ \\u00 \\" \\x - + . 0 1 12 e E 01 1.5 -0 1e5 1.'.split(' '),
    ...'true false null tru nul x é 名 {} [] {"a":1} [1,2]'.split(' '),
    ' ',
    '\n',
    '\t',
    '\u000b',
    '\u0001',
    '\u00a0',
    '\ufeff',
  );
  const soup = fc.array(token, { maxLength: 12 }).map((tokens) => tokens.join(''));
  // A valid text in which one character is added, removed or replaced.
  const broken = fc
    .tuple(
      bodyText,
      fc.nat(),
      fc.constantFrom('', '"', '\\', ',', '}', ']', '0', '\n', 'é'),
      fc.boolean(),
    )
    .map(([text, place, other, replaces]) => {
      const characters = [...text];
      characters.splice(place % (characters.length + 1), replaces ? 1 : 0, other);
      return characters.join('').toWellFormed();
    });
  fc.assert(
    fc.property(
      fc.oneof(
        soup,
        broken,
        bodyText.map((text) => text.toWellFormed()),
      ),
      (text) => {
        assert.equal(scan(text) !== null, isJson(text));
      },
    ),
    { numRuns: countCases(20_000) },
  );
  for (const text of [
    '',
    ' ',
    '"',
    '"\\',
    '"\\u12',
    '-',
    '1e',
    '1e+',
    '1.',
    '[',
    '{',
    '{"a"',
    '{"a":',
    'nul',
    '[1,',
  ]) {
    assert.equal(scan(text), null, text);
  }
});

test('a scan finds the same value for a member as JSON.parse, even if the name of the member has escapes', () => {
  fc.assert(
    fc.property(bodyText, (text) => {
      const parsed = JSON.parse(text) as Record<string, unknown>;
      for (const name of ['data', '__proto__', 'dat']) {
        const member = cut(text, name);
        if (!Object.hasOwn(parsed, name)) assert.equal(member, null);
        else assert.deepEqual(JSON.parse(member!.text), parsed[name]);
      }
    }),
    { numRuns: countCases(2_000) },
  );
});

test('a scan in chunks pauses in a long text, and has the same result as a scan without pauses', () => {
  fc.assert(
    fc.property(fc.oneof(bodyText, valueText), fc.integer({ min: 1, max: 20 }), (text, length) => {
      const bytes = Buffer.from(text);
      const chunks = scanInChunks(bytes, length, 'data', WIDE);
      let chunk = chunks.next();
      while (!chunk.done) chunk = chunks.next();
      assert.deepEqual(chunk.value, scanJson(bytes, 'data', WIDE));
    }),
  );
  const numbers = Buffer.from(`[${Array.from({ length: 1_000 }, () => 12345).join()}]`);
  assert.equal([...scanInChunks(numbers, 600, null)].length, 9);
});

test('the text of a member is exactly the text that was sent', () => {
  fc.assert(
    fc.property(valueText, space, space, (value, before, after) => {
      const text = `{"data":0, "d\\u0061ta"${after}:${before}${value}${after}}`;
      assert.equal(cut(text, 'data')!.text, value);
    }),
    { numRuns: countCases(1_000) },
  );
});

test('objects and arrays count as levels of nesting, and brackets within strings do not', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: fc.constantFrom('[', '{', '"', '\\', 'a') }), (text) => {
      const member = cut(`{"data":${text}}`, 'data');
      assert.equal(member!.nesting, nestingOf(JSON.parse(text)));
    }),
  );
  const deep = '['.repeat(200_000) + ']'.repeat(200_000);
  assert.equal(cut(`{"data":${deep}}`, 'data')!.nesting, 200_000);
});

function nestingOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(nestingOf));
}

test('the elements of an array are counted and located, whatever they contain', () => {
  fc.assert(
    fc.property(fc.array(valueText, { maxLength: 5 }), space, (values, between) => {
      const bytes = Buffer.from(`${between}[${values.join(`${between},${between}`)}]`);
      const { count, elements } = scanJson(bytes)!;
      assert.equal(count, values.length);
      const found = values.map((_value, index) =>
        textOf(bytes, elements[2 * index]!, elements[2 * index + 1]!),
      );
      assert.deepEqual(
        found,
        values.map((value) => Buffer.from(value).toString()),
      );
    }),
  );
  assert.equal(scan('{"a":[1,2]}')!.count, null);
  assert.equal(scan(`[${'[1,2],'.repeat(5_000)}"]"]`)!.count, 5_001);
});

test('a string that the database cannot store is found anywhere in a text', () => {
  const bad = fc.constantFrom(
    '"\\u0000"',
    '"\\ud800"',
    '"x\\udfff"',
    '"\\ud800\\u0041"',
    '{"\\uDBFF":0}',
  );
  const good = fc.constantFrom(
    '"\\\\u0000"',
    '"\\ud83d\\ude00"',
    '"\\\\\\\\ud800"',
    '"\\u0001"',
    '0',
  );
  fc.assert(
    fc.property(fc.array(good), fc.array(good), bad, (before, after, value) => {
      assert.equal(scan(`[${[...before, ...after].join(',')}]`)!.rest.has_bad_string, false);
      assert.equal(scan(`[${[...before, value, ...after].join(',')}]`)!.rest.has_bad_string, true);
    }),
  );
  const inside = scan('{"data":["\\u0000"],"a":[[]]}', 'data')!;
  assert.deepEqual(inside.member, { nesting: 2, has_bad_string: true });
  assert.deepEqual(inside.rest, { nesting: 3, has_bad_string: false });
});

test('a number counts as odd if it may be infinite or too long', () => {
  const digits = '7'.repeat(200);
  for (const number of ['1e400', '-1.5E-999', digits, `0.${digits}`, `-${digits}e9`]) {
    assert.equal(scan(`[${number}]`)!.numbers.length, 2, number);
  }
  for (const text of ['1e99', '"1e400"', `"${digits}"`, '12345678901234567890', '0.1e-30']) {
    assert.equal(scan(`[${text}]`)!.numbers.length, 0, text);
  }
});
