import { Type } from 'typebox';
import {
  EnvironmentQuery,
  errorAnswer,
  ErrorBody,
  GameId,
  JsonObject,
  Name,
  Nullable,
  Resource,
  Timestamp,
} from '../common.ts';
import { LIMIT_REACHED, limitReached } from '../limits.ts';
import { defineOperation } from '../operation.ts';

/** Largest `data` of a save, in bytes of UTF-8. */
export const MAX_SAVE_BYTES = 102_400;
/** Deepest nesting of `data`, itself counted. */
export const MAX_SAVE_NESTING = 1_000;
/** Largest request without the `data` that counts, in bytes. */
export const MAX_SAVE_REST_BYTES = 16 * 1024;
/** How many versions of a save are kept, also after it was deleted. */
export const KEPT_SAVE_VERSIONS = 10;

const group = 'Cloud saves';
const dashboardGroup = 'Cloud saves (dashboard)';

const PlayerId = Name('Id of the player, given by the game.');
const SaveData = JsonObject(
  `Game state: any JSON object of at most 100 KB (${MAX_SAVE_BYTES.toLocaleString('en')} bytes), nested at most ${MAX_SAVE_NESTING.toLocaleString('en')} levels deep. It comes back with the very text it was sent with.`,
);
const Version = Type.Integer({ description: 'Server version of the save: 1, 2, 3…' });
const UpdatedAt = Timestamp('When this version was stored.');

const exampleData = { level: 7, gold: 1_250, inventory: ['sword', 'lantern'] };
const exampleTime = '2026-03-01T18:24:05.120Z';

const saveLimitReached = limitReached(
  'The saves of the game have as many bytes as they may have, and this one is larger than the last one of the player; or the player is new, and the game has as many players as it may have.',
  {
    error: 'This game has reached its limit of 1,073,741,824 bytes of saves',
    code: LIMIT_REACHED,
    resource: 'save_bytes',
    limit: 1_073_741_824,
    used: 1_073_741_700,
  },
);

const noSave = errorAnswer('The player has no save.', 'No save found');

export const putSave = defineOperation({
  id: 'putSave',
  method: 'PUT',
  path: '/v1/saves',
  access: 'key',
  group,
  summary: 'Store the save of a player',
  description: [
    'A player has one save. Each PUT makes a new version, counted 1, 2, 3…; after a deletion they go on from the last.',
    'Send the `version` you last read or were answered, and the save is stored only if nobody has stored another since; else the answer is 409 with what is on the server. Without `version` the save is stored in any case, and so it is while the player has none. `version: null` is not allowed.',
    'A game has a limit of bytes for all its saves, with the versions that are kept of them. At the limit a save that is no larger than the last one of the player takes its place, and that one is not kept as a version.',
    '`data` is measured as it was sent, in bytes of UTF-8. A longer text is measured again without the whitespace between values and with the shortest escapes, as `size_bytes` says it, before it is refused. Of two members `data` the last counts. All other members together may have 16 KB. Numbers of any size, key order, duplicate keys and escapes come back as they were sent.',
  ].join('\n\n'),
  body: Type.Object({
    player_id: PlayerId,
    data: SaveData,
    version: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Expected server version; left out, the save is stored in any case.',
      }),
    ),
  }),
  body_validation: 'handler',
  max_body_bytes: 8 * 1024 * 1024,
  example: { player_id: 'player-42', data: exampleData, version: 3 },
  answers: {
    200: {
      description: 'The save is stored.',
      body: Type.Object({
        success: Type.Literal(true),
        version: Version,
        updated_at: UpdatedAt,
      }),
      example: { success: true, version: 4, updated_at: exampleTime },
    },
    403: saveLimitReached,
    409: {
      description: 'The server has another version than the one sent; nothing was stored.',
      body: Type.Object({
        error: Type.Literal('Version conflict'),
        server_version: Version,
        server_data: SaveData,
        updated_at: UpdatedAt,
      }),
      example: {
        error: 'Version conflict',
        server_version: 5,
        server_data: exampleData,
        updated_at: exampleTime,
      },
    },
    413: {
      description:
        '`data` is over the limit, or the body is larger than 8 MB (then `error` alone).',
      body: Type.Object({
        error: Type.String({ description: 'What is wrong, in words.' }),
        size_bytes: Type.Optional(Type.Integer({ description: 'Size of `data`.' })),
        limit_bytes: Type.Optional(Type.Literal(MAX_SAVE_BYTES)),
      }),
      example: {
        error: 'Save data exceeds 100KB limit',
        size_bytes: 131_072,
        limit_bytes: MAX_SAVE_BYTES,
      },
    },
  },
});

