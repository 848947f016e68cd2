/** The event that begins a session, as the SDKs send it. */
export const SESSION_START = 'session_start';

/**
 * The properties of a player that copy properties of `session_start`. The keys are names in the player, and
 * the values are names in the event. The first event that has the property sets it. This file has no imports,
 * so that the web app can use it without schemas.
 */
export const FIRST_SESSION_PROPERTIES = {
  platform: 'platform',
  first_version: 'app_version',
  country: 'country',
} as const;

export type FirstSessionProperty = keyof typeof FIRST_SESSION_PROPERTIES;

/** Longer values are cut to this many characters. */
export const MAX_FIRST_SESSION_TEXT = 64;
