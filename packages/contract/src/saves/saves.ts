import { answer, errorAnswer, ErrorBody } from '../answers.ts';
import { EnvironmentQuery, GameId, PlayerParams } from '../common.ts';
import { LIMIT_REACHED, limitReached } from '../limits.ts';
import { operationsIn } from '../operation.ts';
import { t } from '../schema.ts';

/** Largest `data` of a save, in bytes of UTF-8. */
export const MAX_SAVE_BYTES = 102_400;
/** Deepest nesting of `data`, itself counted. */
export const MAX_SAVE_NESTING = 1_000;
/** Largest request without the `data` that counts, in bytes. */
export const MAX_SAVE_REST_BYTES = 16 * 1024;
/** How many versions of a save are kept, also after it was deleted. */
export const KEPT_SAVE_VERSIONS = 10;

const operation = operationsIn('Cloud saves');
const dashboardOperation = operationsIn('Cloud saves (dashboard)');

const PlayerId = t.Name('Id of the player, given by the game.');
const SaveData = t.JsonObject(
  `Game state: any JSON object of at most 100 KB (${MAX_SAVE_BYTES.toLocaleString('en')} bytes), nested at most ${MAX_SAVE_NESTING.toLocaleString('en')} levels deep. It comes back with the very text it was sent with.`,
);
const Version = t.Integer('Server version of the save: 1, 2, 3…');
const UpdatedAt = t.Timestamp('When this version was stored.');

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

export const putSave = operation('PUT /v1/saves', {
  id: 'putSave',
  access: 'key',
  summary: 'Store the save of a player',
  description: [
    'A player has one save. Each PUT makes a new version, counted 1, 2, 3…; after a deletion they go on from the last.',
    'Send the `version` you last read or were answered, and the save is stored only if nobody has stored another since; else the answer is 409 with what is on the server. Without `version` the save is stored in any case, and so it is while the player has none. `version: null` is not allowed.',
    'A game has a limit of bytes for all its saves, with the versions that are kept of them. At the limit a save that is no larger than the last one of the player takes its place, and that one is not kept as a version.',
    '`data` is measured as it was sent, in bytes of UTF-8. A longer text is measured again without the whitespace between values and with the shortest escapes, as `size_bytes` says it, before it is refused. Of two members `data` the last counts. All other members together may have 16 KB. Numbers of any size, key order, duplicate keys and escapes come back as they were sent.',
  ].join('\n\n'),
  body: t.Object({
    player_id: PlayerId,
    data: SaveData,
    version: t.Optional(
      t.Integer('Expected server version; left out, the save is stored in any case.', {
        minimum: 0,
      }),
    ),
  }),
  body_validation: 'handler',
  raw_member: 'data',
  max_body_bytes: 8 * 1024 * 1024,
  example: { player_id: 'player-42', data: exampleData, version: 3 },
  answers: {
    200: answer(
      'The save is stored.',
      t.Object({
        success: t.Literal(true),
        version: Version,
        updated_at: UpdatedAt,
      }),
      { success: true, version: 4, updated_at: exampleTime },
    ),
    403: saveLimitReached,
    409: answer(
      'The server has another version than the one sent; nothing was stored.',
      t.Object({
        error: t.Literal('Version conflict'),
        server_version: Version,
        server_data: SaveData,
        updated_at: UpdatedAt,
      }),
      {
        error: 'Version conflict',
        server_version: 5,
        server_data: exampleData,
        updated_at: exampleTime,
      },
    ),
    413: answer(
      '`data` is over the limit, or the body is larger than 8 MB (then `error` alone).',
      t.Object({
        error: t.String('What is wrong, in words.'),
        size_bytes: t.Optional(t.Integer('Size of `data`.')),
        limit_bytes: t.Optional(t.Literal(MAX_SAVE_BYTES)),
      }),
      {
        error: 'Save data exceeds 100KB limit',
        size_bytes: 131_072,
        limit_bytes: MAX_SAVE_BYTES,
      },
    ),
  },
});

