import { answer, errorAnswer } from '../answers.ts';
import { CursorQuery, ENVIRONMENTS, NewPlayerId, PlayerId, SentPlayerId } from '../common.ts';
import { playerLimitReached } from '../limits.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';

/** Maximum size of the properties of a player, in bytes of the UTF-8 text that answers contain. */
export const MAX_PLAYER_PROPERTIES_BYTES = 64 * 1024;
/** Longest tag, in characters. */
export const MAX_TAG_LENGTH = 64;
/** The maximum number of tags of a player. */
export const MAX_TAGS = 100;
/** The maximum number of sessions in the detail of a player. */
export const MAX_SESSION_HISTORY = 50;
/** The maximum number of events in one answer of the timeline. */
export const MAX_TIMELINE_LIMIT = 500;
/** The maximum number of events that a read of the timeline skips. It reads all of them. */
export const MAX_TIMELINE_OFFSET = 5_000;

const operation = operationsIn('Players');

export const Properties = t.JsonObject('Properties of the player: any JSON object.');
export const Tag = t.String(
  `A tag: 1 to ${MAX_TAG_LENGTH} characters, stored in lower case, without spaces at its ends.`,
);
export const Tags = t.Array(t.String(), {
  description: 'Tags, in the order they were added.',
});

const exampleProperties = { country: 'de', level: 7 };
export const exampleTime = '2026-03-01T18:24:05.120Z';

export const tooLarge = errorAnswer(
  `The properties would exceed ${MAX_PLAYER_PROPERTIES_BYTES / 1024} KB, or the body is too large. Nothing was changed.`,
  'The properties of a player may have at most 65536 bytes',
);
const tooManyTags = errorAnswer(
  'A field is missing or invalid, or the player has reached the limit of tags.',
  `A player may have at most ${MAX_TAGS} tags`,
);

export const identifyPlayer = operation('POST /v1/identify', {
  access: 'key',
  summary: 'Set properties of a player',
  description: [
    'Merges `properties` into the stored ones: each property that is sent replaces the stored property of this name as a whole, all others are kept, and `null` stores null. The answer holds the merged properties.',
    `The first call that names a player makes the player. The merged properties may have ${MAX_PLAYER_PROPERTIES_BYTES / 1024} KB, as the answer shows them. Whole numbers of any size are kept exactly. If a key appears twice, the last one counts. The order of keys is not kept.`,
  ].join('\n\n'),
  body: t.Object({ player_id: SentPlayerId, properties: Properties }),
  body_validation: 'handler',
  raw_member: 'properties',
  example: { player_id: 'player-42', properties: { level: 7 } },
  answers: {
    200: answer(
      'The properties are stored.',
      t.Object({ player_id: PlayerId, properties: Properties }),
      { player_id: 'player-42', properties: exampleProperties },
    ),
    403: playerLimitReached,
    413: tooLarge,
  },
});

export const addPlayerTag = operation('POST /v1/players/{player_id}/tags', {
  access: 'key',
  params: t.Object({ player_id: NewPlayerId }),
  summary: 'Tag a player',
  description: `Adds a tag, trimmed and in lower case; a tag that the player already has changes nothing. A player has at most ${MAX_TAGS} tags. The first call that names a player makes the player.`,
  body: t.Object({ tag: Tag }),
  example: { tag: 'VIP' },
  answers: {
    200: answer('The player has the tag.', t.Object({ player_id: PlayerId, tags: Tags }), {
      player_id: 'player-42',
      tags: ['beta', 'vip'],
    }),
    403: playerLimitReached,
    400: tooManyTags,
  },
});

export const removePlayerTag = operation('DELETE /v1/players/{player_id}/tags/{tag}', {
  access: 'key',
  summary: 'Remove a tag from a player',
  description: 'The tag is trimmed and converted to lower case, as when it was added.',
  params: t.Object({ player_id: PlayerId, tag: Tag }),
  answers: {
    204: { description: 'The tag is removed.' },
    404: errorAnswer('The player does not have the tag.', 'Tag not found'),
  },
});

export const Session = t.Object({
  session_id: t.String('Identifier of the session.'),
  started_at: t.Timestamp('Time of its first event.'),
  last_event_at: t.Timestamp('Time of its last event.'),
  event_count: t.Integer('Number of its events.'),
});

