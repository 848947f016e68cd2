import { hash, randomBytes } from 'node:crypto';

/**
 * Makes 192 random bits as 32 characters. They are short enough for a link to a local server, such as
 * `http://localhost:8080/…`, to fit on one line of a mail.
 */
export const makeRandomToken = (): string => randomBytes(24).toString('base64url');

/** Returns the form in which a random token is stored. As it is random, a slow hash would add nothing. */
export const hashToken = (token: string): string => hash('sha256', token, 'hex');
