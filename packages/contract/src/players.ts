import { Type } from 'typebox';
import {
  EnvironmentName,
  EnvironmentQuery,
  ENVIRONMENTS,
  errorAnswer,
  GameId,
  JsonObject,
  merge,
  Name,
  PageOf,
  PageQuery,
  Resource,
  Timestamp,
  Uuid,
} from './common.ts';
import { defineOperation } from './operation.ts';

/** Largest properties of a player, in bytes of UTF-8 as the answers show them. */
export const MAX_PLAYER_PROPERTIES_BYTES = 64 * 1024;
/** Longest tag, in characters. */
export const MAX_TAG_LENGTH = 64;
/** Most tags of a player. */
export const MAX_TAGS = 100;
/** Sessions in the detail of a player. */
export const MAX_SESSION_HISTORY = 50;
/** Most events in one answer of the timeline. */
export const MAX_TIMELINE_LIMIT = 500;
/** Most property filters of a search. */
export const MAX_PLAYER_FILTERS = 20;

const group = 'Players';
const dashboardGroup = 'Players (dashboard)';

const PlayerId = Name('Id of the player, given by the game.');
const Properties = JsonObject('Properties of the player: any JSON object.');
const Tag = Type.String({
  description: `A tag: 1 to ${MAX_TAG_LENGTH} characters, stored in lower case, without spaces at its ends.`,
});
const Tags = Type.Array(Type.String(), { description: 'Tags, in the order they were added.' });

const exampleProperties = { country: 'de', level: 7 };
const exampleTime = '2026-03-01T18:24:05.120Z';

const tooLarge = errorAnswer(
  `The properties would exceed ${MAX_PLAYER_PROPERTIES_BYTES / 1024} KB; nothing was changed. Or the body is too large.`,
  'The properties of a player may have at most 65536 bytes',
);
const tooManyTags = errorAnswer(
  'A field is missing or invalid, or the player has as many tags as are allowed.',
  `A player may have at most ${MAX_TAGS} tags`,
);

export const identifyPlayer = defineOperation({
  id: 'identifyPlayer',
  method: 'POST',
  path: '/v1/identify',
  access: 'key',
  group,
  summary: 'Set properties of a player',
  description: [
    'Merges `properties` into those stored: each member sent replaces the stored one of that name as a whole, members not sent are kept, and `null` stores null. The answer holds the merged properties.',
    `A player exists from the first call that names it. Merged properties may have ${MAX_PLAYER_PROPERTIES_BYTES / 1024} KB, as the answer shows them. Whole numbers of any size are kept exactly; of duplicate keys the last counts; the order of keys is not kept.`,
  ].join('\n\n'),
  body: Type.Object({ player_id: PlayerId, properties: Properties }),
  body_validation: 'handler',
  example: { player_id: 'player-42', properties: { level: 7 } },
  answers: {
    200: {
      description: 'The properties are stored.',
      body: Type.Object({ player_id: PlayerId, properties: Properties }),
      example: { player_id: 'player-42', properties: exampleProperties },
    },
    413: tooLarge,
  },
});

export const addPlayerTag = defineOperation({
  id: 'addPlayerTag',
  method: 'POST',
  path: '/v1/players/{player_id}/tags',
  access: 'key',
  group,
  summary: 'Tag a player',
  description: `Adds a tag, trimmed and in lower case; one that the player has already changes nothing. At most ${MAX_TAGS} tags a player. A player exists from the first call that names it.`,
  params: Type.Object({ player_id: PlayerId }),
  body: Type.Object({ tag: Tag }),
  example: { tag: 'VIP' },
  answers: {
    200: {
      description: 'The player has the tag.',
      body: Type.Object({ player_id: PlayerId, tags: Tags }),
      example: { player_id: 'player-42', tags: ['beta', 'vip'] },
    },
    400: tooManyTags,
  },
});

export const removePlayerTag = defineOperation({
  id: 'removePlayerTag',
  method: 'DELETE',
  path: '/v1/players/{player_id}/tags/{tag}',
  access: 'key',
  group,
  summary: 'Remove a tag from a player',
  description: 'The tag is trimmed and read in lower case, as when it was added.',
  params: Type.Object({ player_id: PlayerId, tag: Tag }),
  answers: {
    204: { description: 'The tag is removed.' },
    404: errorAnswer('The player does not have the tag.', 'Tag not found'),
  },
});

const Session = Type.Object({
  session_id: Type.String({ description: 'Identifier of the session.' }),
  started_at: Timestamp('Time of its first event.'),
  last_event_at: Timestamp('Time of its last event.'),
  event_count: Type.Integer({ description: 'Number of its events.' }),
});

const PlayerDetail = Resource('PlayerDetail', {
  player_id: PlayerId,
  properties: Properties,
  tags: Tags,
  session_history: Type.Array(Session, {
    description: `The newest ${MAX_SESSION_HISTORY} sessions, the latest first.`,
  }),
  first_seen_at: Timestamp('When the player was first named.'),
  last_seen_at: Timestamp('When the game last wrote something for the player.'),
});

