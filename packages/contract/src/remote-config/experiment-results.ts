import type { SuccessOf } from '../operation.ts';
import { answer, errorAnswer } from '../answers.ts';
import { reportStopped } from '../analytics/event-conditions.ts';
import { REPORTS } from '../analytics/reports.ts';
import { EnvironmentQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { ExperimentMetric, EXPERIMENT_STATES } from './experiment-definition.ts';
import {
  CONFIDENCE_PERCENT,
  MAX_EXPERIMENT_METRICS,
  SUSPICIOUS_SAMPLE_RATIO_CHANCE,
} from './experiment-limits.ts';

const operation = operationsIn('Experiments');

const VERDICTS = ['better', 'worse', 'undecided', 'too_early', 'no_variance'] as const;

const Interval = (description: string) =>
  t.Object({ low: t.Number('Lower end.'), high: t.Number('Upper end.') }, { description });

const VariantResult = t.Object({
  name: t.String('Name of the variant.'),
  players: t.Integer('Players who count: their time for the metric is over.'),
  mean: t.Nullable(
    t.Number('Share of players for `retention` and `event_share`, mean for the others.'),
  ),
  verdict: t.Nullable(
    t.Enum(
      VERDICTS,
      'Against the control: `better` and `worse` by the interval and by `good`; `too_early`: too few players for an interval; `no_variance`: all players of this variant have one value, and so have those of the control, so that there is no interval. Null for the control.',
    ),
  ),
  difference: t.Nullable(t.Number('Mean minus mean of the control; null when it is too early.')),
  interval: t.Nullable(
    Interval(
      `The difference lies in it with ${CONFIDENCE_PERCENT} percent confidence, at all times and for all variants together.`,
    ),
  ),
  relative_interval: t.Nullable(
    Interval(
      'The same as a share of the mean of the control, such as 0.03 for 3 percent more; null while that mean may be 0.',
    ),
  ),
});

export const getExperimentResults = operation(REPORTS.results.route, {
  access: 'viewer',
  token_role: 'reports',
  summary: 'Read the results of an experiment',
  description:
    'Of all players with an exposure, by variant and metric. The intervals hold however often they are looked at, so an experiment may be stopped as soon as they decide: they are asymptotic confidence sequences of the normal mixture, which is the test of the mixture sequential probability ratio (Johari, Koomen, Pekelis and Walsh, Operations Research 70, 2022; Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Annals of Statistics 52, 2024), with Bonferroni’s correction for several variants. Only the first metric decides about the experiment; further metrics are not corrected for their number.',
  query: t.Object({
    ...EnvironmentQuery.properties,
    metric: t.Optional(
      t.Integer('Number of a metric, from 1: `metrics` then has this one alone.', {
        minimum: 1,
        maximum: MAX_EXPERIMENT_METRICS,
      }),
    ),
  }),
  answers: {
    200: answer(
      'The results up to now, or up to the end of the experiment.',
      t.Resource('ExperimentResults', {
        state: t.Enum(EXPERIMENT_STATES, 'State of the experiment.'),
        as_of: t.Nullable(t.Timestamp('The moment up to which events count; null for a draft.')),
        variants: t.Array(
          t.Object({
            name: t.String('Name of the variant.'),
            weight: t.Integer('Its weight.'),
            exposed_players: t.Integer('Players with an exposure to it.'),
          }),
        ),
        mixed_players: t.Integer(
          'Players who were merged from players of different variants. They count for none.',
        ),
        split_chance: t.Nullable(
          t.Number(
            'Chance of a sample ratio as far from the weights as this one, by a chi-squared test; null without players.',
          ),
        ),
        is_split_suspicious: t.Boolean(
          `Whether that chance is below ${SUSPICIOUS_SAMPLE_RATIO_CHANCE}: then the variants lose players in different ways, and the results cannot be trusted.`,
        ),
        metrics: t.Array(
          t.Object({
            metric: ExperimentMetric,
            currency: t.Nullable(
              t.String('Currency of the values of `revenue`; null for other kinds.'),
            ),
            variants: t.Array(VariantResult),
            warns: t.Boolean('Whether it is a guardrail, and worse in some variant.'),
          }),
        ),
      }),
      {
        state: 'running',
        as_of: '2026-03-24T08:00:00.000Z',
        variants: [
          { name: 'Control', weight: 1, exposed_players: 10_212 },
          { name: 'Generous', weight: 1, exposed_players: 10_188 },
        ],
        mixed_players: 0,
        split_chance: 0.866,
        is_split_suspicious: false,
        metrics: [
          {
            metric: { kind: 'retention', days: 1 },
            currency: null,
            variants: [
              {
                name: 'Control',
                players: 9_804,
                mean: 0.402,
                verdict: null,
                difference: null,
                interval: null,
                relative_interval: null,
              },
              {
                name: 'Generous',
                players: 9_790,
                mean: 0.437,
                verdict: 'better',
                difference: 0.035,
                interval: { low: 0.013, high: 0.057 },
                relative_interval: { low: 0.031, high: 0.144 },
              },
            ],
            warns: false,
          },
        ],
      },
    ),
    409: errorAnswer(
      'A metric of `revenue` has no revenue settings any more, or these have several currencies.',
      'A metric of revenue needs one currency, and the purchases have several: choose one in the revenue report first',
    ),
    503: reportStopped,
  },
});
export type ExperimentResults = SuccessOf<typeof getExperimentResults>;
