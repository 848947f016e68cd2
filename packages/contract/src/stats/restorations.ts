import { answer } from '../answers.ts';
import { EnvironmentQuery, PlayerId } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import type { BodyOf, SuccessOf } from '../operation.ts';
import { StatKey } from '../path-parameters.ts';
import {
  noRestoration,
  restorationMembers,
  tooManyRestorations,
  wrongState,
} from '../restorations/members.ts';
import {
  MAX_EXAMPLES,
  MAX_RESTORATIONS,
  RESTORATION_DAYS,
} from '../restorations/restoration-limits.ts';
import { t } from '../schema.ts';
import { MAX_RESTORED_STATS, OUT_OF_BOUNDS_CHOICES } from './restoration-limits.ts';
import { STAT_HOUR_DAYS } from './stat-limits.ts';

const operation = operationsIn('Statistics (dashboard)');

const NewRestoration = t.Object({
  stats: t.Array(StatKey, {
    minItems: 1,
    maxItems: MAX_RESTORED_STATS,
    description: 'Keys of the statistics.',
  }),
  changed_from: t.Timestamp(
    `When the first hour with bad changes began (UTC, a whole hour), in the last ${STAT_HOUR_DAYS} days.`,
  ),
  changed_until: t.Timestamp(
    'When the last hour with bad changes ended (UTC, a whole hour). The present hour cannot be taken back before it is over.',
  ),
  segment: t.Optional(
    t.Nullable(t.Name('Name of a saved segment: only statistics of its players, as they are now.')),
  ),
});

const members = {
  ...restorationMembers('values'),
  question: t.Object({
    stats: t.Array(StatKey),
    changed_from: t.Timestamp('When the first hour began.'),
    changed_until: t.Timestamp('When the last hour ended.'),
    segment: t.Nullable(t.String('Name of the segment; null for all players.')),
  }),
  out_of_bounds: t.Nullable(
    t.Enum(
      OUT_OF_BOUNDS_CHOICES,
      'The choice for values that would leave their bounds; null before the start.',
    ),
  ),
  value_count: t.Integer(
    'Number of values with changes in these hours. A player has one for each statistic.',
  ),
  out_of_bounds_count: t.Integer(
    'Number of these that would leave the bounds of their statistic without the changes.',
  ),
  skipped_count: t.Integer(
    'Number of values that were left alone: they would leave their bounds, or have no changes in these hours any more.',
  ),
  kept_count: t.Integer(
    'Number of restored values that the undo has left alone, because they would leave their bounds.',
  ),
};

const StatRestoration = t.Resource('StatRestoration', members);

const exampleTime = '2026-03-14T15:09:26.535Z';
const example = {
  restoration_id: '0d2bb0f0-6f0c-4c39-b7a5-1f6c1b1f0a12',
  environment: 'production' as const,
  state: 'ready' as const,
  problem: null,
  question: {
    stats: ['coins'],
    changed_from: '2026-03-14T01:00:00.000Z',
    changed_until: '2026-03-14T03:00:00.000Z',
    segment: null,
  },
  out_of_bounds: null,
  words:
    '1,204 of 41,880 players have changes in these hours, of 1,204 values. 88 values would leave their bounds.',
  players: { count: 1_204, of: 41_880 },
  value_count: 1_204,
  out_of_bounds_count: 88,
  restored_count: 0,
  skipped_count: 0,
  undone_count: 0,
  kept_count: 0,
  progress: { done: 0, of: 1_204 },
  created_by: 'ada@studio.example',
  created_at: exampleTime,
  counted_at: exampleTime,
  started_at: null,
  ended_at: null,
  undo_begun_at: null,
  undone_at: null,
};

const ExampleValue = t.Resource('StatToRestore', {
  player_id: PlayerId,
  key: StatKey,
  value: t.Nullable(
    t.Number('The value at the count; after the restoration or its undo, the one before it.'),
  ),
  value_after: t.Nullable(
    t.Number('The value without the changes; null if the player has no other ones.'),
  ),
  is_out_of_bounds: t.Boolean('Whether `value_after` leaves the bounds of the statistic.'),
  state: t.Enum(
    ['waiting', 'restored', 'skipped', 'undone', 'kept'],
    'What was done with the value.',
  ),
});

export const createStatRestoration = operation('POST /v1/games/{game_id}/stat-restorations', {
  access: 'developer',
  summary: 'Look for changes of statistics to take back',
  description: [
    `Servers look in the background for players with changes of statistics in a range of hours, and compute what the values would be without them. Nothing is changed before the restoration is started.`,
    `A statistic with a source is refused, because the stored events would bring its changes back when they are counted anew. Hours are kept apart for ${STAT_HOUR_DAYS} days. An environment keeps ${MAX_RESTORATIONS} restorations of statistics, each for ${RESTORATION_DAYS} days.`,
  ].join('\n\n'),
  query: EnvironmentQuery,
  body: NewRestoration,
  example: {
    stats: ['coins'],
    changed_from: '2026-03-14T01:00:00Z',
    changed_until: '2026-03-14T03:00:00Z',
  },
  answers: {
    201: answer('The count has begun.', StatRestoration, { ...example, state: 'counting' }),
    409: tooManyRestorations,
  },
});

