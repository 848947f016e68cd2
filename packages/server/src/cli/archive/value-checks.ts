import { readJsonText } from '../../platform/json/parse-json.ts';
import { badRequest } from '../../platform/errors.ts';
import type { Column } from '../../features/backups/archive/table-catalog.ts';

/** Columns of JSON whose values are objects: servers read their members, and join the properties of players. */
const JSON_OBJECT_COLUMNS = new Set(['properties', 'translations']);

/** Columns of JSON whose values are lists. */
export const JSON_LIST_COLUMNS = new Set(['unlock_when']);

/** Text columns whose values are JSON objects. PostgreSQL does not check them. */
export const JSON_TEXT_COLUMNS = new Set([
  'data',
  'definition',
  'metadata',
  'parameters',
  'previous',
  'replaced_metadata',
  'schema',
]);

/** A time of the years to 9999. PostgreSQL also stores `infinity`, years before Christ, and `now`. */
const TIME = /^\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d:\d\d(?:\.\d+)?(?:[+-]\d\d(?::?\d\d)*|Z)?)?$/;

/** Columns that also have the time before all others: since when a player counts may not be known. */
const OPEN_TIMES = new Set(['counted_at']);

/**
 * Finds the check for values of a column that PostgreSQL would store, but servers or later migrations could
 * not read. Returns null if there are no such values.
 * @returns a function that throws ApiError 400 for such a value.
 */
export function findValueCheck({ name, type }: Column): ((text: string) => void) | null {
  if (type === 'json' || type === 'jsonb' || JSON_TEXT_COLUMNS.has(name)) {
    return (text) => {
      const value = readJsonText(name, text);
      const is_object = typeof value === 'object' && value !== null && !Array.isArray(value);
      const needs_object =
        JSON_TEXT_COLUMNS.has(name) || (JSON_OBJECT_COLUMNS.has(name) && type === 'jsonb');
      if (needs_object && !is_object) throw badRequest(`${name} is not a JSON object`);
      if (JSON_LIST_COLUMNS.has(name) && !Array.isArray(value)) {
        throw badRequest(`${name} is not a list`);
      }
    };
  }
  if (type === 'timestamp with time zone' || type === 'date') {
    return (text) => {
      if (OPEN_TIMES.has(name) && text === '-infinity') return;
      if (!TIME.test(text)) throw badRequest(`${name} is not a time of the years 0 to 9999`);
    };
  }
  if (type === 'double precision' || type === 'real' || type === 'numeric') {
    return (text) => {
      if (!Number.isFinite(Number(text))) throw badRequest(`${name} is not a finite number`);
    };
  }
  return null;
}