const examplePlayer = {
  player_id: 'player-42',
  properties: exampleProperties,
  tags: ['beta', 'vip'],
  first_seen_at: '2026-02-11T09:00:41.003Z',
  last_seen_at: exampleTime,
};

const exampleDetail = {
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

/** Says which player is meant, for callers with a token; an API key says it by itself. */
const PlayerChoiceQuery = Type.Object({
  game_id: Type.Optional(
    Type.String({
      description:
        'With a token: id of the game. Left out, all games that the account may see are searched.',
    }),
  ),
  environment: Type.Optional(
    Type.Enum([...ENVIRONMENTS], {
      description: 'With a token: the environment. Left out, production counts before development.',
    }),
  ),
});

const eitherCaller =
  'With an API key the player is that of its game and environment. With a token `game_id` and `environment` choose; left out, all games that the account may see are searched: production counts before development within one game, and a player id found in several games is a 400 that asks for `game_id`. With both credentials the key decides.';
const unknownPlayer = errorAnswer(
  'There is no such player, or no such game that the caller may see.',
  'Player not found',
);
const ambiguousPlayer = errorAnswer(
  'A parameter is invalid, or the player is found in several games.',
  'game_id is required: several games have this player',
);

export const getPlayer = defineOperation({
  id: 'getPlayer',
  method: 'GET',
  path: '/v1/players/{player_id}',
  access: 'key_or_account',
  group,
  summary: 'Show a player',
  description: `Properties, tags and the newest ${MAX_SESSION_HISTORY} sessions. ${eitherCaller}`,
  params: Type.Object({ player_id: PlayerId }),
  query: PlayerChoiceQuery,
  answers: {
    200: { description: 'The player.', body: PlayerDetail, example: exampleDetail },
    400: ambiguousPlayer,
    404: unknownPlayer,
  },
});

export const getPlayerTimeline = defineOperation({
  id: 'getPlayerTimeline',
  method: 'GET',
  path: '/v1/players/{player_id}/timeline',
  access: 'key_or_account',
  group,
  summary: 'List the events of a player',
  description: `The newest event first. A \`limit\` over ${MAX_TIMELINE_LIMIT} is served as ${MAX_TIMELINE_LIMIT}. ${eitherCaller}`,
  params: Type.Object({ player_id: PlayerId }),
  query: merge(
    PlayerChoiceQuery,
    Type.Object({
      limit: Type.Integer({ minimum: 1, default: 50, description: 'Number of events.' }),
      offset: Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description: 'Number of newer events to leave out.',
      }),
    }),
  ),
  answers: {
    200: {
      description: 'Events of the player.',
      body: Type.Object({
        player_id: PlayerId,
        events: Type.Array(
          Type.Object({
            event_name: Type.String({ description: 'Identifier of the event.' }),
            session_id: Type.String({ description: 'Session it belongs to.' }),
            properties: JsonObject('Data of the event.'),
            client_timestamp: Type.Union([
              Timestamp('Time by the clock of the client; null when it sent none.'),
              Type.Null(),
            ]),
            received_at: Timestamp('When the server accepted it.'),
          }),
        ),
        limit: Type.Integer({ description: 'The limit that was served.' }),
        offset: Type.Integer({ description: 'The offset that was served.' }),
      }),
      example: {
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
      },
    },
    400: ambiguousPlayer,
    404: unknownPlayer,
  },
});

/** A player as the dashboard's lists show it. */
const ListedPlayer = Resource('Player', {
  player_id: PlayerId,
  properties: Properties,
  tags: Tags,
  first_seen_at: Timestamp('When the player was first named.'),
  last_seen_at: Timestamp('When the game last wrote something for the player.'),
});

export const PLAYER_SORTS = ['last_seen_at', 'first_seen_at', 'player_id'] as const;
export type PlayerSort = (typeof PLAYER_SORTS)[number];

export const FILTER_OPERATORS = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
  'exists',
  'not_exists',
] as const;

/** One condition of a player search, on one top-level property. */
export const PropertyFilter = Resource('PropertyFilter', {
  property: Type.String({ description: 'Name of a property.' }),
  operator: Type.Enum([...FILTER_OPERATORS], {
    description:
      '`eq` equals the value; `ne` is the opposite of `eq`, so it holds for players without the property too; `gt`, `gte`, `lt`, `lte` compare numbers with a number and texts with a text, and never hold between the two; `contains` holds for a text that has the value within it and for a list that has it as an element; `exists` and `not_exists` take no value.',
  }),
  value: Type.Optional(
    Type.Unsafe<string | number | boolean | null>({
      type: ['string', 'number', 'boolean', 'null'],
      description:
        'What to compare with. `gt` to `lte` take a number or a text; `exists` and `not_exists` take none.',
    }),
  ),
});

const PlayerParams = Type.Object({ game_id: GameId, player_id: PlayerId });
const unknownGamePlayer = errorAnswer(
  'The game does not exist, the account is no member of it, or it has no such player.',
  'Player not found',
);

