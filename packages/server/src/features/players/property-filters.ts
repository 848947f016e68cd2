import { MAX_PLAYER_FILTERS } from '@overworld/contract/players-dashboard';
import { PropertyFilter } from '@overworld/contract/property-filters';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { badRequest } from '../../platform/errors.ts';
import { refuseUnstorable } from '../../platform/http/json-text.ts';
import { compileBody } from '../../platform/http/validation.ts';
import { parseJsonText } from '../../platform/http/parse-json.ts';

type Filter = Static<typeof PropertyFilter>;

/** Within an object, so that messages name `filter[0].property`. */
const validate = compileBody(
  Type.Object({ filter: Type.Array(PropertyFilter, { maxItems: MAX_PLAYER_FILTERS }) }),
);

/**
 * Conditions on `players.properties` from the JSON text of a filter. Values are compared as jsonb,
 * of one type only and without casts, so that no stored value can make a search fail.
 * @throws ApiError 400 when the filter is not valid.
 */
export function readFilters(text: string): Sql[] {
  const filters = parseFilters(text);
  return filters.map((filter, index) => {
    requireFittingValue(filter, `filter[${index}]`);
    // PostgreSQL reads the value out of the text by itself: whole numbers over 2^53 stay exact.
    return makeCondition(filter, sql`(${text}::jsonb -> ${index}::integer -> 'value')`);
  });
}

function parseFilters(text: string): Filter[] {
  let filter: unknown;
  try {
    filter = parseJsonText(text);
  } catch {
    throw badRequest('filter is not valid JSON');
  }
  refuseUnstorable({ filter }, text);
  validate({ filter });
  return filter as Filter[];
}

function requireFittingValue({ operator, value }: Filter, name: string): void {
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

function makeCondition({ property, operator, value }: Filter, sent: Sql): Sql {
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
