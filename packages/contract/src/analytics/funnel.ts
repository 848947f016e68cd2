import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { FILTER_IN_WORDS, Group, GroupLimit } from './event-conditions.ts';
import {
  DEFAULT_FUNNEL_WINDOW_MINUTES,
  MAX_FUNNEL_STEPS,
  MAX_FUNNEL_WINDOW_MINUTES,
  MIN_FUNNEL_STEPS,
} from './limits.ts';
import { PlayersQuery } from './player-selection.ts';
import { Report, SlowFormat, slowReportAnswers, ReportQuery, Share } from './report.ts';
import { REPORTS } from './reports.ts';

const operation = operationsIn('Analytics');

const Seconds = (quantile: string) =>
  t.Nullable(t.Number(`${quantile} in seconds; null for the first step and without players.`));

const FunnelStep = t.Resource('FunnelStep', {
  event_name: t.String('Name of the event of the step.'),
  players: t.Integer('Players who took this step and all earlier ones.'),
  share_of_first: Share('Share of the players of the first step.'),
  share_of_previous: Share('Share of the players of the step before; null for the first step.'),
  median_seconds: Seconds('Median time from the step before'),
  p25_seconds: Seconds('First quartile of that time'),
  p75_seconds: Seconds('Third quartile of that time'),
});

const steps = t.Array(FunnelStep, { description: 'The steps, in order.' });

export const getFunnel = operation(REPORTS.funnel.route, {
  access: 'viewer',
  token_role: 'reports',
  summary: 'Show at which step players stop',
  description: [
    'Counts the players who took steps in order. Events count if their `occurred_at` lies in the range of days and they name a player.',
    'An attempt begins with any event of the first step. Each further step is the earliest matching event at or after the time of the step before it, and at most `window_minutes` after the first step. Different events at the same time count in the order of the steps; two steps with the same event name need two times. A player counts once, with the attempt that gets furthest, or with the earliest one of several such attempts.',
    'With `breakdown` a player belongs to the group of the first event of the attempt that counts. The values with the most players at the first step have groups of their own. Times between steps are taken from the attempts that count. Percentiles are over all players who took the step, interpolated between neighbouring values.',
    'Read from the events themselves, at low priority.',
  ].join('\n\n'),
  query: t.Object({
    ...ReportQuery.properties,
    format: SlowFormat,
    players: PlayersQuery.properties.players,
    split_by: PlayersQuery.properties.split_by,
    steps: t.String(
      `JSON list of ${MIN_FUNNEL_STEPS} to ${MAX_FUNNEL_STEPS} steps \`{"event_name", "filter"}\`, such as \`[{"event_name":"shop_opened"},{"event_name":"purchase","filter":[{"property":"price","operator":"gte","value":5}]}]\`. \`filter\` is optional: ${FILTER_IN_WORDS}.`,
      { minLength: 1 },
    ),
    window_minutes: t.Integer(
      'Longest time from the first step to any other; a week if it is left out.',
      { minimum: 1, maximum: MAX_FUNNEL_WINDOW_MINUTES, default: DEFAULT_FUNNEL_WINDOW_MINUTES },
    ),
    breakdown: t.Optional(t.Name('Top-level property of the events of the first step.')),
    limit: GroupLimit,
  }),
  answers: slowReportAnswers(
    'The funnel.',
    Report('Funnel', {
      window_minutes: t.Integer('The window that was applied.'),
      steps,
      groups: t.Array(t.Resource('FunnelGroup', { ...Group, steps }), {
        description:
          'The funnel of each group, the largest first; none without `breakdown` or `split_by`, of which one can be given.',
      }),
    }),
    {
      window_minutes: 10_080,
      steps: [
        {
          event_name: 'shop_opened',
          players: 1_200,
          share_of_first: 1,
          share_of_previous: null,
          median_seconds: null,
          p25_seconds: null,
          p75_seconds: null,
        },
        {
          event_name: 'purchase',
          players: 300,
          share_of_first: 0.25,
          share_of_previous: 0.25,
          median_seconds: 62.5,
          p25_seconds: 21,
          p75_seconds: 340.75,
        },
      ],
      groups: [],
    },
  ),
});