export const listPlayers = defineOperation({
  id: 'listPlayers',
  method: 'GET',
  path: '/v1/games/{game_id}/players',
  access: 'viewer',
  group: dashboardGroup,
  summary: 'Search the players of a game',
  description:
    'All conditions given must hold. Page by page. A search that reads too long is stopped and answered 503: narrow it, or search by the beginning of the id.',
  params: Type.Object({ game_id: GameId }),
  query: merge(
    merge(EnvironmentQuery, PageQuery),
    Type.Object({
      prefix: Type.Optional(Name('Only players whose id begins with this; fast at any size.')),
      search: Type.Optional(
        Name('Only players whose id contains this, upper and lower case alike.'),
      ),
      tag: Type.Optional(
        Type.Array(Tag, {
          maxItems: MAX_TAGS,
          description: 'Only players with this tag; given several times, with all of them.',
        }),
      ),
      filter: Type.Optional(
        Type.String({
          minLength: 1,
          description: `Conditions on properties: a JSON list of at most ${MAX_PLAYER_FILTERS} objects \`{"property", "operator", "value"}\`, such as \`[{"property":"level","operator":"gte","value":10}]\`. Operators: ${FILTER_OPERATORS.map((operator) => `\`${operator}\``).join(', ')}.`,
        }),
      ),
      sort: Type.Enum([...PLAYER_SORTS], {
        default: 'last_seen_at',
        description: 'Order: times from the latest, ids from the first.',
      }),
    }),
  ),
  answers: {
    200: {
      description: 'A page of players.',
      body: PageOf('players', ListedPlayer),
      example: { players: [examplePlayer], next_cursor: null },
    },
    503: errorAnswer(
      'The search read too long; or overloaded, or the database is away.',
      'The search took longer than 5 seconds: narrow it, or search by the beginning of the id',
    ),
  },
});

export const getGamePlayer = defineOperation({
  id: 'getGamePlayer',
  method: 'GET',
  path: '/v1/games/{game_id}/players/{player_id}',
  access: 'viewer',
  group: dashboardGroup,
  summary: 'Show a player of a game',
  description: `Properties, tags and the newest ${MAX_SESSION_HISTORY} sessions.`,
  params: PlayerParams,
  query: EnvironmentQuery,
  answers: {
    200: { description: 'The player.', body: PlayerDetail, example: exampleDetail },
    404: unknownGamePlayer,
  },
});

export const updatePlayer = defineOperation({
  id: 'updatePlayer',
  method: 'PATCH',
  path: '/v1/games/{game_id}/players/{player_id}',
  access: 'developer',
  group: dashboardGroup,
  summary: 'Change properties and tags of a player',
  description:
    'Removes the properties named in `remove_properties`, then sets those in `properties`, and replaces all tags by `tags`, each where it is given; at least one must be. All or nothing.',
  params: PlayerParams,
  query: EnvironmentQuery,
  body: Type.Object({
    properties: Type.Optional(JsonObject('Properties to set; those not named are kept.')),
    remove_properties: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 1_000,
        description: 'Names of properties to remove; one that the player lacks is no error.',
      }),
    ),
    tags: Type.Optional(
      Type.Array(Tag, {
        maxItems: MAX_TAGS,
        description: 'All tags that the player shall have; an empty list removes them all.',
      }),
    ),
  }),
  body_validation: 'handler',
  example: { properties: { level: 8 }, remove_properties: ['country'], tags: ['vip'] },
  answers: {
    200: { description: 'The player as it is now.', body: ListedPlayer, example: examplePlayer },
    404: unknownGamePlayer,
    413: tooLarge,
  },
});

export const deletePlayer = defineOperation({
  id: 'deletePlayer',
  method: 'DELETE',
  path: '/v1/games/{game_id}/players/{player_id}',
  access: 'admin',
  group: dashboardGroup,
  summary: 'Erase a player',
  description:
    'Erases all that is kept of the player in this environment, in one transaction: properties, tags, saves, unlocks, scores and events. It cannot be undone; a game that names the player again makes a new one.',
  params: PlayerParams,
  query: EnvironmentQuery,
  answers: {
    204: { description: 'The player is erased.' },
    404: unknownGamePlayer,
  },
});

export const exportPlayer = defineOperation({
  id: 'exportPlayer',
  method: 'GET',
  path: '/v1/games/{game_id}/players/{player_id}/export',
  access: 'developer',
  group: dashboardGroup,
  summary: 'Export all that is kept of a player',
  description:
    'One JSON document for a player who asks what is kept: the player, and one member for each kind of data, such as `saves` or `events`.',
  params: PlayerParams,
  query: EnvironmentQuery,
  answers: {
    200: {
      description: 'All that is kept of the player.',
      body: Type.Object(
        {
          game_id: Uuid('Id of the game.'),
          environment: EnvironmentName,
          exported_at: Timestamp('When the export was made.'),
          player: ListedPlayer,
        },
        { additionalProperties: true },
      ),
      example: {
        game_id: '6f1f7a0c-0b9a-4f0e-9a51-6f3f0c7c2b0e',
        environment: 'production',
        exported_at: exampleTime,
        player: examplePlayer,
        saves: [],
      },
    },
    404: unknownGamePlayer,
  },
});
