import type { PropertyFilter } from '@overworld/contract/players/property-filters';
import type { Static } from 'typebox';
import { sql } from './database/sql.ts';
import type { Sql } from './database/sql.ts';
import { badRequest } from './errors.ts';

/** A condition on a top-level property of players or events. */
export type Condition = Static<typeof PropertyFilter>;

/**
 * Whether the value is one that the operator takes.
 * @param name Of the condition, for messages, such as `filter[0]`.
 * @throws ApiError 400
 */
export function requireFittingValue({ operator, value }: Condition, name: string): void {
  switch (operator) {
    case 'exists':
    case 'not_exists':
      if (value !== undefined) throw badRequest(`${name}.value is not allowed with ${operator}`);
      return;
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      if (typeof value !== 'number' && typeof value !== 'string') {
        throw badRequest(`${name}.value must be a number or a string`);
      }
      return;
    default:
      if (value === undefined) throw badRequest(`${name}.value is required`);
  }
}

/**
 * The condition on a jsonb column `properties`. Values are compared as jsonb, of one type only and
 * without casts, so that no stored value can make a statement fail.
 * @param sent The value as jsonb: cut by PostgreSQL out of the text that was sent, so that whole
 * numbers over 2^53 stay exact.
 */
export function makeCondition({ property, operator, value }: Condition, sent: Sql): Sql {
  const stored = sql`(properties -> ${property}::text)`;
  const stored_text = sql`(properties ->> ${property}::text)`;
  const isSameType = sql`jsonb_typeof(${stored}) = ${typeof value}::text`;
  // Texts by code points, whatever the locale of the database.
  const [left, right] =
    typeof value === 'string'
      ? [sql`${stored_text} COLLATE "C"`, sql`${value}::text`]
      : [stored, sent];
  switch (operator) {
    case 'eq':
      return sql`${stored} = ${sent}`;
    case 'ne':
      return sql`${stored} IS DISTINCT FROM ${sent}`;
    case 'gt':
      return sql`(${isSameType} AND ${left} > ${right})`;
    case 'gte':
      return sql`(${isSameType} AND ${left} >= ${right})`;
    case 'lt':
      return sql`(${isSameType} AND ${left} < ${right})`;
    case 'lte':
      return sql`(${isSameType} AND ${left} <= ${right})`;
    case 'contains':
      return sql`CASE jsonb_typeof(${stored})
        WHEN 'array' THEN ${stored} @> ${sent}
        WHEN 'string' THEN strpos(${stored_text}, ${typeof value === 'string' ? value : null}) > 0
        ELSE false END`;
    case 'exists':
      return sql`properties ? ${property}::text`;
    case 'not_exists':
      return sql`NOT properties ? ${property}::text`;
  }
}
