import { answer, errorAnswer, PageOf } from '../answers.ts';
import { AskedPlayerId, CursorQuery, SentPlayerId } from '../common.ts';
import { limitReached } from '../limits.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { AcceptLanguage, AskedLocale } from '../translations.ts';
import { exampleMessage, exampleRewards, Fields, Rewards } from './message-fields.ts';
import { MAX_OWN_MESSAGES } from './message-limits.ts';

const operation = operationsIn('Messages');

const PlayerMessage = t.Resource('PlayerMessage', {
  id: t.Uuid('Id of the message.'),
  title: t.String('Title.'),
  text: t.String('Text; may be empty.'),
  locale: t.Nullable(t.String('The language of the texts; null: the default one.')),
  data: Fields.data,
  rewards: Fields.rewards,
  starts_at: t.Timestamp('Since when the player has it.'),
  ends_at: Fields.ends_at,
  read: t.Boolean('Whether the player has read it.'),
  claimed: t.Boolean('Whether the player has claimed its rewards.'),
});

const messageGone = errorAnswer(
  'The player has no such message: it is for others, has ended, was recalled, or the player has deleted it.',
  'Message not found',
);
const newPlayer = limitReached(
  'The call may not act for this player; or the player is new, and the game has as many players as it may have.',
  'players',
);

export const listMessages = operation('GET /v1/messages', {
  access: 'key',
  summary: 'List the messages of a player',
  description: [
    `The newest first: messages to the player alone, of which the newest ${MAX_OWN_MESSAGES} are listed, and messages to many. Those that have not begun, have ended, were recalled or deleted are left out. A player whom the game has not named yet has the messages to everyone who joins later.`,
    'Texts are in the language that `locale` asks for, else in the first one of `Accept-Language` that the message has; else they are the default ones. Send the `ETag` of an answer as `If-None-Match`, and the answer is 304 without a body as long as nothing has changed.',
  ].join('\n\n'),
  query: t.Object({ player_id: AskedPlayerId, locale: AskedLocale, ...CursorQuery.properties }),
  headers: t.Object({
    'accept-language': AcceptLanguage,
    'if-none-match': t.Optional(t.String('`ETag` of an earlier answer, or several, or `*`.')),
  }),
  answers: {
    200: {
      ...answer(
        'A page of messages.',
        t.Object({
          ...PageOf('messages', PlayerMessage).properties,
          unread_count: t.Integer('Messages on all pages that the player has not read.'),
        }),
        {
          messages: [
            {
              ...exampleMessage,
              locale: null,
              data: { banner: 'night' },
              rewards: exampleRewards,
              starts_at: '2026-03-14T15:09:26.535Z',
              ends_at: '2026-04-14T00:00:00.000Z',
              read: false,
              claimed: false,
            },
          ],
          next_cursor: null,
          unread_count: 1,
        },
      ),
      headers: t.Object({ ETag: t.String('Identifies this answer, for `If-None-Match`.') }),
    },
    304: { description: 'Nothing has changed since the answer that `If-None-Match` names.' },
  },
});

export const readMessage = operation('POST /v1/messages/{message_id}/read', {
  access: 'key',
  summary: 'Mark a message as read',
  description: 'Idempotent: the first time stays. Makes the player, if there is none.',
  body: t.Object({ player_id: SentPlayerId }),
  example: { player_id: 'player-42' },
  answers: {
    200: answer(
      'It is read.',
      t.Object({ success: t.Literal(true), read_at: t.Timestamp('When it was first read.') }),
      { success: true, read_at: '2026-03-14T15:12:00.000Z' },
    ),
    403: newPlayer,
    404: messageGone,
  },
});

export const claimMessage = operation('POST /v1/messages/{message_id}/claim', {
  access: 'key',
  summary: 'Claim the rewards of a message',
  description: [
    'Gives the rewards once, in one transaction with the claim: of many calls at the same time, exactly one is answered `already_claimed` false. A message that is claimed is read, too. The server changes statistics and unlocks achievements; the game gives items by itself.',
    'If the answer is lost, claim again: the answer has the same `rewards` and `claimed_at`, also after the message has ended or was recalled. Keep the id of each message whose items you have given in the save, so that an answer that comes twice gives nothing twice.',
  ].join('\n\n'),
  body: t.Object({ player_id: SentPlayerId }),
  example: { player_id: 'player-42' },
  answers: {
    200: answer(
      'It is claimed.',
      t.Object({
        success: t.Literal(true),
        already_claimed: t.Boolean('Whether it was claimed before this call.'),
        claimed_at: t.Timestamp('When it was claimed.'),
        rewards: Rewards,
      }),
      {
        success: true,
        already_claimed: false,
        claimed_at: '2026-03-14T15:12:00.000Z',
        rewards: exampleRewards,
      },
    ),
    403: newPlayer,
    404: messageGone,
    409: errorAnswer(
      'The message has no rewards; or a statistic would pass a bound, and nothing is given: the player can claim again later.',
      'This message has no rewards',
    ),
  },
});

export const deleteMessage = operation('DELETE /v1/messages/{message_id}', {
  access: 'key',
  summary: 'Delete a message of a player',
  description:
    'Only for this player: others keep it. Rewards that were not claimed are lost to the player.',
  query: t.Object({ player_id: AskedPlayerId }),
  answers: {
    204: { description: 'The player no longer has it.' },
    403: newPlayer,
    404: messageGone,
  },
});
