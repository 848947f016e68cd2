import {
  EventConditionList,
  FunnelStepList,
  EventFilters,
} from '@overworld/contract/analytics/event-conditions';
import { MAX_PLAYER_FILTERS } from '@overworld/contract/players/dashboard';
import { PropertyFilter } from '@overworld/contract/players/property-filters';
import { Type } from 'typebox';
import type { Static, TSchema } from 'typebox';
import { readJsonText } from '../../../platform/http/json-text.ts';
import { compileBody } from '../../../platform/http/validation.ts';
import type { Validate } from '../../../platform/http/validation.ts';
import { requireFittingValue } from '../../../platform/property-conditions.ts';
import type { Condition } from '../../../platform/property-conditions.ts';
import type { EventChoice } from '../scan/event-selection.ts';
import type { EventCondition, SegmentInput } from './segment.ts';

/** Parameters that are JSON, so that a report can be shared as a link. */

/** Within an object, so that messages name `steps[0].event_name`. */
const compile = (name: string, schema: TSchema) => compileBody(Type.Object({ [name]: schema }));

const validateSteps = compile('steps', FunnelStepList);
const validateEventConditions = compile('events', EventConditionList);
const validateFilter = compile('filter', EventFilters);
const validatePlayerFilter = compile(
  'filter',
  Type.Array(PropertyFilter, { maxItems: MAX_PLAYER_FILTERS }),
);

/** The steps of a funnel. @throws ApiError 400 naming the place. */
export function readSteps(text: string): EventChoice[] {
  const steps = read('steps', text, validateSteps) as Static<typeof FunnelStepList>;
  return steps.map(({ event_name, filter = [] }, index) => {
    checkValues(filter, `steps[${index}].filter`);
    return { event_name, filter, text, path: [String(index), 'filter'] };
  });
}

/** Events of a name with conditions on their properties. @throws ApiError 400 naming the place. */
export function readEvents(event_name: string, text: string | undefined): EventChoice {
  if (text === undefined) return { event_name, filter: [], text: '[]', path: [] };
  const filter = read('filter', text, validateFilter) as Condition[];
  checkValues(filter, 'filter');
  return { event_name, filter, text, path: [] };
}

/** What players did or did not do. @throws ApiError 400 naming the place. */
export function readEventConditions(text: string | undefined): EventCondition[] {
  if (text === undefined) return [];
  const event_conditions = read('events', text, validateEventConditions) as Static<
    typeof EventConditionList
  >;
  return event_conditions.map(({ event_name, filter = [], did = true, at_least = 1 }, index) => {
    checkValues(filter, `events[${index}].filter`);
    return {
      events: { event_name, filter, text, path: [String(index), 'filter'] },
      did,
      at_least,
    };
  });
}

/** Conditions on properties of players. @throws ApiError 400 naming the place. */
export function readPlayerFilter(text: string | undefined): SegmentInput['filter'] {
  if (text === undefined) return { conditions: [], text: '[]' };
  const conditions = read('filter', text, validatePlayerFilter) as Condition[];
  checkValues(conditions, 'filter');
  return { conditions, text };
}

function read(name: string, text: string, validate: Validate): unknown {
  const value = readJsonText(name, text);
  validate({ [name]: value });
  return value;
}

function checkValues(filter: readonly Condition[], name: string): void {
  filter.forEach((condition, index) => requireFittingValue(condition, `${name}[${index}]`));
}
