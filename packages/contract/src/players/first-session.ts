/** The event that begins a session, as the SDKs send it. */
export const SESSION_START = 'session_start';

/**
 * The properties that a player gets from the first `session_start` that has them, each with the property
 * of that event. This file has no imports, so that the web app can use it without schemas.
 */
export const FIRST_SESSION_PROPERTIES = {
  platform: 'platform',
  first_version: 'app_version',
  country: 'country',
} as const;

export type FirstSessionProperty = keyof typeof FIRST_SESSION_PROPERTIES;

/** Longer values are cut to this many characters. */
export const MAX_FIRST_SESSION_TEXT = 64;
