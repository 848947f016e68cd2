import { answer, errorAnswer, notFoundInGame, pageAnswer } from '../answers.ts';
import { EnvironmentPageQuery, EnvironmentQuery, PlayerId } from '../common.ts';
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
import { KEPT_MESSAGE_DAYS, MAX_OWN_MESSAGES, MAX_SHARED_MESSAGES } from './message-limits.ts';

const ofGames = operationsIn('Messages');
const operation = operationsIn('Messages (dashboard)');

const Message = t.Resource('Message', {
  id: t.Uuid('Id of the message.'),
  to: Audience,
  title: t.String('Title in the default language.'),
  text: t.String('Text in the default language; may be empty.'),
  translations: Fields.translations,
  data: Fields.data,
  rewards: Fields.rewards,
  starts_at: Fields.starts_at,
  ends_at: Fields.ends_at,
  reason: t.String('Why it was sent; may be empty.'),
  sent_at: t.Timestamp('When it was sent.'),
  sent_by: t.Nullable(
    t.String('E-mail address of the member who sent it; null: a server key, or not known.'),
  ),
  recalled_at: t.Nullable(t.Timestamp('When it was recalled; null: it was not.')),
  is_sending: t.Boolean(
    'Whether the members of a segment without joiners are still being stored: no player has the message yet.',
  ),
  member_count: t.Nullable(
    t.Integer(
      'Players who met the conditions at `members_at`; null: it is not for a segment without joiners, or is being sent.',
    ),
  ),
  members_at: t.Nullable(
    t.Timestamp(
      'The moment whose members have the message, whatever they do later: the time of sending, or later if other messages were being sent or a server ended. Null where `member_count` is.',
    ),
  ),
});

const CountedMessage = t.Object({
  ...Message.properties,
  read_count: t.Integer('Players who have read it.'),
  claimed_count: t.Integer('Players who have claimed it.'),
  deleted_count: t.Integer('Players who have deleted it.'),
});

const to = { type: 'segment' as const, has_tags: ['stranded'], joiners: 'included' as const };
const example = {
  ...exampleMessage,
  to,
  translations: exampleTranslations,
  data: { banner: 'night' },
  rewards: exampleRewards,
  starts_at: '2026-03-14T15:09:26.535Z',
  ends_at: '2026-04-14T00:00:00.000Z',
  reason: 'Outage of March 14',
  sent_at: '2026-03-14T15:09:26.535Z',
  sent_by: 'ada@studio.example',
  recalled_at: null,
  is_sending: false,
  member_count: null,
  members_at: null,
};

const NewMessage = t.Object({
  id: t.Optional(
    t.Uuid(
      'Id of the message, made by the caller. A call with the id of a message of this environment sends nothing, and answers 200 with that message: so a call whose answer was lost can be repeated.',
    ),
  ),
  to: Audience,
  title: Fields.title,
  text: t.Optional(Fields.text),
  translations: t.Optional(Fields.translations),
  data: t.Optional(Fields.data),
  rewards: t.Optional(Fields.rewards),
  starts_at: t.Optional(
    t.Timestamp('From when on players have it: the time of sending when left out.'),
  ),
  ends_at: t.Optional(t.Timestamp('Until when players have it; no end when left out.')),
  reason: t.Optional(Fields.reason),
});

const sentExample = {
  to,
  title: exampleMessage.title,
  text: exampleMessage.text,
  translations: exampleTranslations,
  rewards: [{ type: 'item', key: 'coins', quantity: 50 }],
  ends_at: '2099-04-14T00:00:00Z',
  reason: 'Outage of March 14',
};

const SENDING = `A message to many players is one row, however many they are, so it is sent at once. With \`joiners: excluded\` the members of a segment are stored in the background: if that takes more than half a second, the answer has \`is_sending\` true. An environment may have ${MAX_SHARED_MESSAGES} messages to many that have not ended, and a player ${MAX_OWN_MESSAGES} messages of the player's own. ${KEPT_MESSAGE_DAYS} days after its end or recall, a message and its counts are deleted.`;

const sentBefore = answer('A message with this `id` was sent before.', Message, example);
const refusals = {
  403: limitReached('The caller may not send, or the game has reached its limit.', 'messages'),
  404: errorAnswer('The player, or the saved segment, does not exist.', 'Player not found'),
  409: errorAnswer(
    'The player, or the environment, has as many messages as it may have.',
    `The environment has ${MAX_SHARED_MESSAGES} messages to many players that have not ended: recall one first`,
  ),
};

