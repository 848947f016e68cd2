import { compareNumbers, isText } from './json/exact-json.ts';
import type { PlayerCondition } from './property-conditions.ts';

/**
 * Tells whether a condition holds for a property or statistic, by the same rules as the SQL of `property-conditions.ts`.
 * @param condition A condition as `parseExactly` reads it.
 * @param actual The value of the property as `parseExactly` reads it; undefined without the property.
 */
export function holds(
  { operator, value }: Pick<PlayerCondition, 'operator' | 'value'>,
  actual: unknown,
): boolean {
  switch (operator) {
    case 'exists':
      return actual !== undefined;
    case 'not_exists':
      return actual === undefined;
    case 'eq':
      return actual === value;
    case 'ne':
      return actual !== value;
    case 'contains':
      if (Array.isArray(actual)) return actual.includes(value);
      return isText(actual) && isText(value) && actual.includes(value);
    case 'gt':
      return compare(actual, value) > 0;
    case 'gte':
      return compare(actual, value) >= 0;
    case 'lt':
      return compare(actual, value) < 0;
    case 'lte':
      return compare(actual, value) <= 0;
  }
}

/** Compares two numbers, or two texts by their code points. Returns NaN for all other pairs. */
function compare(actual: unknown, value: unknown): number {
  if (isText(actual) && isText(value)) {
    return Buffer.compare(Buffer.from(actual), Buffer.from(value));
  }
  return compareNumbers(actual, value);
}
