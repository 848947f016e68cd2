import { needsValue, SAVE_OPERATORS } from '@overworld/contract/saves/restoration-limits';
import type { SaveOperator } from '@overworld/contract/saves/restoration-limits';
import { OPERATORS } from '../../../ui/conditions/conditions.ts';
import type { Scalar } from '../../../ui/conditions/conditions.ts';

/** A condition on the data of saves, as the API takes it. */
export interface SaveCondition {
  path: string[];
  operator: SaveOperator;
  value?: Scalar;
}

const COMPARING: Partial<Record<SaveOperator, string>> = {
  went_down: 'went down',
  went_up: 'went up',
  fell_by_half: 'fell by half or more',
  changed: 'changed',
  vanished: 'vanished',
};

const labelOf = (operator: SaveOperator): string =>
  COMPARING[operator] ?? OPERATORS.find(({ value }) => value === operator)!.label;

/** The operators, those that compare with the version before first. */
export const SAVE_OPERATOR_OPTIONS = SAVE_OPERATORS.toSorted(
  (a, b) => Number(a in COMPARING ? 0 : 1) - Number(b in COMPARING ? 0 : 1),
).map((value) => ({ value, label: labelOf(value) }));

/** Reads a path with dots between its steps. A backslash before a dot makes the dot part of a name. */
export const readPath = (text: string): string[] =>
  text.split(/(?<!\\)\./).map((step) => step.replaceAll('\\.', '.'));

const writePath = (path: readonly string[]): string =>
  path.map((step) => step.replaceAll('.', '\\.')).join('.');

/** Describes a condition, such as `wallet.coins fell by half or more`. */
export function describeCondition({ path, operator, value }: SaveCondition): string {
  const text = `${writePath(path)} ${labelOf(operator)}`;
  return needsValue(operator) ? `${text} ${JSON.stringify(value)}` : text;
}
