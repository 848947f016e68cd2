/** Limits of accounts and logins. */

export const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_MAX_LENGTH = 1024;

/** Failed logins in a row that lock an e-mail address, or make a known browser an unknown one. */
export const MAX_LOGIN_FAILURES = 5;
export const LOCK_DURATION_MINUTES = 15;
/** Failed logins of one network address in a minute: enough for an office, few for guessing. */
export const MAX_FAILED_LOGINS_PER_MINUTE = 30;

/** Sessions of an account; one more login ends the session that was unused for longest. */
export const MAX_SESSIONS = 100;
/**
 * Browsers that an account remembers. One more login from a new browser makes it forget another
 * browser. Browsers that never came back go first, because a script without cookies must not push out
 * the browsers of a person.
 */
export const MAX_DEVICES = 50;
/** Passkeys of an account. */
export const MAX_PASSKEYS = 20;
export const RECOVERY_CODE_COUNT = 10;

/**
 * Mails with a link that an account gets in a day on requests of one network, or of one browser that
 * has logged in to the account.
 */
export const MAX_LINKS_OF_REQUESTER = 5;
/**
 * Such mails over all networks, so that no mailbox is flooded. It takes eight networks to use them up,
 * and browsers that the account remembers have their own share.
 */
export const MAX_LINKS_OF_NETWORKS = 40;
/** Requests for such mails of one network address in a minute: enough for an office. */
export const MAX_MAIL_REQUESTS_PER_MINUTE = 30;