export const listStatRestorations = operation('GET /v1/games/{game_id}/stat-restorations', {
  access: 'viewer',
  summary: 'List the restorations of statistics',
  description: 'The newest first.',
  query: EnvironmentQuery,
  answers: {
    200: answer(
      'The restorations.',
      t.Object({
        restorations: t.Array(StatRestoration),
        next_cursor: t.Null({ description: 'Always null: the list has one page.' }),
      }),
      { restorations: [example], next_cursor: null },
    ),
  },
});

const PATH = '/v1/games/{game_id}/stat-restorations/{restoration_id}';

export const getStatRestoration = operation(`GET ${PATH}`, {
  access: 'viewer',
  summary: 'Show a restoration of statistics',
  description: `With at most ${MAX_EXAMPLES} of its values, by player: values that stay inside their bounds come first.`,
  query: EnvironmentQuery,
  answers: {
    200: answer('The restoration.', t.Object({ ...members, examples: t.Array(ExampleValue) }), {
      ...example,
      examples: [
        {
          player_id: 'player-42',
          key: 'coins',
          value: 10_120,
          value_after: 120,
          is_out_of_bounds: false,
          state: 'waiting' as const,
        },
      ],
    }),
    404: noRestoration,
  },
});

export const startStatRestoration = operation(`POST ${PATH}/start`, {
  access: 'developer',
  summary: 'Take back the changes of statistics that were found',
  description: [
    'Each value becomes what its other hours join to, in the background. What players have done since stays: a `sum` loses what the hours have added, and the others become the best or the last value of the other hours. A player without other changes has no value any more.',
    '`out_of_bounds` says what happens to a `sum` that would leave its bounds, because the player has used what the hours have added: `skip` leaves the value alone, `to_bound` sets it to the bound.',
    'Achievements that the values have unlocked stay unlocked. Claimed rewards, and changes that games have kept for later, are not touched. A player who is merged into another one meanwhile is left out.',
  ].join('\n\n'),
  query: EnvironmentQuery,
  body: t.Object({
    out_of_bounds: t.Enum(
      OUT_OF_BOUNDS_CHOICES,
      'What happens to values that would leave their bounds.',
    ),
    value_count: t.Integer(
      'The `value_count` that was confirmed. With another one nothing is started.',
      { minimum: 0 },
    ),
  }),
  example: { out_of_bounds: 'skip', value_count: 1_204 },
  answers: {
    200: answer('The restoration has begun.', StatRestoration, {
      ...example,
      state: 'running',
      out_of_bounds: 'skip',
      started_at: exampleTime,
    }),
    404: noRestoration,
    409: wrongState,
  },
});

export const pauseStatRestoration = operation(`POST ${PATH}/pause`, {
  access: 'developer',
  summary: 'Pause a restoration of statistics',
  description: 'Pauses the count, the restoration or its undo.',
  query: EnvironmentQuery,
  answers: {
    200: answer('The work is paused.', StatRestoration, { ...example, state: 'paused' }),
    404: noRestoration,
    409: wrongState,
  },
});

export const continueStatRestoration = operation(`POST ${PATH}/continue`, {
  access: 'developer',
  summary: 'Go on with a paused restoration of statistics',
  description: 'Goes on with the count, the restoration or its undo.',
  query: EnvironmentQuery,
  answers: {
    200: answer('The work goes on.', StatRestoration, { ...example, state: 'running' }),
    404: noRestoration,
    409: wrongState,
  },
});

export const undoStatRestoration = operation(`POST ${PATH}/undo`, {
  access: 'developer',
  summary: 'Undo a restoration of statistics',
  description:
    'The changes that were taken back count again in their hours, in the background, and what players have done since the restoration stays. A `sum` that would leave its bounds is treated as `out_of_bounds` said at the start. A paused restoration can be undone too; the values that it has not restored yet stay as they are.',
  query: EnvironmentQuery,
  answers: {
    200: answer('The undo has begun.', StatRestoration, { ...example, state: 'undoing' }),
    404: noRestoration,
    409: wrongState,
  },
});

export const deleteStatRestoration = operation(`DELETE ${PATH}`, {
  access: 'developer',
  summary: 'Forget a restoration of statistics',
  description:
    'The values stay as they are, and the restoration cannot be undone any more. One that is running must be paused first.',
  query: EnvironmentQuery,
  answers: {
    204: { description: 'It is forgotten.' },
    404: noRestoration,
    409: wrongState,
  },
});

/** A restoration of statistics, as answers show it. */
export type StatRestorationAnswer = SuccessOf<typeof listStatRestorations>['restorations'][number];
/** A value of a restoration, as answers show it. */
export type StatToRestore = SuccessOf<typeof getStatRestoration>['examples'][number];
/** The question of a restoration of statistics in requests. */
export type SentStatQuestion = BodyOf<typeof createStatRestoration>;
/** The question of a restoration of statistics in answers. */
export type StatQuestion = StatRestorationAnswer['question'];
