import { GameParams } from '../common.ts';
import { operationsIn } from '../operation.ts';
import { t } from '../schema.ts';
import { FILTER_IN_WORDS, Group, GroupLimit, stoppedAnswer } from './event-conditions.ts';
import { MAX_FUNNEL_STEPS, MIN_FUNNEL_STEPS } from './limits.ts';
import { Report, reportAnswer, ReportQuery, Share } from './report.ts';

const operation = operationsIn('Analytics');

/** Longest time from the first step to the last, in minutes: 90 days. */
export const MAX_FUNNEL_WINDOW_MINUTES = 90 * 24 * 60;

const Seconds = (which: string) =>
  t.Nullable(t.Number(`${which}, in seconds; null for the first step and without players.`));

const FunnelStep = t.Resource('FunnelStep', {
  event_name: t.String('Name of the event of the step.'),
  players: t.Integer('Players who took this step and all before it.'),
  share_of_first: Share('Share of the players of the first step.'),
  share_of_previous: Share('Share of the players of the step before; null for the first step.'),
  median_seconds: Seconds('Median time from the step before'),
  p25_seconds: Seconds('First quartile of that time'),
  p75_seconds: Seconds('Third quartile of that time'),
});

const steps = t.Array(FunnelStep, { description: 'The steps, in order.' });

export const getFunnel = operation('GET /v1/games/{game_id}/analytics/funnel', {
  id: 'getFunnel',
  access: 'viewer',
  summary: 'Show where players stop',
  description: [
    'Counts the players who took steps in order. Events count by `occurred_at`, within the range of days; events that name no player do not count.',
    'An attempt begins with any event of the first step. Each further step is the earliest event that matches it at or after the moment of the step before, at most `window_minutes` after the first. Different events at the same moment count in the order of the steps; the same event name twice needs two moments. A player counts once, by the attempt that gets furthest, of several such by the one that began first.',
    'With `breakdown` a player belongs to the group of the event that began the attempt that counts. The largest groups by players who took the first step have their own; times between steps are those of the attempts that count. Percentiles are of all players who took the step, interpolated between neighbours.',
    'Read from the events themselves, at low priority.',
  ].join('\n\n'),
  params: GameParams,
  query: t.Object({
    ...ReportQuery.properties,
    steps: t.String(
      `JSON list of ${MIN_FUNNEL_STEPS} to ${MAX_FUNNEL_STEPS} steps \`{"event_name", "filter"}\`, such as \`[{"event_name":"shop_opened"},{"event_name":"purchase","filter":[{"property":"price","operator":"gte","value":5}]}]\`. \`filter\` may be left out; it is ${FILTER_IN_WORDS}.`,
      { minLength: 1 },
    ),
    window_minutes: t.Integer(
      'Longest time from the first step to any other; a week when left out.',
      { minimum: 1, maximum: MAX_FUNNEL_WINDOW_MINUTES, default: 7 * 24 * 60 },
    ),
    breakdown: t.Optional(t.Name('Top-level property of the events of the first step.')),
    limit: GroupLimit,
  }),
  answers: {
    200: reportAnswer(
      'The funnel.',
      Report('Funnel', {
        window_minutes: t.Integer('The window that was applied.'),
        steps,
        groups: t.Array(t.Resource('FunnelGroup', { ...Group, steps }), {
          description: 'The funnel of each group, the largest first; empty without `breakdown`.',
        }),
      }),
      {
        from: '2026-03-01',
        to: '2026-03-30',
        time_zone: 'Europe/Berlin',
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
    503: stoppedAnswer,
  },
});
