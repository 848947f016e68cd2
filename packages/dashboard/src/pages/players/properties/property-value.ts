import { parseExactly } from '../../../api/exact-json.ts';

/** What was typed for a property: JSON where it is JSON, else the text itself. */
export function parseValue(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return text;
  }
}

/** The text to edit a value by: what `parseValue` reads back as the same. */
export function writeValue(value: unknown): string {
  return typeof value === 'string' && parseValue(value) === value ? value : JSON.stringify(value);
}
