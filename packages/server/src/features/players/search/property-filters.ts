import { MAX_PLAYER_FILTERS } from '@overworld/contract/players/dashboard';
import { PropertyFilter } from '@overworld/contract/players/property-filters';
import { Type } from 'typebox';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { readJsonText } from '../../../platform/http/json-text.ts';
import { compileBody } from '../../../platform/http/validation.ts';
import { makeCondition, requireFittingValue } from '../../../platform/property-conditions.ts';
import type { Condition } from '../../../platform/property-conditions.ts';

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

function parseFilters(text: string): Condition[] {
  const filter = readJsonText('filter', text);
  validate({ filter });
  return filter as Condition[];
}
