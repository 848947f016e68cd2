/** Largest `data` of a save, in bytes of UTF-8. */
export const MAX_SAVE_BYTES = 102_400;
/** Deepest nesting of `data`, with `data` itself as the first level. */
export const MAX_SAVE_NESTING = 1_000;
/** Largest request apart from its `data`, in bytes. */
export const MAX_SAVE_REST_BYTES = 16 * 1024;
/** Newest versions of a save that are kept in any case, also after it was deleted. */
export const KEPT_SAVE_VERSIONS = 10;
/** The slot of requests that name no slot. */
export const MAIN_SLOT = 'main';
/** Longest name of a slot, in characters. */
export const MAX_SLOT_LENGTH = 64;
/** Slots of a player besides the main one. */
export const MAX_SAVE_SLOTS = 50;
/** Days after which a deleted slot gives way to a new one, and the last version of a day is dropped. */
export const SAVE_HISTORY_DAYS = 30;
