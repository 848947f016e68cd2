/** Longest name of a player, in characters; longer names are cut. */
export const MAX_PLAYER_NAME_LENGTH = 100;
/** The maximum number of players in one request for names. */
export const MAX_NAMED_PLAYERS = 200;