export const postMessage = ofGames('POST /v1/messages', {
  access: 'server_key',
  summary: 'Send a message to players',
  description: `${SENDING} A key, like an account, may send only a share of the messages of a game in an hour.`,
  body: NewMessage,
  body_validation: 'handler',
  example: sentExample,
  answers: {
    201: answer('It is sent.', Message, { ...example, sent_by: null }),
    200: sentBefore,
    ...refusals,
  },
});

export const sendMessage = operation('POST /v1/games/{game_id}/messages', {
  access: 'developer',
  summary: 'Send a message to players',
  description: SENDING,
  query: EnvironmentQuery,
  body: NewMessage,
  body_validation: 'handler',
  example: sentExample,
  answers: { 201: answer('It is sent.', Message, example), 200: sentBefore, ...refusals },
});

export const previewMessage = operation('POST /v1/games/{game_id}/messages/preview', {
  access: 'viewer',
  summary: 'Count the players to whom a message would go',
  description: 'Sends nothing. The players as they are now; joiners come on top.',
  query: EnvironmentQuery,
  body: t.Object({ to: Audience }),
  body_validation: 'handler',
  example: { to },
  answers: {
    200: answer(
      'The players.',
      t.Object({
        words: t.String('Who gets the message, in words.'),
        players: t.Object({
          count: t.Integer('Players to whom it would go.'),
          of: t.Integer('All players of the environment.'),
        }),
        examples: t.Array(
          t.Object({
            player_id: PlayerId,
            name: t.Nullable(t.String('Name of the player; null: none.')),
          }),
          { description: 'Some of these players, those seen last first.' },
        ),
      }),
      {
        words: 'Players with the tag stranded, and those who get it later',
        players: { count: 1_204, of: 18_204 },
        examples: [{ player_id: 'player-42', name: 'Ada' }],
      },
    ),
    404: refusals[404],
  },
});

export const listGameMessages = operation('GET /v1/games/{game_id}/messages', {
  access: 'viewer',
  summary: 'List the messages of an environment with their counts',
  description: 'The newest first, also those that have ended or were recalled.',
  query: t.Object({
    ...EnvironmentPageQuery.properties,
    player_id: t.Optional(t.Name('Only messages to this player alone.')),
    audience: t.Optional(
      t.Enum(
        ['player', 'many'],
        'Only messages to single players, or only messages to many; both when left out.',
      ),
    ),
  }),
  answers: {
    200: pageAnswer('A page of messages.', 'messages', CountedMessage, {
      ...example,
      read_count: 811,
      claimed_count: 640,
      deleted_count: 12,
    }),
  },
});

const RECALL =
  'Takes no body. No player has the message any more, and nobody can claim it. Rewards that were claimed stay. A claim at the same time happens wholly before the recall, or not at all.';
const recalled = {
  200: answer('It is recalled, also if it was before.', Message, {
    ...example,
    recalled_at: '2026-03-15T08:00:00.000Z',
  }),
  404: notFoundInGame('message'),
};

export const takeBackMessage = ofGames('POST /v1/messages/{message_id}/recall', {
  access: 'server_key',
  summary: 'Recall a message',
  description: `${RECALL} A key can recall every message of its environment, also one that a member or a schedule has sent.`,
  answers: recalled,
});

export const recallMessage = operation('POST /v1/games/{game_id}/messages/{message_id}/recall', {
  access: 'developer',
  summary: 'Recall a message',
  description: RECALL,
  query: EnvironmentQuery,
  answers: recalled,
});

export const MESSAGE_STATES = ['read', 'claimed', 'deleted'] as const;

export const listMessagePlayers = operation(
  'GET /v1/games/{game_id}/messages/{message_id}/players',
  {
    access: 'viewer',
    summary: 'List the players behind a count of a message',
    description: 'In the order of their ids.',
    query: t.Object({
      ...EnvironmentPageQuery.properties,
      state: t.Enum(MESSAGE_STATES, 'Players who have read, claimed or deleted it.', {
        default: 'read',
      }),
    }),
    answers: {
      200: pageAnswer(
        'A page of players.',
        'players',
        t.Resource('MessagePlayer', {
          player_id: PlayerId,
          name: t.Nullable(t.String('Name of the player; null: none.')),
          read_at: t.Nullable(t.Timestamp('When the player read it.')),
          claimed_at: t.Nullable(t.Timestamp('When the player claimed it.')),
          deleted_at: t.Nullable(t.Timestamp('When the player deleted it.')),
        }),
        {
          player_id: 'player-42',
          name: 'Ada',
          read_at: '2026-03-14T15:12:00.000Z',
          claimed_at: '2026-03-14T15:12:00.000Z',
          deleted_at: null,
        },
      ),
      404: notFoundInGame('message'),
    },
  },
);
