import { answer, errorAnswer, ErrorBody, VERSION_CONFLICT } from '../answers.ts';
import { EnvironmentQuery, GameId, PlayerParams, SentPlayerId } from '../common.ts';
import { limitReached } from '../limits.ts';
import { operationsIn } from '../operation.ts';
import { t } from '../schema.ts';

/** Largest `data` of a save, in bytes of UTF-8. */
export const MAX_SAVE_BYTES = 102_400;
/** Deepest nesting of `data`, itself counted. */
export const MAX_SAVE_NESTING = 1_000;
/** Largest request apart from its `data`, in bytes. */
export const MAX_SAVE_REST_BYTES = 16 * 1024;
/** Versions of a save that are kept, also after it was deleted. */
export const KEPT_SAVE_VERSIONS = 10;

const operation = operationsIn('Cloud saves');
const dashboardOperation = operationsIn('Cloud saves (dashboard)');

const PlayerId = t.Name('Id of the player, given by the game.');
const SaveData = t.JsonObject(
  `Game state: any JSON object of at most 100 KB (${MAX_SAVE_BYTES.toLocaleString('en')} bytes), nested at most ${MAX_SAVE_NESTING.toLocaleString('en')} levels deep. It comes back in exactly the text that was sent.`,
);
const Version = t.Integer('Server version of the save: 1, 2, 3…');
const UpdatedAt = t.Timestamp('When this version was stored.');

const exampleData = { level: 7, gold: 1_250, inventory: ['sword', 'lantern'] };
const exampleTime = '2026-03-01T18:24:05.120Z';

const saveLimitReached = limitReached(
  'The game has reached its limit of bytes of saves, and this save is larger than the last one of the player; or the player is new, and the game has reached its limit of players.',
  'save_bytes',
);

const noSave = errorAnswer('The player has no save.', 'No save found');

export const putSave = operation('PUT /v1/saves', {
  id: 'putSave',
  access: 'key',
  summary: 'Store the save of a player',
  description: [
    'A player has one save. Each PUT makes a new version, counted 1, 2, 3…; after a deletion the count continues.',
    'Send the `version` from the last answer that you got, and the save is stored only if no other version was stored since; otherwise the answer is 409 with the save on the server. Without `version` the save is stored in any case. While the player has no save, any `version` is accepted. `version: null` is not allowed.',
    'A game has a limit of bytes for all its saves and their kept versions. At the limit a save that is no larger than the last one of the player replaces it, and the replaced save is not kept as a version.',
    '`data` is measured as it was sent, in bytes of UTF-8. If it is too large, it is measured again without the whitespace between values and with the shortest escapes, which gives `size_bytes`, before it is refused. If there are two members `data`, the last one counts. All other members together may have 16 KB. Numbers of any size, key order, duplicate keys and escapes come back as they were sent.',
  ].join('\n\n'),
  body: t.Object({
    player_id: SentPlayerId,
    data: SaveData,
    version: t.Optional(
      t.Integer('Expected server version. If it is left out, the save is stored in any case.', {
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
      'The version on the server differs from the one sent; nothing was stored.',
      t.Object({
        error: t.Literal(VERSION_CONFLICT),
        server_version: Version,
        server_data: SaveData,
        updated_at: UpdatedAt,
      }),
      {
        error: VERSION_CONFLICT,
        server_version: 5,
        server_data: exampleData,
        updated_at: exampleTime,
      },
    ),
    413: answer(
      '`data` is over the limit; or the body is larger than 8 MB (then there is only `error`).',
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
  description: '`data` is exactly the text that was stored.',
  query: t.Object({ player_id: SentPlayerId }),
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
  description: `The last ${KEPT_SAVE_VERSIONS} versions are kept, and the dashboard can restore them.`,
  query: t.Object({ player_id: SentPlayerId }),
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
  is_current: t.Boolean('Whether the game loads this version.'),
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
        'The versions; none if the player has never saved.',
        t.Object({
          saves: t.Array(SaveVersion),
          deleted_at: t.Nullable(
            t.Timestamp('When the save was deleted; null if there is a save or never was one.'),
          ),
          next_cursor: t.Null({ description: 'Always null: the list has one page.' }),
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
    description: '`data` is exactly the text that was stored.',
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
      'Makes a new version with the data of this one, also if the save was deleted. A game that saves from an older version gets 409.',
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
