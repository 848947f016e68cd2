import { answer, errorAnswer } from '../answers.ts';
import { AskedPlayerId, SentPlayerId } from '../common.ts';
import { limitReached } from '../limits.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { APP_VERSION_HEADER, MAX_APP_VERSION_LENGTH } from './app-version.ts';
import { MAIN_SLOT, MAX_SAVE_SLOTS, SAVE_HISTORY_DAYS } from './limits.ts';
import {
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
  Slot,
  slotMembers,
  UpdatedAt,
  Version,
} from './save-fields.ts';

const operation = operationsIn('Cloud saves');

const SaveQuery = t.Object({ player_id: AskedPlayerId, slot: Slot });

const noSave = errorAnswer('The slot has no save.', 'No save found');

export const putSave = operation('PUT /v1/saves', {
  access: 'key',
  summary: 'Store the save of a player',
  description: [
    `A player has one save, in the slot \`${MAIN_SLOT}\`, and may have ${MAX_SAVE_SLOTS} more in slots that the game names. Each slot has versions of its own. A deleted slot counts for ${SAVE_HISTORY_DAYS} days, while its versions can be restored.`,
    'Each PUT makes a new version, counted 1, 2, 3…; after a deletion the count continues.',
    'Send the `version` from the last answer that you got, and the save is stored only if no other version was stored since; otherwise the answer is 409 with the save on the server. Without `version` the save is stored in any case. While the slot has no save, any `version` is accepted. `version: null` and `slot: null` are not allowed.',
    SAVE_HISTORY,
    'A game has a limit of bytes for all its saves and their kept versions. At the limit a save that is no larger than the last one of the slot replaces it, and the replaced save is not kept as a version.',
    '`data` is measured as it was sent, in bytes of UTF-8. If it is too large, it is measured again without the whitespace between values and with the shortest escapes, which gives `size_bytes`, before it is refused. If there are two members `data`, the last one counts. All other members together may have 16 KB. Numbers of any size, key order, duplicate keys and escapes come back as they were sent.',
  ].join('\n\n'),
  headers: t.Object({
    [APP_VERSION_HEADER]: t.Optional(
      t.String(
        'Version of the game that saves, such as `1.5.0`: printable characters of ASCII. It is kept with the version of the save, so that the dashboard can find the saves of a build.',
        { minLength: 1, maxLength: MAX_APP_VERSION_LENGTH },
      ),
    ),
  }),
  body: t.Object({
    player_id: SentPlayerId,
    slot: t.Optional(Slot),
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
    403: limitReached(
      `${SAVE_LIMIT}; or the slot is new, and the player has ${MAX_SAVE_SLOTS} (\`resource\` save_slots).`,
      'save_bytes',
    ),
    409: answer(
      'The version on the server differs from the one sent; nothing was stored.',
      t.Object(conflictMembers),
      exampleConflict,
    ),
    413: saveTooLarge('larger than 8 MB'),
  },
});

export const getSave = operation('GET /v1/saves', {
  access: 'key',
  summary: 'Load the save of a player',
  description: '`data` is exactly the text that was stored.',
  query: SaveQuery,
  answers: {
    200: loadedSave('The save.', 4),
    404: answer(
      'The slot has no save.',
      t.Object({
        error: t.Literal('No save found'),
        data: t.Null({ description: 'Always null.' }),
      }),
      { error: 'No save found', data: null },
    ),
  },
});

export const deleteSave = operation('DELETE /v1/saves', {
  access: 'key',
  summary: 'Delete the save of a player',
  description: 'Its versions are kept, and the dashboard can restore them.',
  query: SaveQuery,
  answers: { 204: { description: 'The save is deleted.' }, 404: noSave },
});

export const listSaveSlots = operation('GET /v1/saves/slots', {
  access: 'key',
  summary: 'List the saves of a player',
  description: `One entry a slot that has a save, \`${MAIN_SLOT}\` first, the others by name.`,
  query: t.Object({ player_id: AskedPlayerId }),
  answers: {
    200: answer(
      'The slots; none if the player has no save.',
      t.Object({ slots: t.Array(t.Resource('SaveSlot', slotMembers)) }),
      { slots: [exampleSlot] },
    ),
  },
});
