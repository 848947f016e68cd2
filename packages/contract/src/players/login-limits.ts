/** Logins of one player, over all providers. */
export const MAX_LOGINS_OF_PLAYER = 10;
/** Open sessions of one player; a further login ends the one that was used least recently. */
export const MAX_SESSIONS_OF_PLAYER = 20;
/** Longest token or ticket of a provider, in characters. */
export const MAX_PROVIDER_TOKEN_LENGTH = 8_192;
/** Days after which an unused refresh token expires. */
export const REFRESH_TOKEN_DAYS = 90;
/** Seconds in which a repeat of a used token is answered like its first use. */
export const REPEAT_SECONDS = 30;
/** Minutes for which a move code is valid. */
export const MOVE_CODE_MINUTES = 10;
/** Move codes of one game and environment that are valid at a time. */
export const MAX_MOVE_CODES = 200;
/**
 * Requests a minute with wrong device secrets or used tokens, from one network, for one login of a
 * game.
 */
export const MAX_WRONG_SECRETS_OF_LOGIN_PER_MINUTE = 30;
/** The same for all logins of a game. It is higher, because many players may share an address. */
export const MAX_WRONG_SECRETS_OF_NETWORK_PER_MINUTE = 600;
/** Requests with or for move codes a minute: from one network, and with wrong codes in one environment. */
export const MAX_CODES_OF_ADDRESS_PER_MINUTE = 5;
export const MAX_WRONG_CODES_PER_MINUTE = 10;

/** Bytes of the body of a login: a token and a few short members. */
export const MAX_LOGIN_BODY_BYTES = 16 * 1024;
