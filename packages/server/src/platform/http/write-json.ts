import { JsonText } from './implement.ts';

/** JSON of a value in which a `JsonText` stands for itself, at any depth. */
export function writeJson(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).map(([key, member]) => {
    return `${JSON.stringify(key)}:${writeJson(member)}`;
  });
  return `{${members.join(',')}}`;
}
