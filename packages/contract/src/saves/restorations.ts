import { answer } from '../answers.ts';
import { EnvironmentQuery, PlayerId } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import type { BodyOf, SuccessOf } from '../operation.ts';
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
import { MAX_APP_VERSION_LENGTH } from './app-version.ts';
import { MAX_SLOT_LENGTH, SAVE_HISTORY_DAYS } from './limits.ts';
import {
  MAX_BAD_VERSIONS,
  MAX_PATH_STEPS,
  MAX_SAVE_CONDITIONS,
  PLAYED_ON_CHOICES,
  SAVE_OPERATORS,
} from './restoration-limits.ts';
import { AppVersion, exampleTime, SlotName, Version } from './save-fields.ts';

const operation = operationsIn('Cloud saves (dashboard)');

export const SaveCondition = t.Object(
  {
    path: t.Array(
      t.String('Name of a member of an object, or place in a list, counted from 0.', {
        minLength: 1,
        maxLength: 255,
      }),
      {
        minItems: 1,
        maxItems: MAX_PATH_STEPS,
        description:
          'The way to a place in `data`, such as `["wallet", "coins"]`. Where the data has no such place, the value is absent.',
      },
    ),
    operator: t.Enum(
      SAVE_OPERATORS,
      'The operators of other filters compare with `value`; numbers are compared as numbers of JavaScript. The others take no value, and compare with the version before: `went_down` and `went_up` hold for two numbers, `fell_by_half` for a number that is at most half of the positive number before, `changed` for any other value than before, and `vanished` where there is no value any more. They never hold for the oldest kept version.',
    ),
    value: t.Optional(
      t.Unsafe<string | number | boolean | null>({
        type: ['string', 'number', 'boolean', 'null'],
        description: 'Value to compare with.',
      }),
    ),
  },
  { title: 'SaveCondition', additionalProperties: false },
);

const questionMembers = {
  segment: t.Optional(
    t.Nullable(t.Name('Name of a saved segment: only saves of its players, as they are now.')),
  ),
  slot: t.Optional(
    t.Nullable(t.String('Only saves in this slot.', { minLength: 1, maxLength: MAX_SLOT_LENGTH })),
  ),
  app_versions: t.Optional(
    t.Array(
      t.String('A version of the game.', { minLength: 1, maxLength: MAX_APP_VERSION_LENGTH }),
      {
        maxItems: MAX_BAD_VERSIONS,
        description: 'Only versions that one of these versions of the game has saved; none: all.',
      },
    ),
  ),
  data: t.Optional(
    t.Array(SaveCondition, {
      maxItems: MAX_SAVE_CONDITIONS,
      description: 'Conditions on the data. A version is bad if it meets all of them.',
    }),
  ),
};

const NewRestoration = t.Object({
  saved_from: t.Optional(
    t.Timestamp(
      `The time of the first bad versions. Left out, it is ${SAVE_HISTORY_DAYS} days ago, and \`app_versions\` are required.`,
    ),
  ),
  saved_until: t.Optional(
    t.Timestamp(
      'The time after the last bad versions. Left out, or in the future, it is the time of the call.',
    ),
  ),
  ...questionMembers,
});

const Question = t.Object({
  saved_from: t.Timestamp('The time of the first bad versions.'),
  saved_until: t.Timestamp('The time after the last bad versions.'),
  app_versions: t.Array(t.String('A version of the game.')),
  segment: t.Nullable(t.String('Name of the segment; null for all players.')),
  slot: t.Nullable(t.String('The slot; null for all slots.')),
  data: t.Array(SaveCondition),
});

const members = {
  ...restorationMembers('saves'),
  question: Question,
  played_on: t.Nullable(
    t.Enum(PLAYED_ON_CHOICES, 'The choice for players who have played on; null before the start.'),
  ),
  save_count: t.Integer('Number of bad saves.'),
  played_on_count: t.Integer(
    'Number of these whose newest version is not bad: the player has played on since.',
  ),
  hopeless_count: t.Integer('Number of these of which no good version is kept.'),
  skipped_count: t.Integer(
    'Number of saves that were left alone: the player has played on, or has deleted the save.',
  ),
  kept_count: t.Integer(
    'Number of restored saves that the undo has left alone, because the player has played on since.',
  ),
};

