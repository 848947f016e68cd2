/** The maximum number of logins of one player, over all providers. */
export const MAX_LOGINS_OF_PLAYER = 10;
/**
 * The maximum number of open sessions of one player; a further login ends the session that was used least
 * recently.
 */
export const MAX_SESSIONS_OF_PLAYER = 20;
/** Longest token or ticket of a provider, in characters. */
export const MAX_PROVIDER_TOKEN_LENGTH = 8_192;
/** Days after which an unused refresh token expires. */
export const REFRESH_TOKEN_DAYS = 90;
/** For this many seconds, a used refresh token that is sent again gets the same answer as at its first use. */
export const REPEAT_SECONDS = 30;
/** Minutes for which a move code is valid. */
export const MOVE_CODE_MINUTES = 10;
/**
 * The number of characters of a move code, without its dashes. Each character has 5 random bits, so nobody
 * can guess a code, however many are valid at the same time. SECURITY.md has the numbers.
 */
export const MOVE_CODE_LENGTH = 12;
/**
 * The maximum number of requests per minute with wrong device secrets or used tokens, from one network and
 * about one login of a game.
 */
export const MAX_WRONG_SECRETS_OF_LOGIN_PER_MINUTE = 30;
/**
 * The maximum number of such requests per minute from one network about all logins of a game together. It is
 * higher, because many players may share an address.
 */
export const MAX_WRONG_SECRETS_OF_NETWORK_PER_MINUTE = 600;
/** The maximum number of move codes per minute that one network can make in a game, and that it can try. */
export const MAX_CODES_OF_ADDRESS_PER_MINUTE = 5;

/** Minutes after a login in which a player can erase or export its data. */
export const NEW_LOGIN_MINUTES = 5;
/**
 * Hours after which a login that was added to a player may erase or export it. Somebody with a stolen player
 * token could add a login, and use that one at once.
 */
export const ADDED_LOGIN_HOURS = 24;
/** The maximum number of erasures and exports per minute that players can begin from one network. */
export const MAX_OWN_DATA_CALLS_PER_MINUTE = 5;

/** Largest body of a login, in bytes: a token and a few short members. */
export const MAX_LOGIN_BODY_BYTES = 16 * 1024;
