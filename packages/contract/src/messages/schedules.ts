import { answer, errorAnswer, notFoundInGame, onePageAnswer } from '../answers.ts';
import { EnvironmentQuery } from '../common.ts';
import { limitReached } from '../limits.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import {
  Audience,
  exampleMessage,
  exampleRewards,
  exampleTranslations,
  Fields,
} from './message-fields.ts';
import { MAX_MESSAGE_SCHEDULES, MAX_SCHEDULED_HOURS } from './message-limits.ts';
import { WEEKDAYS } from './weekdays.ts';

const operation = operationsIn('Messages (dashboard)');

const content = {
  to: Audience,
  title: Fields.title,
  text: Fields.text,
  translations: Fields.translations,
  data: Fields.data,
  rewards: Fields.rewards,
  reason: Fields.reason,
};
const timing = {
  hour: t.Integer('Hour of the day in the time zone of the game, at which it is sent.', {
    minimum: 0,
    maximum: 23,
  }),
  weekdays: t.Array(t.Enum(WEEKDAYS), {
    minItems: 1,
    maxItems: WEEKDAYS.length,
    uniqueItems: true,
    description: 'The days on which it is sent: all of them, or those of a weekly message.',
  }),
  lasts_hours: t.Integer('Hours after its time at which each message ends.', {
    minimum: 1,
    maximum: MAX_SCHEDULED_HOURS,
  }),
  paused: t.Boolean('Whether nothing is sent.'),
};

const MessageSchedule = t.Resource('MessageSchedule', {
  id: t.Uuid('Id of the schedule.'),
  ...content,
  ...timing,
  next_at: t.Nullable(t.Timestamp('When the next message is sent; null while it is paused.')),
  last_sent_at: t.Nullable(t.Timestamp('When the last message was sent; null: none was.')),
  problem: t.Nullable(
    t.String('Why the last message could not be sent, such as a limit; null: it was sent.'),
  ),
  created_by: t.Nullable(t.String('E-mail address of the member who made it; null: not known.')),
  updated_at: t.Timestamp('When it was made or changed.'),
});

const sent = {
  to: { type: 'everyone' as const },
  title: exampleMessage.title,
  rewards: [{ type: 'item', key: 'coins', quantity: 50 }],
  hour: 18,
  weekdays: ['friday'],
  lasts_hours: 48,
};
const example = {
  id: '2c1f6a3e-0d3b-4c55-8a5e-9a4f6f0f7b11',
  to: { type: 'everyone' as const, joiners: 'included' as const },
  title: exampleMessage.title,
  text: exampleMessage.text,
  translations: exampleTranslations,
  data: {},
  rewards: exampleRewards,
  reason: '',
  hour: 18,
  weekdays: ['friday' as const],
  lasts_hours: 48,
  paused: false,
  next_at: '2026-03-20T17:00:00.000Z',
  last_sent_at: '2026-03-13T17:00:02.000Z',
  problem: null,
  created_by: 'ada@studio.example',
  updated_at: '2026-03-01T09:00:00.000Z',
};

const refusals = {
  403: limitReached('The caller may not send messages.', 'messages'),
  404: errorAnswer('The saved segment does not exist.', 'Segment not found'),
};

export const listMessageSchedules = operation('GET /v1/games/{game_id}/message-schedules', {
  access: 'viewer',
  summary: 'List the schedules that send messages',
  description: 'Those of one environment, the newest first. The list has one page.',
  query: EnvironmentQuery,
  answers: { 200: onePageAnswer('The schedules.', 'schedules', MessageSchedule, example) },
});

export const createMessageSchedule = operation('POST /v1/games/{game_id}/message-schedules', {
  access: 'developer',
  summary: 'Send a message every day or on days of the week',
  description: `For everyone or the players of a segment; a saved segment is read anew for each message. Sends one message for each of its days, exactly once, however many servers run: at its time, or within some seconds after it. If no server ran at the time, one message is sent later, unless it has ended by then. Each message counts towards the limits of messages; one that cannot be sent is left out, and \`problem\` says why. An environment may have ${MAX_MESSAGE_SCHEDULES} schedules.`,
  query: EnvironmentQuery,
  body: t.Object({
    to: content.to,
    title: content.title,
    text: t.Optional(content.text),
    translations: t.Optional(content.translations),
    data: t.Optional(content.data),
    rewards: t.Optional(content.rewards),
    reason: t.Optional(content.reason),
    hour: timing.hour,
    weekdays: t.Optional(timing.weekdays),
    lasts_hours: timing.lasts_hours,
    paused: t.Optional(timing.paused),
  }),
  body_validation: 'handler',
  example: sent,
  answers: {
    201: answer('It is made.', MessageSchedule, { ...example, last_sent_at: null }),
    ...refusals,
    409: errorAnswer(
      'The environment has as many schedules as it may have.',
      `An environment may have at most ${MAX_MESSAGE_SCHEDULES} schedules of messages`,
    ),
  },
});

export const updateMessageSchedule = operation(
  'PATCH /v1/games/{game_id}/message-schedules/{message_schedule_id}',
  {
    access: 'developer',
    summary: 'Change, pause or resume a schedule of messages',
    description:
      'Members that are left out stay. Messages that were sent stay as they are. While it is paused, nothing is sent, and a schedule that goes on sends nothing for the days that have passed.',
    query: EnvironmentQuery,
    body: t.Changes({ ...content, ...timing }),
    body_validation: 'handler',
    example: { paused: true },
    answers: {
      200: answer('It is changed.', MessageSchedule, { ...example, paused: true, next_at: null }),
      403: refusals[403],
      404: errorAnswer(
        'The environment has no such schedule, or the game no such saved segment.',
        'Message schedule not found',
      ),
    },
  },
);

export const deleteMessageSchedule = operation(
  'DELETE /v1/games/{game_id}/message-schedules/{message_schedule_id}',
  {
    access: 'developer',
    summary: 'Delete a schedule of messages',
    description: 'Messages that were sent stay: recall them.',
    query: EnvironmentQuery,
    answers: {
      204: { description: 'It is deleted, and sends nothing more.' },
      404: notFoundInGame('message schedule'),
    },
  },
);