const SaveRestoration = t.Resource('SaveRestoration', members);

const example = {
  restoration_id: '0d2bb0f0-6f0c-4c39-b7a5-1f6c1b1f0a11',
  environment: 'production' as const,
  state: 'ready' as const,
  problem: null,
  question: {
    saved_from: '2026-02-28T22:00:00.000Z',
    saved_until: exampleTime,
    app_versions: ['1.5.0'],
    segment: null,
    slot: null,
    data: [{ path: ['wallet', 'coins'], operator: 'fell_by_half' as const }],
  },
  played_on: null,
  words:
    '1,204 of 41,880 players have 1,310 bad saves. 88 of these saves belong to players who have played on since. Of 12 no good version is kept.',
  players: { count: 1_204, of: 41_880 },
  save_count: 1_310,
  played_on_count: 88,
  hopeless_count: 12,
  restored_count: 0,
  skipped_count: 0,
  undone_count: 0,
  kept_count: 0,
  progress: { done: 0, of: 1_298 },
  created_by: 'ada@studio.example',
  created_at: exampleTime,
  counted_at: exampleTime,
  started_at: null,
  ended_at: null,
  undo_begun_at: null,
  undone_at: null,
};

const ExampleSave = t.Resource('SaveToRestore', {
  player_id: PlayerId,
  slot: SlotName,
  version: t.Integer('The newest version at the count.'),
  bad_version: t.Integer('The first bad version.'),
  app_version: AppVersion,
  good_version: t.Nullable({
    ...Version,
    description: 'The version to restore; null if none is kept.',
  }),
  has_played_on: t.Boolean('Whether the newest version is not bad.'),
  state: t.Enum(
    ['waiting', 'hopeless', 'restored', 'skipped', 'undone', 'kept'],
    'What was done with the save.',
  ),
});

export const createSaveRestoration = operation('POST /v1/games/{game_id}/save-restorations', {
  access: 'developer',
  summary: 'Look for saves that a bad build has spoiled',
  description: [
    'Servers look in the background for bad versions of saves: those that were saved in a time, by some versions of the game, and whose data meet conditions. A version with a bad one before it is compared with the last good version, the one before the first bad one. Nothing is changed before the restoration is started.',
    `Deleted saves are not looked at. Only kept versions can be found and restored; see \`PUT /v1/saves\`. An environment keeps ${MAX_RESTORATIONS} restorations, each for ${RESTORATION_DAYS} days.`,
  ].join('\n\n'),
  query: EnvironmentQuery,
  body: NewRestoration,
  example: {
    saved_from: '2026-02-28T22:00:00Z',
    app_versions: ['1.5.0'],
    data: [{ path: ['wallet', 'coins'], operator: 'fell_by_half' }],
  },
  answers: {
    201: answer('The count has begun.', SaveRestoration, { ...example, state: 'counting' }),
    409: tooManyRestorations,
  },
});

export const listSaveRestorations = operation('GET /v1/games/{game_id}/save-restorations', {
  access: 'viewer',
  summary: 'List the restorations of saves',
  description: 'The newest first.',
  query: EnvironmentQuery,
  answers: {
    200: answer(
      'The restorations.',
      t.Object({
        restorations: t.Array(SaveRestoration),
        next_cursor: t.Null({ description: 'Always null: the list has one page.' }),
      }),
      { restorations: [example], next_cursor: null },
    ),
  },
});

const PATH = '/v1/games/{game_id}/save-restorations/{restoration_id}';

