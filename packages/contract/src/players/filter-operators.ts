/** Operators of conditions on properties. */
export const FILTER_OPERATORS = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
  'exists',
  'not_exists',
] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** Operators of conditions on statistics, whose values are numbers. */
export const STAT_OPERATORS = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'exists',
  'not_exists',
] as const;
export type StatOperator = (typeof STAT_OPERATORS)[number];

/** The operators as text for descriptions. */
export const OPERATORS_IN_WORDS = FILTER_OPERATORS.map((operator) => `\`${operator}\``).join(', ');

/**
 * Tells whether the operator compares by order. If it does,
 * the value of the condition is a number or a string.
 */
export const comparesOrder = (operator: FilterOperator): boolean =>
  operator === 'gt' || operator === 'gte' || operator === 'lt' || operator === 'lte';

export const takesValue = (operator: FilterOperator): boolean =>
  operator !== 'exists' && operator !== 'not_exists';
