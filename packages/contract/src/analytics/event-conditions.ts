import type { Static } from 'typebox';
import { answer } from '../answers.ts';
import { FILTER_OPERATORS, PropertyFilter } from '../players/property-filters.ts';
import { t } from '../schema.ts';
import {
  MAX_EVENT_CONDITIONS,
  MAX_EVENT_FILTERS,
  MAX_FUNNEL_STEPS,
  MIN_FUNNEL_STEPS,
} from './limits.ts';

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

/** What the players of a segment did, or did not do. */
export const EventConditionList = t.Array(
  t.Object({
    ...EventCondition.properties,
    did: t.Optional(t.Boolean('False: players who did not; true by default.')),
    at_least: t.Optional(t.Integer('How often; 1 by default.', { minimum: 1, maximum: 1_000_000 })),
  }),
  { maxItems: MAX_EVENT_CONDITIONS },
);

/** How a parameter writes conditions on properties. */
export const FILTER_IN_WORDS = `a JSON list of at most ${MAX_EVENT_FILTERS} objects \`{"property", "operator", "value"}\`, with the operators ${FILTER_OPERATORS.map((operator) => `\`${operator}\``).join(', ')}`;

/** Number of groups of a report that is broken down. */
export const GroupLimit = t.Integer(
  'Most groups with a value of their own; what is left is in the group `other`.',
  { minimum: 1, maximum: MAX_GROUPS, default: DEFAULT_GROUPS },
);

/** What a group of a report that is broken down has in common. */
export const Group = {
  kind: t.Enum(
    ['value', 'other', 'none'],
    '`value`: events with this value; `other`: those with values that have no group of their own; `none`: those without the property, or with null.',
  ),
  value: t.Union([t.String(), t.Null()], {
    description:
      'The value as text, so that the number 1 and the text `1` are one group; a list or object as its JSON. Null unless `kind` is `value`.',
  }),
};

/** Answer of a report that was stopped, for `answers`. */
export const stoppedAnswer = answer(
  `The report was not ready after ${EXPLORE_TIMEOUT_S} seconds, its wait for other reports included, and was stopped; or too many such reports were asked for at once; or the database is away.`,
  t.Object(
    { error: t.String('What is wrong, in words.') },
    { title: 'Error', additionalProperties: true },
  ),
  {
    error: `The report was not ready after ${EXPLORE_TIMEOUT_S} seconds, its wait for other reports included: narrow it to fewer days or rarer events`,
  },
);
