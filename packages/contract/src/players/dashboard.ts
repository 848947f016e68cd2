import { playerConditions } from './player-conditions.ts';
import { exampleListed, PlayerName } from './player-names.ts';
import { answer, errorAnswer, notFoundInGame, PageOf, Total } from '../answers.ts';
import { EnvironmentName, EnvironmentPageQuery, EnvironmentQuery, PlayerId } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import {
  exampleDetail,
  exampleTime,
  MAX_SESSION_HISTORY,
  MAX_TAGS,
  PlayerDetail,
  Properties,
  Tag,
  Tags,
  tooLarge,
} from './players.ts';

const operation = operationsIn('Players (dashboard)');

/** A player as the dashboard's lists show it. */
export const ListedPlayer = t.Resource('Player', {
  player_id: PlayerId,
  name: PlayerName,
  properties: Properties,
  tags: Tags,
  first_seen_at: t.Timestamp('When the player was first named.'),
  last_seen_at: t.Timestamp('When the game last wrote something for the player.'),
});

const PLAYER_SORTS = ['last_seen_at', 'first_seen_at', 'player_id'] as const;
export type PlayerSort = (typeof PLAYER_SORTS)[number];

/** The answer to an erasure that comes too early. */
export const eventsMove = errorAnswer(
  'Events of a merge are still moving.',
  'Events of a merge are still moving: try again when they have all moved to the player',
);
/** The answer to an export of a player. */
export const exported = answer(
  'All data of the player.',
  t.Object(
    {
      game_id: t.Uuid('Id of the game.'),
      environment: EnvironmentName,
      exported_at: t.Timestamp('When the export was made.'),
      player: ListedPlayer,
    },
    { additionalProperties: true },
  ),
  {
    game_id: '6f1f7a0c-0b9a-4f0e-9a51-6f3f0c7c2b0e',
    environment: 'production',
    exported_at: exampleTime,
    player: exampleListed,
    saves: [],
  },
);

const playerNotFound = notFoundInGame('player');

export const listPlayers = operation('GET /v1/games/{game_id}/players', {
  access: 'viewer',
  summary: 'Search the players of a game',
  description:
    'Page by page. Players must meet all conditions. A search that takes too long is stopped and answers 503: narrow it, or search by the beginning of the id.',
  query: t.Object({
    ...EnvironmentPageQuery.properties,
    ...playerConditions,
    sort: t.Enum(PLAYER_SORTS, 'Order: by time from the latest, by id from the first.', {
      default: 'last_seen_at',
    }),
  }),
  answers: {
    200: answer(
      'A page of players.',
      t.Object({
        ...PageOf('players', ListedPlayer).properties,
        total: t.Optional(Total),
        found_by: t.Optional(
          t.Enum(
            ['login', 'purchase'],
            'How the players were found, if no name and no id contains `search`.',
          ),
        ),
      }),
      { players: [exampleListed], next_cursor: null },
    ),
    503: errorAnswer(
      'The search took too long; or the server is overloaded, or the database is away.',
      'The search took longer than 5 seconds: narrow it, or search by the beginning of the id',
    ),
  },
});

export const getGamePlayer = operation('GET /v1/games/{game_id}/players/{player_id}', {
  access: 'viewer',
  summary: 'Show a player of a game',
  description: `Properties, tags and the newest ${MAX_SESSION_HISTORY} sessions.`,
  query: EnvironmentQuery,
  answers: {
    200: answer('The player.', t.Object({ ...PlayerDetail.properties, name: PlayerName }), {
      ...exampleDetail,
      name: exampleListed.name,
    }),
    404: playerNotFound,
  },
});

export const updatePlayer = operation('PATCH /v1/games/{game_id}/players/{player_id}', {
  access: 'developer',
  summary: 'Change properties and tags of a player',
  description:
    'Removes the properties named in `remove_properties`, then sets those in `properties`; removes the tags in `remove_tags`, then adds those in `add_tags`. Either everything is done or nothing.',
  query: EnvironmentQuery,
  body: t.Changes({
    properties: t.JsonObject('Properties to set; all others are kept.'),
    remove_properties: t.Array(t.String(), {
      maxItems: 1_000,
      description: 'Names of properties to remove; a property that the player lacks is no error.',
    }),
    add_tags: t.Array(Tag, {
      maxItems: MAX_TAGS,
      description: `Tags to add; a tag that the player already has is no error. A player has at most ${MAX_TAGS} tags.`,
    }),
    remove_tags: t.Array(Tag, {
      maxItems: MAX_TAGS,
      description: 'Tags to remove; a tag that the player lacks is no error.',
    }),
  }),
  body_validation: 'handler',
  raw_member: 'properties',
  example: { properties: { level: 8 }, remove_properties: ['country'], add_tags: ['vip'] },
  answers: {
    200: answer('The player as it is now.', ListedPlayer, exampleListed),
    404: playerNotFound,
    413: tooLarge,
  },
});

export const deletePlayer = operation('DELETE /v1/games/{game_id}/players/{player_id}', {
  access: 'admin',
  summary: 'Erase a player',
  description:
    'Erases all data of the player in this environment in one transaction: properties, tags, saves, unlocks, scores and events. This cannot be undone; if the game names the player again, a new player is made. A player into whom or from whom events of a merge still move cannot be erased yet.',
  query: EnvironmentQuery,
  answers: {
    204: { description: 'The player is erased.' },
    404: playerNotFound,
    409: eventsMove,
  },
});

export const exportPlayer = operation('GET /v1/games/{game_id}/players/{player_id}/export', {
  access: 'developer',
  summary: 'Export all data of a player',
  description:
    'One JSON document, for players who ask for their data: the player, and one member for each kind of data, such as `saves` or `events`.',
  query: EnvironmentQuery,
  answers: {
    200: exported,
    404: playerNotFound,
  },
});
