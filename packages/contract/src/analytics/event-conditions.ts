import type { Static } from 'typebox';
import { errorAnswer } from '../answers.ts';
import { OPERATORS_IN_WORDS } from '../players/filter-operators.ts';
import { PropertyFilter } from '../players/property-filters.ts';
import { t } from '../schema.ts';
import {
  MAX_EVENT_CONDITIONS,
  MAX_EVENT_FILTERS,
  MAX_FUNNEL_STEPS,
  MIN_FUNNEL_STEPS,
} from './limits.ts';

/** The maximum number of groups of a report, besides `other` and `none`. */
const MAX_GROUPS = 50;
/** The number of groups of a report whose query does not name a number. */
export const DEFAULT_GROUPS = 10;
/**
 * A report is stopped after this many seconds, which include its wait for other reports. Most proxies
 * give up after 60.
 */
export const EXPLORE_TIMEOUT_S = 55;

/** Conditions on properties. An event must meet all of them. */
export const EventFilters = t.Array(PropertyFilter, {
  maxItems: MAX_EVENT_FILTERS,
  description: 'Conditions on top-level properties, all of which must hold.',
});

/** Events of one name, with conditions on their properties. */
export const EventCondition = t.Resource('EventCondition', {
  event_name: t.Name('Name of the event.'),
  filter: t.Optional(EventFilters),
});
export type EventCondition = Static<typeof EventCondition>;

export const FunnelStepList = t.Array(EventCondition, {
  minItems: MIN_FUNNEL_STEPS,
  maxItems: MAX_FUNNEL_STEPS,
});

/** Conditions of a segment: events that its players must have had, or must not have had. */
export const EventConditionList = t.Array(
  t.Object({
    ...EventCondition.properties,
    did: t.Optional(t.Boolean('False selects players without these events; true by default.')),
    at_least: t.Optional(
      t.Integer('Smallest number of such events; 1 by default.', {
        minimum: 1,
        maximum: 1_000_000,
      }),
    ),
  }),
  { maxItems: MAX_EVENT_CONDITIONS },
);

/** Describes a parameter with conditions on properties. */
export const FILTER_IN_WORDS = `a JSON list of at most ${MAX_EVENT_FILTERS} objects \`{"property", "operator", "value"}\`, with the operators ${OPERATORS_IN_WORDS}`;

/** The parameter that limits the number of groups in a report that splits its numbers into groups. */
export const GroupLimit = t.Integer(
  'Largest number of groups with a value of their own; all other values are in the group `other`.',
  { minimum: 1, maximum: MAX_GROUPS, default: DEFAULT_GROUPS },
);

/** Identifies a group in a report that splits its numbers into groups. */
export const Group = {
  kind: t.Enum(
    ['value', 'other', 'none'],
    '`value`: events (or players) with this value; `other`: those whose values have no group of their own; `none`: those without the property, the tag or the segment, or with null.',
  ),
  value: t.Union([t.String(), t.Null()], {
    description:
      'The value as text: a number in plain decimals, so `3`, `3.0` and `3e0` are the group `3`; the number 1 and the text `1` are one group, and a list or object is written as JSON. Null unless `kind` is `value`.',
  }),
};

/** The 503 answer of a report that can be stopped. */
export const reportStopped = errorAnswer(
  `The report was not ready after ${EXPLORE_TIMEOUT_S} seconds, its wait for other reports included, and was stopped; or too many such reports were asked for at once; or the database is away.`,
  `The report was not ready after ${EXPLORE_TIMEOUT_S} seconds, its wait for other reports included: narrow it to fewer days or rarer events`,
);
