import { readJsonText } from '../../platform/json/json-text.ts';
import { badRequest } from '../../platform/errors.ts';
import type { Column } from './table-catalog.ts';

/** Text columns whose values are JSON. PostgreSQL does not check them. */
export const JSON_TEXT_COLUMNS = new Set([
  'data',
  'definition',
  'metadata',
  'parameters',
  'previous',
  'replaced_metadata',
  'schema',
]);

/**
 * Finds the check for values of a column that PostgreSQL would store, but servers or later migrations could
 * not read. Returns null if there are no such values.
 * @returns a function that throws ApiError 400 for such a value.
 */
export function findValueCheck({ name, type }: Column): ((text: string) => void) | null {
  if (type === 'json' || type === 'jsonb' || JSON_TEXT_COLUMNS.has(name)) {
    return (text) => void readJsonText(name, text);
  }
  if (type === 'double precision' || type === 'real') {
    return (text) => {
      if (!Number.isFinite(Number(text))) throw badRequest(`${name} is not a finite number`);
    };
  }
  return null;
}
