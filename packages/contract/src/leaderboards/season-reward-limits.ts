/** Limits of the rewards of seasons. This file has no imports, so that the web app can use it without schemas. */

export const MAX_SEASON_REWARDS = 20;
export const MAX_REWARD_TITLE = 200;
export const MAX_REWARD_TEXT = 4_000;
export const MAX_GIFTS = 20;
/** The players that a preview names for each reward. */
export const PREVIEWED_PLAYERS = 5;