export const PlayerDetail = t.Resource('PlayerDetail', {
  player_id: PlayerId,
  properties: Properties,
  tags: Tags,
  session_history: t.Array(Session, {
    description: `The newest ${MAX_SESSION_HISTORY} sessions, the latest first.`,
  }),
  first_seen_at: t.Timestamp('When the player was first named.'),
  last_seen_at: t.Timestamp('When the game last wrote something for the player.'),
});

export const examplePlayer = {
  player_id: 'player-42',
  properties: exampleProperties,
  tags: ['beta', 'vip'],
  first_seen_at: '2026-02-11T09:00:41.003Z',
  last_seen_at: exampleTime,
};

export const exampleDetail = {
  ...examplePlayer,
  session_history: [
    {
      session_id: 'a3f1c9d2',
      started_at: '2026-03-01T18:02:11.500Z',
      last_event_at: exampleTime,
      event_count: 48,
    },
  ],
};

/**
 * The query with which a caller with an account token chooses game and environment of a player. A caller with
 * an API key does not need it, because the key belongs to one game and environment.
 */
const PlayerChoiceQuery = t.Object({
  game_id: t.Optional(
    t.String(
      'With a token: id of the game. If it is left out, all games of the account are searched.',
    ),
  ),
  environment: t.Optional(
    t.Enum(
      ENVIRONMENTS,
      'With a token: the environment. If it is left out, production is searched before development.',
    ),
  ),
});

const eitherCaller =
  'An API key finds the player in its game and environment. With a token, `game_id` and `environment` choose. If `game_id` is left out, all games of the account are searched; a player id that is found in several games answers 400 and asks for `game_id`. If `environment` is left out, production is searched before development. With both credentials the key decides.';
const unknownPlayer = errorAnswer(
  'There is no such player, or no such game that the caller may see.',
  'Player not found',
);
const ambiguousPlayer = errorAnswer(
  'A parameter is invalid, or the player is found in several games.',
  'game_id is required: several games have this player',
);

export const getPlayer = operation('GET /v1/players/{player_id}', {
  access: 'key_or_account',
  summary: 'Show a player',
  description: `Properties, tags and the newest ${MAX_SESSION_HISTORY} sessions. ${eitherCaller}`,
  query: PlayerChoiceQuery,
  answers: {
    200: answer('The player.', PlayerDetail, exampleDetail),
    400: ambiguousPlayer,
    404: unknownPlayer,
  },
});

export const getPlayerTimeline = operation('GET /v1/players/{player_id}/timeline', {
  access: 'key_or_account',
  summary: 'List the events of a player',
  description: `The newest event first. A \`limit\` over ${MAX_TIMELINE_LIMIT} counts as ${MAX_TIMELINE_LIMIT}. An \`offset\` over ${MAX_TIMELINE_OFFSET} answers 400; \`cursor\` reads older events. ${eitherCaller}`,
  query: t.Object({
    ...PlayerChoiceQuery.properties,
    limit: t.Integer('Number of events.', { minimum: 1, default: 50 }),
    offset: t.Integer(
      `Number of events to skip, at most ${MAX_TIMELINE_OFFSET}. With \`cursor\`, they are counted from there on.`,
      { minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 },
    ),
    cursor: CursorQuery.properties.cursor,
  }),
  answers: {
    200: answer(
      'Events of the player.',
      t.Object({
        player_id: PlayerId,
        events: t.Array(
          t.Object({
            event_name: t.String('Identifier of the event.'),
            session_id: t.String('Session it belongs to.'),
            properties: t.JsonObject('Data of the event.'),
            client_timestamp: t.Union([
              t.Timestamp('Time by the clock of the client; null if none was sent.'),
              t.Null(),
            ]),
            received_at: t.Timestamp('When the server accepted it.'),
          }),
        ),
        limit: t.Integer('The limit that was used.'),
        offset: t.Integer('The offset that was used.'),
        next_cursor: t.Nullable(t.String('Give it as `cursor` to read on; null at the end.')),
      }),
      {
        player_id: 'player-42',
        events: [
          {
            event_name: 'level_complete',
            session_id: 'a3f1c9d2',
            properties: { level: 7, stars: 3 },
            client_timestamp: '2026-03-01T18:24:05.120Z',
            received_at: '2026-03-01T18:24:05.391Z',
          },
        ],
        limit: 50,
        offset: 0,
        next_cursor: null,
      },
    ),
    400: ambiguousPlayer,
    404: unknownPlayer,
  },
});