export const getSaveRestoration = operation(`GET ${PATH}`, {
  access: 'viewer',
  summary: 'Show a restoration of saves',
  description: `With at most ${MAX_EXAMPLES} of its saves, by player: saves of players who have not played on come first.`,
  query: EnvironmentQuery,
  answers: {
    200: answer('The restoration.', t.Object({ ...members, examples: t.Array(ExampleSave) }), {
      ...example,
      examples: [
        {
          player_id: 'player-42',
          slot: 'main',
          version: 12,
          bad_version: 11,
          app_version: '1.5.0',
          good_version: 10,
          has_played_on: false,
          state: 'waiting' as const,
        },
      ],
    }),
    404: noRestoration,
  },
});

export const startSaveRestoration = operation(`POST ${PATH}/start`, {
  access: 'developer',
  summary: 'Restore the saves that were found',
  description: [
    'Of each bad save, the last good version is stored as a new version, in the background. Nothing is deleted. A game that saves from an older version gets 409 with the restored save, and its own handling of conflicts decides.',
    '`played_on` says what happens to saves of players who have played on since, also after the count: `skip` leaves them alone. `restore` restores them like the others. `conflict` does so too, but the restored version keeps the time at which it was first saved, so that a game that takes the newest of two saves takes what was played since.',
    'A save without a kept good version stays as it is. If the game has no room for more bytes of saves, the work pauses.',
  ].join('\n\n'),
  query: EnvironmentQuery,
  body: t.Object({
    played_on: t.Enum(PLAYED_ON_CHOICES, 'What happens to saves of players who have played on.'),
    save_count: t.Integer(
      'The `save_count` that was confirmed. With another one nothing is started.',
      {
        minimum: 0,
      },
    ),
  }),
  example: { played_on: 'skip', save_count: 1_310 },
  answers: {
    200: answer('The restoration has begun.', SaveRestoration, {
      ...example,
      state: 'running',
      played_on: 'skip',
      started_at: exampleTime,
    }),
    404: noRestoration,
    409: wrongState,
  },
});

export const pauseSaveRestoration = operation(`POST ${PATH}/pause`, {
  access: 'developer',
  summary: 'Pause a restoration of saves',
  description: 'Pauses the count, the restoration or its undo.',
  query: EnvironmentQuery,
  answers: {
    200: answer('The work is paused.', SaveRestoration, { ...example, state: 'paused' }),
    404: noRestoration,
    409: wrongState,
  },
});

export const continueSaveRestoration = operation(`POST ${PATH}/continue`, {
  access: 'developer',
  summary: 'Go on with a paused restoration of saves',
  description: 'Goes on with the count, the restoration or its undo.',
  query: EnvironmentQuery,
  answers: {
    200: answer('The work goes on.', SaveRestoration, { ...example, state: 'running' }),
    404: noRestoration,
    409: wrongState,
  },
});

export const undoSaveRestoration = operation(`POST ${PATH}/undo`, {
  access: 'developer',
  summary: 'Undo a restoration of saves',
  description:
    'Of each save that was restored, the version before is stored as a new version, in the background. Saves of players who have played on since the restoration are left alone. A paused restoration can be undone too; the saves that it has not restored yet stay as they are.',
  query: EnvironmentQuery,
  answers: {
    200: answer('The undo has begun.', SaveRestoration, { ...example, state: 'undoing' }),
    404: noRestoration,
    409: wrongState,
  },
});

export const deleteSaveRestoration = operation(`DELETE ${PATH}`, {
  access: 'developer',
  summary: 'Forget a restoration of saves',
  description:
    'The saves stay as they are, and the restoration cannot be undone any more. One that is running must be paused first.',
  query: EnvironmentQuery,
  answers: {
    204: { description: 'It is forgotten.' },
    404: noRestoration,
    409: wrongState,
  },
});

/** A restoration, as answers show it. */
export type SaveRestorationAnswer = SuccessOf<typeof listSaveRestorations>['restorations'][number];
/** A save of a restoration, as answers show it. */
export type SaveToRestore = SuccessOf<typeof getSaveRestoration>['examples'][number];
/** The question of a restoration in requests. */
export type SentQuestion = BodyOf<typeof createSaveRestoration>;
/** The question of a restoration in answers. */
export type RestorationQuestion = SaveRestorationAnswer['question'];
