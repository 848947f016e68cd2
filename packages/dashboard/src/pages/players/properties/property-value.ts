import { parseOr } from '../../../api/exact-json.ts';

/** The value that a typed text stands for: its JSON value, or else the text itself. */
export const parseValue = (text: string): unknown => parseOr(text, text);

/** The text to edit a value by; `parseValue` reads the same value from it. */
export function writeValue(value: unknown): string {
  return typeof value === 'string' && parseValue(value) === value ? value : JSON.stringify(value);
}
