import {
  EventConditionList,
  FunnelStepList,
  EventFilters,
} from '@overworld/contract/analytics/event-conditions';
import { CURRENCIES } from '@overworld/contract/analytics/currencies';
import { t } from '@overworld/contract/schema';
import type { Static, TSchema } from 'typebox';
import { badRequest } from '../../../platform/errors.ts';
import { readJsonText } from '../../../platform/json/parse-json.ts';
import { compileBody } from '../../../platform/http/validation.ts';
import { readFilter, requireFittingValues } from '../../../platform/property-conditions.ts';
import type { EventChoice } from '../scan/event-selection.ts';
import type { EventCondition } from '../players/player-choice.ts';

/** Readers of query parameters. Some are JSON, which is in the query so that a link can share a report. */

/** Checks the list as a member of an object, so that errors name places such as `steps[0].event_name`. */
const compile = (name: string, schema: TSchema) => compileBody(t.Object({ [name]: schema }));

const validateSteps = compile('steps', FunnelStepList);
const validateEventConditions = compile('events', EventConditionList);
const validateFilter = compile('filter', EventFilters);

/** Reads the steps of a funnel. @throws ApiError 400 naming the place of the mistake. */
export function readSteps(text: string): EventChoice[] {
  const steps = readJsonText('steps', text) as Static<typeof FunnelStepList>;
  validateSteps({ steps });
  return steps.map((step, index) => readChoice(step, text, 'steps', index));
}

/**
 * Reads an event name with conditions on its properties.
 * @throws ApiError 400 naming the place of the mistake.
 */
export const readEvents = (event_name: string, filter: string | undefined): EventChoice => ({
  event_name,
  ...readFilter(filter, validateFilter),
});

/** Reads the conditions on the events of players. @throws ApiError 400 naming the place of the mistake. */
export function readEventConditions(text: string | undefined): EventCondition[] {
  if (text === undefined) return [];
  const events = readJsonText('events', text) as Static<typeof EventConditionList>;
  validateEventConditions({ events });
  return events.map(({ did = true, at_least = 1, ...choice }, index) => ({
    events: readChoice(choice, text, 'events', index),
    did,
    at_least,
  }));
}

const readChoice = (
  choice: Static<typeof FunnelStepList>[number],
  text: string,
  name: string,
  index: number,
): EventChoice => toChoice(choice, text, name, [String(index)]);

/**
 * Makes a choice of events with checked values.
 * @param text The JSON text in which the choice was sent. `path` is the place of the choice in this text.
 * @param name The name of the list, for messages.
 */
export function toChoice(
  { event_name, filter = [] }: Static<typeof FunnelStepList>[number],
  text: string,
  name: string,
  path: readonly string[],
): EventChoice {
  requireFittingValues(filter, `${name}[${path.at(-1)}].filter`);
  return { event_name, filter, text, path: [...path, 'filter'] };
}

/** @throws ApiError 400 for a currency that does not exist. */
export function readCurrency({ currency }: { currency?: string }): string | null {
  if (currency !== undefined && !CURRENCIES.includes(currency)) {
    throw badRequest('currency must be an active currency of ISO 4217, such as EUR');
  }
  return currency ?? null;
}

/** @throws ApiError 400 when the query requests groups both with `split_by` and with another parameter. */
export function requireOneSplit(
  split_by: string | undefined,
  name: string,
  value: string | null,
): void {
  if (split_by !== undefined && value !== null) {
    throw badRequest(`split_by is not allowed with ${name}`);
  }
}
