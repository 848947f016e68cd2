import { answer, badRequest, errorAnswer, ErrorWith } from '../answers.ts';
import { EnvironmentQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { exampleParameters, Parameters } from './config.ts';
import { MAX_SCHEDULED_PARAMETERS } from './schedule-limits.ts';

const operation = operationsIn('Remote config (dashboard)');

/** The maximum number of scheduled changes of an environment that are coming or running. */
export const MAX_OPEN_SCHEDULES = 50;
/** The number of past scheduled changes that an environment keeps. */
export const KEPT_PAST_SCHEDULES = 100;
/** The largest request body of a scheduled change, in bytes. */
const MAX_SCHEDULE_BYTES = 64 * 1024;

const SCHEDULE_STATES = ['coming', 'running', 'done', 'cancelled', 'missed', 'failed'] as const;
export type ScheduleState = (typeof SCHEDULE_STATES)[number];

const SCHEDULE_NAME = 'The purpose of the change, for the members of the game.';
const ScheduleFields = {
  id: t.Uuid('Identifies the scheduled change.'),
  name: t.Name(SCHEDULE_NAME),
  version: t.Integer('1 for a new change, raised each time somebody sets it.'),
  state: t.Enum(
    SCHEDULE_STATES,
    '`coming`: not begun. `running`: begun, and its end is to come. `done`: begun, and ended if it has an end. `cancelled`: taken back before it began. `missed`: no server ran between its start and its end, so nothing was changed. `failed`: the config would have become too large, or a running experiment has a parameter; `problem` has the reason.',
  ),
  starts_at: t.Timestamp('When its parameters are stored as a new version.'),
  ends_at: t.Nullable(
    t.Timestamp('When its parameters return to their earlier values; null: they stay.'),
  ),
  keys: t.Array(t.String('Key of a parameter.'), { description: 'The parameters it changes.' }),
  author: t.Nullable(
    t.String('E-mail address of the account that last set it, who is the author of its versions.'),
  ),
  started_version: t.Nullable(t.Integer('The version of its start; null before.')),
  ended_version: t.Nullable(t.Integer('The version of its end; null before.')),
  kept_keys: t.Array(t.String('Key of a parameter.'), {
    description:
      'The parameters that somebody changed by hand while it ran, or that a running experiment has; its end left them as they were.',
  }),
  problem: t.Nullable(t.String('Why it failed, in words.')),
  created_at: t.Timestamp('When it was made.'),
  updated_at: t.Timestamp('When it was last set.'),
  closed_at: t.Nullable(t.Timestamp('When it was done, cancelled, missed or failed.')),
};

const ScheduleInList = t.Resource('ConfigScheduleInList', ScheduleFields);
const Schedule = t.Resource('ConfigSchedule', { ...ScheduleFields, parameters: Parameters });

const scheduledParameters = { daily_reward: { value: 250 } };

const exampleInList = {
  id: '7d3c1f1e-52c6-4a52-9d0a-6a2f6f0a3b11',
  name: 'Double rewards of the weekend',
  version: 1,
  state: 'coming',
  starts_at: '2099-03-13T23:00:00.000Z',
  ends_at: '2099-03-15T23:00:00.000Z',
  keys: Object.keys(scheduledParameters),
  author: 'ada@studio.example',
  started_version: null,
  ended_version: null,
  kept_keys: [],
  problem: null,
  created_at: '2026-03-10T15:09:26.535Z',
  updated_at: '2026-03-10T15:09:26.535Z',
  closed_at: null,
} as const;
const example = { ...exampleInList, parameters: scheduledParameters };

const SentFields = {
  name: t.NewName(SCHEDULE_NAME),
  starts_at: t.Optional(t.Timestamp('When it begins. At once when left out.')),
  ends_at: t.Optional(
    t.Nullable(
      t.Timestamp('When its parameters return to their earlier values. They stay when left out.'),
    ),
  ),
  parameters: Parameters,
};

const conflict = answer(
  'Another coming or running change touches a parameter at the same time; `schedule_id` names it. Or the change has begun or is over, its version differs from the one sent, or a running experiment has a parameter that would change; `experiment_id` names it, and it must be stopped or shipped first. Nothing was changed.',
  ErrorWith({
    server_version: t.Optional(t.Integer('The current version, if it differs from the one sent.')),
    schedule_id: t.Optional(t.Uuid('The other change.')),
    experiment_id: t.Optional(t.Uuid('The running experiment.')),
    key: t.Optional(t.String('The parameter of both.')),
  }),
  {
    error:
      'daily_reward is changed by "Spring sale" from 2099-03-14T08:00:00.000Z to 2099-03-16T08:00:00.000Z',
    schedule_id: '0c9f8a52-7d4b-4d6e-8b1a-1f0f4f3d2c10',
    key: 'daily_reward',
  },
);

const refused = badRequest('ends_at must be after starts_at');

const inWords = [
  'At its start the parameters are stored as a new version, whose author is the account that last set the change. At its end each parameter returns to its value before the start. A parameter that somebody has changed by hand in between stays as it is then, and so does one that a running experiment has.',
  'Every server gives the new values from that moment on, by the clock of the database. A change whose start passed while no server ran begins as soon as one runs; if its end has passed too, it is `missed`.',
  'Two changes of one environment cannot touch one parameter at the same time. One may begin at the moment at which another ends. A parameter of a running experiment cannot be scheduled to change.',
].join('\n\n');

export const listConfigSchedules = operation('GET /v1/games/{game_id}/config/schedules', {
  access: 'viewer',
  summary: 'List scheduled changes of a config',
  description: `All coming and running ones in the order of their start, at most ${MAX_OPEN_SCHEDULES}, and the last ${KEPT_PAST_SCHEDULES} of the past, the newest first.`,
  query: EnvironmentQuery,
  answers: {
    200: answer(
      'The scheduled changes.',
      t.Object({ open: t.Array(ScheduleInList), past: t.Array(ScheduleInList) }),
      { open: [exampleInList], past: [] },
    ),
  },
});

export const createConfigSchedule = operation('POST /v1/games/{game_id}/config/schedules', {
  access: 'developer',
  summary: 'Schedule a change of a config',
  description: `For one to ${MAX_SCHEDULED_PARAMETERS} parameters; parameters that the config does not have are added. The body may have ${MAX_SCHEDULE_BYTES / 1024} KB.\n\n${inWords}`,
  query: EnvironmentQuery,
  body: t.Object(SentFields),
  body_validation: 'handler',
  max_body_bytes: MAX_SCHEDULE_BYTES,
  example: {
    name: example.name,
    starts_at: example.starts_at,
    ends_at: example.ends_at,
    parameters: { daily_reward: exampleParameters.daily_reward },
  },
  answers: {
    201: answer('The scheduled change.', Schedule, example),
    400: refused,
    409: conflict,
  },
});

export const getConfigSchedule = operation(
  'GET /v1/games/{game_id}/config/schedules/{schedule_id}',
  {
    access: 'viewer',
    summary: 'Show a scheduled change of a config',
    description: 'With the parameters that it stores.',
    query: EnvironmentQuery,
    answers: { 200: answer('The scheduled change.', Schedule, example) },
  },
);

export const updateConfigSchedule = operation(
  'PATCH /v1/games/{game_id}/config/schedules/{schedule_id}',
  {
    access: 'developer',
    summary: 'Change a scheduled change of a config',
    description:
      'Members that are left out stay as they are. Of a running change only `name` and `ends_at` can be set; with `ends_at` null its parameters stay, and it is done.',
    query: EnvironmentQuery,
    body: t.Changes({
      version: t.Integer('Expected current version of the change; left out: any.', { minimum: 1 }),
      name: SentFields.name,
      starts_at: t.Timestamp('When it begins.'),
      ends_at: SentFields.ends_at,
      parameters: Parameters,
    }),
    body_validation: 'handler',
    max_body_bytes: MAX_SCHEDULE_BYTES,
    example: { ends_at: '2099-03-16T23:00:00.000Z' },
    answers: {
      200: answer('The change as it is now.', Schedule, {
        ...example,
        ends_at: '2099-03-16T23:00:00.000Z',
      }),
      400: refused,
      409: conflict,
    },
  },
);

export const cancelConfigSchedule = operation(
  'POST /v1/games/{game_id}/config/schedules/{schedule_id}/cancel',
  {
    access: 'developer',
    summary: 'Cancel a scheduled change of a config, or end it now',
    description:
      'Takes no body. A coming change never begins. A running one ends at once, and its parameters return as at its end.',
    query: EnvironmentQuery,
    answers: {
      200: answer('The change as it is now.', Schedule, { ...example, state: 'cancelled' }),
      409: errorAnswer('The change is over already.', 'The scheduled change is over already'),
    },
  },
);
