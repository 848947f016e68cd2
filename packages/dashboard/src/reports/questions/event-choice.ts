import { parseOr } from '../../api/exact-json.ts';
import { OPERATORS } from '../../ui/conditions/conditions.ts';
import type { Condition } from '../../ui/conditions/conditions.ts';

/** Events of a name, with conditions on their properties. The name is empty until the reader chooses one. */
export interface EventChoice {
  event_name: string;
  filter: Condition[];
}

/** The list that a parameter of the address holds as JSON, without its damaged entries. */
export function readList(text: string | null): Record<string, unknown>[] {
  const value = parseOr(text ?? '', null);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const readChoice = ({ event_name, filter }: Record<string, unknown>): EventChoice => ({
  event_name: typeof event_name === 'string' ? event_name : '',
  filter: Array.isArray(filter) ? filter.filter(isCondition) : [],
});

/** The choice in the form that the API takes. */
export const writeChoice = ({ event_name, filter }: EventChoice) =>
  filter.length > 0 ? { event_name, filter } : { event_name };

const isCondition = (value: unknown): value is Condition =>
  isObject(value) &&
  typeof value.property === 'string' &&
  OPERATORS.some((operator) => operator.value === value.operator);
