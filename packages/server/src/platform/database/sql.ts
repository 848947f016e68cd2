/** A statement and its parameters, ready for PostgreSQL. */
export interface Sql {
  readonly text: string;
  readonly values: readonly unknown[];
}

class Fragment implements Sql {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly strings: readonly string[];

  constructor(strings: readonly string[], values: readonly unknown[], text = toText(strings)) {
    this.strings = strings;
    this.values = values;
    this.text = text;
  }
}

const toText = (strings: readonly string[]) =>
  strings.reduce((joined, part, index) => `${joined}$${index}${part}`);

const staticTexts = new WeakMap<TemplateStringsArray, string>();

/**
 * Builds a parametrised statement. Interpolated values become parameters, never text; an
 * interpolated `sql` fragment is spliced in with its own parameters. Lists are given as arrays
 * (`= ANY(${ids}::uuid[])`). Undefined is stored as null.
 */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  if (!values.some((value) => value instanceof Fragment)) {
    let text = staticTexts.get(strings);
    if (text === undefined) {
      text = toText(strings);
      staticTexts.set(strings, text);
    }
    return new Fragment(strings, values, text);
  }
  const parts: string[] = [strings[0]!];
  const flat: unknown[] = [];
  const append = (text: string) => {
    parts[parts.length - 1] += text;
  };
  values.forEach((value, index) => {
    if (value instanceof Fragment) {
      append(value.strings[0]!);
      value.values.forEach((inner, position) => {
        flat.push(inner);
        parts.push(value.strings[position + 1]!);
      });
    } else {
      flat.push(value);
      parts.push('');
    }
    append(strings[index + 1]!);
  });
  return new Fragment(parts, flat);
}

/**
 * Writes a constant of the program into the text of a statement, for
 * places where a Citus cluster accepts no parameters, such as ON CONFLICT.
 */
export const literal = (value: string | number): Sql =>
  new Fragment(
    [typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`],
    [],
  );

/**
 * Writes names of tables or columns, constants of the program, into the text of a statement, with commas
 * between them.
 */
export const names = (listed: readonly string[]): Sql => new Fragment([listed.join(', ')], []);

/** Joins fragments with one of the fixed separators. */
export function joinSql(fragments: readonly Sql[], separator: ' AND ' | ' OR ' | ', '): Sql {
  return fragments.reduce((joined, fragment) => {
    const between = new Fragment([separator], []);
    return sql`${joined}${between}${fragment}`;
  });
}

type ColumnType =
  | 'uuid'
  | 'environment'
  | 'text'
  | 'integer'
  | 'bigint'
  | 'numeric'
  | 'boolean'
  | 'date'
  | 'timestamptz';

/**
 * Writes rows as a table for FROM, such as `unnest($1::uuid[], $2::integer[]) AS sent
 * (game_id, day)`. The statement is prepared once and serves any number of rows.
 * @param types The columns and their types, all of them constants of the program. A column
 * of long texts has the type `long_text`: its values are sent in PostgreSQL's binary form.
 */
export function rowsAs<Column extends string>(
  alias: string,
  rows: readonly { readonly [C in NoInfer<Column>]: unknown }[],
  types: { readonly [C in Column]: ColumnType | 'long_text' },
): Sql {
  const columns = Object.keys(types) as Column[];
  const values = columns.map((column) => {
    const cells = rows.map((row) => row[column]);
    return types[column] === 'long_text' ? encodeTextArray(cells as string[]) : cells;
  });
  const casts = columns.map((column) => `::${types[column].replace('long_', '')}[]`);
  const last = `${casts.pop()}) AS ${alias} (${columns.join(', ')})`;
  const parts = ['unnest(', ...casts.map((cast) => `${cast}, `), last];
  return new Fragment(parts, values);
}

const TEXT_OID = 25;
const HEADER_BYTES = 20;

/**
 * Encodes long texts as a parameter `text[]` in PostgreSQL's binary form, so neither this process nor
 * PostgreSQL has to escape or scan them. Encoding a save of 100 KB takes 0.2 ms; as an array literal it
 * took 1.1 ms.
 */
export function encodeTextArray(texts: readonly (string | null)[]): Buffer {
  const sizes = texts.map((text) => (text === null ? -1 : Buffer.byteLength(text)));
  const total = sizes.reduce((sum, size) => sum + 4 + Math.max(size, 0), HEADER_BYTES);
  const bytes = Buffer.allocUnsafe(total);
  const [dimensions, has_nulls, lower_bound] = [1, texts.includes(null) ? 1 : 0, 1];
  let offset = 0;
  for (const field of [dimensions, has_nulls, TEXT_OID, texts.length, lower_bound]) {
    offset = bytes.writeInt32BE(field, offset);
  }
  texts.forEach((text, index) => {
    offset = bytes.writeInt32BE(sizes[index]!, offset);
    if (text !== null) offset += bytes.write(text, offset);
  });
  return bytes;
}

/**
 * Writes a parameter that is a list of texts, numbers or booleans as an array literal of PostgreSQL,
 * at a third of the driver's cost. Other parameters stay as they are.
 */
export function writeArray(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  let written = '{';
  for (let at = 0; at < value.length; at++) {
    const element: unknown = value[at];
    if (at > 0) written += ',';
    if (element === null || element === undefined) written += 'NULL';
    else if (typeof element === 'string') written += quote(element);
    else if (typeof element === 'object') return value;
    else written += String(element);
  }
  return `${written}}`;
}

function quote(text: string): string {
  const isPlain = !text.includes('"') && !text.includes('\\');
  return `"${isPlain ? text : text.replaceAll(/["\\]/g, '\\$&')}"`;
}

const TIMESTAMP = /^(?!0000)\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/;

/** Tells whether a text is a timestamptz in PostgreSQL's own form, with microseconds. */
export function isTimestampText(text: string): boolean {
  if (!TIMESTAMP.test(text)) return false;
  const seconds = text.slice(0, 19).replace(' ', 'T');
  const time = new Date(`${seconds}Z`);
  // PostgreSQL refuses the 30th of February, but a Date takes it for the 2nd of March.
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(seconds);
}

/**
 * Turns PostgreSQL's text for a timestamptz (with TimeZone=UTC: `2026-01-31 12:00:00.123456+00`)
 * into the API's `2026-01-31T12:00:00.123Z`. Slicing is ten times cheaper than a Date.
 */
export function readTimestamp(text: string): string {
  const fraction = text.charAt(19) === '.' ? text.slice(20, text.indexOf('+', 20)) : '';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
}
