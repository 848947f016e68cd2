/** Largest `data` of a save, in bytes of UTF-8. */
export const MAX_SAVE_BYTES = 102_400;
/** Deepest nesting of `data`, with `data` itself as the first level. */
export const MAX_SAVE_NESTING = 1_000;
/** The maximum size of a request apart from its `data`, in bytes. */
export const MAX_SAVE_REST_BYTES = 16 * 1024;
/** The number of newest versions of a save that are always kept, even after the save was deleted. */
export const KEPT_SAVE_VERSIONS = 10;
/** The slot of requests that name no slot. */
export const MAIN_SLOT = 'main';
/** Longest name of a slot, in characters. */
export const MAX_SLOT_LENGTH = 64;
/** The maximum number of slots of a player, besides the main one. */
export const MAX_SAVE_SLOTS = 50;
/**
 * The number of days for which the last version of each day is kept. A deleted slot counts towards the
 * maximum for as many days, because its versions can be restored.
 */
export const SAVE_HISTORY_DAYS = 30;
