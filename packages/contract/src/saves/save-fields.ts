import { t } from '../schema.ts';

/** Largest `data` of a save, in bytes of UTF-8. */
export const MAX_SAVE_BYTES = 102_400;
/** Deepest nesting of `data`, itself counted. */
export const MAX_SAVE_NESTING = 1_000;
/** Largest request apart from its `data`, in bytes. */
export const MAX_SAVE_REST_BYTES = 16 * 1024;
/** Newest versions of a save that are kept in any case, also after it was deleted. */
export const KEPT_SAVE_VERSIONS = 10;
/** The slot of requests that name none. */
export const MAIN_SLOT = 'main';
/** Longest name of a slot, in characters. */
const MAX_SLOT_LENGTH = 64;
/** Slots of a player besides the main one. */
export const MAX_SAVE_SLOTS = 50;
/** Days after which a deleted slot gives way to a new one, and the last version of a day is dropped. */
export const SAVE_HISTORY_DAYS = 30;

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
export const UpdatedAt = t.Timestamp('When this version was stored.');

export const exampleData = { level: 7, gold: 1_250, inventory: ['sword', 'lantern'] };
export const exampleTime = '2026-03-01T18:24:05.120Z';

/** When a save is refused because of a limit of the game. */
export const SAVE_LIMIT =
  'The game has reached its limit of bytes of saves, and this save is larger than the last one of the slot; or the player is new, and the game has reached its limit of players';

/** The versions that are kept. */
export const SAVE_HISTORY = `Of each slot the last ${KEPT_SAVE_VERSIONS} versions are kept, also after a deletion. Of older ones, the last of each hour is kept for a day, and the last of each day for ${SAVE_HISTORY_DAYS} days, by UTC, as far as they fit into \`SAVE_HISTORY_KB\` (1 MB, unless the server is told otherwise). Versions are dropped only when newer ones are stored.`;
export const exampleSlot = { slot: MAIN_SLOT, version: 4, updated_at: exampleTime, size_bytes: 57 };
