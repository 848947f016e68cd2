import { answer, VERSION_CONFLICT } from '../answers.ts';
import { t } from '../schema.ts';
import {
  MAX_SAVE_BYTES,
  MAX_SAVE_NESTING,
  KEPT_SAVE_VERSIONS,
  MAIN_SLOT,
  MAX_SLOT_LENGTH,
  SAVE_HISTORY_DAYS,
} from './limits.ts';

export const SaveData = t.JsonObject(
  `Game state: any JSON object of at most 100 KB (${MAX_SAVE_BYTES.toLocaleString('en')} bytes), nested at most ${MAX_SAVE_NESTING.toLocaleString('en')} levels deep. It comes back in exactly the text that was sent.`,
);
export const Slot = t.String(
  `Slot of the save: a name of 1 to ${MAX_SLOT_LENGTH} characters, given by the game. Left out, it is \`${MAIN_SLOT}\`.`,
  { minLength: 1, maxLength: MAX_SLOT_LENGTH, default: MAIN_SLOT },
);
export const SlotName = t.String('Name of the slot.');
export const SizeBytes = t.Integer('Size of `data` as it was sent, in bytes of UTF-8.');
export const Version = t.Integer('Server version of the save: 1, 2, 3…');
export const AppVersion = t.Nullable(
  t.String(
    'Version of the game that saved it; null if the game did not say, or if staff have edited it.',
  ),
);
export const UpdatedAt = t.Timestamp('When this version was stored.');

/** The members that describe a slot in a list of slots. */
export const slotMembers = {
  slot: SlotName,
  version: Version,
  updated_at: UpdatedAt,
  size_bytes: SizeBytes,
};

export const exampleData = { level: 7, gold: 1_250, inventory: ['sword', 'lantern'] };
export const exampleTime = '2026-03-01T18:24:05.120Z';

/** A version of a save with its data. */
export const loadedSave = (description: string, version: number) =>
  answer(description, t.Object({ data: SaveData, version: Version, updated_at: UpdatedAt }), {
    data: exampleData,
    version,
    updated_at: exampleTime,
  });

/** The members of the answer to a save that conflicts with the one on the server. */
export const conflictMembers = {
  error: t.Literal(VERSION_CONFLICT),
  server_version: Version,
  server_data: SaveData,
  updated_at: UpdatedAt,
};
export const exampleConflict = {
  error: VERSION_CONFLICT,
  server_version: 5,
  server_data: exampleData,
  updated_at: exampleTime,
} as const;

/** @param body_limit Says how large a body is too large. It follows the words `or the body is`. */
export const saveTooLarge = (body_limit: string) =>
  answer(
    `\`data\` is over the limit; or the body is ${body_limit} (then there is only \`error\`).`,
    t.Object({
      error: t.String('The problem in words.'),
      size_bytes: t.Optional(t.Integer('Size of `data`.')),
      limit_bytes: t.Optional(t.Literal(MAX_SAVE_BYTES)),
    }),
    {
      error: 'Save data exceeds 100KB limit',
      size_bytes: 131_072,
      limit_bytes: MAX_SAVE_BYTES,
    },
  );

/** Says when a save is refused because of a limit of the game. */
export const SAVE_LIMIT =
  'The game has reached its limit of bytes of saves, and this save is larger than the last one of the slot; or the player is new, and the game has reached its limit of players';

/** Says which versions are kept. */
export const SAVE_HISTORY = `Of each slot the last ${KEPT_SAVE_VERSIONS} versions are kept, also after a deletion. Of older ones, the last of each hour is kept for a day, and the last of each day for ${SAVE_HISTORY_DAYS} days, by UTC, as far as those of all slots of the player fit into \`SAVE_HISTORY_KB\` (1 MB, unless the server is told otherwise): the newest hours and days of each slot stay longest. Versions are dropped only when newer ones are stored.`;
export const exampleSlot = { slot: MAIN_SLOT, version: 4, updated_at: exampleTime, size_bytes: 57 };
