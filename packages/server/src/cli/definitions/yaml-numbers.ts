import type { ScalarTag, SchemaOptions } from 'yaml';

/** A number that a double would change, with all its digits. */
class ExactNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

const exactNumber: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => value instanceof ExactNumber,
  resolve: (text) => text,
  stringify: ({ value }) => (value as ExactNumber).digits,
};

/** The options of documents that can hold numbers which a double would change. */
export const DOCUMENT_OPTIONS: SchemaOptions & { intAsBigInt: true } = {
  customTags: [exactNumber],
  intAsBigInt: true,
};

/** Turns a value of `parseExactly` into one that YAML writes with all digits of its numbers. */
export function toYaml(value: unknown): unknown {
  if (typeof value === 'string' && value.startsWith('\0')) return new ExactNumber(value.slice(1));
  if (Array.isArray(value)) return value.map(toYaml);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toYaml(member)]));
}
