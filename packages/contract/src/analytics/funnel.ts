import { MIN_FUNNEL_STEPS, MAX_FUNNEL_STEPS } from './limits.ts';
import { Type } from 'typebox';
import { ANALYTICS_GROUP, Report, reportAnswer, ReportQuery, Share } from './report.ts';
import { GameId, merge, Name, Nullable, Resource } from '../common.ts';
import { FILTER_IN_WORDS, Group, GroupLimit, stoppedAnswer } from './event-conditions.ts';
import { defineOperation } from '../operation.ts';

/** Longest time from the first step to the last, in minutes: 90 days. */
export const MAX_FUNNEL_WINDOW_MINUTES = 90 * 24 * 60;

const Seconds = (which: string) =>
  Nullable(
    Type.Number({
      description: `${which}, in seconds; null for the first step and without players.`,
    }),
  );

const FunnelStep = Resource('FunnelStep', {
  event_name: Type.String({ description: 'Name of the event of the step.' }),
  players: Type.Integer({ description: 'Players who took this step and all before it.' }),
  share_of_first: Share('Share of the players of the first step.'),
  share_of_previous: Share('Share of the players of the step before; null for the first step.'),
  median_seconds: Seconds('Median time from the step before'),
  p25_seconds: Seconds('First quartile of that time'),
  p75_seconds: Seconds('Third quartile of that time'),
});

const steps = Type.Array(FunnelStep, { description: 'The steps, in order.' });

export const getFunnel = defineOperation({
  id: 'getFunnel',
  method: 'GET',
  path: '/v1/games/{game_id}/analytics/funnel',
  access: 'viewer',
  group: ANALYTICS_GROUP,
  summary: 'Show where players stop',
  description: [
    'Counts the players who took steps in order. Events count by `occurred_at`, within the range of days; events that name no player do not count.',
    'An attempt begins with any event of the first step. Each further step is the earliest event that matches it at or after the moment of the step before, at most `window_minutes` after the first. Different events at the same moment count in the order of the steps; the same event name twice needs two moments. A player counts once, by the attempt that gets furthest, of several such by the one that began first.',
    'With `breakdown` a player belongs to the group of the event that began the attempt that counts. The largest groups by players who took the first step have their own; times between steps are those of the attempts that count. Percentiles are of all players who took the step, interpolated between neighbours.',
    'Read from the events themselves, at low priority.',
  ].join('\n\n'),
  params: Type.Object({ game_id: GameId }),
  query: merge(
    ReportQuery,
    Type.Object({
      steps: Type.String({
        minLength: 1,
        description: `JSON list of ${MIN_FUNNEL_STEPS} to ${MAX_FUNNEL_STEPS} steps \`{"event_name", "filter"}\`, such as \`[{"event_name":"shop_opened"},{"event_name":"purchase","filter":[{"property":"price","operator":"gte","value":5}]}]\`. \`filter\` may be left out; it is ${FILTER_IN_WORDS}.`,
      }),
      window_minutes: Type.Integer({
        minimum: 1,
        maximum: MAX_FUNNEL_WINDOW_MINUTES,
        default: 7 * 24 * 60,
        description: 'Longest time from the first step to any other; a week when left out.',
      }),
      breakdown: Type.Optional(Name('Top-level property of the events of the first step.')),
      limit: GroupLimit,
    }),
  ),
  answers: {
    200: reportAnswer({
      description: 'The funnel.',
      body: Report('Funnel', {
        window_minutes: Type.Integer({ description: 'The window that was applied.' }),
        steps,
        groups: Type.Array(Resource('FunnelGroup', { ...Group, steps }), {
          description: 'The funnel of each group, the largest first; empty without `breakdown`.',
        }),
      }),
      example: {
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
    }),
    503: stoppedAnswer,
  },
});