export const getSave = defineOperation({
  id: 'getSave',
  method: 'GET',
  path: '/v1/saves',
  access: 'key',
  group,
  summary: 'Load the save of a player',
  description: '`data` is the very text that was stored.',
  query: Type.Object({ player_id: PlayerId }),
  answers: {
    200: {
      description: 'The save.',
      body: Type.Object({ data: SaveData, version: Version, updated_at: UpdatedAt }),
      example: { data: exampleData, version: 4, updated_at: exampleTime },
    },
    404: {
      description: 'The player has no save.',
      body: Type.Object({
        error: Type.Literal('No save found'),
        data: Type.Null({ description: 'Always null.' }),
      }),
      example: { error: 'No save found', data: null },
    },
  },
});

export const deleteSave = defineOperation({
  id: 'deleteSave',
  method: 'DELETE',
  path: '/v1/saves',
  access: 'key',
  group,
  summary: 'Delete the save of a player',
  description: `The last ${KEPT_SAVE_VERSIONS} versions are kept for the dashboard, which can restore them.`,
  query: Type.Object({ player_id: PlayerId }),
  answers: {
    204: { description: 'The save is deleted.' },
    404: noSave,
  },
});

const PlayerParams = Type.Object({ game_id: GameId, player_id: PlayerId });
const VersionParams = Type.Object({
  game_id: GameId,
  player_id: PlayerId,
  version: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'A version.',
  }),
});

const SaveVersion = Resource('SaveVersion', {
  version: Version,
  size_bytes: Type.Integer({ description: 'Size of `data` as it was sent, in bytes of UTF-8.' }),
  updated_at: UpdatedAt,
  is_current: Type.Boolean({ description: 'Whether it is what the game loads.' }),
});

const noVersion = errorAnswer(
  'The game does not exist, the account is no member of it, or this version is not kept.',
  'Save version not found',
);

export const listSaveVersions = defineOperation({
  id: 'listSaveVersions',
  method: 'GET',
  path: '/v1/games/{game_id}/players/{player_id}/saves',
  access: 'viewer',
  group: dashboardGroup,
  summary: 'List the kept versions of a save',
  description: `The last ${KEPT_SAVE_VERSIONS} versions, the newest first, also after the save was deleted.`,
  params: PlayerParams,
  query: EnvironmentQuery,
  answers: {
    200: {
      description: 'The versions; none when the player has never saved.',
      body: Type.Object({
        saves: Type.Array(SaveVersion),
        deleted_at: Nullable(
          Timestamp('When the save was deleted; null when it was not, or was stored again.'),
        ),
        next_cursor: Type.Null({ description: 'Always null: the list is not paged.' }),
      }),
      example: {
        saves: [{ version: 4, size_bytes: 57, updated_at: exampleTime, is_current: true }],
        deleted_at: null,
        next_cursor: null,
      },
    },
    404: {
      description:
        'The game does not exist, the account is no member of it, or it has no such player.',
      body: ErrorBody,
      example: { error: 'Player not found' },
    },
  },
});

export const getSaveVersion = defineOperation({
  id: 'getSaveVersion',
  method: 'GET',
  path: '/v1/games/{game_id}/players/{player_id}/saves/{version}',
  access: 'viewer',
  group: dashboardGroup,
  summary: 'Read a kept version of a save',
  description: '`data` is the very text that was stored.',
  params: VersionParams,
  query: EnvironmentQuery,
  answers: {
    200: {
      description: 'The version.',
      body: Type.Object({ data: SaveData, version: Version, updated_at: UpdatedAt }),
      example: { data: exampleData, version: 2, updated_at: exampleTime },
    },
    404: noVersion,
  },
});

export const restoreSaveVersion = defineOperation({
  id: 'restoreSaveVersion',
  method: 'POST',
  path: '/v1/games/{game_id}/players/{player_id}/saves/{version}/restore',
  access: 'developer',
  group: dashboardGroup,
  summary: 'Restore a kept version of a save',
  description:
    'Makes a new version, the next in number, with the data of this one; also when the save was deleted. A game that goes on from an older version is told so by 409.',
  params: VersionParams,
  query: EnvironmentQuery,
  answers: {
    201: {
      description: 'The new version.',
      body: SaveVersion,
      example: { version: 5, size_bytes: 57, updated_at: exampleTime, is_current: true },
    },
    403: saveLimitReached,
    404: noVersion,
  },
});
