import { MAX_PLAYER_FILTERS } from '@overworld/contract/players/player-conditions';
import { comparesOrder, takesValue } from '@overworld/contract/players/filter-operators';
import { PlayerFilter } from '@overworld/contract/players/player-filters';
import type { PropertyFilter } from '@overworld/contract/players/property-filters';
import { t } from '@overworld/contract/schema';
import type { Static } from 'typebox';
import { sql } from './database/sql.ts';
import type { Sql } from './database/sql.ts';
import { badRequest } from './errors.ts';
import { writeOddNumbers } from './json/exact-json.ts';
import { scanJson } from './json/json-scan.ts';
import { readJsonText } from './json/parse-json.ts';
import { compileBody } from './http/validation.ts';
import type { Validate } from './http/validation.ts';
import { statToSql } from './players/stat-conditions.ts';
import type { StatCondition } from './players/stat-conditions.ts';

/** A condition on a top-level property of players or events. */
export type Condition = Static<typeof PropertyFilter>;

/** A condition on players: on a property, or on a statistic. */
export type PlayerCondition = Condition | StatCondition;

/** Conditions that must all hold, and the JSON text in which they were sent. */
export interface SentConditions {
  filter: readonly PlayerCondition[];
  text: string;
  /** The path to the list of conditions in the text. */
  path: readonly string[];
}

/**
 * Reads the query parameter `filter`.
 * @param validate Checks `{ filter }`, so its messages name a place such as `filter[0].property`.
 * @throws ApiError 400 naming the place of the mistake.
 */
export function readFilter(text: string | undefined, validate: Validate): SentConditions {
  if (text === undefined) return { filter: [], text: '[]', path: [] };
  const filter = readJsonText('filter', text) as PlayerCondition[];
  validate({ filter });
  requireFittingValues(filter, 'filter');
  return { filter, text, path: [] };
}

const validatePlayerFilter = compileBody(
  t.Object({ filter: t.Array(PlayerFilter, { maxItems: MAX_PLAYER_FILTERS }) }),
);

/** Reads conditions on the properties and statistics of players. @throws ApiError 400 naming the place of the mistake. */
export const readPlayerFilter = (text: string | undefined): SentConditions =>
  readFilter(text, validatePlayerFilter);

/**
 * Writes the conditions as SQL on a jsonb column `properties`, those on statistics on the row `players`.
 * PostgreSQL itself takes each value from the text that was sent, so numbers stay exact. Odd numbers, such as
 * 1e-20000, are written as in properties.
 */
export function toSql({ filter, text, path }: SentConditions): Sql[] {
  if (filter.length === 0) return [];
  const stored = writeAsStored(text);
  return filter.map((condition, index) => {
    const place = [...path, String(index), 'value'];
    if ('stat' in condition) {
      return statToSql(condition, sql`${stored}::jsonb #>> ${place}::text[]`);
    }
    return makeCondition(condition, sql`(${stored}::jsonb #> ${place}::text[])`);
  });
}

/** Writes the text of conditions with its numbers as properties are stored. */
export function writeAsStored(text: string): string {
  const bytes = Buffer.from(text);
  return writeOddNumbers(bytes, scanJson(bytes)!.numbers);
}

/**
 * Checks that each condition has a value that its operator takes.
 * @param name The name of the list in messages, such as `filter`.
 * @throws ApiError 400 naming the condition.
 */
export function requireFittingValues(filter: readonly PlayerCondition[], name: string): void {
  for (const [index, { operator, value }] of filter.entries()) {
    const field = `${name}[${index}].value`;
    if (!takesValue(operator)) {
      if (value !== undefined) throw badRequest(`${field} is not allowed with ${operator}`);
    } else if (value === undefined) {
      throw badRequest(`${field} is required`);
    } else if (comparesOrder(operator) && typeof value !== 'number' && typeof value !== 'string') {
      throw badRequest(`${field} must be a number or a string with ${operator}`);
    }
  }
}

const COMPARISONS = { gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` };

/**
 * Writes a condition as SQL. Values are compared as jsonb, only with values of the same type and without
 * casts, so no stored value can make a statement fail.
 * @param sent The value as jsonb.
 */
function makeCondition({ property, operator, value }: Condition, sent: Sql): Sql {
  const stored = sql`(properties -> ${property}::text)`;
  const stored_text = sql`(properties ->> ${property}::text)`;
  const isSameType = sql`jsonb_typeof(${stored}) = ${typeof value}::text`;
  // Texts are compared by code points, whatever the locale of the database.
  const [left, right] =
    typeof value === 'string'
      ? [sql`${stored_text} COLLATE "C"`, sql`${value}::text`]
      : [stored, sent];
  switch (operator) {
    case 'eq':
      return sql`${stored} = ${sent}`;
    case 'ne':
      return sql`${stored} IS DISTINCT FROM ${sent}`;
    case 'contains':
      return sql`CASE jsonb_typeof(${stored})
        WHEN 'array' THEN ${stored} @> ${sent}
        WHEN 'string' THEN strpos(${stored_text}, ${typeof value === 'string' ? value : null}) > 0
        ELSE false END`;
    case 'exists':
      return sql`properties ? ${property}::text`;
    case 'not_exists':
      return sql`NOT properties ? ${property}::text`;
    default:
      return sql`(${isSameType} AND ${left} ${COMPARISONS[operator]} ${right})`;
  }
}