export const getSave = operation('GET /v1/saves', {
  id: 'getSave',
  access: 'key',
  summary: 'Load the save of a player',
  description: '`data` is the very text that was stored.',
  query: t.Object({ player_id: PlayerId }),
  answers: {
    200: answer(
      'The save.',
      t.Object({ data: SaveData, version: Version, updated_at: UpdatedAt }),
      { data: exampleData, version: 4, updated_at: exampleTime },
    ),
    404: answer(
      'The player has no save.',
      t.Object({
        error: t.Literal('No save found'),
        data: t.Null({ description: 'Always null.' }),
      }),
      { error: 'No save found', data: null },
    ),
  },
});

export const deleteSave = operation('DELETE /v1/saves', {
  id: 'deleteSave',
  access: 'key',
  summary: 'Delete the save of a player',
  description: `The last ${KEPT_SAVE_VERSIONS} versions are kept for the dashboard, which can restore them.`,
  query: t.Object({ player_id: PlayerId }),
  answers: {
    204: { description: 'The save is deleted.' },
    404: noSave,
  },
});

const VersionParams = t.Object({
  game_id: GameId,
  player_id: PlayerId,
  version: t.Integer('A version.', { minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
});

const SaveVersion = t.Resource('SaveVersion', {
  version: Version,
  size_bytes: t.Integer('Size of `data` as it was sent, in bytes of UTF-8.'),
  updated_at: UpdatedAt,
  is_current: t.Boolean('Whether it is what the game loads.'),
});

const noVersion = errorAnswer(
  'The game does not exist, the account is no member of it, or this version is not kept.',
  'Save version not found',
);

export const listSaveVersions = dashboardOperation(
  'GET /v1/games/{game_id}/players/{player_id}/saves',
  {
    id: 'listSaveVersions',
    access: 'viewer',
    summary: 'List the kept versions of a save',
    description: `The last ${KEPT_SAVE_VERSIONS} versions, the newest first, also after the save was deleted.`,
    params: PlayerParams,
    query: EnvironmentQuery,
    answers: {
      200: answer(
        'The versions; none when the player has never saved.',
        t.Object({
          saves: t.Array(SaveVersion),
          deleted_at: t.Nullable(
            t.Timestamp('When the save was deleted; null when it was not, or was stored again.'),
          ),
          next_cursor: t.Null({ description: 'Always null: the list is not paged.' }),
        }),
        {
          saves: [{ version: 4, size_bytes: 57, updated_at: exampleTime, is_current: true }],
          deleted_at: null,
          next_cursor: null,
        },
      ),
      404: answer(
        'The game does not exist, the account is no member of it, or it has no such player.',
        ErrorBody,
        { error: 'Player not found' },
      ),
    },
  },
);

export const getSaveVersion = dashboardOperation(
  'GET /v1/games/{game_id}/players/{player_id}/saves/{version}',
  {
    id: 'getSaveVersion',
    access: 'viewer',
    summary: 'Read a kept version of a save',
    description: '`data` is the very text that was stored.',
    params: VersionParams,
    query: EnvironmentQuery,
    answers: {
      200: answer(
        'The version.',
        t.Object({ data: SaveData, version: Version, updated_at: UpdatedAt }),
        { data: exampleData, version: 2, updated_at: exampleTime },
      ),
      404: noVersion,
    },
  },
);

export const restoreSaveVersion = dashboardOperation(
  'POST /v1/games/{game_id}/players/{player_id}/saves/{version}/restore',
  {
    id: 'restoreSaveVersion',
    access: 'developer',
    summary: 'Restore a kept version of a save',
    description:
      'Makes a new version, the next in number, with the data of this one; also when the save was deleted. A game that goes on from an older version is told so by 409.',
    params: VersionParams,
    query: EnvironmentQuery,
    answers: {
      201: answer('The new version.', SaveVersion, {
        version: 5,
        size_bytes: 57,
        updated_at: exampleTime,
        is_current: true,
      }),
      403: saveLimitReached,
      404: noVersion,
    },
  },
);
