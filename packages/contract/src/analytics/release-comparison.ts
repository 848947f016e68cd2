import type { Static } from 'typebox';
import { answer, errorAnswer } from '../answers.ts';
import { EnvironmentQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { CONFIDENCE_PERCENT } from '../remote-config/experiment-limits.ts';
import { t } from '../schema.ts';
import { reportStopped } from './event-conditions.ts';
import { COMPARED_DAYS, MAX_COMPARED_EVENTS, MAX_RELEASE_DAYS } from './release-limits.ts';

const operation = operationsIn('Analytics');

export const RELEASE_METRICS = [
  'adoption',
  'retention_day_1',
  'retention_day_7',
  'sessions',
  'session_seconds',
  'revenue',
  'events',
] as const;
export const RELEASE_VERDICTS = ['higher', 'lower', 'undecided', 'too_few', 'no_variance'] as const;

const Interval = (description: string) =>
  t.Nullable(
    t.Object({ low: t.Number('Lower end.'), high: t.Number('Upper end.') }, { description }),
  );

const Pair = (description: string) =>
  t.Array(t.Integer(), { minItems: 2, maxItems: 2, description });

const ComparedRelease = t.Object({
  version: t.String('The version.'),
  name: t.Nullable(t.String('The name that a member gave it.')),
  from: t.Day('Its first day, in the time zone of the game.'),
  to: t.Day('The last day on which players count who start it.'),
  players: t.Integer('Players who first started it on these days.'),
  new_players: t.Integer('Those of them who had not played before.'),
});

const ComparedMetric = t.Object({
  kind: t.Enum(
    RELEASE_METRICS,
    '`adoption`: the share of the players who were active on these days and started the version. `retention_day_1` and `_7`: the share of new players who came back on that day. `sessions`, `session_seconds`, `revenue` and `events`, in the days that count: the sessions of a player, their average length, the money that a player brings, and the events of a name.',
  ),
  event_name: t.Nullable(t.String('Name of the events of `events`; null for the others.')),
  currency: t.Nullable(t.String('Currency of `revenue`; null for the others.')),
  releases: t.Array(
    t.Object({
      players: t.Integer('Players who count.'),
      mean: t.Nullable(t.Number('The share or the mean of these players; null without players.')),
    }),
    { minItems: 2, maxItems: 2, description: 'The earlier release, then the other one.' },
  ),
  verdict: t.Enum(
    RELEASE_VERDICTS,
    'The release against the earlier one: `higher` and `lower` are more than noise; `undecided` may be noise; `too_few`: too few players for an interval; `no_variance`: all players of each release have one value.',
  ),
  difference: t.Nullable(t.Number('Mean minus mean of the earlier release.')),
  interval: Interval(
    `The difference lies in it. The intervals of all metrics hold together, with ${CONFIDENCE_PERCENT} percent confidence, however often they are looked at.`,
  ),
  relative_interval: Interval(
    'The same as a share of the mean of the earlier release; null while that mean may be 0.',
  ),
});

const OfDays = t.Object(
  {
    received_events: Pair('Events that the server received.'),
    refused_events: Pair('Events that schemas refused.'),
    saves: Pair('Saves that games sent.'),
    save_conflicts: Pair('Those that met another version of the save.'),
  },
  {
    description:
      'Numbers of all versions on the days of each release, because the server counts them by day alone.',
  },
);

const ReleaseComparison = t.Resource('ReleaseComparison', {
  time_zone: t.String('Time zone of the game, in which its days begin and end.'),
  as_of: t.Timestamp('The moment up to which events count.'),
  days: t.Integer('Days after the first start of a player that count.'),
  releases: t.Array(ComparedRelease, { minItems: 2, maxItems: 2 }),
  metrics: t.Array(ComparedMetric),
  of_days: OfDays,
});
export type ReleaseComparison = Static<typeof ReleaseComparison>;
export type ComparedMetric = ReleaseComparison['metrics'][number];

export const compareReleases = operation('GET /v1/games/{game_id}/releases/comparison', {
  access: 'viewer',
  token_role: 'reports',
  summary: 'Compare two versions of the game',
  description: [
    `Of the players who first started each version on its first days: as many days as the younger of both has, at most ${MAX_RELEASE_DAYS}. A player counts for a version from the first start of it until the start of another one, and for at most \`days\` days. Only players whose days are over count, so that no value changes later.`,
    'The intervals are those of experiments. But players choose when they update, and two versions have different days: a difference that is more than noise may still have another cause than the version.',
    'Read from the events themselves, at low priority.',
  ].join('\n\n'),
  query: t.Object({
    ...EnvironmentQuery.properties,
    baseline: t.String('The earlier version.', { minLength: 1, maxLength: 64 }),
    release: t.String('The version that is compared with it.', { minLength: 1, maxLength: 64 }),
    days: t.Optional(
      t.Integer(
        `Days after the first start of a player that count; the most that the age of the younger version allows, of ${COMPARED_DAYS.join(', ')}, when left out.`,
        { minimum: 1, maximum: COMPARED_DAYS.at(-1)! },
      ),
    ),
    event_names: t.Optional(
      t.String(
        `Names of events to compare, as a JSON list of at most ${MAX_COMPARED_EVENTS}. When left out, the most frequent events whose names contain \`crash\`, \`error\`, \`exception\` or \`fail\`.`,
      ),
    ),
  }),
  answers: {
    200: answer('The comparison.', ReleaseComparison, {
      time_zone: 'Europe/Berlin',
      as_of: '2026-03-24T08:00:00.000Z',
      days: 7,
      releases: [
        {
          version: '1.4.2',
          name: null,
          from: '2026-02-01',
          to: '2026-02-24',
          players: 10_212,
          new_players: 3_800,
        },
        {
          version: '1.5.0',
          name: 'Winter festival',
          from: '2026-03-01',
          to: '2026-03-24',
          players: 9_788,
          new_players: 3_604,
        },
      ],
      metrics: [
        {
          kind: 'retention_day_1',
          event_name: null,
          currency: null,
          releases: [
            { players: 3_702, mean: 0.402 },
            { players: 3_520, mean: 0.313 },
          ],
          verdict: 'lower',
          difference: -0.089,
          interval: { low: -0.134, high: -0.044 },
          relative_interval: { low: -0.32, high: -0.11 },
        },
      ],
      of_days: {
        received_events: [812_004, 790_112],
        refused_events: [0, 41],
        saves: [40_112, 38_800],
        save_conflicts: [12, 15],
      },
    }),
    404: errorAnswer(
      'The game has no such release, or the account is no member of the game.',
      'Release 1.5.0 not found',
    ),
    503: reportStopped,
  },
});
