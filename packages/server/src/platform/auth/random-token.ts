import { hash, randomBytes } from 'node:crypto';

/** 192 random bits, in 32 characters: with a local address, a link fits into a line of a mail. */
export const makeRandomToken = (): string => randomBytes(24).toString('base64url');

/** The form in which a random token is stored: as it is random, a slow hash would add nothing. */
export const hashToken = (token: string): string => hash('sha256', token, 'hex');
