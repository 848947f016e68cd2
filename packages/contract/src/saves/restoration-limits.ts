import { FILTER_OPERATORS, takesValue } from '../players/filter-operators.ts';
import type { FilterOperator } from '../players/filter-operators.ts';

/** The maximum number of versions of the game that one restoration names. */
export const MAX_BAD_VERSIONS = 20;
/** The maximum number of conditions on the data of saves. */
export const MAX_SAVE_CONDITIONS = 10;
/** The deepest place in the data that a condition can name. */
export const MAX_PATH_STEPS = 16;

/** Operators that compare a place in the data with the same place in the version before. */
export const COMPARING_OPERATORS = [
  'went_down',
  'went_up',
  'fell_by_half',
  'changed',
  'vanished',
] as const;
export type ComparingOperator = (typeof COMPARING_OPERATORS)[number];

/** All operators of conditions on the data of saves. */
export const SAVE_OPERATORS = [...FILTER_OPERATORS, ...COMPARING_OPERATORS] as const;
export type SaveOperator = (typeof SAVE_OPERATORS)[number];

/** Tells whether the operator compares with the version before. It then takes no value. */
export const isComparing = (operator: SaveOperator): operator is ComparingOperator =>
  (COMPARING_OPERATORS as readonly string[]).includes(operator);

/** Tells whether a condition with this operator has a value. */
export const needsValue = (operator: SaveOperator): operator is FilterOperator =>
  !isComparing(operator) && takesValue(operator);

/** The ways to treat saves of players who have played on since the bad versions. */
export const PLAYED_ON_CHOICES = ['skip', 'restore', 'conflict'] as const;
export type PlayedOnChoice = (typeof PLAYED_ON_CHOICES)[number];
