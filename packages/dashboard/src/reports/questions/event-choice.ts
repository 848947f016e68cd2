import { parseOr } from '../../api/exact-json.ts';
import { OPERATORS } from '../../ui/conditions/conditions.ts';
import type { Condition } from '../../ui/conditions/conditions.ts';

/**
 * A choice of events by their name and by conditions on their
 * properties. The name is empty until the reader has chosen an event.
 */
export interface EventChoice {
  event_name: string;
  filter: Condition[];
}

/** Reads the list that a parameter of the URL holds as JSON, and drops malformed entries. */
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

/** Converts the choice to the form that the API takes. */
export const writeChoice = ({ event_name, filter }: EventChoice) =>
  filter.length > 0 ? { event_name, filter } : { event_name };

const isCondition = (value: unknown): value is Condition =>
  isObject(value) &&
  typeof value.property === 'string' &&
  OPERATORS.some((operator) => operator.value === value.operator);
