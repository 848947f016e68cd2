import { answer, errorAnswer } from '../answers.ts';
import { CursorQuery, EnvironmentQuery } from '../common.ts';
import { StoredEvent, eventExample } from '../events/dashboard.ts';
import { entryMembers, Season } from '../leaderboards/leaderboards.ts';
import { SCORE_OUTCOMES, ScoreBefore } from '../leaderboards/ledger.ts';
import { HOLD_REASONS } from '../leaderboards/rules.ts';
import { Reward } from '../messages/message-fields.ts';
import { operationsIn } from '../operations-in.ts';
import { BoardName } from '../path-parameters.ts';
import { SizeBytes, SlotName } from '../saves/save-fields.ts';
import { t } from '../schema.ts';
import { exampleDetail, Session } from './players.ts';
import { SESSION_ENDS, STORY_KINDS } from './story-kinds.ts';

const operation = operationsIn('Players (dashboard)');

const At = t.Timestamp('When it happened, by the clock of the server.');

const { id, event_name, session_id, properties, client_timestamp, occurred_at } =
  StoredEvent.properties;

const StoryEvent = t.Resource('StoryEvent', {
  kind: t.Literal('event'),
  at: At,
  id,
  event_name,
  session_id,
  properties,
  client_timestamp,
  occurred_at,
});

const StorySave = t.Resource('StorySave', {
  kind: t.Literal('save'),
  at: At,
  action: t.Enum(['stored', 'deleted'], 'A version was stored, or the save was deleted.'),
  slot: SlotName,
  version: t.Integer('The version; of a deletion the last one.'),
  size_bytes: SizeBytes,
  restoration_id: t.Nullable(
    t.Uuid('The restoration that stored the version, itself or by its undo; null for none.'),
  ),
});

const StoryUnlock = t.Resource('StoryUnlock', {
  kind: t.Literal('unlock'),
  at: At,
  achievement_key: t.String('Key of the achievement.'),
  name: t.String('Name of the achievement.'),
  points: t.Integer('Points of the achievement.'),
});

const StoryMessage = t.Resource('StoryMessage', {
  kind: t.Literal('message'),
  at: At,
  message_id: t.Uuid('Id of the message.'),
  action: t.Enum(
    ['sent', 'read', 'claimed', 'deleted'],
    'A message was sent to the player alone; or the player has read, claimed or deleted a message. A claim also reads.',
  ),
  title: t.String('Title of the message in the default language.'),
  rewards: t.Array(
    t.Object({
      type: Reward.properties.type,
      key: t.String('Name of the item, or key of the statistic or the achievement.'),
      quantity: Reward.properties.quantity,
      value: Reward.properties.value,
    }),
    { description: 'The rewards of the message; of a claim, those that it has given.' },
  ),
});

const StoryScore = t.Resource('StoryScore', {
  kind: t.Literal('score'),
  at: At,
  board_name: BoardName,
  season: Season,
  score: entryMembers.score,
  score_before: ScoreBefore,
  outcome: t.Enum(
    ['best', ...SCORE_OUTCOMES],
    "`best`: the player's best score of the season, on a board without a ledger; the others are the outcomes of submits.",
  ),
  rule: t.Nullable(
    t.Enum(
      HOLD_REASONS,
      'The rule that the submit broke; `by_hand`: a member took the score off the board; null for none.',
    ),
  ),
});

const StoryLogin = t.Resource('StoryLogin', {
  kind: t.Literal('login'),
  at: At,
  action: t.Enum(
    ['linked', 'logged_in', ...SESSION_ENDS],
    'A login was linked to the player; it was used; the player logged out; or the session ended, because one of its refresh tokens was used twice.',
  ),
  provider: t.String('The provider of the login.'),
  subject: t.String('Id of the player at the provider.'),
});

