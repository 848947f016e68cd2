import fc from 'fast-check';

/** The white space between two tokens of a JSON text, which may be empty. */
export const space = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\r'), maxLength: 3 });

/** A JSON string whose characters are plain or escaped in any way that JSON allows. */
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

/** Any JSON value as text. */
export const { value: valueText } = fc.letrec<{ value: string; list: string; object: string }>(
  (tie) => ({
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
  }),
);

function objectOf(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(space, fc.array(fc.tuple(key, space, space, value, space), { maxLength: 4 }))
    .map(([before, members]) => {
      const texts = members.map(([k, a, b, v, c]) => `${k}${a}:${b}${v}${c}`);
      return `{${before}${texts.join(`,${before}`)}}`;
    });
}

/** Any JSON object as text, with white space around it. */
export const bodyText = fc
  .tuple(space, objectOf(valueText), space)
  .map(([before, object, after]) => before + object + after);
