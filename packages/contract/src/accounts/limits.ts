/** Limits of accounts and logins. */

export const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_MAX_LENGTH = 1024;

/**
 * After this many failed logins in a row, an e-mail address is locked, or a known browser becomes
 * unknown.
 */
export const MAX_LOGIN_FAILURES = 5;
export const LOCK_DURATION_MINUTES = 15;
/**
 * The number of failed logins that one network address may have in a minute: enough for an office, few
 * for guessing.
 */
export const MAX_FAILED_LOGINS_PER_MINUTE = 30;
/**
 * The number of logins with the studio's identity that one network address may begin in a minute: enough for an
 * office in the morning.
 */
export const MAX_IDENTITY_LOGINS_PER_MINUTE = 120;

/**
 * The maximum number of sessions of an account; one more login ends the
 * session that has been unused for longest.
 */
export const MAX_SESSIONS = 100;
/**
 * The maximum number of browsers that an account remembers. One more login from a new browser makes the
 * account forget another browser: first those that never came back, because a script without cookies must
 * not push out the browsers of a person.
 */
export const MAX_DEVICES = 50;
/** The maximum number of passkeys of an account. */
export const MAX_PASSKEYS = 20;
export const RECOVERY_CODE_COUNT = 10;

/**
 * The maximum number of mails with a link that one network can make us send to an account in a day, and also
 * the maximum for one browser that has logged in to the account.
 */
export const MAX_LINKS_OF_REQUESTER = 5;
/**
 * The maximum number of such mails that all networks together can make us send to an account in a
 * day, so that no mailbox is flooded. It takes eight networks to use it up, and browsers that the
 * account remembers have a share of their own.
 */
export const MAX_LINKS_OF_NETWORKS = 40;
/** The number of such mails that one network address may request in a minute: enough for an office. */
export const MAX_MAIL_REQUESTS_PER_MINUTE = 30;
