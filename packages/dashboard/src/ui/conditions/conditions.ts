import {
  FILTER_OPERATORS,
  STAT_OPERATORS,
  takesValue,
} from '@overworld/contract/players/filter-operators';
import type { FilterOperator, StatOperator } from '@overworld/contract/players/filter-operators';
import { isContainer, parseOr } from '../../api/exact-json.ts';

export type Scalar = string | number | boolean | null;

/** One condition on a property, as the API takes it. */
export interface Condition {
  property: string;
  operator: FilterOperator;
  value?: Scalar;
}

/** One condition on a statistic of players, as the API takes it. */
export interface StatCondition {
  stat: string;
  operator: StatOperator;
  value?: number;
}

/** One condition on players. */
export type PlayerCondition = Condition | StatCondition;

const SIGNS: Record<FilterOperator, string> = {
  eq: '=',
  ne: '≠',
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
  contains: 'contains',
  exists: 'is set',
  not_exists: 'is not set',
};
const nameOperator = <Operator extends FilterOperator>(value: Operator) => ({
  value,
  label: SIGNS[value],
});
export const OPERATORS = FILTER_OPERATORS.map(nameOperator);
export const OPERATORS_OF_STATS = STAT_OPERATORS.map(nameOperator);

/** Reads the conditions in a parameter of the URL. Returns an empty list for malformed JSON. */
export function readConditions<C extends PlayerCondition = Condition>(text: string | null): C[] {
  const value = parseOr(text ?? '', null);
  return Array.isArray(value) ? (value as C[]) : [];
}

export const writeConditions = (conditions: PlayerCondition[]) =>
  conditions.length > 0 ? JSON.stringify(conditions) : '';

/**
 * Parses a typed value. `10`, `true` and `null` become a number, a boolean and null. `"10"` in quotes, and
 * everything else, becomes text.
 */
export function parseScalar(text: string): Scalar {
  const value = parseOr(text, text);
  return isContainer(value) ? text : (value as Scalar);
}

/** Describes a condition, such as `level ≥ 10`. */
export function describe(condition: PlayerCondition): string {
  const { operator, value } = condition;
  const name = 'stat' in condition ? condition.stat : condition.property;
  const text = `${name} ${SIGNS[operator] ?? operator}`;
  return takesValue(operator) ? `${text} ${JSON.stringify(value)}` : text;
}
