/** The maximum number of access tokens of an account that have not expired. */
export const MAX_ACCESS_TOKENS = 50;
/** The maximum number of games that one access token reaches. */
export const MAX_ACCESS_TOKEN_GAMES = 100;
/** The longest life of an access token, in days. */
export const MAX_ACCESS_TOKEN_DAYS = 365;
export const DEFAULT_ACCESS_TOKEN_DAYS = 90;
/** The number of days for which lists still show an access token that has expired. */
export const EXPIRED_TOKEN_KEPT_DAYS = 30;

/** The beginning of all access tokens, by which they differ from the tokens of logins. */
export const ACCESS_TOKEN_PREFIX = 'ow_pat_';
