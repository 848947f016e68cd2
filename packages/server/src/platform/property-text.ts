import { sql } from './database/sql.ts';
import type { Sql } from './database/sql.ts';

/**
 * Matches the zeros at the end of a decimal in JSON, with the point if all decimals are zeros, and each whole
 * string, which `\1` keeps. PostgreSQL writes the numbers of `jsonb` without exponents.
 */
const ZEROS = String.raw`("(?:[^"\\]|\\.)*")|(\.\d*[1-9])0+(?!\d)|\.0+(?!\d)`;

const ALL_ZEROS = new RegExp(ZEROS, 'g');

/** Removes the zeros at the end of decimals from JSON that PostgreSQL has written. */
export const trimZeros = (json: string): string =>
  /\.\d*0/.test(json) ? json.replace(ALL_ZEROS, '$1$2') : json;

/**
 * Writes SQL for a property as text, by which reports group: a text as it is, any other value as JSON. All
 * spellings of a number have one text, also in a list or object: `3`, `3.0` and `3e0` are `3`. Without this,
 * they would have two, because `jsonb` keeps the decimals that were sent. Only a text with a zero after a
 * point is looked at again, so most values cost a tenth of a microsecond.
 * @param properties A jsonb column.
 */
export function propertyText(property: string, properties: Sql = sql`properties`): Sql {
  const text = sql`(${properties} ->> ${property}::text)`;
  const value = sql`(${properties} -> ${property}::text)`;
  return sql`CASE WHEN ${text} LIKE '%.%0%' THEN
    CASE jsonb_typeof(${value})
      WHEN 'string' THEN ${text}
      WHEN 'number' THEN trim_scale(${value}::numeric)::text
      ELSE regexp_replace(${text}, ${ZEROS}::text, '\\1\\2', 'g') END
    ELSE ${text} END`;
}
