/** A kind of JSON text that a careless parser takes long to read. */
interface Shape {
  name: string;
  /** Makes JSON text of nearly this many bytes, and never of more. */
  make(bytes: number): string;
}

const repeat = (unit: string, bytes: number, first = '[', last = ']') => {
  const count = Math.floor((bytes - first.length - last.length) / (Buffer.byteLength(unit) + 1));
  return first + Array(Math.max(0, count)).fill(unit).join(',') + last;
};

const list = (name: string, unit: string): Shape => ({
  name,
  make: (bytes) => repeat(unit, bytes),
});

const members = (name: string, write: (index: number) => string): Shape => ({
  name,
  make(bytes) {
    const written: string[] = [];
    for (let length = 2; ;) {
      const member = write(written.length);
      length += member.length + 1;
      if (length > bytes) return `{${written.join(',')}}`;
      written.push(member);
    }
  },
});

const text = (name: string, unit: string): Shape => ({
  name,
  make: (bytes) => `"${unit.repeat(Math.max(0, Math.floor((bytes - 2) / unit.length)))}"`,
});

const nested = (depth: number, open: string, inner: string, close: string) =>
  open.repeat(depth) + inner + close.repeat(depth);

export const SHAPES: readonly Shape[] = [
  list('keys with an escape', '{"\\n":0}'),
  list('keys in hexadecimal', '{"\\u0061":0}'),
  members('many keys with an escape', (index) => `"\\n${index.toString(36)}":0`),
  members('many keys in hexadecimal', (index) => `"\\u540d${index.toString(36)}":0`),
  {
    name: 'one key with an escape',
    make: (bytes) => `{"\\n":0,"a":${repeat('[0]', bytes - 14)}}`,
  },
  members('numbers for keys', (index) => `"${index}":0`),
  members('distant numbers for keys', (index) => `"${index * 1_009}":0`),
  members('many members', (index) => `"k${index}":0`),
  members('one member again and again', () => '"a":0'),
  list('empty objects', '{}'),
  list('empty lists', '[]'),
  list('zeros', '0'),
  list('literals', 'true'),
  list('texts', '""'),
  list('objects', '{"event_name":"a","session_id":"b","properties":{"c":1}}'),
  list('nesting of 60', nested(60, '[', '', ']')),
  list('objects in objects', nested(60, '{"a":', '1', '}')),
  { name: 'bottomless lists', make: (bytes) => nested(Math.floor(bytes / 2), '[', '', ']') },
  { name: 'bottomless objects', make: (bytes) => nested(Math.floor(bytes / 6), '{"a":', '0', '}') },
  list('long fractions', '0.12345678901234567'),
  list('whole numbers beyond 2^53', '76561198000000001234'),
  list('large exponents', '1e300'),
  list('tiny numbers', '1e-999'),
  { name: 'a number without end', make: (bytes) => `[0.${'3'.repeat(Math.max(1, bytes - 4))}]` },
  text('surrogates', '\\ud83d\\ude00'),
  text('lone surrogates', '\\udc00'),
  text('quotation marks', '\\"'),
  text('backslashes', '\\\\'),
  text('letters', 'x'),
  list('letters in hexadecimal', '"\\u0041"'),
  { name: 'spaces', make: (bytes) => `[${' '.repeat(Math.max(0, bytes - 2))}]` },
  { name: 'no JSON at the end', make: (bytes) => `${repeat('{"a":0}', bytes - 2)}]` },
];
