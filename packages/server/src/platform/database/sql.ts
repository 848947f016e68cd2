import { encodeTextArray } from './text-array.ts';

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
