import type { Static } from 'typebox';
import { EventFilters } from '../analytics/event-conditions.ts';
import { Currency } from '../analytics/revenue-settings.ts';
import { answer, ErrorWith, notFoundInGame, PageOf, UsedBy } from '../answers.ts';
import { GameId } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { MetricKey, NewMetricKey } from '../path-parameters.ts';
import { t } from '../schema.ts';
import {
  MAX_METRIC_DESCRIPTION,
  MAX_METRICS,
  METRIC_KINDS,
  METRIC_UNITS,
} from './metric-limits.ts';

const operation = operationsIn('Analytics');

const fields = {
  kind: t.Enum(
    METRIC_KINDS,
    '`count`: events. `players`: the different players whom they name. `sum`, `average` and `percentile`: of the numbers in `property`. `ratio`: the metric `numerator` divided by the metric `denominator`, neither of which is a ratio.',
  ),
  event_name: t.Name(
    'Name of the events; not for a ratio. `count` and `players` without it are about all events.',
  ),
  filter: EventFilters,
  property: t.Name('Top-level property whose numbers count. Values that are no numbers do not.'),
  percentile: t.Integer(
    'For `percentile`: the percentage of numbers that are at most the value. It is interpolated between neighbouring numbers.',
    { minimum: 1, maximum: 99 },
  ),
  per: t.Enum(
    ['player', 'day'],
    '`player`, for `count` and `sum`: divided by the different players whom the events name; events without a player do not count. `day`, for `count`, `sum` and `players`: the average of the days that have begun, where several days are asked for.',
  ),
  numerator: t.Name('For `ratio`: the key of the metric that is divided.'),
  denominator: t.Name('For `ratio`: the key of the metric that divides.'),
  unit: t.Enum(
    METRIC_UNITS,
    'How numbers are shown. `percent`: 0.25 is shown as 25 %. `duration`: the numbers are seconds. `money`: amounts of `currency`. Counts of events and players are `number`s.',
  ),
  currency: Currency('For `money`: the currency of the amounts'),
  currency_property: t.Name(
    'For `money`: the top-level property with the currency of an event. Events in other currencies do not count. Without it, all events do.',
  ),
  amount_unit: t.Enum(
    ['major', 'minor', 'micro'],
    'For `money`: `major`: 4.99 in the property means 4.99 EUR; `minor`: 499 means 4.99 EUR, and 499 JPY; `micro`: 4990000 means 4.99 EUR. Metrics are always in units such as euros.',
  ),
};

const NAME = 'Name of the metric.';
const description = t.String('What it says.', { maxLength: MAX_METRIC_DESCRIPTION });

/** The definition of a metric, as requests and files have it. */
export const MetricFields = {
  name: t.NewName(NAME),
  description: t.Optional(description),
  kind: fields.kind,
  event_name: t.Optional(fields.event_name),
  filter: t.Optional(fields.filter),
  property: t.Optional(fields.property),
  percentile: t.Optional(fields.percentile),
  per: t.Optional(fields.per),
  numerator: t.Optional(fields.numerator),
  denominator: t.Optional(fields.denominator),
  unit: t.Optional(fields.unit),
  currency: t.Optional(fields.currency),
  currency_property: t.Optional(fields.currency_property),
  amount_unit: t.Optional(fields.amount_unit),
};

export const Metric = t.Resource('Metric', {
  key: MetricKey,
  name: t.String(NAME),
  description,
  kind: fields.kind,
  event_name: t.Nullable(fields.event_name),
  filter: fields.filter,
  property: t.Nullable(fields.property),
  percentile: t.Nullable(fields.percentile),
  per: t.Nullable(fields.per),
  numerator: t.Nullable(fields.numerator),
  denominator: t.Nullable(fields.denominator),
  unit: fields.unit,
  currency: t.Nullable(fields.currency),
  currency_property: t.Nullable(fields.currency_property),
  amount_unit: t.Nullable(fields.amount_unit),
  updated_at: t.Timestamp('When it was last changed.'),
});
export type Metric = Static<typeof Metric>;

const example: Metric = {
  key: 'payer_conversion',
  name: 'Conversion of payers',
  description: 'The share of players who buy something.',
  kind: 'ratio',
  event_name: null,
  filter: [],
  property: null,
  percentile: null,
  per: null,
  numerator: 'payers',
  denominator: 'players',
  unit: 'percent',
  currency: null,
  currency_property: null,
  amount_unit: null,
  updated_at: '2026-03-01T18:24:05.120Z',
};

export const listMetrics = operation('GET /v1/games/{game_id}/metrics', {
  access: 'viewer',
  token_role: 'reports',
  summary: 'List the metrics of a game',
  description:
    'By key. Both environments share the definitions. The list has one page: `next_cursor` is always null.',
  answers: {
    200: answer('The metrics.', PageOf('metrics', Metric), {
      metrics: [example],
      next_cursor: null,
    }),
  },
});

export const putMetric = operation('PUT /v1/games/{game_id}/metrics/{metric_key}', {
  access: 'developer',
  summary: 'Define a metric',
  description: `Replaces a metric with this key; what uses it then shows the new numbers. A game has at most ${MAX_METRICS}. The two metrics of a ratio must exist, and be no ratios. A ratio of money to something else is money of the same currency.`,
  params: t.Object({ game_id: GameId, metric_key: NewMetricKey }),
  body: t.Object(MetricFields),
  example: { name: 'Payers', kind: 'players', event_name: 'purchase' },
  answers: {
    200: answer('The metric as it is now.', Metric, {
      ...example,
      key: 'payers',
      name: 'Payers',
      description: '',
      kind: 'players',
      event_name: 'purchase',
      numerator: null,
      denominator: null,
      unit: 'number',
    }),
    409: answer('The game has its maximum of metrics.', ErrorWith({}), {
      error: `A game may have at most ${MAX_METRICS} metrics`,
    }),
  },
});

export const deleteMetric = operation('DELETE /v1/games/{game_id}/metrics/{metric_key}', {
  access: 'developer',
  summary: 'Delete a metric',
  description: 'Ratios, cards and alerts that use it must be changed first.',
  answers: {
    204: { description: 'The metric is deleted.' },
    404: notFoundInGame('metric'),
    409: answer(
      'Other definitions use the metric; `used_by` names them.',
      ErrorWith({ used_by: UsedBy }),
      {
        error:
          'The metric "payers" is used by the metric "payer_conversion": take it out of them first',
        used_by: ['the metric "payer_conversion"'],
      },
    ),
  },
});
