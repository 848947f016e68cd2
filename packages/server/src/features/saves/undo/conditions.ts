import { isComparing } from '@overworld/contract/saves/restoration-limits';
import type { ComparingOperator } from '@overworld/contract/saves/restoration-limits';
import type { FilterOperator } from '@overworld/contract/players/filter-operators';
import type { RestorationQuestion } from '@overworld/contract/saves/restorations';

/** A condition on the data of a version. */
export type SaveCondition = RestorationQuestion['data'][number];

/**
 * Tells whether the data of a version meet all conditions.
 * @param before The data of the version before; undefined if there is none. Conditions that compare with it
 * then do not hold.
 */
export const meetsAll = (
  conditions: readonly SaveCondition[],
  data: unknown,
  before: unknown,
): boolean => conditions.every((condition) => meets(condition, data, before));

function meets({ path, operator, value }: SaveCondition, data: unknown, before: unknown): boolean {
  const actual = find(data, path);
  return isComparing(operator)
    ? before !== undefined && hasMoved(operator, actual, find(before, path))
    : holds(operator, actual, value);
}

/** Finds a place in parsed JSON; undefined where there is none. Names of prototypes are no places. */
function find(data: unknown, path: readonly string[]): unknown {
  let place = data;
  for (const step of path) {
    if (typeof place !== 'object' || place === null) return undefined;
    if (Array.isArray(place) && !/^\d+$/.test(step)) return undefined;
    if (!Object.hasOwn(place, step)) return undefined;
    place = (place as Record<string, unknown>)[step];
  }
  return place;
}

function holds(operator: FilterOperator, actual: unknown, value: unknown): boolean {
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
      return typeof actual === 'string' && typeof value === 'string' && actual.includes(value);
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
function compare(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one !== 'string' || typeof other !== 'string') return NaN;
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

function hasMoved(operator: ComparingOperator, actual: unknown, before: unknown): boolean {
  switch (operator) {
    case 'changed':
      return JSON.stringify(actual) !== JSON.stringify(before);
    case 'vanished':
      return before !== undefined && actual === undefined;
    default:
      if (typeof actual !== 'number' || typeof before !== 'number') return false;
      if (operator === 'went_down') return actual < before;
      if (operator === 'went_up') return actual > before;
      return before > 0 && actual <= before / 2;
  }
}
