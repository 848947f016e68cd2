import { JsonText } from './implement.ts';

/** Writes a value as JSON. A `JsonText` in it, at any depth, is written as it is. */
export function writeJson(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).map(([key, member]) => {
    return `${JSON.stringify(key)}:${writeJson(member)}`;
  });
  return `{${members.join(',')}}`;
}
