import { Type } from 'typebox';
import {
  EnvironmentName,
  EnvironmentQuery,
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
} from '../common.ts';
import { defineOperation } from '../operation.ts';
import {
  exampleDetail,
  examplePlayer,
  exampleTime,
  MAX_SESSION_HISTORY,
  MAX_TAGS,
  PlayerDetail,
  PlayerId,
  Properties,
  Tag,
  Tags,
  tooLarge,
} from './players.ts';
import { FILTER_OPERATORS } from './property-filters.ts';

/** Most property filters of a search. */
export const MAX_PLAYER_FILTERS = 20;
const dashboardGroup = 'Players (dashboard)';

/** A player as the dashboard's lists show it. */
export const ListedPlayer = Resource('Player', {
  player_id: PlayerId,
  properties: Properties,
  tags: Tags,
  first_seen_at: Timestamp('When the player was first named.'),
  last_seen_at: Timestamp('When the game last wrote something for the player.'),
});

export const PLAYER_SORTS = ['last_seen_at', 'first_seen_at', 'player_id'] as const;
export type PlayerSort = (typeof PLAYER_SORTS)[number];

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
    'Removes the properties named in `remove_properties`, then sets those in `properties`; removes the tags in `remove_tags`, then adds those in `add_tags`. At least one of the four must be given. All or nothing.',
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
    add_tags: Type.Optional(
      Type.Array(Tag, {
        maxItems: MAX_TAGS,
        description: `Tags to add; one that the player has already is no error. At most ${MAX_TAGS} tags a player.`,
      }),
    ),
    remove_tags: Type.Optional(
      Type.Array(Tag, {
        maxItems: MAX_TAGS,
        description: 'Tags to remove; one that the player lacks is no error.',
      }),
    ),
  }),
  body_validation: 'handler',
  example: { properties: { level: 8 }, remove_properties: ['country'], add_tags: ['vip'] },
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
