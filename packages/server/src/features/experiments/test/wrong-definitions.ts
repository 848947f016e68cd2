import { HALVES } from './studio.ts';

const [CONTROL, GENEROUS] = HALVES.variants;

/**
 * Changes to a definition that make it invalid, and the error for each of them. The error names the invalid
 * field.
 */
export const WRONG_DEFINITIONS: [name: string, change: object, error: string][] = [
  ['no name', { name: undefined }, 'name is required'],
  ['an empty name', { name: '' }, 'name must not be empty'],
  ['no share', { share: 0 }, 'share must be more than 0'],
  ['too large a share', { share: 100.1 }, 'share must be at most 100'],
  ['a control alone', { variants: [CONTROL] }, 'variants must have at least 2 entries'],
  [
    'six variants',
    { variants: [CONTROL, ...[1, 2, 3, 4, 5].map((n) => ({ ...GENEROUS, name: `${n}` }))] },
    'variants must have at most 5 entries',
  ],
  [
    'a control with values',
    { variants: [{ ...CONTROL, values: {} }, GENEROUS] },
    'variants[0] is the control and must not have values',
  ],
  [
    'a variant without values',
    { variants: [CONTROL, { name: 'B', weight: 1, values: {} }] },
    'variants[1].values must have at least one member',
  ],
  [
    'two variants of one name',
    { variants: [CONTROL, { ...GENEROUS, name: 'Control' }] },
    'variants[1].name must differ from the names before it',
  ],
  [
    'a weight of 0',
    { variants: [{ ...CONTROL, weight: 0 }, GENEROUS] },
    'variants[0].weight must be at least 1',
  ],
  [
    'an unknown member of a variant',
    { variants: [CONTROL, { ...GENEROUS, wieght: 1 }] },
    'variants[1].wieght is not allowed',
  ],
  [
    'an empty condition',
    { condition: {} },
    'condition must state has_tags, lacks_tags or properties',
  ],
  [
    'a condition with a percentage',
    { condition: { percentage: 5 } },
    'condition.percentage is not allowed',
  ],
  [
    'a comparison with a boolean',
    { condition: { properties: [{ property: 'a', operator: 'gt', value: true }] } },
    'condition.properties[0].value must be a number or a string with gt',
  ],
  ['an empty tag', { condition: { has_tags: [' '] } }, 'condition.has_tags[0] must not be empty'],
  ['no metric', { metrics: [] }, 'metrics must have at least 1 entry'],
  [
    'a guardrail that decides',
    { metrics: [{ kind: 'retention', days: 1, guardrail: true }] },
    'metrics[0] decides about the experiment and must not be a guardrail',
  ],
  [
    'an unknown kind',
    { metrics: [{ kind: 'luck', days: 1 }] },
    'metrics[0].kind must be one of retention, revenue, event_share, event_count, event_sum',
  ],
  [
    'too many days',
    { metrics: [{ kind: 'retention', days: 31 }] },
    'metrics[0].days must be at most 30',
  ],
  [
    'no event',
    { metrics: [{ kind: 'event_count', days: 1 }] },
    'metrics[0].event_name is required for event_count',
  ],
  [
    'no property',
    { metrics: [{ kind: 'event_sum', days: 1, event_name: 'e' }] },
    'metrics[0].property is required for event_sum',
  ],
  [
    'a property for a count',
    { metrics: [{ kind: 'event_count', days: 1, event_name: 'e', property: 'p' }] },
    'metrics[0].property is not allowed for event_count',
  ],
  [
    'a cap of retention',
    { metrics: [{ kind: 'retention', days: 1, cap: 1 }] },
    'metrics[0].cap is not allowed for retention',
  ],
];
