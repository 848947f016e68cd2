import type { Static } from 'typebox';
import { t } from '../schema.ts';
import { PlayerConditions } from './config.ts';
import {
  MAX_EXPERIMENT_METRICS,
  MAX_EXPERIMENT_VARIANTS,
  MAX_METRIC_DAYS,
} from './experiment-limits.ts';

export const EXPERIMENT_STATES = ['draft', 'running', 'stopped', 'shipped'] as const;
export type ExperimentState = (typeof EXPERIMENT_STATES)[number];

const METRIC_KINDS = ['retention', 'revenue', 'event_share', 'event_count', 'event_sum'] as const;

export const ExperimentVariant = t.Object(
  {
    name: t.NewName('Name of the variant.'),
    weight: t.Integer('Its part of the players, relative to the other weights.', {
      minimum: 1,
      maximum: 1_000,
    }),
    values: t.Optional(
      t.JsonObject(
        'Values by key of parameters of the config. The first variant is the control and has none: its players get the config as it is.',
      ),
    ),
  },
  { title: 'ExperimentVariant', additionalProperties: false },
);
export type ExperimentVariant = Static<typeof ExperimentVariant>;

export const ExperimentMetric = t.Object(
  {
    kind: t.Enum(
      METRIC_KINDS,
      '`retention`: share of players who are active on the day; `revenue`: revenue per player, by the revenue settings of the game, in its `report_currency` or its only `currency`; `event_share`: share of players with the event; `event_count`: events per player; `event_sum`: sum of a property per player.',
    ),
    days: t.Integer(
      'For `retention` the number of the day after that of the first exposure. For the others the number of periods of 24 hours after the first exposure in which events count. A player counts once this time is over.',
      { minimum: 1, maximum: MAX_METRIC_DAYS },
    ),
    event_name: t.Optional(
      t.Name('Name of the event; for all kinds but `retention` and `revenue`.'),
    ),
    property: t.Optional(
      t.Name('Top-level property of the event with the number to add up; for `event_sum`.'),
    ),
    cap: t.Optional(
      t.Number(
        'Largest value of one player that counts, so that few players with huge values do not decide; for `revenue`, `event_count` and `event_sum`.',
        { exclusiveMinimum: 0 },
      ),
    ),
    good: t.Optional(
      t.Enum(['higher', 'lower'], 'The direction that is better; `higher` when left out.'),
    ),
    guardrail: t.Optional(
      t.Boolean('Whether the metric must not get worse: if it does, the results warn.'),
    ),
  },
  { title: 'ExperimentMetric', additionalProperties: false },
);
export type ExperimentMetric = Static<typeof ExperimentMetric>;

export const ExperimentCondition = t.Object(PlayerConditions, {
  title: 'ExperimentCondition',
  additionalProperties: false,
  description:
    'Conditions on players, all of which hold, as in rules of the config. They are checked until the player has an exposure.',
});
export type ExperimentCondition = Static<typeof ExperimentCondition>;

export const DefinitionFields = {
  name: t.NewName('Name of the experiment.'),
  description: t.Optional(
    t.String('The reason for the experiment and the expectation.', { maxLength: 2_000 }),
  ),
  condition: t.Optional(ExperimentCondition),
  share: t.Number(
    'Share of the players for whom the condition holds, in percent; decimals are allowed. All variants share it.',
    { exclusiveMinimum: 0, maximum: 100 },
  ),
  variants: t.Array(ExperimentVariant, {
    minItems: 2,
    maxItems: MAX_EXPERIMENT_VARIANTS,
    description: 'The control, and then the variants with values of their own.',
  }),
  metrics: t.Array(ExperimentMetric, {
    minItems: 1,
    maxItems: MAX_EXPERIMENT_METRICS,
    description: 'The first metric decides about the experiment, and is no guardrail.',
  }),
};
