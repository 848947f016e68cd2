import { answer, errorAnswer, ErrorBody } from '../answers.ts';
import { EnvironmentQuery, GameId, PlayerId } from '../common.ts';
import { limitReached } from '../limits.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { MAIN_SLOT } from './limits.ts';
import {
  AppVersion,
  conflictMembers,
  exampleConflict,
  exampleData,
  exampleSlot,
  exampleTime,
  loadedSave,
  SAVE_HISTORY,
  SAVE_LIMIT,
  SaveData,
  saveTooLarge,
  SizeBytes,
  Slot,
  slotMembers,
  UpdatedAt,
  Version,
} from './save-fields.ts';

const dashboardOperation = operationsIn('Cloud saves (dashboard)');

const SlotQuery = t.Object({ ...EnvironmentQuery.properties, slot: Slot });
const VersionParams = t.Object({
  game_id: GameId,
  player_id: PlayerId,
  version: t.Integer('A version.', { minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
});

const SaveVersion = t.Resource('SaveVersion', {
  version: Version,
  size_bytes: SizeBytes,
  app_version: AppVersion,
  updated_at: UpdatedAt,
  is_current: t.Boolean('Whether the game loads this version.'),
});

const newVersion = answer('The new version.', SaveVersion, {
  version: 5,
  size_bytes: 57,
  app_version: '1.4.2',
  updated_at: exampleTime,
  is_current: true,
});

const noVersion = errorAnswer(
  'The game does not exist, the account is no member of it, or this version is not kept.',
  'Save version not found',
);

const noPlayer = answer(
  'The game does not exist, the account is no member of it, or it has no such player.',
  ErrorBody,
  { error: 'Player not found' },
);

export const listPlayerSaveSlots = dashboardOperation(
  'GET /v1/games/{game_id}/players/{player_id}/save-slots',
  {
    access: 'viewer',
    summary: 'List the slots of a player',
    description: `\`${MAIN_SLOT}\` first, the others by name; also those whose save was deleted.`,
    query: EnvironmentQuery,
    answers: {
      200: answer(
        'The slots; none if the player has never saved.',
        t.Object({
          slots: t.Array(
            t.Resource('PlayerSaveSlot', {
              ...slotMembers,
              version: t.Integer('Version of the last save.'),
              deleted_at: t.Nullable(
                t.Timestamp('When the save was deleted; null if the slot has one.'),
              ),
            }),
          ),
          next_cursor: t.Null({ description: 'Always null: the list has one page.' }),
        }),
        { slots: [{ ...exampleSlot, deleted_at: null }], next_cursor: null },
      ),
      404: noPlayer,
    },
  },
);

export const listSaveVersions = dashboardOperation(
  'GET /v1/games/{game_id}/players/{player_id}/saves',
  {
    access: 'viewer',
    summary: 'List the kept versions of a save',
    description: `The newest first. ${SAVE_HISTORY}`,
    query: SlotQuery,
    answers: {
      200: answer(
        'The versions; none if the slot never had a save.',
        t.Object({
          saves: t.Array(SaveVersion),
          deleted_at: t.Nullable(
            t.Timestamp('When the save was deleted; null if there is a save or never was one.'),
          ),
          next_cursor: t.Null({ description: 'Always null: the list has one page.' }),
        }),
        {
          saves: [
            {
              version: 4,
              size_bytes: 57,
              app_version: '1.4.2',
              updated_at: exampleTime,
              is_current: true,
            },
          ],
          deleted_at: null,
          next_cursor: null,
        },
      ),
      404: noPlayer,
    },
  },
);

export const getSaveVersion = dashboardOperation(
  'GET /v1/games/{game_id}/players/{player_id}/saves/{version}',
  {
    access: 'viewer',
    summary: 'Read a kept version of a save',
    description: '`data` is exactly the text that was stored.',
    params: VersionParams,
    query: SlotQuery,
    answers: { 200: loadedSave('The version.', 2), 404: noVersion },
  },
);

export const restoreSaveVersion = dashboardOperation(
  'POST /v1/games/{game_id}/players/{player_id}/saves/{version}/restore',
  {
    access: 'developer',
    summary: 'Restore a kept version of a save',
    description:
      'Makes a new version with the data of this one, also if the save was deleted. A game that saves from an older version gets 409.',
    params: VersionParams,
    query: SlotQuery,
    answers: {
      201: newVersion,
      403: limitReached(`${SAVE_LIMIT}.`, 'save_bytes'),
      404: noVersion,
    },
  },
);

export const editSave = dashboardOperation('POST /v1/games/{game_id}/players/{player_id}/saves', {
  access: 'developer',
  summary: 'Edit a save',
  description:
    'Stores `data` as a new version, if `version` is still the one that the game loads; otherwise the answer is 409 with the save on the server, and nothing is stored. A deleted save must be restored first. A game that saves from an older version gets 409. The data is measured and kept as that of a save by the game.',
  query: SlotQuery,
  body: t.Object({
    version: t.Integer('The version that was edited.', {
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
    data: SaveData,
  }),
  body_validation: 'handler',
  raw_member: 'data',
  example: { version: 2, data: { ...exampleData, gold: 2_000 } },
  answers: {
    201: newVersion,
    403: limitReached(`${SAVE_LIMIT}.`, 'save_bytes'),
    404: errorAnswer(
      'The game has no such player, the slot never had a save, or the account is no member of the game.',
      'No save found',
    ),
    409: answer(
      'The game has saved or deleted since. Nothing was stored.',
      t.Object({
        ...conflictMembers,
        deleted_at: t.Nullable(t.Timestamp('When the save was deleted; null if the slot has one.')),
      }),
      { ...exampleConflict, deleted_at: null },
    ),
    413: saveTooLarge('too large'),
  },
});
