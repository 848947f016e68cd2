import { findNameProblem } from '@overworld/contract/names';
import fc from 'fast-check';
import type { GeneratorValue } from 'fast-check';

/** Texts that YAML, file names or JavaScript could take for something else. */
const TRAPS = [
  'yes',
  'null',
  '~',
  '1.0',
  '0x1F',
  '1_000',
  '.inf',
  '2026-03-01',
  '# no comment',
  'a: b',
  '- a',
  '*a',
  '&a',
  '!tag',
  '<<',
  '%41',
  'con',
  'a/b\\c',
  '../x',
  "it's",
  '"quoted"',
  ' spaces ',
  'two\nlines\n',
  '\ttab',
  'line\u2028end',
  '\u0085',
  '\ufeffmark',
  'é e\u0301',
  '👩‍👩‍👧 Ω',
  '__proto__',
  'constructor',
  'key',
  'a.b',
  'x'.repeat(255),
];

const anyText = fc.oneof(
  fc.constantFrom(...TRAPS),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }).filter((text) => !/\0|\p{Cs}/u.test(text)),
);

const anyName = anyText.filter((text) => findNameProblem(text) === null);

const shortName = anyName.filter(({ length }) => length <= 100);

const anyNumber = fc.oneof(
  fc.integer(),
  fc.constantFrom(0, 0.1, 1e21, 1e-7, 123_456_789.123, Number.MAX_SAFE_INTEGER, 5e-324),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** Numbers of JSON that a double would change, or that have other spellings. */
const numberTexts = ['9007199254740993', '3.14159265358979323846', '1.0', '1e2', '-0', '1E-3'];

const { value: jsonText } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom('null', 'true', 'false', '{}', '[]', ...numberTexts),
    anyNumber.map((number) => JSON.stringify(number)),
    anyText.map((text) => JSON.stringify(text)),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(anyText, tie('value')), { maxLength: 3, selector: ([name]) => name })
      .map((entries) => writeObject(entries)),
  ),
}));

/** Writes an object whose values are texts of JSON. */
export const writeObject = (entries: readonly (readonly [name: string, text: string])[]): string =>
  `{${entries.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;

/** Draws random values. A property test prints the seed with which it draws the same ones again. */
export function createDraw(value: GeneratorValue) {
  const integer = (min: number, max: number): number => value(fc.integer, { min, max });
  const isChosen = (): boolean => value(fc.boolean);
  return {
    integer,
    isChosen,
    text: (): string => value(() => anyText),
    name: (): string => value(() => anyName),
    shortName: (): string => value(() => shortName),
    number: (): number => value(() => anyNumber),
    /** A text of JSON, with numbers of any length. */
    json: (): string => value(() => jsonText),
    uuid: (): string => value(fc.uuid),
    oneOf: <T>(...choices: readonly T[]): T => choices[integer(0, choices.length - 1)]!,
    /** Some of the choices, in their order. */
    someOf: <T>(...choices: readonly T[]): T[] => choices.filter(isChosen),
    /** Draws one or several times. */
    list: <T>(most: number, draw: () => T): T[] => Array.from({ length: integer(1, most) }, draw),
    /** Leaves out some members. */
    partOf: (object: Record<string, unknown>): Record<string, unknown> =>
      Object.fromEntries(Object.entries(object).filter(isChosen)),
  };
}

export type Draw = ReturnType<typeof createDraw>;
