/** Limits of releases. This file has no imports, so that the web app can use it without schemas. */

/** The property of `session_start` by which releases are noticed. */
export const VERSION_PROPERTY = 'app_version';
/** Longer versions are not noticed. In characters. */
export const MAX_VERSION_LENGTH = 64;
/** The number of versions that are noticed in each environment of a game. */
export const MAX_RELEASES = 200;
/** A version with fewer starts of sessions is rare: lists and charts leave it out until a member names it. */
export const COMMON_STARTS = 20;
/**
 * One of as many starts of a version may be a stray: one with a wrong clock, or one that somebody made up. So many
 * of its earliest starts are left out for its first start, at most `MAX_STRAY_STARTS`.
 */
export const STARTS_PER_STRAY = 20;
export const MAX_STRAY_STARTS = 99;
export const MAX_RELEASE_NAME_LENGTH = 100;
export const MAX_RELEASE_NOTE_LENGTH = 1_000;
/** The most days on which players count who start a version, from its first day on. */
export const MAX_RELEASE_DAYS = 28;
/** The days after the first start of a player among which a comparison chooses by itself. */
export const COMPARED_DAYS = [1, 3, 7] as const;
/** The most names of events in a comparison. */
export const MAX_COMPARED_EVENTS = 5;
