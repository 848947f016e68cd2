import {
  MAX_EVENT_FILTERS,
  MIN_FUNNEL_STEPS,
  MAX_FUNNEL_STEPS,
  MAX_EVENT_CONDITIONS,
} from './limits.ts';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Name, Resource } from '../common.ts';
import { FILTER_OPERATORS, PropertyFilter } from '../players/property-filters.ts';

/** What the reports that read events themselves share. */

/** Most groups that a report is broken down into, besides `other` and `none`. */
export const MAX_GROUPS = 50;
/** Groups when a report does not say how many. */
export const DEFAULT_GROUPS = 10;
/**
 * A report that is not ready so long after it was asked for is stopped, also while it waits for others.
 * Most proxies give up after 60.
 */
export const EXPLORE_TIMEOUT_S = 55;

/** Conditions on properties, all of which hold. */
export const EventFilters = Type.Array(PropertyFilter, {
  maxItems: MAX_EVENT_FILTERS,
  description: 'Conditions on top-level properties, all of which must hold.',
});

/** Events of one name, with conditions on their properties. */
export const EventCondition = Resource('EventCondition', {
  event_name: Name('Name of the event.'),
  filter: Type.Optional(EventFilters),
});
export type EventCondition = Static<typeof EventCondition>;

export const FunnelStepList = Type.Array(EventCondition, {
  minItems: MIN_FUNNEL_STEPS,
  maxItems: MAX_FUNNEL_STEPS,
});

/** What the players of a segment did, or did not do. */
export const EventConditionList = Type.Array(
  Type.Object({
    ...EventCondition.properties,
    did: Type.Optional(
      Type.Boolean({ description: 'False: players who did not; true by default.' }),
    ),
    at_least: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'How often; 1 by default.' }),
    ),
  }),
  { maxItems: MAX_EVENT_CONDITIONS },
);

/** How a parameter writes conditions on properties. */
export const FILTER_IN_WORDS = `a JSON list of at most ${MAX_EVENT_FILTERS} objects \`{"property", "operator", "value"}\`, with the operators ${FILTER_OPERATORS.map((operator) => `\`${operator}\``).join(', ')}`;

/** Number of groups of a report that is broken down. */
export const GroupLimit = Type.Integer({
  minimum: 1,
  maximum: MAX_GROUPS,
  default: DEFAULT_GROUPS,
  description: 'Most groups with a value of their own; what is left is in the group `other`.',
});

/** What a group of a report that is broken down has in common. */
export const Group = {
  kind: Type.Enum(['value', 'other', 'none'], {
    description:
      '`value`: events with this value; `other`: those with values that have no group of their own; `none`: those without the property, or with null.',
  }),
  value: Type.Union([Type.String(), Type.Null()], {
    description:
      'The value as text, so that the number 1 and the text `1` are one group; a list or object as its JSON. Null unless `kind` is `value`.',
  }),
};

/** Answer of a report that was stopped, for `answers`. */
export const stoppedAnswer = {
  description: `The report was not ready after ${EXPLORE_TIMEOUT_S} seconds, its wait for other reports included, and was stopped; or too many such reports were asked for at once; or the database is away.`,
  body: Type.Object(
    { error: Type.String({ description: 'What is wrong, in words.' }) },
    { title: 'Error', additionalProperties: true },
  ),
  example: {
    error: `The report was not ready after ${EXPLORE_TIMEOUT_S} seconds, its wait for other reports included: narrow it to fewer days or rarer events`,
  },
};