const StoryChange = t.Resource('StoryChange', {
  kind: t.Literal('change'),
  at: At,
  id: t.Integer('Number of the entry in the audit log.'),
  action: t.String('Name of the change, such as `update_player`.'),
  target: t.String('Name or id of the changed thing.'),
  account_email: t.Nullable(
    t.String('E-mail address of the account; null for a server key and the command line.'),
  ),
  details: t.JsonObject('Details of the change; the members depend on the action.'),
});

/** The maximum number of changes by the game that are kept for a player. */
export const MAX_GAME_CHANGES = 100;
/** The maximum number of properties that a change by the game names. */
export const MAX_NAMED_PROPERTIES = 6;

const CutJson = (of: string) =>
  t.String(`The value ${of}, as JSON; of a long one the first characters, and an ellipsis.`);

const StoryGameChange = t.Resource('StoryGameChange', {
  kind: t.Literal('game_change'),
  at: At,
  properties: t.Array(
    t.Object({
      name: t.String('Name of the property.'),
      before: t.Nullable(CutJson('before')),
      after: CutJson('since then'),
    }),
    { description: `Properties that got another value, at most ${MAX_NAMED_PROPERTIES}.` },
  ),
  has_more: t.Boolean('Whether further properties have changed.'),
  added_tag: t.Nullable(t.String('The tag that was added.')),
  removed_tag: t.Nullable(t.String('The tag that was removed.')),
});

export const getPlayerStory = operation('GET /v1/games/{game_id}/players/{player_id}/story', {
  access: 'viewer',
  summary: 'Read the story of a player',
  description: [
    'All that is on record about a player in one list, the latest first: events by receipt, kept versions of saves, unlocks, messages, scores, logins, changes of properties and tags by the game, and changes by staff. `next_cursor` may also follow a short or empty page.',
    `Scores are the best of each season, and the submits that ledgers have. Logins are those that opened one of the last sessions of the player, together with the logouts; a session is on record until it expires or would expire. Of the changes by the game itself, the last ${MAX_GAME_CHANGES} are kept; the first properties and tags of a new player are none, and properties of more than 8 KB together change without names. Changes by staff, submits and waiting scores are for developers and above; viewers get the other entries.`,
  ].join('\n\n'),
  query: t.Object({
    ...EnvironmentQuery.properties,
    ...CursorQuery.properties,
    kind: t.Optional(
      t.Array(t.Enum(STORY_KINDS), {
        maxItems: STORY_KINDS.length,
        description: 'Only entries of this kind; given several times, of these kinds.',
      }),
    ),
    session_id: t.Optional(
      t.Name(
        'Only events of this session, and other entries from between its first and last event.',
      ),
    ),
    event_name: t.Optional(
      t.Name('Of the events, only those of this name, such as the purchases of the game.'),
    ),
    before: t.Optional(t.Timestamp('Only entries from before this moment.')),
  }),
  answers: {
    200: answer(
      'A page of the story.',
      t.Object({
        entries: t.Array(
          t.Union([
            StoryEvent,
            StorySave,
            StoryUnlock,
            StoryMessage,
            StoryScore,
            StoryLogin,
            StoryGameChange,
            StoryChange,
          ]),
        ),
        sessions: t.Array(Session, {
          description: 'The sessions of the events on this page, and the one that was asked for.',
        }),
        next_cursor: t.Nullable(t.String('Give it as `cursor` to read on; null at the end.')),
      }),
      {
        entries: [
          {
            kind: 'event',
            at: eventExample.received_at,
            id: eventExample.id,
            event_name: eventExample.event_name,
            session_id: eventExample.session_id,
            properties: eventExample.properties,
            client_timestamp: eventExample.client_timestamp,
            occurred_at: eventExample.occurred_at,
          },
        ],
        sessions: exampleDetail.session_history,
        next_cursor: null,
      },
    ),
    404: errorAnswer(
      'The game has no such player, the player has no such session, or the account is no member of the game.',
      'Player not found',
    ),
  },
});
