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

/** Joins fragments by a separator that is part of the program, such as `' AND '`. */
export function joinSql(fragments: readonly Sql[], separator: ' AND ' | ' OR ' | ', '): Sql {
  return fragments.reduce((joined, fragment) => {
    const between = new Fragment([separator], []);
    return sql`${joined}${between}${fragment}`;
  });
}
