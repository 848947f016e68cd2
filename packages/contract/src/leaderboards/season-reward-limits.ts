/** Limits of the rewards of seasons; those of the messages are in `messages/message-limits.ts`. This file has no imports, so that the web app can use it without schemas. */

export const MAX_SEASON_REWARDS = 20;
/** The players that a preview names for each reward. */
export const PREVIEWED_PLAYERS = 5;
