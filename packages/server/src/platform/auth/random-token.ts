import { hash, randomBytes } from 'node:crypto';

/** Makes 192 random bits in 32 characters: a link with a local address fits into a line of a mail. */
export const makeRandomToken = (): string => randomBytes(24).toString('base64url');

/** Returns the form in which a random token is stored. As it is random, a slow hash would add nothing. */
export const hashToken = (token: string): string => hash('sha256', token, 'hex');
